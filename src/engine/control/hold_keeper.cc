#include "engine/control/hold_keeper.h"

#include <utility>

#include "base/log.h"
#include "engine/control/denial.h"

namespace falconer::engine {
namespace {

// The browser answers at once, unless it is about to end.
constexpr auto kReleaseTime = std::chrono::seconds(30);

HeldBytes BytesOf(const browser::RequestFacts& facts) {
  HeldBytes held{.method = facts.method,
                 .url = facts.url,
                 .headers = {},
                 .body = facts.body,
                 .is_body_whole = facts.is_body_whole,
                 .body_gaps = facts.body_gaps};
  for (const browser::RequestHeader& header : facts.headers)
    held.headers.push_back({.name = header.name, .value = header.value});
  return held;
}

}  // namespace

HoldKeeper::HoldKeeper(const Executor& executor, Clock& clock, ControlDesks desks,
                       std::shared_ptr<ControlRule> rule)
    : executor_(executor),
      clock_(clock),
      desks_(desks),
      rule_(std::move(rule)),
      stops_(std::make_shared<StoppedTime>(clock)),
      tasks_(executor) {
}

HoldKeeper::~HoldKeeper() {
  RefuseAll();
}

void HoldKeeper::Follow(std::shared_ptr<browser::Session> session) {
  if (session == session_) return;
  RefuseAll();
  session_ = std::move(session);
  held_ = session_->holds().on_held().Subscribe(
      [this](const browser::HeldRequest& request) { OnHeld(request); });
  ended_ =
      session_->holds().on_ended().Subscribe([this](const browser::HoldEnd& end) { OnEnded(end); });
}

void HoldKeeper::RefuseAll() {
  // Refusing ends them, and that takes them off the list.
  for (const auto& [id, hold] : std::map(open_)) {
    const auto refused = session_->holds().Refuse(id, "session_over");
    if (!refused) LOG(info, "hold.gone", {"why", refused.error().message()});
  }
}

void HoldKeeper::Begin(std::shared_ptr<TurnControl> control, CancelToken wanted) {
  wanted_ = std::move(wanted);
  rule_->Govern(std::move(control));
}

Task<Result<void>> HoldKeeper::Settled(CallContext ctx) {
  return changes_.Until(std::move(ctx), [this] { return open_.empty(); }, "what is held");
}

Task<void> HoldKeeper::CallOff(Error why) {
  for (const auto& [id, hold] : open_) hold->wanted.Cancel(why);
  // What a page still sends is not waited for either, until another turn begins.
  CancelSource off;
  off.Cancel(std::move(why));
  wanted_ = off.token();
  co_await tasks_.Join();
}

void HoldKeeper::OnHeld(const browser::HeldRequest& request) {
  auto hold = std::make_shared<Hold>();
  hold->held = session_->holds().Find(request.id);
  hold->control = rule_->control();
  hold->wanted.Follow(wanted_);
  open_[request.id] = hold;
  tasks_.Spawn("hold.keep", Keep(this, std::move(hold)));
}

// Without the request there is nothing left to decide about.
void HoldKeeper::OnEnded(const browser::HoldEnd& end) {
  const auto found = open_.find(end.request->id);
  if (found == open_.end()) return;
  found->second->end = end;
  const auto why = NameIn(browser::kHoldEndings, end.why);
  found->second->wanted.Cancel(
      Error(ErrorCode::kApprovalDenied, "the request is gone: " + std::string(why)));
  changes_.NotifyAll();
}

Task<void> HoldKeeper::Keep(HoldKeeper* self, std::shared_ptr<Hold> hold) {
  const auto session = self->session_;
  const Held held = hold->held;
  TurnControl& control = *hold->control;
  const Ruling ruling = control.JudgeRequest(held->facts);
  const std::string id = control.Note("request", held->facts.url, ruling);
  const CallContext ctx =
      CallContext(self->executor_, self->clock_).WithCancel(hold->wanted.token());
  auto decided = co_await self->Decide(ctx, &control, &ruling, held);
  if (decided) decided = co_await self->LetGo(session, hold);
  if (!decided) {
    const Error why = WithDenial(decided.error(), id);
    if (!hold->end) {
      const auto refused = session->holds().Refuse(held->id, std::string(why.name()));
      if (!refused) LOG(info, "hold.gone", {"why", refused.error().message()});
    }
    control.Failed(why);
  }
  self->open_.erase(held->id);
  self->changes_.NotifyAll();
}

Task<Result<void>> HoldKeeper::LetGo(std::shared_ptr<browser::Session> session,
                                     std::shared_ptr<Hold> hold) {
  CO_TRY(session->holds().Release(hold->held->id, hold->held->digest));
  const CallContext ctx = CallContext(executor_, clock_).WithTimeout(kReleaseTime);
  CO_TRY(co_await changes_.Until(
      ctx, [&hold] { return hold->end.has_value(); }, "the browser to let it go"));
  if (hold->end->why == browser::HoldEnding::kReleased) co_return Result<void>();
  const std::string why(NameIn(browser::kHoldEndings, hold->end->why));
  co_return Fail(hold->end->may_have_left ? ErrorCode::kOutcomeUnknown : ErrorCode::kApprovalDenied,
                 "the request ended before it could go on: " + why);
}

Task<Result<void>> HoldKeeper::Decide(CallContext ctx, const TurnControl* control,
                                      const Ruling* ruling, Held held) {
  if (ruling->effect == Ruling::Effect::kRefuse) co_return std::unexpected(*ruling->error);
  if (ruling->effect == Ruling::Effect::kAsk)
    CO_TRY(co_await Ask(ctx, control, ruling, std::move(held)));
  CO_TRY(ctx.StillWanted("the request"));
  if (ruling->used_once.empty()) co_return Result<void>();
  policy::TokenDemand demand = ruling->demand;
  demand.capabilities = ruling->used_once;
  co_return co_await desks_.tokens.Use(&control->grounds().token->token, &demand);
}

Task<Result<void>> HoldKeeper::Ask(CallContext ctx, const TurnControl* control,
                                   const Ruling* ruling, Held held) {
  const StandingStill meanwhile(stops_);
  auto request = DraftForRequest(control->grounds().asker, ruling->grounds, BytesOf(held->facts),
                                 held->digest, desks_.redactor);
  CO_TRY_ASSIGN(const ApprovalOutcome outcome,
                co_await desks_.approvals.Ask(std::move(ctx), std::move(request)));
  co_return outcome.Check();
}

}  // namespace falconer::engine
