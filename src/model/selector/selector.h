#pragma once
// Selectors: how an element is named by what it is. A selector is a chain of steps; each step looks
// inside what the step before it found.
//
//   frame=#checkout >> role=form[name="Pay"] >> label="Card number"
//
// Steps are separated by " >> ". A step is `engine=body`, or bare: it starts with `//`, `(//` or
// `..` (xpath), it is a quoted string (exact text), anything else (css).
//
//   css=.row > a              xpath=//li[2]          id=save              testid=save
//   text=Save                 part of the text, any case; also label, placeholder, alt, title,
//   text="Save"               the whole text         has-text
//   text="a >> b"i            part of the text, for bodies that need quotes
//   text=/^sav(e|ing)$/i      regular expression of the page's language; flags i, m, s, u
//   role=button[name="Save"][expanded]   name="x" whole, name*="x" part, name=/x/i; states checked,
//                             pressed (true, false, mixed), selected, expanded, disabled, level,
//                             include-hidden
//   nth=0  nth=-1  visible=true  has-text=...  has=(...)  has-not=(...)   filter what was found
//   frame=iframe  frame=(...)  enter the frame; only at the front of a chain
//
// In quotes a backslash escapes the quote and itself.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_reader.h"

namespace falconer::model {

// In code points, for selectors that callers send; Target enforces it.
inline constexpr std::size_t kMaxSelectorLength = 256;
inline constexpr int kMaxSelectorDepth = 4;  // parentheses inside parentheses

enum class Engine : std::uint8_t {
  kCss,
  kXpath,
  kText,
  kRole,
  kLabel,
  kPlaceholder,
  kAlt,
  kTitle,
  kTestId,
  kId,
  kNth,
  kVisible,
  kHasText,
  kHas,
  kHasNot,
  kFrame,
};

// "css", "has-text", ...
std::string_view EngineName(Engine engine);
// True for the engines that only narrow what the steps before them found.
bool IsFilter(Engine engine);

enum class TextMode : std::uint8_t { kSubstring, kExact, kRegex };

inline constexpr EnumName<TextMode> kTextModes[] = {
    {TextMode::kSubstring, "substring"},
    {TextMode::kExact, "exact"},
    {TextMode::kRegex, "regex"},
};

struct TextMatch {
  std::string text;
  TextMode mode = TextMode::kSubstring;
  std::string flags;  // of a regular expression
  bool operator==(const TextMatch&) const = default;
};

enum class TriState : std::uint8_t { kFalse, kTrue, kMixed };

struct RoleMatch {
  std::string role;
  std::optional<TextMatch> name;
  std::optional<TriState> checked;
  std::optional<TriState> pressed;
  std::optional<bool> selected;
  std::optional<bool> expanded;
  std::optional<bool> disabled;
  std::optional<int> level;
  bool include_hidden = false;
  bool operator==(const RoleMatch&) const = default;
};

// Which members mean something depends on the engine; the others keep their defaults.
struct SelectorStep {
  Engine engine = Engine::kCss;
  TextMatch body;                    // css, xpath, id, testid (text only) and the text engines
  RoleMatch role;                    // role
  int index = 0;                     // nth
  bool visible = true;               // visible
  std::vector<SelectorStep> nested;  // has, has-not, frame
  bool operator==(const SelectorStep&) const = default;
};

struct Selector {
  std::vector<SelectorStep> steps;

  // The canonical text: ParseSelector(s.ToString()) == s for every parsed s. May be longer than
  // the text it was parsed from.
  std::string ToString() const;
  // The steps as the script in the page takes them. Frame steps MUST have been split off.
  json::array ToJson() const;
  bool operator==(const Selector&) const = default;
};

// A selector with its frame steps apart: enter `frames` one after the other, then find `element`.
struct FramePath {
  std::vector<Selector> frames;
  Selector element;
};

// Fails with kInvalidSelector; the message and the detail "position" say where (in bytes).
Result<Selector> ParseSelector(std::string_view text);

FramePath FramePathOf(const Selector& selector);

// Fails with kInvalidSelector when the selector means "everything on the page" (`*`, `body *`,
// `html > *`, `//*` and the like): an action on whatever comes first is never what was meant.
Result<void> CheckNotBroad(const Selector& selector);

}  // namespace falconer::model
