#pragma once
// The keys of a US keyboard, by the names that pages see.

#include <string_view>

namespace falconer::browser {

struct Key {
  std::string_view name;          // KeyboardEvent.key without Shift
  std::string_view code;          // KeyboardEvent.code
  int virtual_code;               // Windows virtual key code
  std::string_view text;          // what it types, if anything
  std::string_view shifted = {};  // key and text with Shift, when they differ
  int location = 0;
};

// By name ("Enter", "a", "A", "?"), by code ("KeyA"), or by habitual name ("Esc", "Return",
// "Space"). Null when the keyboard has no such key.
const Key* FindKey(std::string_view name);

// Whether the name is what the key gives only together with Shift.
bool NeedsShift(const Key& key, std::string_view name);

}  // namespace falconer::browser
