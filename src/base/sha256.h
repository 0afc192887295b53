#pragma once
// SHA-256, in one step or piece by piece.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace falconer {

using Sha256Digest = std::array<std::uint8_t, 32>;

// The digest of a text.
Sha256Digest Sha256Of(std::string_view text);
// The same as 64 lower-case hex digits; other digests are written with ToHex (base/hex.h).
std::string Sha256Hex(std::string_view text);

// For content that arrives in pieces, such as a download.
class Sha256 {
 public:
  Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;
  ~Sha256();

  Sha256& Add(std::string_view piece);
  // The digest of everything added; the object then starts over, empty.
  Sha256Digest Finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace falconer
