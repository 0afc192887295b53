#pragma once
// Bytes as hex digits, and back.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace falconer {

enum class HexCase : std::uint8_t { kLower, kUpper };

// The two digits of a byte.
inline std::string HexOfByte(std::uint8_t byte, HexCase letters = HexCase::kLower) {
  const std::string_view digits =
      letters == HexCase::kUpper ? "0123456789ABCDEF" : "0123456789abcdef";
  return {digits[byte >> 4U], digits[byte & 15U]};
}

inline std::string ToHex(std::span<const std::uint8_t> bytes, HexCase letters = HexCase::kLower) {
  std::string out;
  out.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) out += HexOfByte(byte, letters);
  return out;
}

// True when there is nothing but digits in lower case.
inline bool IsHex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// What a digit of either case stands for; -1 for what is none.
constexpr int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// The byte that the first two digits of `text` stand for, of either case; nothing when they are
// none.
constexpr std::optional<std::uint8_t> ByteOfHex(std::string_view text) {
  if (text.size() < 2) return std::nullopt;
  const int high = HexValue(text[0]);
  const int low = HexValue(text[1]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<std::uint8_t>(high * 16 + low);
}

}  // namespace falconer
