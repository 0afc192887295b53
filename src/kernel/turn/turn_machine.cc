#include "kernel/turn/turn_machine.h"

#include <fmt/format.h>
#include <utility>

namespace falconer::kernel {
namespace {

using model::DecisionKind;
using model::DecisionPhase;
using model::DecisionScope;
using model::Emitter;
using model::SignalKind;
using model::TurnState;
using model::TurnTrigger;

// How each way to refuse a proposal moves the turn, and who says what about it.
struct RefusalRow {
  DecisionKind kind;
  TurnTrigger trigger;
  SignalKind signal;
  Emitter emitter;
};

constexpr RefusalRow kRefusals[] = {
    {DecisionKind::kReject, TurnTrigger::kReject, SignalKind::kReject, Emitter::kAdmission},
    {DecisionKind::kDefer, TurnTrigger::kDefer, SignalKind::kDefer, Emitter::kAdmission},
    {DecisionKind::kStaleEpochReject, TurnTrigger::kStaleEpochReject, SignalKind::kStaleEpochReject,
     Emitter::kAuthority},
    {DecisionKind::kDeauthorizedDrain, TurnTrigger::kDeauthorizedDrain,
     SignalKind::kDeauthorizedDrain, Emitter::kAuthority},
};

const RefusalRow* RefusalOf(DecisionKind kind) {
  for (const RefusalRow& row : kRefusals) {
    if (row.kind == kind) return &row;
  }
  return nullptr;
}

std::unexpected<Error> NotReady(std::string message) {
  return Fail(ErrorCode::kPreconditionFailed, std::move(message));
}

}  // namespace

TurnMachine::TurnMachine(TurnId id, EventStamper& stamper, EventSink& events,
                         DecisionSink& decisions, model::TurnTable table)
    : id_(std::move(id)), stamper_(stamper), events_(events), decisions_(decisions), table_(table) {
}

Result<void> TurnMachine::Propose() {
  TRY_ASSIGN(state_, model::NextIn(table_, state_, TurnTrigger::kTurnOpenProposed));
  opening_ = {};
  events_.Emit(stamper_.SessionSignal(SignalKind::kTurnOpenProposed, Emitter::kIntake, Owner()));
  return {};
}

Result<void> TurnMachine::CheckOpening(std::string_view what) const {
  if (state_ == TurnState::kOpening) return {};
  return Fail(is_over() ? ErrorCode::kTurnClosed : ErrorCode::kInvalidArgument,
              fmt::format("turn {} is {}, not opening: {}", id_.value(),
                          NameIn(model::kTurnStates, state_), what));
}

Result<void> TurnMachine::Admitted() {
  TRY(CheckOpening("admitted"));
  opening_.is_admitted = true;
  return {};
}

Result<void> TurnMachine::Authorised(std::int64_t epoch) {
  TRY(CheckOpening("authorised"));
  opening_.epoch = epoch;
  return {};
}

Result<void> TurnMachine::Refuse(const PreTurnOutcome& outcome) {
  const RefusalRow* row = RefusalOf(outcome.kind);
  if (row == nullptr || outcome.reason.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "a proposal is refused by a refusal with a reason");
  }
  model::DecisionOutcome decision{.kind = outcome.kind,
                                  .phase = DecisionPhase::kPreTurn,
                                  .scope = DecisionScope::kTurn,
                                  .turn = id_,
                                  .emitted_by = row->emitter,
                                  .authority_epoch = outcome.epoch,
                                  .reason = outcome.reason};
  if (row->emitter == Emitter::kAuthority && !outcome.epoch) {
    return Fail(ErrorCode::kInvalidArgument, "authority refuses with its epoch");
  }
  TRY_ASSIGN(state_, model::NextIn(table_, state_, row->trigger));
  opening_ = {};
  stamper_.Stamp(decision);
  decisions_.Record(decision);
  model::ControlSignal signal = stamper_.SessionSignal(
      row->signal, row->emitter, {.turn = id_, .epoch = outcome.epoch, .trace = trace_});
  signal.reason = outcome.reason;
  events_.Emit(signal);
  return {};
}

Result<void> TurnMachine::CheckMayOpen(const model::ResolvedTurnPlan& plan) const {
  if (!opening_.is_admitted) return NotReady("the proposal was not admitted");
  if (!opening_.epoch) return NotReady("the proposal was not authorised");
  if (*opening_.epoch != plan.authority_epoch) {
    return NotReady(fmt::format("the plan is for epoch {}, authorised is {}", plan.authority_epoch,
                                *opening_.epoch));
  }
  if (plan.turn != id_) return NotReady("the plan is for turn " + plan.turn.value());
  if (Result<void> frozen = plan.CheckFrozen(); !frozen) {
    return NotReady("the plan is not frozen: " + frozen.error().message());
  }
  return {};
}

