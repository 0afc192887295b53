#include "ledger/merkle.h"

#include <bit>

namespace falconer::ledger {
namespace {

// The largest power of two that is less than `count`, which is at least 2: where RFC 6962 splits.
std::uint64_t SplitOf(std::uint64_t count) {
  return std::bit_floor(count - 1);
}

// The root of the leaves [start, end).
Result<Sha256Digest> RootOf(Hasher& hasher, const LeafAt& leaves, std::uint64_t start,
                            std::uint64_t end) {
  MerklePeaks peaks;
  for (std::uint64_t at = start; at < end; ++at) {
    TRY_ASSIGN(const Sha256Digest leaf, leaves(at));
    peaks.Append(hasher, leaf);
  }
  return peaks.Root(hasher);
}

std::unexpected<Error> OutOfTree(std::string_view what, std::uint64_t value, std::uint64_t size) {
  return Fail(ErrorCode::kInvalidArgument, std::string(what) + ": " + std::to_string(value) +
                                               " is not in a tree of " + std::to_string(size) +
                                               " records");
}

bool IsSubtree(Subtree subtree, std::uint64_t size) {
  if (subtree.start >= subtree.end || subtree.end > size) return false;
  const std::uint64_t count = subtree.end - subtree.start;
  if (count > (std::uint64_t{1} << 63U)) return subtree.start == 0;
  return subtree.start % std::bit_ceil(count) == 0;
}

// Climbs from a node of the subtree to the root of the tree, as the proof says: `first` and
// `second` are the first and last node of the subtree on this level, `last` the last node of the
// tree.
class Climb {
 public:
  Climb(Subtree subtree, std::uint64_t size)
      : first_(subtree.start), second_(subtree.end - 1), last_(size - 1) {
    if (second_ == last_) {
      while (first_ != second_) Rise();
    } else {
      while (first_ != second_ && (second_ & 1U) == 1) Rise();
    }
  }

  // The subtree is one whole node of the tree: the proof need not name it.
  bool starts_at_whole_node() const { return first_ == second_; }
  bool is_at_top() const { return last_ == 0; }
  void StartWith(const Sha256Digest& node) { old_ = new_ = node; }
  void Take(Hasher& hasher, const Sha256Digest& sibling) {
    if ((second_ & 1U) == 1 || second_ == last_) {
      if (first_ < second_) old_ = hasher.Node(sibling, old_);
      new_ = hasher.Node(sibling, new_);
      while ((second_ & 1U) == 0) Rise();
    } else {
      new_ = hasher.Node(new_, sibling);
    }
    Rise();
  }
  bool Ends(const Sha256Digest& subtree_root, const Sha256Digest& root) const {
    return is_at_top() && old_ == subtree_root && new_ == root;
  }

 private:
  void Rise() {
    first_ >>= 1U;
    second_ >>= 1U;
    last_ >>= 1U;
  }

