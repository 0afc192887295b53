// CheckNotBroad: the last finding step, taken together with the ones it follows, must say more than
// "any element of the document".

#include <algorithm>
#include <array>

#include "base/text.h"
#include "model/selector/selector.h"

namespace falconer::model {
namespace {

constexpr std::array<std::string_view, 6> kCssEverywhere = {"*",    "*|*",   "html",
                                                            "body", ":root", ":scope"};
constexpr std::array<std::string_view, 5> kXpathEverywhere = {"*", "html", "body", "node()", "."};
constexpr std::array<std::string_view, 4> kXpathAxes = {
    "descendant-or-self::", "descendant::", "child::", "self::"};

template <std::size_t N>
bool IsOneOf(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// Where the quoted or bracketed part at the front of `css` ends.
std::size_t PartEnd(std::string_view css) {
  if (css.starts_with("/*")) {
    const std::size_t end = css.find("*/", 2);
    return end == css.npos ? css.size() : end + 2;
  }
  if (css[0] == '"' || css[0] == '\'') return std::min(css.find(css[0], 1), css.size() - 1) + 1;
  if (css[0] != '[' && css[0] != '(') return 1;
  std::size_t at = 1;
  while (at < css.size() && css[at] != ']' && css[at] != ')') at += PartEnd(css.substr(at));
  return std::min(at + 1, css.size());
}

// `css` with comments as spaces and every quoted or bracketed part as one letter, so that what is
// left can be split at commas and combinators.
std::string Outline(std::string_view css) {
  std::string out;
  while (!css.empty()) {
    const std::size_t end = PartEnd(css);
    const bool is_comment = css.starts_with("/*");
    out += end == 1 ? css[0] : is_comment ? ' ' : 'x';
    css.remove_prefix(end);
  }
  return out;
}

// The words of `text` between any of `separators`.
std::vector<std::string_view> Split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

bool IsBroadCss(std::string_view css) {
  const std::string plain = ToLower(Outline(css));
  return std::ranges::any_of(Split(plain, ","), [](std::string_view one) {
    const std::vector<std::string_view> words = Split(one, " \t\n\r\f>+~");
    return !words.empty() && words.back().starts_with('*') &&
           std::ranges::all_of(words, [](auto word) { return IsOneOf(kCssEverywhere, word); });
  });
}

std::string_view WithoutAxis(std::string_view name) {
  for (const std::string_view axis : kXpathAxes) {
    if (name.starts_with(axis)) return name.substr(axis.size());
  }
  return name;
}

bool IsBroadXpath(std::string_view xpath) {
  const std::string plain = ToLower(xpath);
  const std::vector<std::string_view> words = Split(plain, "/ \t\n\r");
  if (words.empty()) return false;
  const std::string_view last = WithoutAxis(words.back());
  return (last == "*" || last == "node()") && std::ranges::all_of(words, [](auto word) {
           return IsOneOf(kXpathEverywhere, WithoutAxis(word));
         });
}

bool IsBroad(const SelectorStep& step) {
  if (step.engine == Engine::kCss) return IsBroadCss(step.body.text);
  return step.engine == Engine::kXpath && IsBroadXpath(step.body.text);
}

// html, body and :root name one element, and every other element is inside it.
bool IsWholeDocument(const SelectorStep& step) {
  const std::string name = ToLower(step.body.text);
  return step.engine == Engine::kCss && (name == "html" || name == "body" || name == ":root");
}

}  // namespace

Result<void> CheckNotBroad(const Selector& selector) {
  bool is_broad = false;
  for (const SelectorStep& step : FramePathOf(selector).element.steps) {
    if (IsFilter(step.engine)) continue;
    is_broad = IsBroad(step);
    if (!is_broad && !IsWholeDocument(step)) return {};
  }
  if (!is_broad) return {};
  return Fail(ErrorCode::kInvalidSelector,
              "selector " + selector.ToString() + " matches everything on the page");
}

}  // namespace falconer::model
