#pragma once
// TurnMachine: the life of one turn. It applies triggers by the table of model/turn/turn_state.h
// and refuses illegal ones without changing or saying anything. Whatever happens, an accepted turn
// gets exactly one terminal outcome, then close; what ends before it was open gets neither.
//
//   Propose -> Admitted, Authorised -> Open(plan) -> Note(cause)... -> Resolve
//                        └ Refuse(...)

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "kernel/turn/event_stamper.h"
#include "kernel/turn/late_events.h"
#include "kernel/turn/precedence.h"
#include "kernel/turn/sinks.h"
#include "model/turn/turn_plan.h"
#include "model/turn/turn_state.h"

namespace falconer::kernel {

// How a proposal ended without a turn.
struct PreTurnOutcome {
  model::DecisionKind kind = model::DecisionKind::kReject;  // all but kAdmit and kShed
  std::string reason;
  std::optional<std::int64_t> epoch;  // required for what authority decides
};

struct TurnEnd {
  model::TurnTrigger outcome = model::TurnTrigger::kAbort;  // kCommit or kAbort
  TurnCause cause = TurnCause::kNoWayOn;
  std::string reason;  // "" for a commit
  bool operator==(const TurnEnd&) const = default;
};

class TurnMachine {
 public:
  // `table` is a parameter only so that the model check can show what a wrong row would do.
  TurnMachine(TurnId id, EventStamper& stamper, EventSink& events, DecisionSink& decisions,
              model::TurnTable table = model::TurnTransitions());
  TurnMachine(const TurnMachine&) = delete;
  TurnMachine& operator=(const TurnMachine&) = delete;

  // The trace that everything said about the turn belongs to; see Correlation.
  void JoinTrace(TraceId trace) { trace_ = std::move(trace); }
  // Idle to Opening. Says turn_open_proposed.
  Result<void> Propose();
  // The two things that must be known before a turn opens. They hold until Opening is left.
  Result<void> Admitted();
  Result<void> Authorised(std::int64_t epoch);
  // Opening to Idle. Says what was decided and records it for the turn; never abort or close.
  Result<void> Refuse(const PreTurnOutcome& outcome);
  // Opening to Active. Fails with kPreconditionFailed, changing nothing, unless the proposal was
  // admitted, is authorised under the plan's epoch, and the plan is frozen and for this turn.
  Result<void> Open(const model::ResolvedTurnPlan& plan);

  // Notes why the turn should end. Decided at the next Resolve(); the first detail of a cause
  // counts. Fails with kTurnClosed when the turn is over, with kInvalidArgument before it is open.
  Result<void> Note(TurnCause cause, std::string detail = {});
  // A scheduling point: ends the turn by the strongest cause that is pending, saying (drain,)
  // commit or abort, and close. Nothing pending: the turn goes on, and nothing is answered.
  Result<std::optional<TurnEnd>> Resolve();

  // What to do with an event that says it belongs to this turn. Never changes the state.
  InboundAnswer Judge(const InboundEvent& event);

  const TurnId& id() const { return id_; }
  model::TurnState state() const { return state_; }
  bool is_over() const { return state_ == model::TurnState::kClosed; }
  CauseSet pending() const { return pending_; }
  const std::optional<TurnEnd>& end() const { return end_; }
  // Of the frozen plan; nothing before the turn is open.
  std::optional<std::int64_t> epoch() const { return epoch_; }
  const std::string& plan_hash() const { return plan_hash_; }

 private:
  struct OpeningFacts {
    bool is_admitted = false;
    std::optional<std::int64_t> epoch;
  };

  Result<void> CheckMayOpen(const model::ResolvedTurnPlan& plan) const;
  Result<void> CheckOpening(std::string_view what) const;
  std::string ReasonOf(const CauseRow& row) const;
  void SayTerminal(const TurnEnd& end);
  void SayDrain();
  void RecordStale(const InboundEvent& event);
  EventOwner Owner() const { return {.turn = id_, .epoch = epoch_, .trace = trace_}; }

  TurnId id_;
  EventStamper& stamper_;
  EventSink& events_;
  DecisionSink& decisions_;
  model::TurnTable table_;
  model::TurnState state_ = model::TurnState::kIdle;
  OpeningFacts opening_;
  std::optional<std::int64_t> epoch_;
  TraceId trace_;
  std::string plan_hash_;
  CauseSet pending_;
  std::map<TurnCause, std::string> details_;
  std::optional<TurnEnd> end_;
};

}  // namespace falconer::kernel
