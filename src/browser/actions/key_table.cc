#include "browser/actions/key_table.h"

namespace falconer::browser {
namespace {

// clang-format off
constexpr Key kKeys[] = {
    {"a", "KeyA", 65, "a", "A"},
    {"b", "KeyB", 66, "b", "B"},
    {"c", "KeyC", 67, "c", "C"},
    {"d", "KeyD", 68, "d", "D"},
    {"e", "KeyE", 69, "e", "E"},
    {"f", "KeyF", 70, "f", "F"},
    {"g", "KeyG", 71, "g", "G"},
    {"h", "KeyH", 72, "h", "H"},
    {"i", "KeyI", 73, "i", "I"},
    {"j", "KeyJ", 74, "j", "J"},
    {"k", "KeyK", 75, "k", "K"},
    {"l", "KeyL", 76, "l", "L"},
    {"m", "KeyM", 77, "m", "M"},
    {"n", "KeyN", 78, "n", "N"},
    {"o", "KeyO", 79, "o", "O"},
    {"p", "KeyP", 80, "p", "P"},
    {"q", "KeyQ", 81, "q", "Q"},
    {"r", "KeyR", 82, "r", "R"},
    {"s", "KeyS", 83, "s", "S"},
    {"t", "KeyT", 84, "t", "T"},
    {"u", "KeyU", 85, "u", "U"},
    {"v", "KeyV", 86, "v", "V"},
    {"w", "KeyW", 87, "w", "W"},
    {"x", "KeyX", 88, "x", "X"},
    {"y", "KeyY", 89, "y", "Y"},
    {"z", "KeyZ", 90, "z", "Z"},
    {"0", "Digit0", 48, "0", ")"},
    {"1", "Digit1", 49, "1", "!"},
    {"2", "Digit2", 50, "2", "@"},
    {"3", "Digit3", 51, "3", "#"},
    {"4", "Digit4", 52, "4", "$"},
    {"5", "Digit5", 53, "5", "%"},
    {"6", "Digit6", 54, "6", "^"},
    {"7", "Digit7", 55, "7", "&"},
    {"8", "Digit8", 56, "8", "*"},
    {"9", "Digit9", 57, "9", "("},
    {"-", "Minus", 189, "-", "_"},
    {"=", "Equal", 187, "=", "+"},
    {"[", "BracketLeft", 219, "[", "{"},
    {"]", "BracketRight", 221, "]", "}"},
    {"\\", "Backslash", 220, "\\", "|"},
    {";", "Semicolon", 186, ";", ":"},
    {"'", "Quote", 222, "'", "\""},
    {"`", "Backquote", 192, "`", "~"},
    {",", "Comma", 188, ",", "<"},
    {".", "Period", 190, ".", ">"},
    {"/", "Slash", 191, "/", "?"},
    {" ", "Space", 32, " "},
    {"Enter", "Enter", 13, "\r"},
    {"Tab", "Tab", 9, ""},
    {"Backspace", "Backspace", 8, ""},
    {"Escape", "Escape", 27, ""},
    {"PageUp", "PageUp", 33, ""},
    {"PageDown", "PageDown", 34, ""},
    {"End", "End", 35, ""},
    {"Home", "Home", 36, ""},
    {"ArrowLeft", "ArrowLeft", 37, ""},
    {"ArrowUp", "ArrowUp", 38, ""},
    {"ArrowRight", "ArrowRight", 39, ""},
    {"ArrowDown", "ArrowDown", 40, ""},
    {"Insert", "Insert", 45, ""},
    {"Delete", "Delete", 46, ""},
    {"CapsLock", "CapsLock", 20, ""},
    {"NumLock", "NumLock", 144, ""},
    {"ScrollLock", "ScrollLock", 145, ""},
    {"Pause", "Pause", 19, ""},
    {"PrintScreen", "PrintScreen", 44, ""},
    {"ContextMenu", "ContextMenu", 93, ""},
    {"F1", "F1", 112, ""},
    {"F2", "F2", 113, ""},
    {"F3", "F3", 114, ""},
    {"F4", "F4", 115, ""},
    {"F5", "F5", 116, ""},
    {"F6", "F6", 117, ""},
    {"F7", "F7", 118, ""},
    {"F8", "F8", 119, ""},
    {"F9", "F9", 120, ""},
    {"F10", "F10", 121, ""},
    {"F11", "F11", 122, ""},
    {"F12", "F12", 123, ""},
    {"F13", "F13", 124, ""},
    {"F14", "F14", 125, ""},
    {"F15", "F15", 126, ""},
    {"F16", "F16", 127, ""},
    {"F17", "F17", 128, ""},
    {"F18", "F18", 129, ""},
    {"F19", "F19", 130, ""},
    {"F20", "F20", 131, ""},
    {"F21", "F21", 132, ""},
    {"F22", "F22", 133, ""},
    {"F23", "F23", 134, ""},
    {"F24", "F24", 135, ""},
    {"Shift", "ShiftLeft", 16, "", "", 1},
    {"Control", "ControlLeft", 17, "", "", 1},
    {"Alt", "AltLeft", 18, "", "", 1},
    {"Meta", "MetaLeft", 91, "", "", 1},
    {"Numpad0", "Numpad0", 96, "0", "", 3},
    {"Numpad1", "Numpad1", 97, "1", "", 3},
    {"Numpad2", "Numpad2", 98, "2", "", 3},
    {"Numpad3", "Numpad3", 99, "3", "", 3},
    {"Numpad4", "Numpad4", 100, "4", "", 3},
    {"Numpad5", "Numpad5", 101, "5", "", 3},
    {"Numpad6", "Numpad6", 102, "6", "", 3},
    {"Numpad7", "Numpad7", 103, "7", "", 3},
    {"Numpad8", "Numpad8", 104, "8", "", 3},
    {"Numpad9", "Numpad9", 105, "9", "", 3},
};

struct OtherName {
  std::string_view name;
  std::string_view key;
};

constexpr OtherName kOtherNames[] = {
    {"Esc", "Escape"}, {"Return", "Enter"}, {"\r", "Enter"}, {"\n", "Enter"}, {"\r\n", "Enter"}, {"\t", "Tab"},
    {"Space", " "}, {"Spacebar", " "}, {"Del", "Delete"}, {"Left", "ArrowLeft"},
    {"Right", "ArrowRight"}, {"Up", "ArrowUp"}, {"Down", "ArrowDown"}, {"Ctrl", "Control"},
    {"Cmd", "Meta"}, {"Command", "Meta"}, {"Option", "Alt"}, {"ShiftLeft", "Shift"},
    {"PgUp", "PageUp"}, {"PgDn", "PageDown"},
};
// clang-format on

}  // namespace

const Key* FindKey(std::string_view name) {
  for (const OtherName& other : kOtherNames) {
    if (other.name == name) name = other.key;
  }
  for (const Key& key : kKeys) {
    if (key.name == name || key.code == name || (!key.shifted.empty() && key.shifted == name))
      return &key;
  }
  return nullptr;
}

bool NeedsShift(const Key& key, std::string_view name) {
  return !key.shifted.empty() && key.shifted == name;
}

}  // namespace falconer::browser
