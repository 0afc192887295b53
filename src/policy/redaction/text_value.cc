#include "policy/redaction/text_value.h"

#include <algorithm>

#include "policy/redaction/text_class.h"

namespace falconer::policy {
namespace {

// Whatever a text says, a value has an end.
constexpr std::size_t kLongestQuoted = 16384;
constexpr std::size_t kLongestLine = 4096;
constexpr ByteSet kBlank(" \t");
constexpr ByteSet kLooseEnd(" \t\r\n\"'<>&;`");
constexpr ByteSet kLooseStop(",)}]");
constexpr ByteSet kEscapedEnd("nrt\"");

bool HasAt(std::string_view text, std::size_t at, char c) {
  return at < text.size() && text[at] == c;
}

// In front of the quote that has as many backslashes as the first one.
std::size_t QuotedEnd(std::string_view text, std::size_t at, char quote, std::size_t depth) {
  const std::size_t most = std::min(text.size(), at + kLongestQuoted);
  for (std::size_t i = at; i < most; ++i) {
    if (text[i] == '\n') return i;
    if (text[i] != quote) continue;
    std::size_t slashes = 0;
    while (slashes < i - at && text[i - 1 - slashes] == '\\') ++slashes;
    if (slashes % 2 == depth && slashes <= depth) return i - depth;
    if (depth == 0 && slashes % 2 == 0) return i;
  }
  return most;
}

}  // namespace

TextValue ValueAfter(std::string_view text, std::size_t sign) {
  TextValue value{.begin = sign + 1};
  while (value.begin < text.size() && kBlank.Has(text[value.begin])) ++value.begin;
  value.is_tight = value.begin == sign + 1;
  const bool is_escaped = HasAt(text, value.begin, '\\') && HasAt(text, value.begin + 1, '"');
  if (is_escaped) ++value.begin;
  const char quote = value.begin < text.size() ? text[value.begin] : ' ';
  value.is_quoted = quote == '"' || quote == '\'' || quote == '`';
  if (value.is_quoted) ++value.begin;
  value.end = value.is_quoted ? QuotedEnd(text, value.begin, quote, is_escaped ? 1 : 0)
                              : LooseEnd(text, value.begin);
  return value;
}

std::size_t LooseEnd(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size()) {
    const char c = text[end];
    if (kLooseEnd.Has(c)) break;
    if (c == '\\' && end + 1 < text.size() && kEscapedEnd.Has(text[end + 1])) break;
    const bool ends = kLooseStop.Has(c) && (end + 1 == text.size() || !IsWordChar(text[end + 1]));
    if (ends) break;
    ++end;
  }
  return end;
}

std::size_t LineEnd(std::string_view text, std::size_t at) {
  const std::size_t most = std::min(text.size(), at + kLongestLine);
  std::size_t end = at;
  while (end < most && text[end] != '\r' && text[end] != '\n' && text[end] != '"') {
    const bool is_escape =
        text[end] == '\\' &&
        (HasAt(text, end + 1, 'n') || HasAt(text, end + 1, 'r') || HasAt(text, end + 1, '"'));
    if (is_escape) break;
    ++end;
  }
  return end;
}

}  // namespace falconer::policy
