#include "browser/actions/pointer.h"

#include <utility>

#include "browser/actions/meet.h"
#include "browser/frames/frame_geometry.h"
#include "browser/waits/load_waits.h"

namespace falconer::browser {
namespace {

constexpr auto kTimeToLook = std::chrono::milliseconds(100);
// A frame whose next document never comes is acted on as it is.
constexpr auto kReplacingTime = std::chrono::milliseconds(500);
// A page that never stops scrolling is acted on all the same.
constexpr int kMostRounds = 4;

model::Point PointOf(const json::object& answer) {
  const json::object& point = answer.at("point").get_object();
  return {point.at("x").to_number<double>(), point.at("y").to_number<double>()};
}

struct Prepared {
  BoundTarget target;
  PreparedPoint point;
  std::string token;
  bool is_held = false;
};

// The first try acts on what it sees; later ones wait for the element to keep still for two frames.
json::object PrepareArguments(const ActionRun& run, const PointerPlan& plan,
                              const std::string& token, int attempt) {
  json::object arguments{{"action", std::string_view(plan.action)},
                         {"button", NameIn(model::kMouseButtons, plan.button)},
                         {"count", plan.count},
                         {"token", std::string_view(token)},
                         {"stable", attempt == 1 ? "fast" : "strict"}};
  if (run.spec().target->position)
    arguments["position"] = model::PointJson(*run.spec().target->position);
  AskWhatItIsKnownBy(run, arguments);
  return arguments;
}

Task<Result<Prepared>> Prepare(CallContext ctx, ActionRun* run, PointerPlan plan, int attempt) {
  CO_TRY(co_await WaitForPendingNavigation(ctx, run->tab()));
  CO_TRY_ASSIGN(BoundTarget target, co_await run->BindTarget(ctx));
  run->EndPhase(model::Phase::kBind);
  const std::string token = NewCallId();
  CO_TRY_ASSIGN(auto point, co_await PreparePoint(ctx, run, target,
                                                  PrepareArguments(*run, plan, token, attempt)));
  run->EndPhase(model::Phase::kPrepare);
  co_return Prepared{std::move(target), std::move(point), token, plan.action == "drag"};
}

// A decision may take its time, and the page goes on meanwhile: then the target is prepared anew,
// and asked about again should it be something else by then. What was `decided` on in an attempt
// before is not asked about twice.
Task<Result<Prepared>> PrepareDecided(CallContext ctx, ActionRun* run, PointerPlan plan,
                                      int attempt, std::optional<model::ElementFacts>* decided) {
  while (true) {
    CO_TRY_ASSIGN(Prepared prepared, co_await Prepare(ctx, run, plan, attempt));
    const auto& met = prepared.point.met;
    if (!met || met == *decided) co_return std::move(prepared);
    const TimePoint asked = ctx.clock().Now();
    CO_TRY(co_await AskAbout(run, *met));
    *decided = met;
    if (ctx.clock().Now() - asked < kStillFresh) co_return std::move(prepared);
  }
}

// A frame that is about to be replaced would take the press into the next document, where no guard
// is, or into none.
Task<Result<void>> WaitUntilFrameStays(CallContext ctx, ActionRun* run, ScriptCall place) {
  if (place.frame->is_main() || !place.frame->is_navigating()) co_return Result<void>();
  const auto is_over = [&] {
    return !place.frame->is_navigating() || !place.document->is_current || place.frame->is_detached;
  };
  const auto over = co_await run->tab()->changes().Until(ctx.WithTimeout(kReplacingTime), is_over,
                                                         "the frame's next document");
  if (!over) CO_TRY(ctx.StillWanted("the frame"));
  if (place.document->is_current) co_return Result<void>();
  co_return Fail(ErrorCode::kContextDestroyed, "the frame shows another document");
}

model::HitEvidence EvidenceOf(const json::object& seen) {
  // No guard is armed for what is forced: it goes where it goes.
  if (seen.at("armed") == false) return {.delivered = true};
  model::HitEvidence evidence{.delivered = seen.at("hit") == true};
  if (const json::value* by = seen.if_contains("interceptor"); by != nullptr && by->is_object()) {
    evidence.interceptor = std::string(by->at("description").get_string());
  }
  return evidence;
}

// A press that is still held stays guarded until it is let go. The report says also how the page
// has changed, when the caller knows how it was.
json::object ReportArguments(const ActionRun& run, const Prepared& prepared) {
  json::object arguments{{"token", std::string_view(prepared.token)},
                         {"disarm", !prepared.is_held}};
  const PageMark& seen = run.seen();
  if (seen.document && seen.document == prepared.target.place.document) {
    json::object before = seen.ChangeCondition();
    before["doc"] = seen.document->ordinal;
    arguments["before"] = std::move(before);
  }
  return arguments;
}

// What the guard in the page saw. A page that is gone, is being left or shows a dialog got the
// event.
Task<Result<model::HitEvidence>> ReadHit(CallContext ctx, ActionRun* run, Prepared prepared) {
  if (run->tab()->dialogs().open()) co_return model::HitEvidence{.delivered = true};
  const ScriptCall& place = prepared.target.place;
  const auto seen = co_await CallScript(run->UntilPopupAsks(ctx), place, "hit_result",
                                        ReportArguments(*run, prepared));
  if (!seen) {
    // While a page is being left it answers nothing.
    if (!run->tab()->frames().main()->is_navigating())
      CO_TRY(ctx.StillWanted("the page to report the hit"));
    co_return model::HitEvidence{.delivered = true};
  }
  model::HitEvidence evidence = EvidenceOf(*seen);
  if (const json::value* state = seen->if_contains("state");
      state != nullptr && evidence.delivered) {
    // One that cannot be read is read again by whoever needs it.
    if (auto projection = model::FrameProjection::FromJson(*state))
      run->NoteChanged({place.document, *std::move(projection)});
  }
  co_return evidence;
}

Error Missed(const model::HitEvidence& hit) {
  if (hit.interceptor.empty())
    return Error(ErrorCode::kElementObscured, "the element did not get the event");
  return Error(ErrorCode::kElementObscured, hit.interceptor + " took the event",
               {{"interceptor", std::string_view(hit.interceptor)}});
}

// Failures after which the page may be as it should a moment later.
bool IsWorthAnotherTry(ErrorCode code) {
  switch (code) {
    case ErrorCode::kElementObscured:
    case ErrorCode::kElementDetached:
    case ErrorCode::kContextDestroyed:
    case ErrorCode::kFrameDetached:
    case ErrorCode::kTargetDetached:
      return true;
    default:
      return false;
  }
}

// The time ran out before the attempt could see anything: the one before it knows more.
bool WasCutShort(const CallContext& ctx, const Error& error) {
  const bool says_little =
      error.code() == ErrorCode::kTimeout || error.code() == ErrorCode::kElementNotStable;
  return says_little && ctx.TimeLeft() < kTimeToLook;
}

Task<Result<void>> Attempt(CallContext ctx, ActionRun* run, PointerPlan plan, PostMouse post,
                           int attempt, std::optional<model::ElementFacts>* decided) {
  CO_TRY_ASSIGN(Prepared prepared,
                co_await PrepareDecided(ctx, run, std::move(plan), attempt, decided));
  CO_TRY(co_await run->BeforeInput());
  CO_TRY(co_await WaitUntilFrameStays(ctx, run, prepared.target.place));
  run->outcome().point = prepared.point.at;
  // Nothing may leave for the page once the caller was told that it will not.
  CO_TRY(run->MayAct(ctx, "the element"));
  auto reply = post(prepared.point.at);
  const auto taken = co_await reply.Wait(run->UntilPopupAsks(ctx));
  run->EndPhase(model::Phase::kAct);
  if (!taken && taken.error().code() != ErrorCode::kDialogOpen) {
    // The tab went away under the mouse: it was hit, and this is what came of it.
    if (run->tab()->phase() == TabPhase::kClosed) co_return Result<void>();
    co_return std::unexpected(taken.error());
  }
  CO_TRY_ASSIGN(run->outcome().hit, co_await ReadHit(ctx, run, std::move(prepared)));
  if (!run->outcome().hit->delivered) co_return std::unexpected(Missed(*run->outcome().hit));
  co_return Result<void>();
}

}  // namespace

Task<Result<PreparedPoint>> PreparePoint(CallContext ctx, ActionRun* run, BoundTarget target,
                                         json::object arguments) {
  if (run->hooks().meets) arguments["meet"] = true;
  const auto frame = target.place.frame;
  const Cover cover = run->spec().force ? Cover::kIgnored : Cover::kRefused;
  for (int round = 1;; ++round) {
    const bool has_moved = !frame->is_main() && co_await RevealFrame(ctx, frame);
    CO_TRY_ASSIGN(const auto answer, co_await run->CallOnTarget(ctx, target, "prepare", arguments));
    CO_TRY_ASSIGN(const TabPoint point, co_await PointInTab(ctx, frame, PointOf(answer), cover));
    const bool has_scrolled = has_moved || point.has_scrolled || answer.at("scrolled") == true;
    const bool is_elsewhere = frame->session != run->tab()->session();
    if (!is_elsewhere || !has_scrolled || round == kMostRounds) {
      CO_TRY_ASSIGN(auto met, MetIn(*run, target.place, answer));
      co_return PreparedPoint{point.at, std::move(met)};
    }
    CO_TRY(co_await WaitUntilDrawn(ctx, frame));
    arguments["stable"] = "strict";
  }
}

Task<Result<void>> PointAndAct(CallContext ctx, ActionRun* run, PointerPlan plan, PostMouse post) {
  std::optional<Error> obstacle;
  std::optional<model::ElementFacts> decided;
  for (int attempt = 1;; ++attempt) {
    const TimePoint start = ctx.clock().Now();
    const auto done = co_await Attempt(ctx, run, plan, post, attempt, &decided);
    if (done) co_return done;
    if (obstacle && WasCutShort(ctx, done.error())) co_return std::unexpected(*obstacle);
    if (!IsWorthAnotherTry(done.error().code())) co_return done;
    obstacle = done.error();
    run->NoteAttempt(done.error(), start);
    CO_TRY(run->tab()->Alive());
    if (!ctx.StillWanted("the element")) co_return done;
  }
}

}  // namespace falconer::browser
