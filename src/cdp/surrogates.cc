#include "cdp/surrogates.h"

#include <charconv>
#include <cstdint>
#include <optional>

namespace falconer::cdp {
namespace {

constexpr std::size_t kEscapeLength = 6;  // \uXXXX

// The code unit of the \uXXXX escape at `at`, if there is one.
std::optional<std::uint32_t> UnitAt(std::string_view text, std::size_t at) {
  if (at + kEscapeLength > text.size() || text[at] != '\\' || text[at + 1] != 'u') return {};
  const char* const end = text.data() + at + kEscapeLength;
  std::uint32_t unit = 0;
  const auto read = std::from_chars(text.data() + at + 2, end, unit, 16);
  if (read.ptr != end) return {};
  return unit;
}

bool IsHigh(std::optional<std::uint32_t> unit) {
  return unit && *unit >= 0xD800 && *unit <= 0xDBFF;
}

bool IsLow(std::optional<std::uint32_t> unit) {
  return unit && *unit >= 0xDC00 && *unit <= 0xDFFF;
}

}  // namespace

std::string WithoutLoneSurrogates(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto unit = UnitAt(text, at);
    std::size_t length = text[at] == '\\' ? 2 : 1;
    if (IsHigh(unit) && IsLow(UnitAt(text, at + kEscapeLength))) {
      length = 2 * kEscapeLength;
    } else if (IsHigh(unit) || IsLow(unit)) {
      out += "\\ufffd";
      at += kEscapeLength;
      continue;
    }
    out += text.substr(at, length);
    at += length;
  }
  return out;
}

}  // namespace falconer::cdp
