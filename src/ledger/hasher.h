#pragma once
// The hashes of the ledger (docs/ledger.md): leaf, node and segment header, each with its own first
// byte so that one can never stand for another.

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/sha256.h"

namespace falconer::ledger {

// Keeps one digest context: half the time of hashing a small record is setting one up.
class Hasher {
 public:
  Hasher();
  Hasher(Hasher&&) noexcept;
  Hasher& operator=(Hasher&&) noexcept;
  ~Hasher();

  // SHA-256(0x00 || bytes): a record, and the leaf of the tree that it is (RFC 6962).
  Sha256Digest Leaf(std::string_view bytes);
  // SHA-256(0x01 || left || right).
  Sha256Digest Node(const Sha256Digest& left, const Sha256Digest& right);
  // SHA-256(prefix || bytes).
  Sha256Digest Prefixed(std::uint8_t prefix, std::string_view bytes);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

inline std::string_view BytesOf(const Sha256Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace falconer::ledger
