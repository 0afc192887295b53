#include "model/look_alikes.h"

#include <algorithm>
#include <optional>

#include "base/utf8.h"

namespace falconer::model {
namespace {

struct LookAlike {
  char32_t from;
  char to;
};

// Sorted. Greek, Cyrillic, phonetic and letter-like signs. A small letter that is drawn as a small
// capital counts as that capital.
constexpr LookAlike kLookAlikes[] = {
    {0x131, 'i'},  {0x251, 'a'},  {0x261, 'g'},  {0x386, 'a'},  {0x388, 'e'},  {0x389, 'h'},
    {0x38a, 'i'},  {0x38c, 'o'},  {0x38e, 'y'},  {0x391, 'a'},  {0x392, 'b'},  {0x395, 'e'},
    {0x396, 'z'},  {0x397, 'h'},  {0x399, 'i'},  {0x39a, 'k'},  {0x39c, 'm'},  {0x39d, 'n'},
    {0x39f, 'o'},  {0x3a1, 'p'},  {0x3a4, 't'},  {0x3a5, 'y'},  {0x3a7, 'x'},  {0x3ac, 'a'},
    {0x3ad, 'e'},  {0x3af, 'i'},  {0x3b1, 'a'},  {0x3b3, 'y'},  {0x3b5, 'e'},  {0x3b9, 'i'},
    {0x3ba, 'k'},  {0x3bd, 'v'},  {0x3bf, 'o'},  {0x3c1, 'p'},  {0x3c4, 't'},  {0x3c5, 'u'},
    {0x3c7, 'x'},  {0x3c9, 'w'},  {0x3ca, 'i'},  {0x3cb, 'u'},  {0x3cc, 'o'},  {0x3cd, 'u'},
    {0x3f2, 'c'},  {0x3f3, 'j'},  {0x401, 'e'},  {0x405, 's'},  {0x406, 'i'},  {0x407, 'i'},
    {0x408, 'j'},  {0x410, 'a'},  {0x412, 'b'},  {0x415, 'e'},  {0x41a, 'k'},  {0x41c, 'm'},
    {0x41d, 'h'},  {0x41e, 'o'},  {0x420, 'p'},  {0x421, 'c'},  {0x422, 't'},  {0x423, 'y'},
    {0x425, 'x'},  {0x430, 'a'},  {0x432, 'b'},  {0x435, 'e'},  {0x43a, 'k'},  {0x43c, 'm'},
    {0x43d, 'h'},  {0x43e, 'o'},  {0x440, 'p'},  {0x441, 'c'},  {0x442, 't'},  {0x443, 'y'},
    {0x445, 'x'},  {0x451, 'e'},  {0x455, 's'},  {0x456, 'i'},  {0x457, 'i'},  {0x458, 'j'},
    {0x475, 'v'},  {0x491, 'r'},  {0x4ae, 'y'},  {0x4af, 'y'},  {0x4ba, 'h'},  {0x4bb, 'h'},
    {0x4c0, 'i'},  {0x4cf, 'l'},  {0x501, 'd'},  {0x51a, 'q'},  {0x51b, 'q'},  {0x51c, 'w'},
    {0x51d, 'w'},  {0x2102, 'c'}, {0x210a, 'g'}, {0x210b, 'h'}, {0x210c, 'h'}, {0x210d, 'h'},
    {0x210e, 'h'}, {0x2110, 'i'}, {0x2111, 'i'}, {0x2112, 'l'}, {0x2113, 'l'}, {0x2115, 'n'},
    {0x2119, 'p'}, {0x211a, 'q'}, {0x211b, 'r'}, {0x211c, 'r'}, {0x211d, 'r'}, {0x2124, 'z'},
    {0x2128, 'z'}, {0x212a, 'k'}, {0x212c, 'b'}, {0x212d, 'c'}, {0x212f, 'e'}, {0x2130, 'e'},
    {0x2131, 'f'}, {0x2133, 'm'}, {0x2134, 'o'}, {0x2139, 'i'}};
static_assert(std::ranges::is_sorted(kLookAlikes, {}, &LookAlike::from));

// Alphabets that stand in a row: capital letters first where both are there, or digits.
struct AlphabetRun {
  char32_t first;
  char32_t last;
  char32_t size;  // how many signs one alphabet has: 26 letters, or 10 digits
};

constexpr AlphabetRun kAlphabetRuns[] = {
    {0x24b6, 0x24e9, 26},                            // in circles
    {0x1d400, 0x1d6a3, 26},                          // of mathematics
    {0x1d7ce, 0x1d7ff, 10}, {0x1f130, 0x1f149, 26},  // in squares
    {0x1f150, 0x1f169, 26}, {0x1f170, 0x1f189, 26},
};

std::optional<char> LatinFor(char32_t c) {
  const auto* const found = std::ranges::lower_bound(kLookAlikes, c, {}, &LookAlike::from);
  if (found != std::end(kLookAlikes) && found->from == c) return found->to;
  for (const AlphabetRun& run : kAlphabetRuns) {
    if (c < run.first || c > run.last) continue;
    const auto place = static_cast<char>((c - run.first) % run.size);
    return static_cast<char>((run.size == 10 ? '0' : 'a') + place);
  }
  return std::nullopt;
}

// The code point of one whole character.
char32_t PointOf(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return lead;
  char32_t value = lead & (0xffU >> (character.size() + 1));
  for (const char byte : character.substr(1)) {
    value = (value << 6) | (static_cast<unsigned char>(byte) & 0x3fU);
  }
  return value;
}

bool IsInsideCharacter(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

}  // namespace

std::string WithoutLookAlikes(std::string_view text) {
  const std::string whole = MendedUtf8(std::string(text));
  std::string out;
  for (std::size_t at = 0; at < whole.size();) {
    std::size_t next = at + 1;
    while (next < whole.size() && IsInsideCharacter(whole[next])) ++next;
    const std::string_view character = std::string_view(whole).substr(at, next - at);
    if (const auto latin = LatinFor(PointOf(character))) {
      out += *latin;
    } else {
      out += character;
    }
    at = next;
  }
  return out;
}

}  // namespace falconer::model
