#pragma once
// The Merkle tree of RFC 6962 over the records of a chain: leaf n is the hash of record n + 1. The
// tree is never kept whole; appending and the root need only its peaks, proofs read leaf hashes.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/error.h"
#include "ledger/hasher.h"

namespace falconer::ledger {

// The hash of a tree without leaves: SHA-256 of nothing.
Sha256Digest EmptyRoot();

// The roots of the perfect subtrees that a tree of some size consists of, the largest first (what
// RFC 6962 implementations call a compact range).
class MerklePeaks {
 public:
  MerklePeaks() = default;
  // kInvalidArgument when a tree of `size` leaves has another number of peaks.
  static Result<MerklePeaks> FromParts(std::uint64_t size, std::vector<Sha256Digest> peaks);

  void Append(Hasher& hasher, const Sha256Digest& leaf);
  Sha256Digest Root(Hasher& hasher) const;

  std::uint64_t size() const { return size_; }
  const std::vector<Sha256Digest>& peaks() const { return peaks_; }

 private:
  std::uint64_t size_ = 0;
  std::vector<Sha256Digest> peaks_;
};

using MerkleProof = std::vector<Sha256Digest>;
// The hash of the leaf at an index.
using LeafAt = std::function<Result<Sha256Digest>(std::uint64_t index)>;

// The path from leaf `index` to the root of the first `size` leaves. kInvalidArgument unless
// index < size.
Result<MerkleProof> ProveInclusion(Hasher& hasher, const LeafAt& leaves, std::uint64_t index,
                                   std::uint64_t size);
// That the first `old_size` leaves of the tree of `size` leaves are the tree of `old_size` leaves.
// kInvalidArgument unless 1 <= old_size <= size.
Result<MerkleProof> ProveConsistency(Hasher& hasher, const LeafAt& leaves, std::uint64_t old_size,
                                     std::uint64_t size);

// A subtree [start, end) of a tree: `start` is a multiple of the smallest power of two that is not
// less than its size.
struct Subtree {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
};

// Verification of proofs by others: true only if the proof is exactly right.
bool IsIncluded(const Sha256Digest& leaf, std::uint64_t index, std::uint64_t size,
                std::span<const Sha256Digest> proof, const Sha256Digest& root);
bool IsIncluded(const Sha256Digest& leaf, std::uint64_t index, Subtree subtree,
                std::span<const Sha256Digest> proof, const Sha256Digest& root);
bool IsConsistent(std::uint64_t old_size, const Sha256Digest& old_root, std::uint64_t size,
                  const Sha256Digest& root, std::span<const Sha256Digest> proof);
// That `subtree_root` is the root of the subtree of the tree with `size` leaves. The empty subtree
// is part of every tree.
bool IsConsistent(Subtree subtree, const Sha256Digest& subtree_root, std::uint64_t size,
                  const Sha256Digest& root, std::span<const Sha256Digest> proof);

}  // namespace falconer::ledger
