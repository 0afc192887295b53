#include "engine/control/hold_keeper.h"

#include <utility>

#include "base/log.h"
#include "browser/network/egress_door.h"
#include "engine/approvals/gap_files.h"
#include "engine/control/denial.h"

namespace falconer::engine {
namespace {

// The browser answers at once, unless it is about to end.
constexpr auto kReleaseTime = std::chrono::seconds(30);

HeldBytes BytesOf(const browser::RequestFacts& facts, const std::vector<FileMark>& files) {
  HeldBytes held{.method = facts.method,
                 .url = facts.url,
                 .headers = {},
                 .body = facts.body,
                 .is_body_whole = facts.is_body_whole,
                 .body_gaps = facts.body_gaps};
  for (const browser::RequestHeader& header : facts.headers)
    held.headers.push_back({.name = header.name, .value = header.value});
  for (std::size_t i = 0; i < files.size(); ++i)
    held.files.push_back(
        {.gap = facts.body_gaps[i], .bytes = files[i].bytes, .sha256 = files[i].sha256});
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
  if (const auto& door = session_->options().egress)
    door->Govern(session_->id(), rule_->at_the_door());
  held_ = session_->holds().on_held().Subscribe(
      [this](const browser::HeldRequest& request) { OnHeld(request); });
  ended_ =
      session_->holds().on_ended().Subscribe([this](const browser::HoldEnd& end) { OnEnded(end); });
}

void HoldKeeper::RefuseAll() {
  // Refusing ends them, and that takes them off the list.
  for (const auto& [id, hold] : std::map(open_)) {
    const auto refused = session_->holds().Refuse(id, "session_over");
    if (!refused) {
      LOG(info, "hold.gone", {"session", session_->id().value()},
          {"why", refused.error().message()});
    }
  }
}

void HoldKeeper::Begin(std::shared_ptr<TurnControl> control, CancelToken wanted) {
  wanted_ = std::move(wanted);
  rule_->Govern(std::move(control));
}

Task<Result<void>> HoldKeeper::Settled(CallContext ctx) {
  const std::shared_ptr<TurnControl> control = rule_->control();
  auto settled =
      co_await changes_.Until(std::move(ctx), [this] { return open_.empty(); }, "what is held");
  if (control) control->End();
  co_return settled;
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
  const browser::RequestOwner owner = rule_->owner();
  LOG(info, "request.held", {"session", owner.session.value()}, {"turn", owner.turn.value()},
      {"hold", request.id}, {"tab", request.facts.tab.value()},
      {"use", NameIn(browser::kRequestUses, request.facts.use)}, {"rule", request.verdict.rule},
      {"reason", request.verdict.reason});
  auto hold = std::make_shared<Hold>();
  hold->held = session_->holds().Find(request.id);
  hold->control = rule_->control();
  hold->wanted.Follow(wanted_);
  for (const CancelToken& end : ends_) hold->wanted.Follow(end);
  hold->since = clock_.WallNow();
  hold->is_late = hold->control->is_over();
  open_[request.id] = hold;
  tasks_.Spawn("hold.keep", Keep(this, std::move(hold)));
}

// Without the request there is nothing left to decide about.
void HoldKeeper::OnEnded(const browser::HoldEnd& end) {
  const auto found = open_.find(end.request->id);
  if (found == open_.end()) return;
  found->second->end = end;
  const auto why = NameIn(browser::kHoldEndings, end.why);
  const ApprovalAsker& asker = found->second->control->grounds().asker;
  LOG(info, "request.hold_ended", {"session", asker.session.value()}, {"turn", asker.turn.value()},
      {"hold", end.request->id}, {"why", why});
  found->second->wanted.Cancel(
      Error(ErrorCode::kApprovalDenied, "the request is gone: " + std::string(why)));
  changes_.NotifyAll();
}

Task<void> HoldKeeper::Keep(HoldKeeper* self, std::shared_ptr<Hold> hold) {
  const auto session = self->session_;
  const Held held = hold->held;
  TurnControl& control = *hold->control;
  const Ruling ruling = self->rule_->Judge(control, held->facts);
  control.Take(ruling);
  hold->ruling_id = control.Note(ruling);
  const CallContext ctx =
      CallContext(self->executor_, self->clock_).WithCancel(hold->wanted.token());
  auto decided = co_await self->Decide(ctx, hold, &ruling);
  if (decided) decided = co_await self->LetGo(session, hold);
  if (!decided) Refuse(*session, *hold, ruling, WithDenial(decided.error(), hold->ruling_id));
  self->open_.erase(held->id);
  self->changes_.NotifyAll();
}

void HoldKeeper::Refuse(browser::Session& session, const Hold& hold, const Ruling& ruling,
                        const Error& why) {
  TurnControl& control = *hold.control;
  const ApprovalAsker& asker = control.grounds().asker;
  const auto refused =
      hold.end ? Result<void>() : session.holds().Refuse(hold.held->id, std::string(why.name()));
  if (!refused) {
    LOG(info, "hold.gone", {"session", asker.session.value()}, {"turn", asker.turn.value()},
        {"why", refused.error().message()});
  }
  if (ruling.effect != Ruling::Effect::kRefuse) control.NoteEnd(hold.ruling_id, why);
  control.Failed(why);
  // Of a turn that is over nothing goes on record any more.
  if (hold.is_late) {
    LOG(warn, "request.after_turn_refused", {"session", asker.session.value()},
        {"turn", asker.turn.value()}, {"code", why.name()}, {"why", why.message()});
  }
}

Task<Result<void>> HoldKeeper::LetGo(std::shared_ptr<browser::Session> session,
                                     std::shared_ptr<Hold> hold) {
  rule_->Released(hold->held->facts.url);
  CO_TRY(session->holds().Release(hold->held->id, hold->held->digest));
  const CallContext ctx = CallContext(executor_, clock_).WithTimeout(kReleaseTime);
  CO_TRY(co_await changes_.Until(
      ctx, [&hold] { return hold->end.has_value(); }, "the browser to let it go"));
  if (hold->end->why == browser::HoldEnding::kReleased) co_return Result<void>();
  const std::string why(NameIn(browser::kHoldEndings, hold->end->why));
  co_return Fail(hold->end->may_have_left ? ErrorCode::kOutcomeUnknown : ErrorCode::kApprovalDenied,
                 "the request ended before it could go on: " + why);
}

Task<Result<void>> HoldKeeper::Decide(CallContext ctx, std::shared_ptr<Hold> hold,
                                      const Ruling* ruling) {
  if (ruling->effect == Ruling::Effect::kRefuse) co_return std::unexpected(*ruling->error);
  const ControlGrounds& grounds = hold->control->grounds();
  // A turn may outlast its token, and people take their time: what counts is when it was made.
  if (hold->is_late)
    CO_TRY(desks_.tokens.verifier().CheckTimes(grounds.token->token.claims, hold->since));
  if (ruling->effect != Ruling::Effect::kAsk) co_return co_await Spend(ctx, hold, ruling);
  CO_TRY_ASSIGN(const model::ApprovalRecord approval, co_await Ask(ctx, hold, ruling));
  auto spent = co_await Spend(ctx, hold, ruling);
  if (spent) {
    rule_->Approved(
        {.digest = hold->held->digest, .url = hold->held->facts.url, .grounds = ruling->grounds});
  } else {
    co_await desks_.approvals.NoteUnused(approval, spent.error());
  }
  co_return spent;
}

Task<Result<void>> HoldKeeper::Spend(CallContext ctx, std::shared_ptr<Hold> hold,
                                     const Ruling* ruling) {
  TurnControl* const control = hold->control.get();
  const policy::VerifiedToken* const token = &control->grounds().token->token;
  CO_TRY(ctx.StillWanted("the request"));
  CO_TRY(co_await CheckUnchanged(ctx, hold->files));
  CO_TRY(co_await control->Count(ctx, &desks_.rates, ruling, hold->ruling_id));
  if (!ruling->used_once.empty()) {
    policy::TokenDemand demand = DemandOf(ruling->asked);
    demand.capabilities = ruling->used_once;
    demand.use = control->grounds().contract_digest;
    CO_TRY(co_await desks_.tokens.Use(token, &demand));
  }
  // Last: whoever revokes a token, or calls the turn off, stops what has not left.
  CO_TRY(co_await desks_.tokens.CheckStanding(token));
  co_return ctx.StillWanted("the request");
}

Task<Result<model::ApprovalRecord>> HoldKeeper::Ask(CallContext ctx, std::shared_ptr<Hold> hold,
                                                    const Ruling* ruling) {
  const StandingStill meanwhile(stops_);
  const browser::RequestFacts& facts = hold->held->facts;
  CO_TRY_ASSIGN(auto paths, FilesInGaps(facts, session_->given_files()));
  CO_TRY_ASSIGN(hold->files, co_await MarkFiles(ctx, std::move(paths)));
  auto request =
      DraftForRequest(hold->control->grounds().asker, ruling->grounds, BytesOf(facts, hold->files),
                      DigestWithFiles(hold->held->digest, hold->files), desks_.redactor);
  co_return co_await AskPeople(std::move(ctx), std::move(request));
}

Task<Result<model::ApprovalRecord>> HoldKeeper::AskPeople(CallContext ctx,
                                                          model::ApprovalRequest request) {
  const StandingStill meanwhile(stops_);
  CO_TRY_ASSIGN(ApprovalOutcome outcome,
                co_await desks_.approvals.Ask(std::move(ctx), std::move(request)));
  CO_TRY(outcome.Check());
  co_return std::move(outcome.record);
}

Task<Result<void>> HoldKeeper::CheckApproved(CallContext ctx, const TurnControl* control,
                                             model::ApprovalRecord approval,
                                             std::vector<FileMark> files) {
  auto checked = co_await CheckUnchanged(ctx, std::move(files));
  if (checked) checked = co_await desks_.tokens.CheckStanding(&control->grounds().token->token);
  if (checked) checked = ctx.StillWanted("the action");
  if (!checked) co_await desks_.approvals.NoteUnused(std::move(approval), checked.error());
  co_return checked;
}

}  // namespace falconer::engine
