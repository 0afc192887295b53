#include "browser/actions/meet.h"

#include <utility>
#include <vector>

#include "base/log.h"
#include "browser/actions/element_facts.h"
#include "browser/frames/page_fingerprint.h"
#include "browser/waits/load_waits.h"

namespace falconer::browser {
namespace {

bool IsTypingSecret(const ActionRun& run, Carries carries) {
  return carries == Carries::kText && run.spec().text && run.spec().text->is_secret();
}

// Secrets belong to hosts: what counts is the document with the field.
Task<Result<std::string>> Reveal(ActionRun* run, ScriptCall place,
                                 std::optional<model::ElementFacts> field) {
  const model::TextInput& text = *run->spec().text;
  if (!run->hooks().reveal) {
    co_return Fail(ErrorCode::kUnsupported,
                   "secret " + text.value + " cannot be typed here: there are no secrets");
  }
  // The page may have gone on while people decided; then the one that came is asked about first.
  if (place.frame->document != place.document)
    co_return Fail(ErrorCode::kContextDestroyed, "the document was replaced");
  const SecretUse use{.text = text,
                      .url = place.document->url,
                      .origin = place.document->origin,
                      .page_url = run->tab()->url(),
                      .field = std::move(field)};
  co_return co_await run->hooks().reveal(use);
}

Task<Result<std::string>> TextFor(ActionRun* run, ScriptCall place, Carries carries,
                                  std::optional<model::ElementFacts> field) {
  if (carries == Carries::kNothing) co_return std::string();
  if (!run->spec().text) co_return Fail(ErrorCode::kInvalidActionSpec, "the action needs a text");
  if (IsTypingSecret(*run, carries))
    co_return co_await Reveal(run, std::move(place), std::move(field));
  co_return run->spec().text->value;
}

// Whoever learns from it can do without.
void TellWhatItIsKnownBy(const ActionRun& run, const ScriptCall& place,
                         const json::object& answer) {
  const json::value* told = answer.if_contains("fingerprint");
  if (told == nullptr || !run.hooks().known_by) return;
  auto fingerprint = ReadFingerprint(place, *told);
  if (fingerprint) return run.hooks().known_by(*std::move(fingerprint));
  LOG(debug, "fingerprint.unread", {"why", fingerprint.error().message()});
}

Result<model::ElementFacts> ReadMet(const ActionRun& run, const ScriptCall& place,
                                    const json::object& answer) {
  const json::value* met = answer.if_contains("met");
  if (met == nullptr)
    return Fail(ErrorCode::kProtocolError, "met: the page does not tell what is met");
  TRY_ASSIGN(auto facts, ReadElementFacts(*met));
  facts.page_url = place.frame->is_main() ? place.document->url : run.tab()->url();
  facts.frame_url = FrameAddress(place);
  TellWhatItIsKnownBy(run, place, answer);
  return facts;
}

// Somebody decides by what the element is: about the action, or about the secret.
bool IsDecidedOn(const ActionRun& run, Carries carries) {
  return run.hooks().meets != nullptr || IsTypingSecret(run, carries);
}

// Tells the element that would be acted on, asks about it, and binds to it.
Task<Result<model::ElementFacts>> MeetTarget(CallContext ctx, ActionRun* run, std::string function,
                                             json::object* arguments, BoundTarget* target) {
  json::object looking = *arguments;
  looking["meet"] = true;
  AskWhatItIsKnownBy(*run, looking);
  CO_TRY_ASSIGN(const auto answer,
                co_await run->CallOnTarget(ctx, *target, std::move(function), std::move(looking)));
  CO_TRY_ASSIGN(auto met, ReadMet(*run, target->place, answer));
  CO_TRY(co_await AskAbout(run, met));
  target->argument = {{"handle", answer.at("handle")}};
  (*arguments)["met_as"] = answer.at("met_as");
  co_return std::move(met);
}

Task<Result<Acted>> ActOn(CallContext ctx, ActionRun* run, BoundTarget target, std::string function,
                          json::object arguments, Carries carries) {
  std::optional<model::ElementFacts> met;
  if (IsDecidedOn(*run, carries)) {
    CO_TRY_ASSIGN(met, co_await MeetTarget(ctx, run, function, &arguments, &target));
  }
  CO_TRY(co_await run->BeforeInput());
  // Last of all: people may take their time, and what they deny must not have asked for a secret.
  CO_TRY_ASSIGN(std::string text, co_await TextFor(run, target.place, carries, std::move(met)));
  // Keys type what is no secret; the page need not know it before.
  const bool is_secret = IsTypingSecret(*run, carries);
  if (is_secret) {
    arguments["secret"] = true;
    Document& document = *target.place.document;
    document.secrets->Add(document.host(), text);
  }
  if (is_secret || arguments.contains("value")) arguments["value"] = std::string_view(text);
  const std::string token = NewCallId();
  arguments["token"] = std::string_view(token);
  CO_TRY_ASSIGN(auto answer,
                co_await run->CallOnTarget(ctx, target, std::move(function), std::move(arguments)));
  std::optional<KeyGuard> guard;
  if (IsDecidedOn(*run, carries)) guard = {.place = target.place, .token = token};
  co_return Acted{{std::move(target), std::move(answer)}, std::move(text), std::move(guard)};
}

struct Focused {
  ScriptCall place;
  json::object answer;

