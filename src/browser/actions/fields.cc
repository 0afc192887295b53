// Keyboard and form fields.

#include <algorithm>
#include <utility>

#include "browser/actions/actions.h"
#include "browser/actions/input.h"
#include "browser/actions/meet.h"
#include "browser/waits/load_waits.h"

namespace falconer::browser {
namespace {

// How long a control may take to show the state it was clicked into.
constexpr auto kStateTime = std::chrono::seconds(1);

const model::KeyChord kSelectAll = {.key = "a", .modifiers = {model::Modifier::kControl}};

std::size_t CountCharacters(std::string_view utf8) {
  return Characters(utf8).size();
}

Task<Result<BoundTarget>> BindField(CallContext ctx, ActionRun* run) {
  CO_TRY(co_await WaitForPendingNavigation(ctx, run->tab()));
  CO_TRY_ASSIGN(auto target, co_await run->BindTarget(ctx));
  run->EndPhase(model::Phase::kBind);
  co_return target;
}

// What is typed, and what watches over it.
struct Typing {
  std::string text;
  std::optional<KeyGuard> guard;
};

// Where the caret goes, and what the keys are that follow.
struct Focusing {
  std::string_view caret;
  Keys keys = Keys::kLeave;
};

constexpr std::string_view kMovingKeys[] = {
    "Enter", "Tab",    "Escape",   "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home",
    "End",   "PageUp", "PageDown", "Shift",   "Control",   "Alt",       "Meta",
};

Keys KeysOf(const model::KeyChord& chord) {
  const bool moves = std::ranges::find(kMovingKeys, chord.key) != std::end(kMovingKeys);
  return moves ? Keys::kLeave : Keys::kEdit;
}

// Puts the focus on the target, if there is one; else the focus stays where it is.
Task<Result<Typing>> FocusTarget(CallContext ctx, ActionRun* run, Focusing focusing,
                                 Carries carries) {
  if (!run->spec().target) {
    CO_TRY_ASSIGN(auto guard, co_await MeetFocused(std::move(ctx), run, focusing.keys));
    // A secret is typed only where it is said to go.
    const bool types = carries == Carries::kText;
    co_return Typing{types ? run->spec().text->value : "", std::move(guard)};
  }
  json::object arguments{{"caret", focusing.caret}, {"edits", focusing.keys == Keys::kEdit}};
  CO_TRY_ASSIGN(auto focused,
                co_await BindAndAct(ctx, run, "focus", std::move(arguments), carries));
  run->EndPhase(model::Phase::kPrepare);
  co_return Typing{std::move(focused.text), std::move(focused.guard)};
}

// How long a secret is, is part of it.
void NoteLength(ActionRun* run, std::string_view text) {
  if (run->spec().text && run->spec().text->is_secret()) return;
  run->outcome().value_length = CountCharacters(text);
}

// The text goes in by the page's own editing command, in the same call that checks the field, so
// that nothing can take the focus in between. Fields that refuse it get it as input events.
Task<Result<void>> FillWith(CallContext ctx, ActionRun* run, Carries carries) {
  CO_TRY_ASSIGN(const auto field, co_await BindAndAct(ctx, run, "fill", {{"value", ""}}, carries));
  if (IsTrueAt(field.call.answer, "needs_insert_text")) {
    CO_TRY(ctx.StillWanted("the field"));
    CO_TRY(co_await run->page().Send(ctx, cdp::InputInsertText{.text = field.text}));
    CO_TRY(co_await run->CallOnTarget(ctx, field.call.target, "check_value",
                                      {{"value", std::string_view(field.text)}}));
  }
  NoteLength(run, field.text);
  run->EndPhase(model::Phase::kAct);
  co_return Result<void>();
}

Task<Result<void>> TypeCharacters(CallContext ctx, ActionRun* run, std::string text) {
  const auto delay = run->spec().delay.value_or(std::chrono::milliseconds(0));
  Alarm between_keys(ctx.executor(), ctx.clock());
  std::optional<TypedReply> last;
  for (const std::string_view character : Characters(text)) {
    CO_TRY(run->MayAct(ctx, "typing"));
    last = PostCharacter(run->page(), character);
    // The pause was asked for: some pages look each word up while it is being typed.
    if (delay.count() > 0) co_await between_keys.Wait(Deadline::At(ctx.clock().Now() + delay));
  }
  // Keys are handled in order: when the last one has been, all have.
  if (last) {
    const auto taken = co_await WaitTyped(ctx, *std::move(last));
    if (!taken && taken.error().code() != ErrorCode::kDialogOpen && run->tab()->Alive())
      co_return taken;
  }
  co_return Result<void>();
}

// Presses the chord and lets it go, after the pause that was asked for, whatever comes in between.
ActionResult PressChord(CallContext ctx, ActionRun* run, model::KeyChord chord,
                        std::optional<KeyGuard> guard) {
  CO_TRY(run->MayAct(ctx, "pressing a key"));
  CO_TRY_ASSIGN(auto down, PostChordDown(run->page(), chord));
  if (const auto hold = run->spec().delay.value_or(std::chrono::milliseconds(0));
      hold.count() > 0) {
    // It is held from the moment at which the page has seen it.
    co_await down.Wait(ctx);
    Alarm held(ctx.executor(), ctx.clock());
    co_await ctx.WithTimeout(hold).Wait(&held, "the key to be held");
  }
  auto reply = PostChordUp(run->page(), chord);
  const auto taken = co_await reply.Wait(ctx);
  if (!taken && taken.error().code() != ErrorCode::kDialogOpen && run->tab()->Alive()) {
    co_return std::unexpected(taken.error());
  }
  CO_TRY(co_await CheckKeys(ctx, run, std::move(guard)));
  run->EndPhase(model::Phase::kAct);
  co_return co_await run->Settle(std::move(ctx), Heard::kNotYet);
}

bool IsElementGone(ErrorCode code) {
  return code == ErrorCode::kElementNotFound || code == ErrorCode::kStaleRef ||
         IsDocumentGone(code);
}

enum class Checked { kOff, kOn };

// Brings a checkbox, switch or radio button into the wanted state by clicking it, and makes sure.
ActionResult SetChecked(CallContext ctx, ActionRun* run, Checked state) {
  const bool wanted = state == Checked::kOn;
  CO_TRY_ASSIGN(const auto before, co_await run->BindAndCall(ctx, "checked_state", {}));
  if (IsTrueAt(before.answer, "checked") == wanted) co_return co_await run->BeforeInput();
  if (!wanted && before.answer.at("kind") == "radio") {
    co_return Fail(ErrorCode::kWrongElement,
                   "a radio button cannot be unchecked; check another one");
  }
  CO_TRY(co_await Click(ctx, run));
  if (run->outcome().navigation || run->outcome().dialog) co_return Result<void>();
  const auto after = co_await run->CallOnTarget(ctx.WithTimeout(kStateTime), before.target,
                                                "checked_state", {{"want", wanted}});
  // An item that is gone because it was ticked off was ticked off.
  if (!after && IsElementGone(after.error().code())) co_return Result<void>();
  CO_TRY(after);
  if (IsTrueAt(*after, "checked") == wanted) co_return Result<void>();
  co_return Fail(ErrorCode::kActionExecutionFailed,
                 "the click did not change the state of the element");
}

json::array SelectOptions(const ActionRun& run) {
  json::array options;
  for (const model::SelectValue& wanted : run.spec().select_values) {
    json::object option;
    if (wanted.value) option["value"] = std::string_view(*wanted.value);
    if (wanted.label) option["label"] = std::string_view(*wanted.label);
    if (wanted.index) option["index"] = *wanted.index;
    options.push_back(std::move(option));
  }
  return options;
}

}  // namespace

ActionResult Fill(CallContext ctx, ActionRun* run) {
  CO_TRY(co_await FillWith(ctx, run, Carries::kText));
  co_return co_await run->Settle(std::move(ctx), Heard::kYes);
}

ActionResult Clear(CallContext ctx, ActionRun* run) {
  CO_TRY(co_await FillWith(ctx, run, Carries::kNothing));
  co_return co_await run->Settle(std::move(ctx), Heard::kYes);
}

ActionResult Type(CallContext ctx, ActionRun* run) {
  const bool clears = run->spec().clear_first;
  const bool is_secret = run->spec().text && run->spec().text->is_secret();
  const Focusing focusing{.caret = clears ? "select_all" : "end",
                          .keys = clears || is_secret ? Keys::kLeave : Keys::kEdit};
  CO_TRY_ASSIGN(auto typing, co_await FocusTarget(ctx, run, focusing, Carries::kText));
  if (clears && !run->spec().target)
    CO_TRY(co_await PressChord(ctx, run, kSelectAll, std::exchange(typing.guard, std::nullopt)));
  NoteLength(run, typing.text);
  // With nothing to type over it, the selection has to go by itself.
  if (clears && typing.text.empty())
    co_return co_await PressChord(std::move(ctx), run, {.key = "Delete"}, std::move(typing.guard));
  CO_TRY(co_await TypeCharacters(ctx, run, std::move(typing.text)));
  CO_TRY(co_await CheckKeys(ctx, run, std::move(typing.guard)));
  run->EndPhase(model::Phase::kAct);
  co_return co_await run->Settle(std::move(ctx), Heard::kNotYet);
}

ActionResult Press(CallContext ctx, ActionRun* run) {
  CO_TRY_ASSIGN(auto chord, model::ParseKeyChord(*run->spec().key));
  chord.modifiers = chord.modifiers | run->spec().modifiers;
  const Focusing focusing{.caret = "keep", .keys = KeysOf(chord)};
  CO_TRY_ASSIGN(auto typing, co_await FocusTarget(ctx, run, focusing, Carries::kNothing));
  co_return co_await PressChord(std::move(ctx), run, std::move(chord), std::move(typing.guard));
}

ActionResult Focus(CallContext ctx, ActionRun* run) {
  CO_TRY_ASSIGN(auto focused, co_await FocusTarget(ctx, run, {.caret = "keep"}, Carries::kNothing));
  // No keys follow.
  CO_TRY(co_await CheckKeys(ctx, run, std::move(focused.guard)));
  co_return co_await run->Settle(std::move(ctx), Heard::kYes);
}

ActionResult Select(CallContext ctx, ActionRun* run) {
  CO_TRY_ASSIGN(const auto list,
                co_await BindAndAct(ctx, run, "select", {{"options", SelectOptions(*run)}},
                                    Carries::kNothing));
  run->outcome().extracted = list.call.answer.at("selected");
  run->EndPhase(model::Phase::kAct);
  co_return co_await run->Settle(std::move(ctx), Heard::kYes);
}

ActionResult Check(CallContext ctx, ActionRun* run) {
  return SetChecked(std::move(ctx), run, Checked::kOn);
}

ActionResult Uncheck(CallContext ctx, ActionRun* run) {
  return SetChecked(std::move(ctx), run, Checked::kOff);
}

// A button is clicked; in a field the form is sent as people do it, with Enter.
ActionResult Submit(CallContext ctx, ActionRun* run) {
  CO_TRY_ASSIGN(const auto target, co_await BindField(ctx, run));
  CO_TRY_ASSIGN(const auto found, co_await run->CallOnTarget(ctx, target, "resolve", {}));
  const std::string_view role = run->outcome().element->role;
  if (role == "button" || role == "link") co_return co_await Click(std::move(ctx), run);
  CO_TRY_ASSIGN(auto typing, co_await FocusTarget(ctx, run, {.caret = "keep"}, Carries::kNothing));
  co_return co_await PressChord(std::move(ctx), run, {.key = "Enter"}, std::move(typing.guard));
}

}  // namespace falconer::browser
