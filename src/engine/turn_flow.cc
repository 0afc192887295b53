#include "engine/turn_flow.h"

#include <algorithm>
#include <utility>

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"
#include "engine/attempt_rules.h"
#include "engine/control/denial.h"
#include "engine/control/turn_warden.h"
#include "engine/page_recording.h"
#include "engine/plan_snapshots.h"
#include "engine/replay/observation_bound.h"
#include "engine/replay/record_fields.h"
#include "engine/replay/turn_end.h"
#include "engine/reveal_secret.h"
#include "engine/turn_watch.h"

namespace falconer::engine {
namespace {

using kernel::TurnCause;

// Anything else it failed with it had failed with before.
bool EndedWithDriver(const model::ActionExecutionResult& result) {
  return result.success || (result.failure && (result.failure->code == ErrorCode::kCancelled ||
                                               result.failure->code == ErrorCode::kStaleEpoch));
}

}  // namespace

TurnFlow::TurnFlow(Runtime& runtime, Caller caller, json::value wire)
    : runtime_(runtime),
      sent_(std::move(caller), std::move(wire)),
      records_(runtime, sent_),
      report_(runtime, sent_),
      tasks_(runtime.executor()) {
}

// Who waits for the end of the turn looks again.
TurnFlow::~TurnFlow() {
  if (sent_.session) sent_.session->changes.NotifyAll();
}

model::ActionExecutionResult TurnFlow::Failed(const Error& error) {
  model::ActionExecutionResult result;
  result.failure = model::ActionFailure::Of(error);
  return result;
}

Task<Result<kernel::AnswerBytes>> TurnFlow::Go(CallContext ctx) {
  report_.Join(ctx.ids().trace);
  // What cannot be read becomes no turn, and has no name it could be known by.
  if (!sent_.contract) {
    sent_.session = runtime_.SessionAside(sent_.key);
    co_return co_await Decide(std::move(ctx));
  }
  auto session = co_await runtime_.SessionFor(ctx, sent_.key);
  if (!session) co_return co_await NotBegun(session.error());
  sent_.session = *std::move(session);
  guards_ = model::DeriveGuards(*sent_.contract);
  if (const auto named = sent_.Identify(); !named) co_return co_await NotBegun(named.error());
  co_return co_await Known(std::move(ctx));
}

// Given up before anything was decided: too little time, or a caller who changed his mind. He is
// answered, so it is on record.
Task<Result<kernel::AnswerBytes>> TurnFlow::NotBegun(Error why) {
  return Refuse(kernel::Verdict::Reject("not_begun", std::move(why)));
}

Task<kernel::Verdict> TurnFlow::AskGates(CallContext ctx, kernel::GateReach reach,
                                         std::string page_url) {
  const bool is_object = sent_.wire.is_object();
  kernel::GateInput input{.tenant = sent_.caller.tenant,
                          .workflow = sent_.session->key.workflow,
                          .agent = sent_.caller.agent,
                          .session = sent_.session->id,
                          .token = sent_.caller.token,
                          .began = sent_.session->began,
                          .contract = is_object ? &sent_.wire.get_object() : nullptr,
                          .admission = &sent_.admission};
  if (sent_.contract) {
    input.action = sent_.contract->action_spec.type;
    input.action_type = model::ActionName(*input.action);
    input.use = sent_.identity.digest;
    input.navigate_url = sent_.contract->action_spec.url.value_or("");
    input.page_url = std::move(page_url);
  }
  input.taken_by = TakenBy();
  if (!input.taken_by.empty()) input.epoch = sent_.session->takeover->agents_epoch;
  co_return co_await kernel::RunGates(ctx, &runtime_.parts().gates, &input, &sent_.session->stamper,
                                      &records_.decisions(), reach);
}

std::string TurnFlow::TakenBy() const {
  const auto& takeover = sent_.session->takeover;
  return takeover && takeover->person != sent_.caller.person ? takeover->person : "";
}

std::string TurnFlow::PageUrl() const {
  return sent_.contract ? sent_.session->PageUrl(sent_.contract->action_spec.tab_id) : "";
}

Task<kernel::Verdict> TurnFlow::AskForTurn(CallContext ctx) {
  sent_.page_url = PageUrl();
  driving_ = sent_.session->driving.token();
  return AskGates(std::move(ctx), kernel::GateReach::kAll, sent_.page_url);
}

Task<Result<kernel::AnswerBytes>> TurnFlow::Decide(CallContext ctx) {
  const auto now = runtime_.clock().WallNow().time_since_epoch();
  if (sent_.contract && sent_.contract->deadline && now >= *sent_.contract->deadline) {
    co_return co_await Refuse(kernel::Verdict::Reject(
        "deadline_passed",
        Error(ErrorCode::kDeadlineExceeded, "the contract's deadline has passed")));
  }
  // What cannot become a turn need not wait for one.
  if (!sent_.contract || !*sent_.session->lease)
    co_return co_await Refuse(co_await AskForTurn(ctx));
  // The turn in front may lead to another page: the gates look once it is over.
  auto slot = co_await AwaitPlace(ctx);
  if (!slot) co_return co_await Refuse(kernel::Verdict::Reject("no_place", slot.error()));
  kernel::Verdict verdict = co_await AskForTurn(ctx);
  report_.Passed("admission", report_.began());
  if (verdict.is_admit()) {
    runtime_.Passed(TurnStage::kAdmitted);
    const auto opened = OpenTurn(*slot);
    if (opened) co_return co_await RunTurn(std::move(ctx), *std::move(slot));
    verdict = kernel::Verdict::Reject("plan_unresolved", opened.error());
  }
  CO_TRY(slot->turn().Refuse(
      {.kind = verdict.kind, .reason = verdict.reason, .epoch = verdict.epoch}));
  co_return co_await Refuse(std::move(verdict));
}

// Whoever waits for the turn in front counts as waiting, and is told so when too many do.
Task<Result<kernel::TurnSlot>> TurnFlow::AwaitPlace(CallContext ctx) {
  kernel::LoadPermit waiting;
  if (sent_.session->turns.is_busy()) {
    auto queued = runtime_.parts().load.TryQueue(sent_.caller.tenant);
    if (!queued) {
      co_return Fail(ErrorCode::kQueueFull,
                     std::to_string(runtime_.parts().load.queued()) + " calls wait already");
    }
    waiting = *std::move(queued);
  }
  co_return co_await sent_.session->turns.Begin(std::move(ctx));
}

Task<Result<kernel::AnswerBytes>> TurnFlow::Refuse(kernel::Verdict verdict) {
  Error error = verdict.error.value_or(Error(ErrorCode::kKernelError, verdict.reason));
  if (!records_.decisions().last_id().empty())
    error = WithDenial(error, records_.decisions().last_id());
  const bool has_no_lease = sent_.session && sent_.session->lease && !*sent_.session->lease;
  if (has_no_lease && error.code() == ErrorCode::kSessionLeaseNotAcquired)
    error = sent_.session->lease->error();
  auto result = Failed(error);
  if (verdict.retry_after) result.failure->retry_after = verdict.retry_after;
  result.action_id = sent_.identity.action_id;
  report_.Refused(result.failure->code, records_.decisions().last_id());
  co_return co_await records_.Refused(std::move(verdict), std::move(result));
}

Result<void> TurnFlow::OpenTurn(kernel::TurnSlot& slot) {
  TRY_ASSIGN(kernel::PlanInputs inputs, PlanFrom(slot));
  TRY_ASSIGN(const auto plan, kernel::ResolvePlan(inputs));
  TRY_ASSIGN(PlanRecord record,
             PlanRecord::Of(plan, std::move(inputs), *sent_.contract, runtime_.clock()));
  records_.set_plan(std::move(record));
  TRY(slot.turn().Admitted());
  TRY(slot.turn().Authorised(plan.authority_epoch));
  TRY(slot.turn().Open(plan));
  sent_.admission.action.Spend();
  sent_.admission.rates.Spend();
  if (const auto& quota = sent_.admission.quota)
    runtime_.parts().artifacts.SetLimit(sent_.caller.tenant, quota->max_artifact_bytes);
  return {};
}

Result<kernel::PlanInputs> TurnFlow::PlanFrom(const kernel::TurnSlot& slot) const {
  kernel::PlanInputs inputs{.turn = slot.turn().id(),
                            .turn_sequence = slot.sequence(),
                            .authority_epoch = sent_.admission.epoch.value_or(0),
                            .fairness_key = sent_.caller.tenant.value(),
                            .wishes = WishesOf(*sent_.contract)};
  TRY(TakeSnapshots(runtime_.config(), inputs));
  return inputs;
}

Task<Result<kernel::AnswerBytes>> TurnFlow::RunTurn(CallContext ctx, kernel::TurnSlot slot) {
  // Written while the page is looked at; durable before anything can have an effect.
  tasks_.Spawn("turn.opened", WriteOpened(this, slot.turn().id()));
  LinkedCancelSource ended(ctx.cancel());
  ended.Follow(sent_.session->authority.token());
  ended.Follow(driving_);
  ended.Follow(sent_.admission.ward.token());
  std::optional<TimePoint> cancelled;
  const Subscription noted =
      ended.token().OnCancel([&cancelled, &clock = runtime_.clock()] { cancelled = clock.Now(); });
  Correlation ids = ctx.ids();
  ids.turn = slot.turn().id();
  ctx = ctx.WithIds(std::move(ids)).WithCancel(ended.token());
  auto result = co_await Fenced(std::move(ctx), slot.turn().id());
  if (runtime_.parts().watch != nullptr) page_after_ = PageUrl();
  co_await tasks_.Join();
  result.turn_id = slot.turn().id();
  const model::ActionType action = sent_.contract->action_spec.type;
  const auto about_site = kernel::SiteOutcomeOf(action, result);
  report_.Acted(result);
  const TimePoint sealing = runtime_.clock().Now();
  auto answer = co_await Seal(&slot, std::move(result));
  report_.Passed("ledger.seal", sealing);
  report_.Ended(answer ? std::nullopt : std::optional(answer.error().code()));
  if (cancelled) runtime_.meter().NoteCancel(runtime_.clock().Now() - *cancelled);
  co_await runtime_.parts().breakers.Note(std::move(sent_.admission.circuit), about_site);
  co_return answer;
}

Task<void> TurnFlow::WriteOpened(TurnFlow* self, TurnId turn) {
  // Behind the first question to the page, which answers meanwhile.
  co_await boost::asio::post(self->runtime_.executor(), boost::asio::use_awaitable);
  auto receipt = co_await self->records_.Opened(turn);
  if (receipt && self->claim_) {
    self->runtime_.parts().actions.SawOpened(*self->claim_, receipt->seq, turn);
  } else if (receipt) {
    self->runtime_.parts().actions.Saw(self->sent_.caller.tenant, receipt->seq);
  }
  self->opened_ = std::move(receipt);
  self->opened_change_.NotifyAll();
}

Task<Result<void>> TurnFlow::Announced() {
  const CallContext ctx(runtime_.executor(), runtime_.clock());
  CO_TRY(co_await opened_change_.Until(
      ctx, [this] { return opened_.has_value(); }, "the record of the turn"));
  CO_TRY(*opened_);
  runtime_.Passed(TurnStage::kAnnounced);
  co_return Result<void>();
}

Task<model::ActionExecutionResult> TurnFlow::Fenced(CallContext ctx, TurnId turn) {
  auto fence = TurnFence::Open(sent_.session->fence, sent_.session->id, turn, ctx.cancel());
  if (!fence) co_return Failed(fence.error());
  auto result = co_await Work(std::move(ctx), fence->get());
  if (const auto report = (*fence)->Report()) result.metadata["fence"] = ToJson(*report);
  // Who drove it is told that nobody else may take what came of it for his own.
  if (const auto driven = driving_.Check(); !driven && EndedWithDriver(result)) {
    result.success = false;
    result.failure = model::ActionFailure::Of(driven.error());
    co_return result;
  }
  // What an old owner did stays on record, but is no success of the new one.
  const auto may_leave =
      runtime_.parts().epochs.CheckOutput(sent_.session->id, sent_.admission.epoch.value_or(0));
  if (may_leave || !result.success) co_return result;
  result.success = false;
  result.failure = model::ActionFailure::Of(may_leave.error());
  co_return result;
}

Task<model::ActionExecutionResult> TurnFlow::Work(CallContext ctx, TurnFence* fence) {
  const TimePoint asked = runtime_.clock().Now();
  const auto kit = co_await runtime_.KitOf(ctx, sent_.session);
  report_.Passed(kBrowserSession, asked);
  if (!kit) co_return Failed(kit.error());
  fence->Guard((*kit)->session);
  const TurnActs acts(*sent_.session, sent_.caller.person);
  TurnWarden warden(*sent_.session->holds, runtime_.clock(), Grounds(ctx.ids()), ctx.cancel());
  warden.LeadsTo(sent_.contract->action_spec.url.value_or(""));
  const EngineInput input{
      .contract = *sent_.contract,
      .guards = guards_,
      // People say yes first, then it is on record, then it happens.
      .before_effect = [this] { return Announced(); },
      .before_attempt = [&] { return warden.BeforeAttempt(ctx, [this] { return PageUrl(); }); },
      .meets = [&](const model::ElementFacts& met) { return warden.Meets(ctx, met); },
      .known_by = ElementWanted(),
      .refused = warden.refused(),
      .keep = [this](const LeftFile& left) { return Keep(left); },
      .reveal = RevealFrom(runtime_.parts().secrets, sent_.caller.agent),
      .vision = runtime_.parts().vision,
      .timeline = &report_.timeline()};
  auto result = co_await CarryOut(ctx.WithStops(sent_.session->holds->stops()), kit->get(), &input);
  co_await warden.Settled(ctx);
  warden.Judge(result);
  runtime_.Passed(TurnStage::kActed);
  co_return result;
}

std::function<void(model::Fingerprint)> TurnFlow::ElementWanted() {
  const TurnWatch* watch = runtime_.parts().watch;
  if (watch == nullptr || !watch->WantsFingerprints(sent_.key)) return {};
  return [this](model::Fingerprint met) { element_ = std::move(met); };
}

void TurnFlow::TellWatch(const model::ActionExecutionResult& result) {
  TurnWatch* watch = runtime_.parts().watch;
  if (watch == nullptr) return;
  watch->OnTurn({.caller = sent_.caller,
                 .key = sent_.key,
                 .contract = *sent_.contract,
                 .result = result,
                 .element = std::move(element_),
                 .page_before = sent_.page_url,
                 .page_after = std::move(page_after_)});
}

ControlGrounds TurnFlow::Grounds(const Correlation& ids) const {
  return {.asker = {.tenant = sent_.caller.tenant,
                    .agent_id = sent_.caller.agent,
                    .workflow = sent_.key.workflow,
                    .session = sent_.session->id,
                    .turn = ids.turn,
                    .action = sent_.identity.action_id,
                    .call = ids.call},
          .action = ActionToJudge(sent_.contract->action_spec,
                                  sent_.session->OpenQuestion(sent_.contract->action_spec.tab_id)),
          .contract_digest = sent_.identity.digest,
          .token = sent_.admission.token,
          .policy = sent_.admission.policy,
          .proof = runtime_.parts().control.tokens.verifier().rules().proof,
          .ask_from = runtime_.config().ask_from,
          .counted = sent_.admission.rates.keys(),
          .told = ToldBy(sent_.contract->action_spec),
          .began = sent_.session->began};
}

Result<model::ResultArtifact> TurnFlow::Keep(const LeftFile& left) {
  const browser::ArtifactOwner owner{.tenant = sent_.caller.tenant,
                                     .workflow = sent_.session->key.workflow};
  TRY_ASSIGN(const auto kept,
             runtime_.parts().artifacts.Adopt(owner, left.kind, left.file, left.name));
  return model::ResultArtifact{.artifact_id = kept.id,
                               .name = kept.name,
                               .mime = kept.mime,
                               .bytes = static_cast<std::int64_t>(kept.bytes),
                               .sha256 = kept.sha256};
}

// A turn that was broken off by the end of its session has ended already: what is on record counts,
// and what comes for it now is late.
void TurnFlow::EndTurn(kernel::TurnMachine& turn, TurnCause cause, std::string detail) {
  const auto noted = turn.Note(cause, std::move(detail));
  const auto resolved = turn.Resolve();
  if (noted && resolved) return;
  const kernel::InboundAnswer answer =
      sent_.session->turns.Judge({.turn = turn.id(),
                                  .kind = kernel::InboundKind::kControl,
                                  .name = "turn_result",
                                  .epoch = sent_.admission.epoch});
  LOG(warn, "turn.ended_before", {"session", sent_.session->id.value()},
      {"turn", turn.id().value()}, {"answer", NameIn(kernel::kInboundAnswers, answer)});
}

Task<Result<kernel::AnswerBytes>> TurnFlow::Seal(kernel::TurnSlot* slot,
                                                 model::ActionExecutionResult result) {
  result.action_id = sent_.identity.action_id;
  BoundObservations(result);
  const auto ends = slot != nullptr ? TurnRecords::Ends::kTurn : TurnRecords::Ends::kNothing;
  const auto sealed = co_await records_.Closed(result, ends);
  if (slot != nullptr) {
    const TurnCause cause = sealed ? CauseOf(result) : TurnCause::kEvidenceLost;
    EndTurn(slot->turn(), cause, DetailOf(result));
  }
  if (!sealed) co_return Fail(WhenUnrecorded(sealed.error(), *sent_.contract, result));
  runtime_.Passed(TurnStage::kSealed);
  if (slot != nullptr) TellWatch(result);
  CO_TRY_ASSIGN(const kernel::AnswerBytes bytes, TurnRecords::BytesOf(sealed->answer));
  if (!claim_) {
    runtime_.parts().actions.Saw(sent_.caller.tenant, sealed->receipt.seq);
    co_return bytes;
  }
  claim_->Finish(bytes);
  runtime_.Passed(TurnStage::kAnswered);
  runtime_.parts().actions.SawClosed(*std::exchange(claim_, std::nullopt), sealed->receipt.seq,
                                     result.turn_id);
  co_return bytes;
}

}  // namespace falconer::engine