Result<void> TurnMachine::Open(const model::ResolvedTurnPlan& plan) {
  TRY_ASSIGN(const TurnState next, model::NextIn(table_, state_, TurnTrigger::kTurnOpen));
  TRY(CheckMayOpen(plan));
  state_ = next;
  opening_ = {};
  epoch_ = plan.authority_epoch;
  plan_hash_ = plan.plan_hash;
  events_.Emit(stamper_.TurnSignal(SignalKind::kTurnOpen, Emitter::kTurn, Owner()));
  return {};
}

Result<void> TurnMachine::Note(TurnCause cause, std::string detail) {
  if (state_ != TurnState::kActive) {
    return Fail(end_ ? ErrorCode::kTurnClosed : ErrorCode::kInvalidArgument,
                fmt::format("turn {} is {}", id_.value(), NameIn(model::kTurnStates, state_)));
  }
  pending_.Add(cause);
  details_.emplace(cause, std::move(detail));
  return {};
}

std::string TurnMachine::ReasonOf(const CauseRow& row) const {
  // Only where the table has no reason of its own does the detail become the reason.
  const auto detail = details_.find(row.cause);
  const bool has_detail = detail != details_.end() && !detail->second.empty();
  if (row.cause == TurnCause::kNoWayOn && has_detail) return detail->second;
  return std::string(row.reason);
}

Result<std::optional<TurnEnd>> TurnMachine::Resolve() {
  if (state_ != TurnState::kActive) {
    TRY(model::NextIn(table_, state_, TurnTrigger::kAbort));
  }
  const CauseRow* row = Strongest(pending_);
  if (row == nullptr) return std::nullopt;
  TRY_ASSIGN(state_, model::NextIn(table_, state_, row->trigger));
  end_ = TurnEnd{.outcome = row->trigger, .cause = row->cause, .reason = ReasonOf(*row)};
  if (row->cause == TurnCause::kAuthorityLost) SayDrain();
  SayTerminal(*end_);
  TRY_ASSIGN(state_, model::NextIn(table_, state_, TurnTrigger::kClose));
  events_.Emit(stamper_.TurnSignal(SignalKind::kClose, Emitter::kTurn, Owner()));
  return end_;
}

void TurnMachine::SayTerminal(const TurnEnd& end) {
  const bool is_commit = end.outcome == TurnTrigger::kCommit;
  model::ControlSignal signal = stamper_.TurnSignal(
      is_commit ? SignalKind::kCommit : SignalKind::kAbort, Emitter::kTurn, Owner());
  signal.reason = end.reason;
  events_.Emit(signal);
}

void TurnMachine::SayDrain() {
  model::DecisionOutcome decision{.kind = DecisionKind::kDeauthorizedDrain,
                                  .phase = DecisionPhase::kActiveTurn,
                                  .scope = DecisionScope::kTurn,
                                  .turn = id_,
                                  .emitted_by = Emitter::kAuthority,
                                  .authority_epoch = epoch_,
                                  .reason = "authority_loss"};
  stamper_.Stamp(decision);
  decisions_.Record(decision);
  model::ControlSignal signal =
      stamper_.TurnSignal(SignalKind::kDeauthorizedDrain, Emitter::kAuthority, Owner());
  signal.reason = decision.reason;
  events_.Emit(signal);
}

InboundAnswer TurnMachine::Judge(const InboundEvent& event) {
  // An event of another epoch is stale whatever the turn's state: that comes before lateness.
  if (epoch_ && event.epoch && *event.epoch != *epoch_) {
    RecordStale(event);
    return InboundAnswer::kStale;
  }
  const InboundAnswer answer = AnswerFor(state_, event.kind);
  if (answer == InboundAnswer::kDiagnose) {
    model::EventRecord note = stamper_.Event("late_event", model::Lane::kTelemetry, Owner());
    note.payload = {{"event", event.name}, {"state", NameIn(model::kTurnStates, state_)}};
    events_.Emit(note);
  }
  return answer;
}

void TurnMachine::RecordStale(const InboundEvent& event) {
  model::DecisionOutcome decision{.kind = DecisionKind::kStaleEpochReject,
                                  .phase = DecisionPhase::kSchedulingPoint,
                                  .scope = DecisionScope::kTurn,
                                  .turn = id_,
                                  .emitted_by = Emitter::kAuthority,
                                  .authority_epoch = epoch_,
                                  .reason = "stale_epoch"};
  decision.details = {{"event", event.name}, {"event_epoch", *event.epoch}};
  stamper_.Stamp(decision);
  decisions_.Record(decision);
}

}  // namespace falconer::kernel
