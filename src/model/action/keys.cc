#include "model/action/keys.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"

namespace falconer::model {
namespace {

constexpr std::size_t kMaxKeyLength = 32;

constexpr EnumName<Modifier> kOtherNames[] = {
    {Modifier::kControl, "Ctrl"},
    {Modifier::kMeta, "Cmd"},
    {Modifier::kMeta, "Command"},
    {Modifier::kAlt, "Option"},
    // The program runs on Linux, where the key for shortcuts is Control.
    {Modifier::kControl, "ControlOrMeta"},
};

bool IsKey(std::string_view key) {
  if (key.empty() || key.size() > kMaxKeyLength || !IsValidUtf8(key)) return false;
  if (Utf8Length(key) == 1) return key == " " || (!HasControl(key) && !IsSpace(key[0]));
  return IsLetter(key[0]) && std::ranges::all_of(key, IsLetterOrDigit);
}

}  // namespace

std::optional<Modifier> ModifierNamed(std::string_view name) {
  if (const auto modifier = ValueIn(kModifiers, name)) return modifier;
  return ValueIn(kOtherNames, name);
}

json::array ModifiersJson(ModifierSet modifiers) {
  json::array out;
  for (const EnumName<Modifier>& row : kModifiers) {
    if (modifiers.Contains(row.value)) out.emplace_back(row.name);
  }
  return out;
}

Result<KeyChord> ParseKeyChord(std::string_view text) {
  KeyChord chord;
  std::string_view rest = text;
  // A plus at the very front is the key itself, not a separator.
  for (std::size_t plus = rest.find('+', 1); plus != rest.npos && plus + 1 < rest.size();
       plus = rest.find('+', 1)) {
    const std::optional<Modifier> modifier = ModifierNamed(rest.substr(0, plus));
    if (!modifier) {
      return Fail(ErrorCode::kInvalidArgument,
                  "a key is held down with Alt, Control, Meta or Shift");
    }
    chord.modifiers.Add(*modifier);
    rest.remove_prefix(plus + 1);
  }
  if (!IsKey(rest)) {
    return Fail(ErrorCode::kInvalidArgument, "expected one character or the name of a key");
  }
  chord.key = rest;
  return chord;
}

}  // namespace falconer::model
