#pragma once
// Meet: how an action asks whether it may do what it is about to do, before anything of it leaves.

#include <chrono>
#include <optional>
#include <string>

#include "browser/actions/action_run.h"

namespace falconer::browser {

// How long a look at the page can be relied on while somebody decides; after that it is looked at
// again. The guards in the page live longer.
inline constexpr auto kStillFresh = std::chrono::seconds(1);

// Asks about an element that is about to be pressed, typed into or dropped on; nothing to ask
// without a hook. An element that holds a document of its own is refused with kWrongElement: what
// the input would meet there is not known.
Task<Result<void>> AskAbout(ActionRun* run, model::ElementFacts met);

// What the script of this document told about the element, when it was asked for it ("meet").
Result<std::optional<model::ElementFacts>> MetIn(const ActionRun& run, const ScriptCall& place,
                                                 const json::object& answer);

// Has a call that is about to meet the action's element tell what that is known by, too, if anybody
// wants to know. MetIn hands it on.
void AskWhatItIsKnownBy(const ActionRun& run, json::object& arguments);

// Does the action type its text by the call?
enum class Carries : std::uint8_t { kNothing, kText };

// Watches in the page that keys reach the element that was decided on.
struct KeyGuard {
  ScriptCall place;
  std::string token;
};

struct Acted {
  ActionRun::Called call;
  // What is typed: the literal, or the value of the secret that the action names.
  std::string text;
  // For keys that follow; nothing where nobody decides and nothing is secret.
  std::optional<KeyGuard> guard;
};

// Like ActionRun::BindAndCall, for functions that act: the element is asked about first, then the
// hook for the input is awaited, and then a secret is asked for. Should the element change
// meanwhile it is looked for and asked about again.
Task<Result<Acted>> BindAndAct(CallContext ctx, ActionRun* run, std::string function,
                               json::object arguments, Carries carries);

// What keys do to the text of a field. A secret that was typed into one is never edited
// (kSecretField): what is left of it nobody would know for a secret.
enum class Keys : std::uint8_t { kEdit, kLeave };

// Asks about whatever has the focus and gets the keys, in whichever frame that is, and awaits the
// hook for the input.
Task<Result<std::optional<KeyGuard>>> MeetFocused(CallContext ctx, ActionRun* run, Keys keys);

// After keys were sent: kElementObscured when the focus had gone elsewhere, and they to nobody.
Task<Result<void>> CheckKeys(CallContext ctx, ActionRun* run, std::optional<KeyGuard> guard);

}  // namespace falconer::browser
