#pragma once
// The newest durable record of a ledger chain, as the control store remembers it: a ledger that is
// found behind its head was cut or rolled back.

#include <cstdint>
#include <string>

#include "base/sha256.h"

namespace falconer::store {

struct ChainHead {
  std::string chain;
  std::uint64_t seq = 0;
  Sha256Digest record_hash{};
  Sha256Digest tree_root{};

  friend bool operator==(const ChainHead&, const ChainHead&) = default;
};

}  // namespace falconer::store
