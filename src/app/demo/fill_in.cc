#include "app/demo/fill_in.h"

#include <algorithm>

namespace falconer::app {
namespace {

constexpr std::string_view kOpens = "{{";
constexpr std::string_view kCloses = "}}";

std::string_view HtmlOf(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return "";
  }
}

}  // namespace

std::string FillIn(std::string_view text, std::initializer_list<Filling> fillings) {
  std::string out;
  while (!text.empty()) {
    const std::size_t opens = text.find(kOpens);
    const std::size_t closes = opens == text.npos ? text.npos : text.find(kCloses, opens);
    if (closes == text.npos) return out.append(text);
    const std::size_t begin = opens + kOpens.size();
    const std::string_view name = text.substr(begin, closes - begin);
    out.append(text.substr(0, opens));
    const auto* found = std::ranges::find(fillings, name, &Filling::name);
    if (found != fillings.end()) out.append(found->value);
    text.remove_prefix(closes + kCloses.size());
  }
  return out;
}

std::string HtmlText(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const std::string_view written = HtmlOf(c);
    if (written.empty()) {
      out += c;
    } else {
      out.append(written);
    }
  }
  return out;
}

}  // namespace falconer::app
