#pragma once
// SelectorScan: the lexical level of the selector grammar. A position in a text, and the few kinds
// of body a step may have; every read leaves the position behind what it took.

#include <string>
#include <string_view>
#include <utility>

#include "model/selector/selector.h"

namespace falconer::model {

// Puts the value of `result` into `place`, or hands its error on.
template <typename T, typename U>
Result<void> AssignTo(T& place, Result<U> result) {
  if (!result) return std::unexpected(std::move(result).error());
  place = *std::move(result);
  return {};
}

class SelectorScan {
 public:
  // `text` MUST outlive the scan.
  explicit SelectorScan(std::string_view text) : text_(text) {}

  std::size_t position() const { return at_; }
  std::string_view rest() const { return text_.substr(at_); }
  bool at_end() const { return at_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool at_quote() const { return peek() == '"' || peek() == '\''; }

  void SkipSpaces();
  // Takes `token` when it is next.
  bool Take(std::string_view token);
  // The letters and dashes that are next.
  std::string_view Word();

  // Does the step end here: at the end, at " >> ", or at the ")" of the selector around it?
  bool AtStepEnd() const;
  // Takes " >> " when it is next.
  bool TakeSeparator();

  // A css or xpath body: ends where the step ends, quotes and brackets taken as wholes.
  Result<std::string> Code(Engine engine);
  // A text without quotes, up to the end of the step.
  std::string PlainText();
  // A string in single or double quotes, unescaped.
  Result<std::string> QuotedText();
  // /expression/flags
  Result<TextMatch> Regex();
  // The meaning of "true" and "false".
  Result<bool> Flag(std::string_view value) const;

  // Enters and leaves the parentheses of a nested selector.
  void Enter() { ++depth_; }
  void Leave() { --depth_; }
  int depth() const { return depth_; }

  // kInvalidSelector, naming the position.
  std::unexpected<Error> Refuse(std::string_view why) const { return RefuseAt(at_, why); }
  std::unexpected<Error> RefuseAt(std::size_t position, std::string_view why) const;

 private:
  bool IsSeparator(std::size_t position) const;
  // Moves behind the quoted part that starts here.
  Result<void> SkipQuoted(Engine engine);
  // Takes one character of code; `open` is the stack of closing brackets still owed.
  Result<void> Bracket(std::string& open);

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace falconer::model
