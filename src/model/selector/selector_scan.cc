#include "model/selector/selector_scan.h"

#include <fmt/format.h>

#include "base/text.h"

namespace falconer::model {
namespace {

constexpr std::string_view kSeparator = ">>";
constexpr std::string_view kRegexFlags = "imsu";

bool IsQuote(char c) {
  return c == '"' || c == '\'';
}

}  // namespace

std::unexpected<Error> SelectorScan::RefuseAt(std::size_t position, std::string_view why) const {
  return std::unexpected(Error(ErrorCode::kInvalidSelector,
                               fmt::format("selector at {}: {}", position, why),
                               {{"position", position}}));
}

void SelectorScan::SkipSpaces() {
  while (!at_end() && IsSpace(text_[at_])) ++at_;
}

bool SelectorScan::Take(std::string_view token) {
  if (!rest().starts_with(token)) return false;
  at_ += token.size();
  return true;
}

std::string_view SelectorScan::Word() {
  const std::size_t start = at_;
  while (IsLetter(peek()) || peek() == '-') ++at_;
  return text_.substr(start, at_ - start);
}

bool SelectorScan::IsSeparator(std::size_t position) const {
  if (!text_.substr(position).starts_with(kSeparator)) return false;
  if (position > 0 && !IsSpace(text_[position - 1])) return false;
  const std::size_t behind = position + kSeparator.size();
  return behind >= text_.size() || IsSpace(text_[behind]);
}

bool SelectorScan::AtStepEnd() const {
  return at_end() || (depth_ > 0 && text_[at_] == ')') || IsSeparator(at_);
}

bool SelectorScan::TakeSeparator() {
  if (at_end() || !IsSeparator(at_)) return false;
  at_ += kSeparator.size();
  return true;
}

Result<void> SelectorScan::SkipQuoted(Engine engine) {
  const std::size_t start = at_;
  const char quote = text_[at_++];
  while (!at_end() && text_[at_] != quote) {
    // XPath strings know no escapes.
    at_ += engine == Engine::kCss && text_[at_] == '\\' ? 2 : 1;
  }
  if (at_end()) return RefuseAt(start, "the quote is not closed");
  ++at_;
  return {};
}

Result<void> SelectorScan::Bracket(std::string& open) {
  const char c = text_[at_];
  if (c == '(' || c == '[') {
    open += c == '(' ? ')' : ']';
  } else if (c == ')' || c == ']') {
    if (open.empty() || open.back() != c) return Refuse("the bracket was not opened");
    open.pop_back();
  }
  ++at_;
  return {};
}

Result<std::string> SelectorScan::Code(Engine engine) {
  const std::size_t start = at_;
  std::size_t end = at_;  // behind the last character that is not a space, or is an escaped one
  std::string open;
  while (!at_end() && !(open.empty() && AtStepEnd())) {
    const char c = text_[at_];
    if (engine == Engine::kCss && c == '\\') {
      if (at_ + 1 >= text_.size()) return Refuse("nothing follows the backslash");
      at_ += 2;
    } else if (IsQuote(c)) {
      TRY(SkipQuoted(engine));
    } else if (open.empty() && rest().starts_with(kSeparator)) {
      return Refuse("write ' >> ' with spaces around it");
    } else {
      TRY(Bracket(open));
      if (IsSpace(c)) continue;
    }
    end = at_;
  }
  if (!open.empty()) return Refuse(fmt::format("a '{}' is missing", open.back()));
  return std::string(text_.substr(start, end - start));
}

std::string SelectorScan::PlainText() {
  const std::size_t start = at_;
  int open = 0;
  while (!at_end() && !IsSeparator(at_)) {
    if (text_[at_] == '(') ++open;
    if (text_[at_] == ')' && --open < 0 && depth_ > 0) break;
    ++at_;
  }
  return std::string(Trim(text_.substr(start, at_ - start)));
}

Result<std::string> SelectorScan::QuotedText() {
  const std::size_t start = at_;
  const char quote = text_[at_++];
  std::string out;
  for (; !at_end() && text_[at_] != quote; ++at_) {
    const bool escapes = text_[at_] == '\\' && at_ + 1 < text_.size() &&
                         (IsQuote(text_[at_ + 1]) || text_[at_ + 1] == '\\');
    if (escapes) ++at_;
    out += text_[at_];
  }
  if (at_end()) return RefuseAt(start, "the quote is not closed");
  ++at_;
  return out;
}

Result<bool> SelectorScan::Flag(std::string_view value) const {
  if (value == "true") return true;
  if (value == "false") return false;
  return Refuse("expected true or false");
}

Result<TextMatch> SelectorScan::Regex() {
  const std::size_t start = at_++;
  bool in_class = false;
  while (!at_end() && (in_class || text_[at_] != '/')) {
    const char c = text_[at_];
    if (c == '\n' || c == '\r') break;
    if (c == '[') in_class = true;
    if (c == ']') in_class = false;
    at_ += c == '\\' ? 2 : 1;
  }
  if (at_end() || text_[at_] != '/') return RefuseAt(start, "the regular expression is not closed");
  TextMatch match{.text = std::string(text_.substr(start + 1, at_ - start - 1)),
                  .mode = TextMode::kRegex};
  for (++at_; IsLetter(peek()); ++at_) {
    if (!kRegexFlags.contains(peek()) || match.flags.contains(peek())) {
      return Refuse(
          "a regular expression takes the flags i, m, s and u, each once; "
          "to look for a text with slashes put it in quotes");
    }
    match.flags += peek();
  }
  if (match.text.empty()) return RefuseAt(start, "the regular expression is empty");
  return match;
}

}  // namespace falconer::model
