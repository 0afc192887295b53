#include "ledger/merkle.h"

#include <bit>

#include <gtest/gtest.h>

#include "base/hex.h"

namespace falconer::ledger {
namespace {

constexpr std::uint64_t kMost = 70;

std::vector<Sha256Digest> Leaves(std::uint64_t count) {
  Hasher hasher;
  std::vector<Sha256Digest> out;
  for (std::uint64_t i = 0; i < count; ++i) out.push_back(hasher.Leaf(std::to_string(i)));
  return out;
}

// The definition of RFC 6962, word for word.
Sha256Digest RootByDefinition(std::span<const Sha256Digest> leaves) {
  if (leaves.empty()) return Sha256Of("");
  if (leaves.size() == 1) return leaves.front();
  const std::size_t split = std::bit_floor(leaves.size() - 1);
  return Hasher().Node(RootByDefinition(leaves.first(split)),
                       RootByDefinition(leaves.subspan(split)));
}

class MerkleTest : public testing::Test {
 protected:
  std::vector<Sha256Digest> leaves_ = Leaves(kMost);
  Hasher hasher_;
  LeafAt at_ = [this](std::uint64_t index) -> Result<Sha256Digest> { return leaves_[index]; };

  Sha256Digest Root(std::uint64_t size) { return RootByDefinition(std::span(leaves_).first(size)); }
};

TEST_F(MerkleTest, RootsAreThoseOfTheDefinition) {
  MerklePeaks peaks;
  for (std::uint64_t size = 0; size < kMost; ++size) {
    EXPECT_EQ(ToHex(peaks.Root(hasher_)), ToHex(Root(size))) << size;
    EXPECT_EQ(peaks.size(), size);
    peaks.Append(hasher_, leaves_[size]);
  }
}

TEST_F(MerkleTest, HashesAsPublished) {
  // The root of the first entry of the published vectors: a leaf without content.
  EXPECT_EQ(ToHex(hasher_.Leaf("")),
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
}

TEST_F(MerkleTest, PeaksCanBeTakenUpAgain) {
  MerklePeaks peaks;
  for (std::uint64_t i = 0; i < 13; ++i) peaks.Append(hasher_, leaves_[i]);
  auto again = MerklePeaks::FromParts(13, peaks.peaks());
  ASSERT_TRUE(again);
  again->Append(hasher_, leaves_[13]);

  EXPECT_EQ(again->Root(hasher_), Root(14));
  EXPECT_FALSE(MerklePeaks::FromParts(12, peaks.peaks()));
}

TEST_F(MerkleTest, ProvesEveryLeafOfEveryTree) {
  for (std::uint64_t size = 1; size < kMost; ++size) {
    const Sha256Digest root = Root(size);
    for (std::uint64_t index = 0; index < size; ++index) {
      const auto proof = ProveInclusion(hasher_, at_, index, size);
      ASSERT_TRUE(proof);
      EXPECT_TRUE(IsIncluded(leaves_[index], index, size, *proof, root)) << index << "/" << size;
    }
  }
}

TEST_F(MerkleTest, RefusesWrongInclusionProofs) {
  const auto proof = ProveInclusion(hasher_, at_, 5, 13).value();
  const Sha256Digest root = Root(13);
  for (std::uint64_t index = 0; index < 16; ++index) {
    for (std::uint64_t size = 0; size < 16; ++size) {
      // The shape of the path is the same in a tree whose right end differs only above it.
      if (index == 5 && size == 13) continue;
      EXPECT_FALSE(IsIncluded(leaves_[5], index, size, proof, root) && size <= index);
      if (index != 5) EXPECT_FALSE(IsIncluded(leaves_[5], index, size, proof, root));
    }
  }
  for (std::size_t i = 0; i < proof.size(); ++i) {
    MerkleProof broken = proof;
    broken[i][7] ^= 1U;
    EXPECT_FALSE(IsIncluded(leaves_[5], 5, 13, broken, root));
    broken = proof;
    broken.erase(broken.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(IsIncluded(leaves_[5], 5, 13, broken, root));
    broken = proof;
    broken.insert(broken.begin() + static_cast<std::ptrdiff_t>(i), root);
    EXPECT_FALSE(IsIncluded(leaves_[5], 5, 13, broken, root));
  }
  EXPECT_FALSE(ProveInclusion(hasher_, at_, 13, 13));
}

TEST_F(MerkleTest, ProvesThatEveryTreeGrewFromEverySmallerOne) {
  for (std::uint64_t size = 1; size < kMost; ++size) {
    for (std::uint64_t old = 1; old <= size; ++old) {
      const auto proof = ProveConsistency(hasher_, at_, old, size);
      ASSERT_TRUE(proof);
      EXPECT_TRUE(IsConsistent(old, Root(old), size, Root(size), *proof)) << old << "/" << size;
      if (old < size) {
        EXPECT_FALSE(IsConsistent(old, Root(old - 1), size, Root(size), *proof));
        EXPECT_FALSE(IsConsistent(old, Root(old), size, Root(size - 1), *proof));
      }
    }
  }
  EXPECT_FALSE(ProveConsistency(hasher_, at_, 0, 5));
  EXPECT_FALSE(ProveConsistency(hasher_, at_, 6, 5));
}

TEST_F(MerkleTest, KnowsSubtrees) {
  const Sha256Digest part = RootByDefinition(std::span(leaves_).subspan(4, 4));
  const MerkleProof proof{Root(4), leaves_[8]};
  const MerkleProof wrong{leaves_[8], Root(4)};

  EXPECT_TRUE(IsConsistent(Subtree{4, 8}, part, 9, Root(9), proof));
  EXPECT_FALSE(IsConsistent(Subtree{4, 8}, part, 9, Root(9), wrong));
  EXPECT_FALSE(IsConsistent(Subtree{3, 7}, part, 9, Root(9), proof)) << "no subtree begins there";
  EXPECT_TRUE(IsConsistent(Subtree{5, 5}, EmptyRoot(), 9, Root(9), {}));
  EXPECT_FALSE(IsConsistent(Subtree{5, 5}, part, 9, Root(9), {}));
  EXPECT_FALSE(IsConsistent(0, EmptyRoot(), 9, Root(9), {}));
}

}  // namespace
}  // namespace falconer::ledger
