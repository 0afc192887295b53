#include "base/utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace falconer {
namespace {

// A row per kind of lead byte: how many bytes follow, and the range of the first of them. That
// range is where overlong forms, surrogates and too large code points are told apart.
struct Sequence {
  unsigned char lead_min;
  unsigned char lead_max;
  std::size_t following;
  unsigned char second_min;
  unsigned char second_max;
};

constexpr Sequence kSequences[] = {
    {0xC2, 0xDF, 1, 0x80, 0xBF}, {0xE0, 0xE0, 2, 0xA0, 0xBF}, {0xE1, 0xEC, 2, 0x80, 0xBF},
    {0xED, 0xED, 2, 0x80, 0x9F}, {0xEE, 0xEF, 2, 0x80, 0xBF}, {0xF0, 0xF0, 3, 0x90, 0xBF},
    {0xF1, 0xF3, 3, 0x80, 0xBF}, {0xF4, 0xF4, 3, 0x80, 0x8F},
};

const Sequence* SequenceOf(unsigned char lead) {
  for (const Sequence& row : kSequences) {
    if (row.lead_min <= lead && lead <= row.lead_max) return &row;
  }
  return nullptr;
}

bool Matches(const Sequence& row, std::string_view following) {
  for (std::size_t i = 0; i < row.following; ++i) {
    const auto byte = static_cast<unsigned char>(following[i]);
    const unsigned char min = i == 0 ? row.second_min : 0x80;
    const unsigned char max = i == 0 ? row.second_max : 0xBF;
    if (byte < min || byte > max) return false;
  }
  return true;
}

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::size_t kLongestCharacter = 4;

// Empty when the text does not begin with one.
std::string_view FirstCharacter(std::string_view text) {
  for (std::size_t size = 1; size <= std::min(kLongestCharacter, text.size()); ++size) {
    if (IsValidUtf8(text.substr(0, size))) return text.substr(0, size);
  }
  return {};
}

}  // namespace

bool IsValidUtf8(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    if (lead < 0x80) continue;
    const Sequence* row = SequenceOf(lead);
    if (row == nullptr || text.size() - i < row->following) return false;
    if (!Matches(*row, text.substr(i))) return false;
    i += row->following;
  }
  return true;
}

std::size_t Utf8Length(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string_view Utf8Prefix(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

std::string MendedUtf8(std::string text) {
  if (IsValidUtf8(text)) return text;
  std::string mended;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view character = FirstCharacter(rest);
    mended += character.empty() ? kReplacement : character;
    rest.remove_prefix(std::max<std::size_t>(character.size(), 1));
  }
  return mended;
}

}  // namespace falconer
