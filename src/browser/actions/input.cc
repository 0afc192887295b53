#include "browser/actions/input.h"

#include <string>

namespace falconer::browser {
namespace {

constexpr double kPressure = 0.5;

struct ModifierKey {
  model::Modifier modifier;
  std::string_view name;
  int bit;
};

constexpr ModifierKey kModifierKeys[] = {
    {model::Modifier::kAlt, "Alt", 1},
    {model::Modifier::kControl, "Control", 2},
    {model::Modifier::kMeta, "Meta", 4},
    {model::Modifier::kShift, "Shift", 8},
};
constexpr int kShiftBit = 8;

int ButtonBit(model::MouseButton button) {
  constexpr int kBits[] = {1, 4, 2, 8, 16};
  return kBits[static_cast<int>(button)];
}

cdp::InputDispatchKeyEvent KeyEvent(const Key& key, std::string_view type, int modifiers) {
  const bool is_shifted = (modifiers & kShiftBit) != 0 && !key.shifted.empty();
  return {.type = std::string(type),
          .modifiers = modifiers,
          .key = std::string(is_shifted ? key.shifted : key.name),
          .code = std::string(key.code),
          .windows_virtual_key_code = key.virtual_code,
          .location = key.location};
}

// A key types nothing while a modifier other than Shift is held.
KeyReply PostKeyDown(cdp::Session& page, const Key& key, int modifiers) {
  auto event = KeyEvent(key, "rawKeyDown", modifiers);
  const bool types = (modifiers & ~kShiftBit) == 0 && !key.text.empty();
  if (types) {
    event.type = "keyDown";
    event.text =
        std::string((modifiers & kShiftBit) != 0 && !key.shifted.empty() ? key.shifted : key.text);
    event.unmodified_text = std::string(key.text);
  }
  return page.Post(event);
}

KeyReply PostKeyUp(cdp::Session& page, const Key& key, int modifiers) {
  return page.Post(KeyEvent(key, "keyUp", modifiers));
}

// The bit that a modifier key sets by itself; 0 for all other keys.
int OwnBit(const Key& key) {
  for (const ModifierKey& modifier : kModifierKeys) {
    if (modifier.name == key.name) return modifier.bit;
  }
  return 0;
}

model::ModifierSet HeldWith(const Key& key, const model::KeyChord& chord) {
  model::ModifierSet modifiers = chord.modifiers;
  if (NeedsShift(key, chord.key)) modifiers.Add(model::Modifier::kShift);
  return modifiers;
}

}  // namespace

int ModifierBits(model::ModifierSet modifiers) {
  return static_cast<int>(modifiers.bits());
}

MouseReply PostButton(cdp::Session& page, std::string_view type, const ClickInput& click) {
  const bool is_press = type == "mousePressed";
  return page.Post(cdp::InputDispatchMouseEvent{
      .type = std::string(type),
      .x = click.at.x,
      .y = click.at.y,
      .modifiers = ModifierBits(click.modifiers),
      .button = std::string(NameIn(model::kMouseButtons, click.button)),
      .buttons = is_press ? ButtonBit(click.button) : 0,
      .click_count = click.count,
      .force = is_press ? kPressure : 0});
}

MouseReply PostMove(cdp::Session& page, model::Point to, model::ModifierSet modifiers,
                    std::optional<model::MouseButton> held) {
  return page.Post(cdp::InputDispatchMouseEvent{
      .type = "mouseMoved",
      .x = to.x,
      .y = to.y,
      .modifiers = ModifierBits(modifiers),
      .button = std::string(held ? NameIn(model::kMouseButtons, *held) : "none"),
      .buttons = held ? ButtonBit(*held) : 0,
      .force = held ? kPressure : 0});
}

MouseReply PostClick(cdp::Session& page, const ClickInput& click) {
  PostModifiersDown(page, click.modifiers);
  auto last = PostMove(page, click.at, click.modifiers);
  for (int i = 1; i <= click.count; ++i) {
    ClickInput once = click;
    once.count = i;
    PostButton(page, "mousePressed", once);
    last = PostButton(page, "mouseReleased", once);
  }
  PostModifiersUp(page, click.modifiers);
  return last;
}

MouseReply PostWheel(cdp::Session& page, model::Point at, double dx, double dy) {
  return page.Post(cdp::InputDispatchMouseEvent{
      .type = "mouseWheel", .x = at.x, .y = at.y, .delta_x = dx, .delta_y = dy});
}

void PostModifiersDown(cdp::Session& page, model::ModifierSet modifiers) {
  int held = 0;
  for (const ModifierKey& key : kModifierKeys) {
    if (!modifiers.Contains(key.modifier)) continue;
    held |= key.bit;
    PostKeyDown(page, *FindKey(key.name), held);
  }
}

void PostModifiersUp(cdp::Session& page, model::ModifierSet modifiers) {
  int held = ModifierBits(modifiers);
  for (const ModifierKey& key : kModifierKeys) {
    if (!modifiers.Contains(key.modifier)) continue;
    held &= ~key.bit;
    PostKeyUp(page, *FindKey(key.name), held);
  }
}

Result<KeyReply> PostChordDown(cdp::Session& page, const model::KeyChord& chord) {
  const Key* key = FindKey(chord.key);
  if (key == nullptr)
    return Fail(ErrorCode::kInvalidArgument, "the keyboard has no key '" + chord.key + "'");
  const model::ModifierSet modifiers = HeldWith(*key, chord);
  PostModifiersDown(page, modifiers);
  return PostKeyDown(page, *key, ModifierBits(modifiers) | OwnBit(*key));
}

KeyReply PostChordUp(cdp::Session& page, const model::KeyChord& chord) {
  const Key& key = *FindKey(chord.key);
  const model::ModifierSet modifiers = HeldWith(key, chord);
  auto up = PostKeyUp(page, key, ModifierBits(modifiers));
  PostModifiersUp(page, modifiers);
  return up;
}

TypedReply PostCharacter(cdp::Session& page, std::string_view utf8) {
  const Key* key = FindKey(utf8);
  if (key == nullptr) return page.Post(cdp::InputInsertText{.text = std::string(utf8)});
  const int modifiers = NeedsShift(*key, utf8) ? kShiftBit : 0;
  PostKeyDown(page, *key, modifiers);
  return PostKeyUp(page, *key, modifiers);
}

Task<Result<void>> WaitTyped(CallContext ctx, TypedReply reply) {
  if (auto* key = std::get_if<KeyReply>(&reply)) {
    CO_TRY(co_await key->Wait(std::move(ctx)));
  } else {
    CO_TRY(co_await std::get<cdp::PendingReply<cdp::InputInsertText>>(reply).Wait(std::move(ctx)));
  }
  co_return Result<void>();
}

std::vector<std::string_view> Characters(std::string_view utf8) {
  std::vector<std::string_view> characters;
  while (!utf8.empty()) {
    std::size_t length = 1;
    while (length < utf8.size() && (static_cast<unsigned char>(utf8[length]) & 0xC0U) == 0x80U)
      ++length;
    if (utf8.starts_with("\r\n")) length = 2;
    characters.push_back(utf8.substr(0, length));
    utf8.remove_prefix(length);
  }
  return characters;
}

}  // namespace falconer::browser
