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
#include "engine/replay/observation_bound.h"
#include "engine/replay/record_fields.h"
#include "engine/replay/turn_end.h"
#include "engine/reveal_secret.h"
#include "kernel/gates/domain_gate.h"
#include "model/turn/trace_context.h"

namespace falconer::engine {
namespace {

using kernel::TurnCause;
using ledger::RecordKind;

std::string TextOr(const json::value& wire, std::string_view key) {
  return wire.is_object() ? TextAt(wire.get_object(), key) : std::string();
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

model::ActionExecutionResult TurnFlow::Failed(const Error& error) {
  model::ActionExecutionResult result;
  result.failure = model::ActionFailure::Of(error);
  return result;
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

// Given up before anything was decided: too little time, or a caller who changed his mind. He is
// answered, so it is on record.
Task<Result<kernel::AnswerBytes>> TurnFlow::NotBegun(Error why) {
  return Refuse(kernel::Verdict::Reject("not_begun", std::move(why)));
}

Task<kernel::Verdict> TurnFlow::AskGates(CallContext ctx, kernel::GateReach reach,
                                         std::string page_url) {
  const bool is_object = wire_.is_object();
  kernel::GateInput input{.tenant = caller_.tenant,
                          .workflow = session_->key.workflow,
                          .agent = caller_.agent,
                          .session = session_->id,
                          .token = caller_.token,
                          .began = session_->began,
                          .contract = is_object ? &wire_.get_object() : nullptr,
                          .admission = &admission_};
  if (contract_) {
    input.action = contract_->action_spec.type;
    input.action_type = model::ActionName(*input.action);
    input.use = identity_.digest;
    input.navigate_url = contract_->action_spec.url.value_or("");
    input.page_url = std::move(page_url);
  }
  co_return co_await kernel::RunGates(ctx, &runtime_.parts().gates, &input, &session_->stamper,
                                      &decisions_, reach);
}

std::string TurnFlow::PageUrl() const {
  return contract_ ? session_->PageUrl(contract_->action_spec.tab_id) : "";
}

Task<kernel::Verdict> TurnFlow::AskForTurn(CallContext ctx) {
  page_url_ = PageUrl();
  return AskGates(std::move(ctx), kernel::GateReach::kAll, page_url_);
}

Task<Result<kernel::AnswerBytes>> TurnFlow::Decide(CallContext ctx) {
  const auto now = runtime_.clock().WallNow().time_since_epoch();
  if (contract_ && contract_->deadline && now >= *contract_->deadline) {
    co_return co_await Refuse(kernel::Verdict::Reject(
        "deadline_passed",
        Error(ErrorCode::kDeadlineExceeded, "the contract's deadline has passed")));
  }
  // What cannot become a turn need not wait for one.
  if (!contract_ || !*session_->lease) co_return co_await Refuse(co_await AskForTurn(ctx));
  // The turn in front may lead to another page: the gates look once it is over.
  auto slot = co_await AwaitPlace(ctx);
  if (!slot) co_return co_await Refuse(kernel::Verdict::Reject("no_place", slot.error()));
  kernel::Verdict verdict = co_await AskForTurn(ctx);
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
  admission_.rates.Spend();
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
  co_return co_await runtime_.KeepSnapshots(caller_.tenant, plan_.snapshots);
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
  warden.LeadsTo(contract_->action_spec.url.value_or(""));
  const EngineInput input{
      .contract = *contract_,
      .guards = guards_,
      // People say yes first, then it is on record, then it happens.
      .before_effect = [this] { return Announced(); },
      .before_attempt = [&] { return warden.BeforeAttempt(ctx, [this] { return PageUrl(); }); },
      .meets = [&](const model::ElementFacts& met) { return warden.Meets(ctx, met); },
      .keep = [this](const LeftFile& left) { return Keep(left); },
      .reveal = RevealFrom(runtime_.parts().secrets, caller_.agent)};
  auto result = co_await CarryOut(ctx.WithStops(session_->holds->stops()), kit->get(), &input);
  co_await warden.Settled(ctx);
  warden.Judge(result);
  runtime_.Passed(TurnStage::kActed);
  co_return result;
}

ControlGrounds TurnFlow::Grounds(const Correlation& ids) const {
  return {.asker = {.tenant = caller_.tenant,
                    .agent_id = caller_.agent,
                    .workflow = key_.workflow,
                    .session = session_->id,
                    .turn = ids.turn,
                    .action = identity_.action_id,
                    .call = ids.call},
          .action = ActionToJudge(contract_->action_spec,
                                  session_->OpenQuestion(contract_->action_spec.tab_id)),
          .contract_digest = identity_.digest,
          .token = admission_.token,
          .policy = admission_.policy,
          .proof = runtime_.parts().control.tokens.verifier().rules().proof,
          .ask_from = runtime_.config().ask_from,
          .counted = admission_.rates.keys(),
          .told = ToldBy(contract_->action_spec),
          .began = session_->began};
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
  // By which whoever asks for this answer later is judged.
  if (!page_url_.empty())
    payload["page_url"] = std::string_view(page_url_).substr(0, kernel::kMaxFactUrl);
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
