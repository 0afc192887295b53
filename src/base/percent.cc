#include "base/percent.h"

#include <algorithm>

#include "base/text.h"

namespace falconer {
namespace {

constexpr std::size_t kEscapeBytes = 3;

}  // namespace

std::string PercentEncoded(std::string_view text, const PercentForm& form) {
  std::string out;
  for (const char c : text) {
    if (IsLetterOrDigit(c) || form.kept.contains(c)) {
      out += c;
    } else if (c == ' ' && form.space == SpaceForm::kPlus) {
      out += '+';
    } else {
      out += '%';
      out += HexOfByte(static_cast<std::uint8_t>(c), form.letters);
    }
  }
  return out;
}

std::string PercentDecoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::optional<std::uint8_t> byte = LeadingEscape(text);
    out += byte ? static_cast<char>(*byte) : text.front();
    text.remove_prefix(byte ? kEscapeBytes : 1);
  }
  return out;
}

std::optional<std::string> ParsePercent(std::string_view text) {
  for (std::size_t at = text.find('%'); at != text.npos; at = text.find('%', at + 1)) {
    if (!LeadingEscape(text.substr(at))) return std::nullopt;
  }
  return PercentDecoded(text);
}

std::string FormDecoded(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '+', ' ');
  return PercentDecoded(spaced);
}

}  // namespace falconer
