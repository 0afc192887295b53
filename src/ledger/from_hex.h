#pragma once
// Hex digits as bytes of a known number.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace falconer::ledger {

// Lower case only; exactly 2 * N digits.
template <std::size_t N>
std::optional<std::array<std::uint8_t, N>> FromHex(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (text.size() != 2 * N) return std::nullopt;
  std::array<std::uint8_t, N> out{};
  for (std::size_t i = 0; i < N; ++i) {
    const std::size_t high = kDigits.find(text[2 * i]);
    const std::size_t low = kDigits.find(text[2 * i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    out[i] = static_cast<std::uint8_t>(16 * high + low);
  }
  return out;
}

}  // namespace falconer::ledger
