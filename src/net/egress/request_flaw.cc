#include "net/egress/request_flaw.h"

#include <algorithm>

#include "base/text.h"

namespace falconer::net {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

// What the name of a header field may consist of (RFC 9110, token).
bool IsTokenChar(char c) {
  return IsLetterOrDigit(c) || std::string_view("!#$%&'*+-.^_`|~").contains(c);
}

bool IsStray(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7f;
}

std::optional<std::string_view> FlawInField(std::string_view line) {
  if (line.starts_with(' ') || line.starts_with('\t')) return "folded_header";
  const std::size_t colon = line.find(':');
  if (colon == 0 || colon == line.npos) return "bad_header";
  if (!std::ranges::all_of(line.substr(0, colon), IsTokenChar)) return "bad_header_name";
  return std::nullopt;
}

}  // namespace

std::optional<std::string_view> FlawIn(std::string_view head) {
  bool is_first = true;
  while (true) {
    const std::size_t end = head.find(kLineEnd);
    if (end == head.npos) return "bad_line_end";
    const std::string_view line = head.substr(0, end);
    if (std::ranges::any_of(line, IsStray)) return "control_character";
    if (line.empty())
      return is_first ? std::optional<std::string_view>("no_request") : std::nullopt;
    if (!is_first) {
      if (const auto flaw = FlawInField(line)) return flaw;
    }
    is_first = false;
    head.remove_prefix(end + kLineEnd.size());
  }
}

}  // namespace falconer::net