  // The page itself gets the keys otherwise.
  bool is_element() const { return IsTrueAt(answer, "focused"); }
};

std::vector<std::shared_ptr<Frame>> FramesIn(const ActionRun& run, const Frame& frame) {
  std::vector<std::shared_ptr<Frame>> inner;
  for (const Frame* child : frame.children)
    if (auto found = run.tab()->frames().Find(child->id)) inner.push_back(std::move(found));
  return inner;
}

// Asks one frame after the other. Nothing when none of them has it, nor the page itself.
Task<Result<std::optional<Focused>>> FocusedIn(CallContext ctx,
                                               std::vector<std::shared_ptr<Frame>> frames,
                                               json::object arguments) {
  for (const auto& frame : frames) {
    auto place = ScriptCall::Into(frame);
    auto answer = co_await CallScript(ctx, place, "focused", arguments);
    if (!answer && IsDocumentGone(answer.error().code()) && !frame->is_main()) continue;
    CO_TRY(answer);
    const bool is_there = IsTrueAt(*answer, "focused") || IsTrueAt(*answer, "page_has_it");
    if (is_there) co_return Focused{std::move(place), *std::move(answer)};
  }
  co_return std::nullopt;
}

// A frame that has the focus passes it on to what it shows.
Task<Result<std::optional<Focused>>> FindFocused(CallContext ctx, ActionRun* run, std::string token,
                                                 Keys keys) {
  CO_TRY(co_await WaitForPendingNavigation(ctx, run->tab()));
  json::object arguments{{"token", std::string_view(token)}, {"edits", keys == Keys::kEdit}};
  AskWhatItIsKnownBy(*run, arguments);
  std::vector<std::shared_ptr<Frame>> frames = {run->tab()->frames().main()};
  while (true) {
    CO_TRY_ASSIGN(auto focused, co_await FocusedIn(ctx, std::move(frames), arguments));
    if (!focused || !IsTrueAt(focused->answer, "in_frame")) co_return std::move(focused);
    frames = FramesIn(*run, *focused->place.frame);
  }
}

// Where no element was met the action was judged without any. Should one have got the focus since,
// nobody was asked about that one.
Task<Result<std::optional<KeyGuard>>> GuardNobody(CallContext ctx, ActionRun* run, Keys keys) {
  const std::string token = NewCallId();
  CO_TRY_ASSIGN(const auto focused, co_await FindFocused(std::move(ctx), run, token, keys));
  if (!focused) co_return std::nullopt;
  if (focused->is_element()) {
    co_return Fail(ErrorCode::kElementObscured,
                   "an element took the focus before the keys came; none of them was sent");
  }
  co_return KeyGuard{.place = focused->place, .token = token};
}

}  // namespace

Task<Result<void>> AskAbout(ActionRun* run, model::ElementFacts met) {
  if (!run->hooks().meets) co_return Result<void>();
  if (HoldsDocument(met)) {
    co_return Fail(ErrorCode::kWrongElement,
                   "a frame of the page is there: name an element inside of it");
  }
  co_return co_await run->hooks().meets(met);
}

void AskWhatItIsKnownBy(const ActionRun& run, json::object& arguments) {
  if (run.hooks().meets && run.hooks().known_by) arguments["fingerprint"] = true;
}

Result<std::optional<model::ElementFacts>> MetIn(const ActionRun& run, const ScriptCall& place,
                                                 const json::object& answer) {
  if (!run.hooks().meets) return std::nullopt;
  return ReadMet(run, place, answer);
}

Task<Result<Acted>> BindAndAct(CallContext ctx, ActionRun* run, std::string function,
                               json::object arguments, Carries carries) {
  while (true) {
    CO_TRY(co_await WaitForPendingNavigation(ctx, run->tab()));
    CO_TRY_ASSIGN(const BoundTarget target, co_await run->BindTarget(ctx));
    run->EndPhase(model::Phase::kBind);
    auto acted = co_await ActOn(ctx, run, target, function, arguments, carries);
    if (acted) co_return acted;
    const ErrorCode code = acted.error().code();
    const bool has_changed = IsDecidedOn(*run, carries) && code == ErrorCode::kElementDetached;
    if (!has_changed && !IsDocumentGone(code)) co_return acted;
    CO_TRY(ctx.StillWanted("the element"));
    if (!has_changed) CO_TRY(co_await WaitUntilReplaced(ctx, run->tab(), target.place));
  }
}

Task<Result<std::optional<KeyGuard>>> MeetFocused(CallContext ctx, ActionRun* run, Keys keys) {
  std::optional<KeyGuard> guard;
  std::optional<model::ElementFacts> decided;
  while (run->hooks().meets) {
    const std::string token = NewCallId();
    CO_TRY_ASSIGN(const auto focused, co_await FindFocused(ctx, run, token, keys));
    guard.reset();
    if (!focused || !focused->is_element()) break;
    guard = {.place = focused->place, .token = token};
    CO_TRY_ASSIGN(const auto met, MetIn(*run, focused->place, focused->answer));
    if (met == decided) break;
    const TimePoint asked = ctx.clock().Now();
    CO_TRY(co_await AskAbout(run, *met));
    if (ctx.clock().Now() - asked < kStillFresh) break;
    decided = met;
  }
  CO_TRY(co_await run->BeforeInput());
  if (run->hooks().meets && !guard) co_return co_await GuardNobody(std::move(ctx), run, keys);
  co_return std::move(guard);
}

// A page that is gone, is being left or shows a dialog got them.
Task<Result<void>> CheckKeys(CallContext ctx, ActionRun* run, std::optional<KeyGuard> guard) {
  if (!guard || run->tab()->dialogs().open() || !run->tab()->Alive()) co_return Result<void>();
  const auto seen = co_await CallScript(run->UntilPopupAsks(ctx), guard->place, "keys_seen",
                                        {{"token", std::string_view(guard->token)}});
  if (seen && IsTrueAt(*seen, "astray")) {
    co_return Fail(ErrorCode::kElementObscured,
                   "the focus went elsewhere before the keys came; none of them got through");
  }
  co_return Result<void>();
}

}  // namespace falconer::browser
