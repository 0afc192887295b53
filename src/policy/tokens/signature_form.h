#pragma once
// The two forms of an ECDSA signature: tokens have both numbers side by side, 32 bytes each;
// OpenSSL wants ASN.1.

#include <array>
#include <string>
#include <string_view>

namespace falconer::policy {

// Also the size of an Ed25519 signature.
inline constexpr std::size_t kPairBytes = 64;

// Two integers of at most 33 bytes, each with two bytes in front, in a sequence with two more.
struct DerPair {
  std::array<char, 72> bytes{};
  std::size_t size = 0;

  std::string_view view() const { return {bytes.data(), size}; }
};

// `pair` MUST have kPairBytes bytes.
DerPair DerOf(std::string_view pair);

// Back; `der` MUST be a signature by a P-256 key.
std::string PairOf(std::string_view der);

}  // namespace falconer::policy
