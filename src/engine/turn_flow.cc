#include "engine/turn_flow.h"

#include <algorithm>
#include <utility>

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/hex.h"
#include "base/json/canonical_json.h"
#include "base/log.h"
#include "engine/attempt_rules.h"
#include "engine/control/denial.h"
#include "engine/control/turn_warden.h"
#include "engine/plan_snapshots.h"
#include "engine/recordable.h"
#include "engine/recorded_answer.h"
#include "engine/replay/observation_bound.h"
#include "engine/replay/record_fields.h"
#include "engine/replay/turn_end.h"
#include "engine/reveal_secret.h"
#include "model/turn/trace_context.h"

namespace falconer::engine {
namespace {

using kernel::TurnCause;
using ledger::RecordKind;

std::string TextOr(const json::value& wire, std::string_view key) {
  return wire.is_object() ? TextAt(wire.get_object(), key) : std::string();
}

// A new session shows nothing, and what must be absent is absent there.
bool ShowsAPage(const DriveKit& kit) {
  const auto tab = kit.session->tabs().Active();
  return tab && !(*tab)->url().empty() && !(*tab)->url().starts_with("about:");
}

model::ActionExecutionResult Failed(const Error& error) {
  model::ActionExecutionResult result;
  result.failure = model::ActionFailure::Of(error);
  return result;
}

}  // namespace

TurnFlow::TurnFlow(Runtime& runtime, Caller caller, json::value wire)
    : runtime_(runtime),
      caller_(std::move(caller)),
      wire_(std::move(wire)),
      contract_(model::ActionContract::FromJson(wire_)),
      key_{.tenant = caller_.tenant, .workflow = WorkflowId(TextOr(wire_, "workflow_id"))},
      tasks_(runtime.executor()) {
  // What cannot be read still has a name on record.
  identity_.digest = Sha256Hex(json::serialize(wire_));
  identity_.action_id = ActionId("act_" + identity_.digest.substr(0, 24));
}

// Who waits for the end of the turn looks again.
TurnFlow::~TurnFlow() {
  if (session_) session_->changes.NotifyAll();
}

Task<Result<kernel::AnswerBytes>> TurnFlow::Go(CallContext ctx) {
  Correlation ids = ctx.ids();
  ids.trace = TraceId(model::TraceFor(ids.trace.value()).Traceparent());
  ctx = ctx.WithIds(std::move(ids));
  // What cannot be read becomes no turn, and has no name it could be known by.
  if (!contract_) {
    session_ = runtime_.SessionAside(key_);
    co_return co_await Decide(std::move(ctx));
  }
  auto session = co_await runtime_.SessionFor(ctx, key_);
  if (!session) co_return co_await NotBegun(session.error());
  session_ = *std::move(session);
  if (const auto read = Read(); !read) co_return co_await NotBegun(read.error());
  co_return co_await Known(std::move(ctx));
}

Result<void> TurnFlow::Read() {
  guards_ = model::DeriveGuards(*contract_);
  TRY_ASSIGN(identity_, contract_->Identify());
  TRY_ASSIGN(const std::string bytes, contract_->CanonicalBytes());
  digest_ = Sha256Of(std::string(model::kIdentityPrefix) + bytes);
  return {};
}

kernel::ActionName TurnFlow::Name() const {
  std::string scope = contract_->workflow_id.value();
  if (contract_->idempotency.scope == model::IdempotencyScope::kRun)
    scope += "/" + contract_->run_id.value();
  return {.tenant = caller_.tenant, .scope = std::move(scope), .digest = digest_};
}

Task<Result<kernel::AnswerBytes>> TurnFlow::Known(CallContext ctx) {
  // A dry run has no effect that could be doubled, and what it answers changes with the page.
  if (contract_->dry_run) co_return co_await Decide(std::move(ctx));
  const auto ready = co_await runtime_.parts().index.Ready(ctx, caller_.tenant);
  if (!ready) co_return co_await NotBegun(ready.error());
  auto standing = co_await runtime_.parts().actions.Begin(ctx, Name());
  if (!standing) co_return co_await NotBegun(standing.error());
  if (standing->answer) co_return standing->answer;
  if (standing->claim) claim_.emplace(*std::move(standing->claim));
  if (!standing->known) co_return co_await Decide(std::move(ctx));
  if (standing->known->is_over) co_return co_await AnswerFrom(*standing->known);
  // Whoever holds the workflow may be carrying it out at this moment: the lease gate says so.
  if (!*session_->lease) co_return co_await Decide(std::move(ctx));
  co_return co_await FindOut(std::move(ctx), *standing->known);
}

// Given up before anything was decided: too little time, or a caller who changed his mind. He is
// answered, so it is on record.
Task<Result<kernel::AnswerBytes>> TurnFlow::NotBegun(Error why) {
  return Refuse(kernel::Verdict::Reject("not_begun", std::move(why)));
}

// The same bytes again, from the record that has them.
Task<Result<kernel::AnswerBytes>> TurnFlow::AnswerFrom(kernel::KnownAction known) {
  auto recorded = RecordedAnswer(runtime_.parts().ledger, caller_.tenant, known, identity_.digest);
  if (!recorded && recorded.error().code() == ErrorCode::kRecordArchived) {
    auto result = Failed(recorded.error());
    result.turn_id = known.turn;
    co_return co_await AnswerUnsealed(std::move(result));
  }
  CO_TRY(recorded);
  co_return BytesOf(recorded->ToJson());
}

// Somebody began it, and a crash came. Whether it happened is looked at, never tried.
Task<Result<kernel::AnswerBytes>> TurnFlow::FindOut(CallContext ctx, kernel::KnownAction known) {
  auto result =
      Failed(Error(ErrorCode::kOutcomeUnknown,
                   "the action was begun before a crash; whether it happened is unknown"));
  const auto kit = co_await runtime_.KitOf(ctx, session_);
  if (kit && !contract_->expected_postconditions.empty() && ShowsAPage(**kit)) {
    const auto report = co_await Reobserve(ctx, kit->get(), &*contract_);
    result.verification = report;
    result.success = ShowsItHappened(report);
    if (result.success) result.failure.reset();
  }
  result.turn_id = known.turn;
  opened_seq_ = known.seq;
  result.metadata["reobserved"] = result.verification.has_value();
  // Still unknown: it stays open.
  if (!result.success) co_return co_await AnswerUnsealed(std::move(result));
  co_return co_await Seal(nullptr, std::move(result));
}

// An answer about a turn that is no end of it: whoever asks again makes us look again.
Task<Result<kernel::AnswerBytes>> TurnFlow::AnswerUnsealed(model::ActionExecutionResult result) {
  result.action_id = identity_.action_id;
  json::object payload = About(result.turn_id);
  payload["failure_code"] = TraitsOf(result.failure->code).name;
  payload["result"] = result.ToJson();
  runtime_.parts().scrubber.Scrub(payload);
  CO_TRY_ASSIGN(result, model::ActionExecutionResult::FromJson(payload.at("result")));
  CO_TRY_ASSIGN(const auto receipt, co_await Write(RecordKind::kDecision, std::move(payload)));
  runtime_.parts().actions.Saw(caller_.tenant, receipt.seq);
  result.ledger = PlaceOf(receipt.seq, receipt.hash);
  co_return BytesOf(result.ToJson());
}

Task<kernel::Verdict> TurnFlow::AskGates(CallContext ctx) {
  const bool is_object = wire_.is_object();
  kernel::GateInput input{.tenant = caller_.tenant,
                          .workflow = session_->key.workflow,
                          .agent = caller_.agent,
                          .session = session_->id,
                          .token = caller_.token,
                          .contract = is_object ? &wire_.get_object() : nullptr,
                          .admission = &admission_};
  if (contract_) {
    input.action = contract_->action_spec.type;
    input.action_type = model::ActionName(*input.action);
    input.use = identity_.digest;
    input.navigate_url = contract_->action_spec.url.value_or("");
  }
  if (contract_) input.page_url = session_->PageUrl(contract_->action_spec.tab_id);
  co_return co_await kernel::RunGates(ctx, &runtime_.parts().gates, &input, &session_->stamper,
                                      &decisions_);
}

Task<Result<kernel::AnswerBytes>> TurnFlow::Decide(CallContext ctx) {
  const auto now = runtime_.clock().WallNow().time_since_epoch();
  if (contract_ && contract_->deadline && now >= *contract_->deadline) {
    co_return co_await Refuse(kernel::Verdict::Reject(
        "deadline_passed",
        Error(ErrorCode::kDeadlineExceeded, "the contract's deadline has passed")));
  }
  // What cannot become a turn need not wait for one.
  if (!contract_ || !*session_->lease) co_return co_await Refuse(co_await AskGates(ctx));
  // The turn in front may lead to another page: the gates look once it is over.
  auto slot = co_await AwaitPlace(ctx);
  if (!slot) co_return co_await Refuse(kernel::Verdict::Reject("no_place", slot.error()));
  kernel::Verdict verdict = co_await AskGates(ctx);
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
  if (session_->turns.is_busy()) {
    auto queued = runtime_.parts().load.TryQueue(caller_.tenant);
    if (!queued) {
      co_return Fail(ErrorCode::kQueueFull,
                     std::to_string(runtime_.parts().load.queued()) + " calls wait already");
    }
    waiting = *std::move(queued);
  }
  co_return co_await session_->turns.Begin(std::move(ctx));
}

Task<Result<kernel::AnswerBytes>> TurnFlow::Refuse(kernel::Verdict verdict) {
  Error error = verdict.error.value_or(Error(ErrorCode::kKernelError, verdict.reason));
  if (!decisions_.last_id().empty()) error = WithDenial(error, decisions_.last_id());
  const bool has_no_lease = session_ && session_->lease && !*session_->lease;
  if (has_no_lease && error.code() == ErrorCode::kSessionLeaseNotAcquired)
    error = session_->lease->error();
  auto result = Failed(error);
  if (verdict.retry_after) result.failure->retry_after = verdict.retry_after;
  result.action_id = identity_.action_id;
  json::object payload = Asked(TurnId());
  payload["gate"] = std::string_view(verdict.gate);
  payload["reason"] = std::string_view(verdict.reason);
  payload["failure_code"] = error.name();
  payload["result"] = result.ToJson();
  if (!contract_) {
    // What is said of a contract quotes it, and it may have been anything.
    json::value whole = std::move(payload);
    MakeRecordable(whole);
    payload = std::move(whole.get_object());
  }
  runtime_.parts().scrubber.Scrub(payload);
  CO_TRY_ASSIGN(result, model::ActionExecutionResult::FromJson(payload.at("result")));
  CO_TRY(co_await KeepSnapshots());
  CO_TRY_ASSIGN(const auto receipt, co_await Write(RecordKind::kRefusal, std::move(payload)));
  runtime_.parts().actions.Saw(caller_.tenant, receipt.seq);
  result.ledger = PlaceOf(receipt.seq, receipt.hash);
  co_return BytesOf(result.ToJson());
}

Result<void> TurnFlow::OpenTurn(kernel::TurnSlot& slot) {
  TRY_ASSIGN(kernel::PlanInputs inputs, PlanFrom(slot));
  TRY_ASSIGN(const auto plan, kernel::ResolvePlan(inputs));
  TRY_ASSIGN(plan_, PlanRecord::Of(plan, std::move(inputs), *contract_, runtime_.clock()));
  TRY(slot.turn().Admitted());
  TRY(slot.turn().Authorised(plan.authority_epoch));
  TRY(slot.turn().Open(plan));
  admission_.action.Spend();
  if (const auto& quota = admission_.quota)
    runtime_.parts().artifacts.SetLimit(caller_.tenant, quota->max_artifact_bytes);
  return {};
}

Result<kernel::PlanInputs> TurnFlow::PlanFrom(const kernel::TurnSlot& slot) const {
  kernel::PlanInputs inputs{.turn = slot.turn().id(),
                            .turn_sequence = slot.sequence(),
                            .authority_epoch = admission_.epoch.value_or(0),
                            .fairness_key = caller_.tenant.value(),
                            .wishes = WishesOf(*contract_)};
  TRY(TakeSnapshots(runtime_.config(), inputs));
  return inputs;
}

// Written once per chain; before the first record that refers to them.
Task<Result<void>> TurnFlow::KeepSnapshots() {
  plan_.Refer(admission_);
  auto lacking = runtime_.snapshots().Lacking(caller_.tenant, plan_.snapshots);
  if (!lacking) co_return Result<void>();
  CO_TRY_ASSIGN(const auto receipt, co_await Write(RecordKind::kSnapshot, *std::move(lacking)));
  runtime_.parts().actions.Saw(caller_.tenant, receipt.seq);
  runtime_.snapshots().Written(caller_.tenant, plan_.snapshots);
  co_return Result<void>();
}

Task<Result<kernel::AnswerBytes>> TurnFlow::RunTurn(CallContext ctx, kernel::TurnSlot slot) {
  // Written while the page is looked at; durable before anything can have an effect.
  tasks_.Spawn("turn.opened", WriteOpened(this, slot.turn().id()));
  LinkedCancelSource ended(ctx.cancel());
  ended.Follow(session_->authority.token());
  ended.Follow(admission_.ward.token());
  Correlation ids = ctx.ids();
  ids.turn = slot.turn().id();
  ctx = ctx.WithIds(std::move(ids)).WithCancel(ended.token());
  auto result = co_await Fenced(std::move(ctx), slot.turn().id());
  co_await tasks_.Join();
  result.turn_id = slot.turn().id();
  const auto about_site = kernel::SiteOutcomeOf(contract_->action_spec.type, result);
  auto answer = co_await Seal(&slot, std::move(result));
  co_await runtime_.parts().breakers.Note(std::move(admission_.circuit), about_site);
  co_return answer;
}

Task<void> TurnFlow::WriteOpened(TurnFlow* self, TurnId turn) {
  // Behind the first question to the page, which answers meanwhile.
  co_await boost::asio::post(self->runtime_.executor(), boost::asio::use_awaitable);
  json::object payload = self->Asked(turn);
  payload.insert(self->plan_.fields.begin(), self->plan_.fields.end());
  const auto kept = co_await self->KeepSnapshots();
  auto receipt = kept ? co_await self->Write(RecordKind::kTurnOpened, std::move(payload))
                      : Result<ledger::Receipt>(std::unexpected(kept.error()));
  if (receipt) {
    ledger::Receipt& written = *receipt;
    self->opened_seq_ = written.seq;
    if (self->claim_) {
      self->runtime_.parts().actions.SawOpened(*self->claim_, written.seq, turn);
    } else {
      self->runtime_.parts().actions.Saw(self->caller_.tenant, written.seq);
    }
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
  auto fence = TurnFence::Open(session_->fence, session_->id, turn, ctx.cancel());
  if (!fence) co_return Failed(fence.error());
  auto result = co_await Work(std::move(ctx), fence->get());
  if (const auto report = (*fence)->Report()) result.metadata["fence"] = ToJson(*report);
  // What an old owner did stays on record, but is no success of the new one.
  const auto may_leave =
      runtime_.parts().epochs.CheckOutput(session_->id, admission_.epoch.value_or(0));
  if (may_leave || !result.success) co_return result;
  result.success = false;
  result.failure = model::ActionFailure::Of(may_leave.error());
  co_return result;
}

Task<model::ActionExecutionResult> TurnFlow::Work(CallContext ctx, TurnFence* fence) {
  const auto kit = co_await runtime_.KitOf(ctx, session_);
  if (!kit) co_return Failed(kit.error());
  fence->Guard((*kit)->session);
  TurnWarden warden(*session_->holds, runtime_.clock(), Grounds(ctx.ids()), ctx.cancel());
  warden.At(session_->PageUrl(contract_->action_spec.tab_id),
            contract_->action_spec.url.value_or(""));
  const EngineInput input{
      .contract = *contract_,
      .guards = guards_,
      .before_effect = [&] { return BeforeEffect(ctx, &warden); },
      .meets = [&](const model::ElementFacts& met) { return warden.Meets(met); },
      .keep = [this](const LeftFile& left) { return Keep(left); },
      .reveal = RevealFrom(runtime_.parts().secrets)};
  auto result = co_await CarryOut(ctx.WithStops(session_->holds->stops()), kit->get(), &input);
  co_await warden.Settled(ctx);
  warden.Judge(result);
  runtime_.Passed(TurnStage::kActed);
  co_return result;
}

// People say yes first, then it is on record, then it happens.
Task<Result<void>> TurnFlow::BeforeEffect(CallContext ctx, TurnWarden* warden) {
  CO_TRY(co_await warden->BeforeEffect(std::move(ctx)));
  co_return co_await Announced();
}

ControlGrounds TurnFlow::Grounds(const Correlation& ids) const {
  return {.asker = {.tenant = caller_.tenant,
                    .agent_id = caller_.agent,
                    .agent_name = caller_.agent,
                    .subject = "",
                    .workflow = key_.workflow,
                    .session = session_->id,
                    .turn = ids.turn,
                    .action = identity_.action_id,
                    .call = ids.call},
          .action = ActionToJudge(contract_->action_spec),
          .contract_digest = identity_.digest,
          .token = admission_.token,
          .policy = admission_.policy,
          .proof = runtime_.parts().control.tokens.verifier().rules().proof,
          .ask_from = runtime_.config().ask_from};
}

Result<model::ResultArtifact> TurnFlow::Keep(const LeftFile& left) {
  const browser::ArtifactOwner owner{.tenant = caller_.tenant, .workflow = session_->key.workflow};
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
  const kernel::InboundAnswer answer = session_->turns.Judge({.turn = turn.id(),
                                                              .kind = kernel::InboundKind::kControl,
                                                              .name = "turn_result",
                                                              .epoch = admission_.epoch});
  LOG(warn, "turn.ended_before", {"turn", turn.id().value()},
      {"answer", NameIn(kernel::kInboundAnswers, answer)});
}

Task<Result<kernel::AnswerBytes>> TurnFlow::Seal(kernel::TurnSlot* slot,
                                                 model::ActionExecutionResult result) {
  result.action_id = identity_.action_id;
  BoundObservations(result);
  json::object payload = About(result.turn_id);
  payload["success"] = result.success;
  if (result.failure) payload["failure_code"] = TraitsOf(result.failure->code).name;
  payload["plan"] = std::string_view(plan_.hash);
  if (opened_seq_) payload["opened"] = *opened_seq_;
  if (slot != nullptr) payload["end"] = EndJson(EndOf(result));
  payload["result"] = result.ToJson();
  runtime_.parts().scrubber.Scrub(payload);
  // What is answered is what is recorded, to the byte, and so is what the digest is of.
  json::object& recorded = payload["result"].as_object();
  CO_TRY_ASSIGN(const std::string digest, model::ActionExecutionResult::EvidenceDigestOf(recorded));
  recorded["evidence_digest"] = std::string_view(digest);
  json::object answer = recorded;
  const auto receipt = co_await Write(RecordKind::kTurnClosed, std::move(payload));
  if (slot != nullptr) {
    const TurnCause cause = receipt ? CauseOf(result) : TurnCause::kEvidenceLost;
    EndTurn(slot->turn(), cause, DetailOf(result));
  }
  if (!receipt) co_return Fail(WhenUnrecorded(receipt.error(), *contract_, result));
  runtime_.Passed(TurnStage::kSealed);
  answer["ledger"] = PlaceOf(receipt->seq, receipt->hash).ToJson();
  CO_TRY_ASSIGN(const kernel::AnswerBytes bytes, BytesOf(answer));
  if (!claim_) {
    runtime_.parts().actions.Saw(caller_.tenant, receipt->seq);
    co_return bytes;
  }
  claim_->Finish(bytes);
  runtime_.Passed(TurnStage::kAnswered);
  runtime_.parts().actions.SawClosed(*std::exchange(claim_, std::nullopt), receipt->seq,
                                     result.turn_id);
  co_return bytes;
}

Task<Result<ledger::Receipt>> TurnFlow::Write(RecordKind kind, json::object payload) {
  return runtime_.parts().ledger.Append(caller_.tenant,
                                        {.kind = kind, .payload = std::move(payload)});
}

json::object TurnFlow::About(const TurnId& turn) const {
  json::object about{{"workflow", std::string_view(key_.workflow.value())},
                     {"agent", std::string_view(caller_.agent)}};
  if (session_) about["session"] = std::string_view(session_->id.value());
  if (!turn.empty()) about["turn_id"] = std::string_view(turn.value());
  if (!contract_) return about;
  about["run"] = std::string_view(contract_->run_id.value());
  about["step"] = contract_->step_index;
  about["action_id"] = std::string_view(identity_.action_id.value());
  about["action_hash"] = std::string_view(identity_.digest);
  if (contract_->idempotency.scope == model::IdempotencyScope::kRun) about["scope"] = Name().scope;
  return about;
}

// What was asked for and decided: once per turn, in its first record.
json::object TurnFlow::Asked(const TurnId& turn) const {
  json::object asked = About(turn);
  if (!contract_) {
    for (auto& [key, value] : ContractOnRecord(wire_)) asked[key] = value;
  } else {
    // A number may be exact as it was read and not as it was written.
    asked["contract"] = CanonicalJson(wire_) ? wire_ : json::value(contract_->ToJson());
  }
  asked["decisions"] = decisions_.all();
  return asked;
}

Result<kernel::AnswerBytes> TurnFlow::BytesOf(const json::object& result) {
  TRY_ASSIGN(std::string bytes, CanonicalJson(result));
  return std::make_shared<const std::string>(std::move(bytes));
}

model::LedgerPlace TurnFlow::PlaceOf(std::uint64_t seq, const Sha256Digest& hash) const {
  return {.chain = caller_.tenant.value(),
          .seq = static_cast<std::int64_t>(seq),
          .record_hash = ToHex(hash)};
}

}  // namespace falconer::engine