  std::uint64_t first_;
  std::uint64_t second_;
  std::uint64_t last_;
  Sha256Digest old_{};
  Sha256Digest new_{};
};

}  // namespace

Sha256Digest EmptyRoot() {
  return Sha256Of("");
}

Result<MerklePeaks> MerklePeaks::FromParts(std::uint64_t size, std::vector<Sha256Digest> peaks) {
  if (static_cast<std::size_t>(std::popcount(size)) != peaks.size()) {
    return Fail(ErrorCode::kInvalidArgument,
                "peaks: a tree of " + std::to_string(size) + " records has " +
                    std::to_string(std::popcount(size)) + ", not " + std::to_string(peaks.size()));
  }
  MerklePeaks out;
  out.size_ = size;
  out.peaks_ = std::move(peaks);
  return out;
}

// Each trailing one bit of the size is a peak that the new leaf completes.
void MerklePeaks::Append(Hasher& hasher, const Sha256Digest& leaf) {
  Sha256Digest node = leaf;
  for (std::uint64_t bits = size_; (bits & 1U) == 1; bits >>= 1U) {
    node = hasher.Node(peaks_.back(), node);
    peaks_.pop_back();
  }
  peaks_.push_back(node);
  ++size_;
}

Sha256Digest MerklePeaks::Root(Hasher& hasher) const {
  if (peaks_.empty()) return EmptyRoot();
  Sha256Digest root = peaks_.back();
  for (auto peak = peaks_.rbegin() + 1; peak != peaks_.rend(); ++peak) {
    root = hasher.Node(*peak, root);
  }
  return root;
}

Result<MerkleProof> ProveInclusion(Hasher& hasher, const LeafAt& leaves, std::uint64_t index,
                                   std::uint64_t size) {
  if (index >= size) return OutOfTree("index", index, size);
  MerkleProof down;
  std::uint64_t start = 0;
  std::uint64_t end = size;
  while (end - start > 1) {
    const std::uint64_t middle = start + SplitOf(end - start);
    const bool is_left = index < middle;
    TRY_ASSIGN(const Sha256Digest sibling, is_left ? RootOf(hasher, leaves, middle, end)
                                                   : RootOf(hasher, leaves, start, middle));
    down.push_back(sibling);
    (is_left ? end : start) = middle;
  }
  return MerkleProof(down.rbegin(), down.rend());
}

Result<MerkleProof> ProveConsistency(Hasher& hasher, const LeafAt& leaves, std::uint64_t old_size,
                                     std::uint64_t size) {
  if (old_size == 0 || old_size > size) return OutOfTree("old_size", old_size, size);
  MerkleProof down;
  std::uint64_t start = 0;
  std::uint64_t end = size;
  bool is_whole = true;  // [start, end) is a node of the old tree that its root stands for
  while (old_size != end) {
    const std::uint64_t middle = start + SplitOf(end - start);
    const bool is_left = old_size <= middle;
    TRY_ASSIGN(const Sha256Digest sibling, is_left ? RootOf(hasher, leaves, middle, end)
                                                   : RootOf(hasher, leaves, start, middle));
    down.push_back(sibling);
    (is_left ? end : start) = middle;
    if (!is_left) is_whole = false;
  }
  if (!is_whole) {
    TRY_ASSIGN(const Sha256Digest node, RootOf(hasher, leaves, start, end));
    down.push_back(node);
  }
  return MerkleProof(down.rbegin(), down.rend());
}

bool IsIncluded(const Sha256Digest& leaf, std::uint64_t index, std::uint64_t size,
                std::span<const Sha256Digest> proof, const Sha256Digest& root) {
  if (index >= size) return false;
  return IsConsistent(Subtree{index, index + 1}, leaf, size, root, proof);
}

bool IsIncluded(const Sha256Digest& leaf, std::uint64_t index, Subtree subtree,
                std::span<const Sha256Digest> proof, const Sha256Digest& root) {
  if (!IsSubtree(subtree, subtree.end) || index < subtree.start) return false;
  return IsIncluded(leaf, index - subtree.start, subtree.end - subtree.start, proof, root);
}

bool IsConsistent(std::uint64_t old_size, const Sha256Digest& old_root, std::uint64_t size,
                  const Sha256Digest& root, std::span<const Sha256Digest> proof) {
  if (old_size == 0) return false;
  return IsConsistent(Subtree{0, old_size}, old_root, size, root, proof);
}

bool IsConsistent(Subtree subtree, const Sha256Digest& subtree_root, std::uint64_t size,
                  const Sha256Digest& root, std::span<const Sha256Digest> proof) {
  // Nothing is part of every tree.
  if (subtree.start == subtree.end && subtree.end <= size) {
    return proof.empty() && subtree_root == EmptyRoot();
  }
  if (!IsSubtree(subtree, size)) return false;
  Climb climb(subtree, size);
  if (climb.starts_at_whole_node()) {
    climb.StartWith(subtree_root);
  } else {
    if (proof.empty()) return false;
    climb.StartWith(proof.front());
    proof = proof.subspan(1);
  }
  Hasher hasher;
  for (const Sha256Digest& sibling : proof) {
    if (climb.is_at_top()) return false;
    climb.Take(hasher, sibling);
  }
  return climb.Ends(subtree_root, root);
}

}  // namespace falconer::ledger
