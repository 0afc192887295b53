#include "model/fold_text.h"

#include <cstddef>

namespace falconer::model {
namespace {

struct CodePoint {
  char32_t value = U' ';
  std::size_t bytes = 1;
};

// One code point; a broken byte reads as a space.
CodePoint FoldablePoint(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length == 0 || length > text.size()) return {};
  char32_t value = lead & (0xffU >> (length + 1));
  for (const char byte : text.substr(1, length - 1)) {
    const auto part = static_cast<unsigned char>(byte);
    if ((part & 0xc0) != 0x80) return {};
    value = (value << 6) | (part & 0x3fU);
  }
  return {value, length};
}

void AppendUtf8(std::string& out, char32_t c) {
  const auto put = [&](char32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) return put(c);
  if (c < 0x800) {
    put(0xc0 | (c >> 6));
  } else {
    if (c < 0x10000) {
      put(0xe0 | (c >> 12));
    } else {
      put(0xf0 | (c >> 18));
      put(0x80 | ((c >> 12) & 0x3f));
    }
    put(0x80 | ((c >> 6) & 0x3f));
  }
  put(0x80 | (c & 0x3f));
}

// U+00C0 to U+017F: the letter without its marks. '.' stands for what is not folded here.
constexpr std::string_view kLatinBase =
    "aaaaaa.ceeeeiiiidnooooo.ouuuuy.."                                   // U+00C0
    "aaaaaa.ceeeeiiiidnooooo.ouuuuy.y"                                   // U+00E0
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii..jjkkklllllll"   // U+0100
    "lllnnnnnnnnnoooooo..rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";  // U+0140
constexpr char32_t kLatinFirst = 0xc0;

struct LongFold {
  char32_t from;
  std::string_view to;
};

constexpr LongFold kLongFolds[] = {
    {0xc6, "ae"},  {0xe6, "ae"}, {0xdf, "ss"}, {0x1e9e, "ss"}, {0x152, "oe"},
    {0x153, "oe"}, {0xde, "th"}, {0xfe, "th"}, {0x132, "ij"},  {0x133, "ij"},
};

struct FoldRange {
  char32_t first;
  char32_t last;
};

// What is not seen: soft hyphens, joiners, direction marks, combining marks, variation selectors.
constexpr FoldRange kUnseenPoints[] = {
    {0x00, 0x08},     {0x0e, 0x1f},     {0x7f, 0x9f},       {0xad, 0xad},     {0x300, 0x36f},
    {0x61c, 0x61c},   {0x180b, 0x180e}, {0x200b, 0x200f},   {0x202a, 0x202e}, {0x2060, 0x206f},
    {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xe0000, 0xe0fff},
};
constexpr FoldRange kSpaces[] = {
    {0x09, 0x0d},     {0x20, 0x20},     {0xa0, 0xa0},     {0x1680, 0x1680}, {0x2000, 0x200a},
    {0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000},
};

template <std::size_t N>
bool IsAmong(const FoldRange (&ranges)[N], char32_t c) {
  for (const FoldRange& range : ranges) {
    if (c >= range.first && c <= range.last) return true;
  }
  return false;
}

char32_t FoldCodePoint(char32_t c) {
  if (c >= U'A' && c <= U'Z') return c + 32;
  if (c >= kLatinFirst && c < kLatinFirst + kLatinBase.size()) {
    const char base = kLatinBase[c - kLatinFirst];
    return base == '.' ? c : static_cast<char32_t>(base);
  }
  if (c >= 0x391 && c <= 0x3a9) return c + 32;  // Greek
  if (c >= 0x410 && c <= 0x42f) return c + 32;  // Cyrillic
  if (c >= 0x400 && c <= 0x40f) return c + 80;
  if (c >= 0xff01 && c <= 0xff5e) return FoldCodePoint(c - 0xfee0);  // wide forms
  return c;
}

void AppendFolded(std::string& out, char32_t c) {
  for (const LongFold& fold : kLongFolds) {
    if (fold.from == c) {
      out += fold.to;
      return;
    }
  }
  AppendUtf8(out, FoldCodePoint(c));
}

}  // namespace

std::string FoldText(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint next = FoldablePoint(text);
    text.remove_prefix(next.bytes);
    if (IsAmong(kSpaces, next.value)) {
      if (!out.empty() && out.back() != ' ') out += ' ';
    } else if (next.value < 0x80 || !IsAmong(kUnseenPoints, next.value)) {
      if (next.value >= 0x20 && next.value != 0x7f) AppendFolded(out, next.value);
    }
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

}  // namespace falconer::model
