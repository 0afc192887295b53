#pragma once
// Pattern: a text rule for addresses and messages, compiled once. Matching takes time linear in the
// subject whatever the pattern is, so patterns may come from callers.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json/json_reader.h"

namespace re2 {
class RE2;
}

namespace falconer::model {

inline constexpr std::size_t kMaxPatternLength = 1024;  // in bytes

enum class PatternMode : std::uint8_t {
  kGlob,   // the whole text: ** is anything, * anything but '/', ? one character but '/', \ escapes
  kRegex,  // RE2 syntax, found anywhere
  kExact,  // the whole text
  kSubstring,  // found anywhere
};

inline constexpr EnumName<PatternMode> kPatternModes[] = {
    {PatternMode::kGlob, "glob"},
    {PatternMode::kRegex, "regex"},
    {PatternMode::kExact, "exact"},
    {PatternMode::kSubstring, "substring"},
};

class Pattern {
 public:
  // Matches the empty text only.
  Pattern() = default;
  // Fails with kInvalidArgument: empty, too long, not UTF-8, or not an expression RE2 knows
  // (lookaround and back-references are not).
  static Result<Pattern> Compile(std::string_view text, PatternMode mode);

  bool Matches(std::string_view subject) const;

  const std::string& text() const { return text_; }
  PatternMode mode() const { return mode_; }
  bool operator==(const Pattern& other) const {
    return text_ == other.text_ && mode_ == other.mode_;
  }

 private:
  std::string text_;
  PatternMode mode_ = PatternMode::kExact;
  // Shared between copies: the program never changes after it is compiled.
  std::shared_ptr<const re2::RE2> program_;
};

}  // namespace falconer::model
