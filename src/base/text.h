#pragma once
// Small questions about text, by the rules of ASCII, whatever the locale is.

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace falconer {

constexpr bool IsSpace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
constexpr bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool IsLower(char c) {
  return c >= 'a' && c <= 'z';
}
constexpr bool IsUpper(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool IsLetter(char c) {
  return IsLower(c) || IsUpper(c);
}
constexpr bool IsLetterOrDigit(char c) {
  return IsLetter(c) || IsDigit(c);
}
constexpr char LowerOf(char c) {
  return IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr char UpperOf(char c) {
  return IsLower(c) ? static_cast<char>(c - 'a' + 'A') : c;
}

std::string ToLower(std::string_view text);
std::string ToUpper(std::string_view text);
// Equal but for the case of letters.
bool IsSameWord(std::string_view a, std::string_view b);

// `text` without the white space at both ends.
std::string_view Trim(std::string_view text);

// True when `text` holds a control character other than tab, line feed and carriage return.
bool HasControl(std::string_view text);

// A whole decimal number that fits, with nothing around it.
template <std::integral T = std::int64_t>
std::optional<T> ParseWhole(std::string_view text) {
  T value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, value);
  if (failed != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace falconer
