#pragma once
// Mouse and keyboard events as a person's hands would make them. They are written without waiting
// in between: awaited moves would each cost a frame.

#include <string_view>
#include <variant>
#include <vector>

#include "browser/actions/key_table.h"
#include "cdp/session.h"
#include "model/action/keys.h"
#include "model/geometry.h"

namespace falconer::browser {

// The protocol's bits: Alt 1, Control 2, Meta 4, Shift 8.
int ModifierBits(model::ModifierSet modifiers);

struct ClickInput {
  model::Point at;
  model::MouseButton button = model::MouseButton::kLeft;
  int count = 1;
  model::ModifierSet modifiers;
};

using MouseReply = cdp::PendingReply<cdp::InputDispatchMouseEvent>;
using KeyReply = cdp::PendingReply<cdp::InputDispatchKeyEvent>;

// Moves there, presses and releases `count` times. The reply of the last release comes when the
// page has handled all of it.
MouseReply PostClick(cdp::Session& page, const ClickInput& click);
MouseReply PostMove(cdp::Session& page, model::Point to, model::ModifierSet modifiers,
                    std::optional<model::MouseButton> held = {});
MouseReply PostButton(cdp::Session& page, std::string_view type, const ClickInput& click);
MouseReply PostWheel(cdp::Session& page, model::Point at, double dx, double dy);

// Presses the chord's modifiers and key. kInvalidArgument when the keyboard has no such key.
Result<KeyReply> PostChordDown(cdp::Session& page, const model::KeyChord& chord);
// Releases a chord that was pressed, in reverse.
KeyReply PostChordUp(cdp::Session& page, const model::KeyChord& chord);
// Holds down and lets go of modifier keys around something else.
void PostModifiersDown(cdp::Session& page, model::ModifierSet modifiers);
void PostModifiersUp(cdp::Session& page, model::ModifierSet modifiers);

// Types one character: by its key, or as text when no key makes it.
using TypedReply = std::variant<KeyReply, cdp::PendingReply<cdp::InputInsertText>>;
TypedReply PostCharacter(cdp::Session& page, std::string_view utf8);
Task<Result<void>> WaitTyped(CallContext ctx, TypedReply reply);

// Splits into characters (code points; a line end of two is one character).
std::vector<std::string_view> Characters(std::string_view utf8);

}  // namespace falconer::browser
