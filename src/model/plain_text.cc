#include "model/plain_text.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>

#include "base/utf8.h"

namespace falconer::model {
namespace {

struct CodeRange {
  std::uint32_t first;
  std::uint32_t last;
};

constexpr CodeRange kUnseen[] = {
    {0x00, 0x1F},     {0x7F, 0x9F},        // controls
    {0xAD, 0xAD},     {0x61C, 0x61C},      // soft hyphen, Arabic letter mark
    {0x180E, 0x180E}, {0x200B, 0x200F},    // zero widths, marks of direction
    {0x2028, 0x202E}, {0x2060, 0x206F},    // line ends, embeddings, isolates
    {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF},    // variations, byte order mark
    {0xFFF9, 0xFFFB}, {0xE0000, 0xE0FFF},  // annotations, tags
};

enum class LineEnds : std::uint8_t { kWritten, kKept };

bool IsUnseen(std::uint32_t code) {
  return std::ranges::any_of(kUnseen, [code](const CodeRange& range) {
    return range.first <= code && code <= range.last;
  });
}

// The character at the front of well-formed UTF-8.
struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
};

Character FrontOf(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  std::uint32_t code = first & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    code = code << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  return {code, bytes};
}

std::string Plain(std::string_view text, LineEnds line_ends) {
  const std::string mended = MendedUtf8(std::string(text));
  std::string out;
  for (std::string_view rest = mended; !rest.empty();) {
    const Character front = FrontOf(rest);
    const bool is_kept = line_ends == LineEnds::kKept && front.code == '\n';
    if (IsUnseen(front.code) && !is_kept) {
      out += fmt::format("\\u{{{:x}}}", front.code);
    } else {
      out += rest.substr(0, front.bytes);
    }
    rest.remove_prefix(front.bytes);
  }
  return out;
}

}  // namespace

std::string PlainLine(std::string_view text) {
  return Plain(text, LineEnds::kWritten);
}

std::string PlainText(std::string_view text) {
  return Plain(text, LineEnds::kKept);
}

}  // namespace falconer::model
