#include "predict/act/intent_words.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

#include "base/text.h"
#include "base/utf8.h"
#include "model/action/keys.h"
#include "model/fold_text.h"
#include "model/url.h"

namespace falconer::predict {
namespace {

using Type = model::ActionType;

// What follows the verb.
enum class Form : std::uint8_t {
  kTarget,      // what it is done to
  kTextTarget,  // a text, and what it goes into
  kPlace,       // an address, or what leads there
};

struct IntentVerb {
  std::string_view verb;
  Type action;
  Form form;
};

// Of several that fit the first counts.
constexpr IntentVerb kIntentVerbs[] = {
    {"double click", Type::kDoubleClick, Form::kTarget},
    {"double-click", Type::kDoubleClick, Form::kTarget},
    {"click on", Type::kClick, Form::kTarget},
    {"click", Type::kClick, Form::kTarget},
    {"tap", Type::kClick, Form::kTarget},
    {"push", Type::kClick, Form::kTarget},
    {"follow", Type::kClick, Form::kTarget},
    {"press", Type::kClick, Form::kTarget},
    {"hit", Type::kClick, Form::kTarget},
    {"go to", Type::kNavigate, Form::kPlace},
    {"navigate to", Type::kNavigate, Form::kPlace},
    {"open", Type::kNavigate, Form::kPlace},
    {"visit", Type::kNavigate, Form::kPlace},
    {"type", Type::kFill, Form::kTextTarget},
    {"enter", Type::kFill, Form::kTextTarget},
    {"fill in", Type::kFill, Form::kTextTarget},
    {"fill", Type::kFill, Form::kTextTarget},
    {"write", Type::kFill, Form::kTextTarget},
    {"select", Type::kSelect, Form::kTextTarget},
    {"choose", Type::kSelect, Form::kTextTarget},
    {"pick", Type::kSelect, Form::kTextTarget},
    {"uncheck", Type::kUncheck, Form::kTarget},
    {"untick", Type::kUncheck, Form::kTarget},
    {"check", Type::kCheck, Form::kTarget},
    {"tick", Type::kCheck, Form::kTarget},
    {"clear", Type::kClear, Form::kTarget},
    {"hover over", Type::kHover, Form::kTarget},
    {"hover", Type::kHover, Form::kTarget},
};

// Between a text and what it goes into; the last one in the instruction counts.
constexpr std::string_view kInto[] = {" into ", " in ", " from ", " to ", " as "};

struct QuoteRow {
  std::string_view open;
  std::string_view close;
};

constexpr QuoteRow kQuotes[] = {
    {"\"", "\""}, {"\xE2\x80\x9C", "\xE2\x80\x9D"}, {"\xE2\x80\x9E", "\xE2\x80\x9C"}, {"'", "'"}};

constexpr std::string_view kPressedRoles[] = {"button",   "link",  "menuitem", "tab",
                                              "checkbox", "radio", "switch",   "option"};
constexpr std::string_view kWrittenRoles[] = {"textbox", "searchbox", "combobox", "spinbutton"};
constexpr std::string_view kChosenRoles[] = {"combobox", "listbox"};
constexpr std::string_view kTickedRoles[] = {"checkbox", "radio", "switch"};

struct RolesRow {
  Type action;
  std::span<const std::string_view> roles;
};

// Every other action can be done to anything.
constexpr RolesRow kActionRoles[] = {
    {Type::kClick, kPressedRoles},  {Type::kDoubleClick, kPressedRoles},
    {Type::kFill, kWrittenRoles},   {Type::kClear, kWrittenRoles},
    {Type::kSelect, kChosenRoles},  {Type::kCheck, kTickedRoles},
    {Type::kUncheck, kTickedRoles},
};

std::vector<std::string> RolesOf(Type action) {
  const auto* found = std::ranges::find(kActionRoles, action, &RolesRow::action);
  if (found == std::end(kActionRoles)) return {};
  return {found->roles.begin(), found->roles.end()};
}

const IntentVerb* VerbAt(std::string_view text) {
  for (const IntentVerb& row : kIntentVerbs) {
    const bool is_it =
        text.size() >= row.verb.size() && IsSameWord(text.substr(0, row.verb.size()), row.verb);
    const bool is_whole = text.size() == row.verb.size() ||
                          (text.size() > row.verb.size() && IsSpace(text[row.verb.size()]));
    if (is_it && is_whole) return &row;
  }
  return nullptr;
}

struct Quoted {
  std::size_t begin = 0;  // of the quote
  std::size_t end = 0;    // behind it
  std::string text;
};

std::optional<Quoted> QuotedBy(const QuoteRow& quotes, std::string_view text) {
  const std::size_t open = text.find(quotes.open);
  if (open == text.npos || (open > 0 && !IsSpace(text[open - 1]))) return std::nullopt;
  const std::size_t begin = open + quotes.open.size();
  const std::size_t close = text.rfind(quotes.close);
  if (close == text.npos || close < begin) return std::nullopt;
  return Quoted{.begin = open,
                .end = close + quotes.close.size(),
                .text = std::string(text.substr(begin, close - begin))};
}

// The first that begins; other quotes may be in it.
std::optional<Quoted> QuotedIn(std::string_view text) {
  std::optional<Quoted> first;
  for (const QuoteRow& quotes : kQuotes) {
    auto found = QuotedBy(quotes, text);
    if (found && (!first || found->begin < first->begin)) first = std::move(found);
  }
  return first;
}

std::string WithoutInto(std::string_view rest) {
  std::string out = " " + std::string(Trim(rest));
  for (const std::string_view word : kInto) {
    if (ToLower(out).starts_with(word)) return std::string(Trim(out.substr(word.size())));
  }
  return std::string(Trim(out));
}

// Where the text ends that is to be typed into something.
std::size_t LastInto(std::string_view rest, std::size_t* length) {
  std::size_t last = rest.npos;
  for (const std::string_view word : kInto) {
    const std::size_t at = rest.rfind(word);
    if (at == rest.npos || (last != rest.npos && at < last)) continue;
    last = at;
    *length = word.size();
  }
  return last;
}

Result<void> ReadTextTarget(std::string_view rest, IntentWords& words) {
  if (const auto quoted = QuotedIn(rest)) {
    words.text = quoted->text;
    words.target = WithoutInto(std::string(rest.substr(0, quoted->begin)) + " " +
                               std::string(rest.substr(quoted->end)));
    return {};
  }
  std::size_t length = 0;
  const std::size_t into = LastInto(rest, &length);
  if (into == rest.npos)
    return Fail(ErrorCode::kInvalidArgument, "instruction: what is it to be put into?");
  words.text = std::string(Trim(rest.substr(0, into)));
  words.target = std::string(Trim(rest.substr(into + length)));
  return {};
}

// "press Enter": a key, and nothing on the page.
bool ReadKey(std::string_view rest, IntentWords& words) {
  constexpr std::string_view kNamedKeys[] = {"enter",  "escape",    "tab",    "backspace",
                                             "delete", "home",      "end",    "pagedown",
                                             "pageup", "arrowdown", "arrowup"};
  const std::string key = ToLower(rest);
  if (std::ranges::find(kNamedKeys, key) == std::end(kNamedKeys)) return false;
  words.action = Type::kPress;
  words.key = std::string(rest);
  words.key[0] = UpperOf(words.key[0]);
  return true;
}

void ReadPlace(std::string_view rest, IntentWords& words) {
  if (model::CheckWebUrl(rest)) {
    words.url = std::string(rest);
    return;
  }
  words.action = Type::kClick;
  words.target = std::string(rest);
}

// Quotes around a name only say where it begins and ends.
std::string WithoutQuotes(std::string_view text) {
  const auto quoted = QuotedIn(text);
  if (!quoted) return std::string(Trim(text));
  return std::string(Trim(std::string(text.substr(0, quoted->begin)) + quoted->text +
                          std::string(text.substr(quoted->end))));
}

std::string KnownAs(const IntentWords& words, std::string_view instruction) {
  if (!words.text) return model::FoldText(instruction);
  return fmt::format("{} {{text}} {}", model::ActionName(words.action),
                     model::FoldText(words.target));
}

Result<void> ReadAfterVerb(const IntentVerb& verb, std::string_view rest, IntentWords& words) {
  words.action = verb.action;
  if (verb.form == Form::kTextTarget) return ReadTextTarget(rest, words);
  if (verb.form == Form::kPlace) {
    ReadPlace(rest, words);
  } else if (verb.verb != "press" || !ReadKey(rest, words)) {
    words.target = WithoutQuotes(rest);
  }
  return {};
}

}  // namespace

Result<IntentWords> ParseIntent(std::string_view instruction) {
  std::string_view text = Trim(instruction);
  while (!text.empty() && (text.back() == '.' || text.back() == '!')) text.remove_suffix(1);
  if (text.empty()) return Fail(ErrorCode::kInvalidArgument, "instruction: is empty");
  if (text.size() > kMaxInstruction || !IsValidUtf8(text) || HasControl(text))
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("instruction: is no text of at most {} bytes", kMaxInstruction));
  IntentWords words;
  const IntentVerb* verb = VerbAt(text);
  if (verb != nullptr) {
    TRY(ReadAfterVerb(*verb, Trim(text.substr(verb->verb.size())), words));
  } else {
    words.target = WithoutQuotes(text);
  }
  const bool needs_target = words.key.empty() && words.url.empty();
  if (needs_target && words.target.empty())
    return Fail(ErrorCode::kInvalidArgument, "instruction: does not say what it is done to");
  words.roles = RolesOf(words.action);
  words.known_as = KnownAs(words, text);
  return words;
}

}  // namespace falconer::predict
