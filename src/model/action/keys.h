#pragma once
// Keys and mouse buttons by name. Which names a keyboard really has is the driver's business; here
// they only have to look like one.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json/json_reader.h"
#include "model/enum_set.h"

namespace falconer::model {

// In the order of the protocol's bits: Alt 1, Control 2, Meta 4, Shift 8.
enum class Modifier : std::uint8_t { kAlt, kControl, kMeta, kShift };
using ModifierSet = EnumSet<Modifier>;

inline constexpr EnumName<Modifier> kModifiers[] = {
    {Modifier::kAlt, "Alt"},
    {Modifier::kControl, "Control"},
    {Modifier::kMeta, "Meta"},
    {Modifier::kShift, "Shift"},
};

// Also the habitual names: Ctrl, Cmd, Command, Option, ControlOrMeta.
std::optional<Modifier> ModifierNamed(std::string_view name);
json::array ModifiersJson(ModifierSet modifiers);

enum class MouseButton : std::uint8_t { kLeft, kMiddle, kRight, kBack, kForward };

inline constexpr EnumName<MouseButton> kMouseButtons[] = {
    {MouseButton::kLeft, "left"},       {MouseButton::kMiddle, "middle"},
    {MouseButton::kRight, "right"},     {MouseButton::kBack, "back"},
    {MouseButton::kForward, "forward"},
};

// One key with what is held down meanwhile.
struct KeyChord {
  std::string key;  // "Enter", "a", "+"
  ModifierSet modifiers;
  bool operator==(const KeyChord&) const = default;
};

// "Enter", "Control+Shift+T", "Control++". Fails with kInvalidArgument: unknown modifier, or what
// is left is neither one character nor the name of a key.
Result<KeyChord> ParseKeyChord(std::string_view text);

}  // namespace falconer::model
