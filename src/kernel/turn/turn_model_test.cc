// Model check of the turn: every order of calls up to a depth, each state once, against the eleven
// assertions of the lifecycle's truth table, written down here independently of the machine. Wrong
// tables must be found out.

#include <deque>
#include <fmt/format.h>
#include <set>

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "kernel/turn/turn_machine.h"
#include "tests/support/turn_fakes.h"

namespace falconer::kernel {
namespace {

using model::DecisionKind;
using model::DecisionPhase;
using model::SignalKind;
using model::TurnState;
using model::TurnTransition;
using model::TurnTrigger;

constexpr std::size_t kDepth = 12;
constexpr std::int64_t kEpoch = 7;

enum class Act : std::uint8_t {
  kPropose,
  kAdmit,
  kAuthorise,
  kAuthoriseOther,
  kReject,
  kDefer,
  kStaleReject,
  kDeauthorise,
  kOpen,
  kOpenUnfrozen,
  kNoteFirst,  // one for each cause
  kNoteLast = kNoteFirst + 7,
  kResolve,
  kStaleEvent,
  kLateData,
  kLateControl,
  kLateIntent,
  kCount,
};

// What the assertions need to know about the past of a turn.
struct History {
  bool is_admitted = false;
  std::optional<std::int64_t> epoch;
  int opens = 0;
  int commits = 0;
  int aborts = 0;
  int closes = 0;
  auto operator<=>(const History&) const = default;
};

struct World {
  explicit World(model::TurnTable table)
      : stamper(SessionId("s"), "p1", clock),
        machine(TurnId("s.t000001"), stamper, sink, sink, table) {}

  FakeClock clock;
  EventStamper stamper;
  test::RecordingSink sink;
  TurnMachine machine;
};

const model::ResolvedTurnPlan& Frozen() {
  static const model::ResolvedTurnPlan plan = test::FrozenPlanFor(TurnId("s.t000001"), kEpoch);
  return plan;
}

const model::ResolvedTurnPlan& Unfrozen() {
  static const model::ResolvedTurnPlan plan = test::PlanFor(TurnId("s.t000001"), kEpoch);
  return plan;
}

struct Outcome {
  bool is_ok = false;
  std::optional<InboundAnswer> answer;
};

Outcome Deliver(TurnMachine& machine, InboundKind kind, std::int64_t epoch) {
  return {
      .is_ok = true,
      .answer = machine.Judge({.turn = machine.id(), .kind = kind, .name = "x", .epoch = epoch})};
}

Outcome Refuse(TurnMachine& machine, DecisionKind kind) {
  return {.is_ok = machine.Refuse({.kind = kind, .reason = "why", .epoch = kEpoch}).has_value()};
}

Outcome Do(TurnMachine& machine, Act act) {
  switch (act) {
    case Act::kPropose:
      return {.is_ok = machine.Propose().has_value()};
    case Act::kAdmit:
      return {.is_ok = machine.Admitted().has_value()};
    case Act::kAuthorise:
      return {.is_ok = machine.Authorised(kEpoch).has_value()};
    case Act::kAuthoriseOther:
      return {.is_ok = machine.Authorised(kEpoch - 1).has_value()};
    case Act::kReject:
      return Refuse(machine, DecisionKind::kReject);
    case Act::kDefer:
      return Refuse(machine, DecisionKind::kDefer);
    case Act::kStaleReject:
      return Refuse(machine, DecisionKind::kStaleEpochReject);
    case Act::kDeauthorise:
      return Refuse(machine, DecisionKind::kDeauthorizedDrain);
    case Act::kOpen:
      return {.is_ok = machine.Open(Frozen()).has_value()};
    case Act::kOpenUnfrozen:
      return {.is_ok = machine.Open(Unfrozen()).has_value()};
    case Act::kResolve:
      return {.is_ok = machine.Resolve().has_value()};
    case Act::kStaleEvent:
      return Deliver(machine, InboundKind::kData, kEpoch - 1);
    case Act::kLateData:
      return Deliver(machine, InboundKind::kData, kEpoch);
    case Act::kLateControl:
      return Deliver(machine, InboundKind::kControl, kEpoch);
    case Act::kLateIntent:
      return Deliver(machine, InboundKind::kIntent, kEpoch);
    default:
      break;
  }
  const int cause = static_cast<int>(act) - static_cast<int>(Act::kNoteFirst);
  return {.is_ok = machine.Note(static_cast<TurnCause>(cause)).has_value()};
}

// One call, with everything that could be seen of it.
struct Step {
  Act act;
  Outcome outcome;
  TurnState before;
  TurnState after;
  CauseSet pending_before;
  CauseSet pending_after;
  History past;
  History now;
  std::vector<std::string> said;
  std::vector<model::DecisionOutcome> decided;
};

bool Says(const Step& step, std::string_view word) {
  for (const std::string& said : step.said) {
    if (said.starts_with(word)) return true;
  }
  return false;
}

bool IsRefusal(Act act) {
  return act == Act::kReject || act == Act::kDefer || act == Act::kStaleReject ||
         act == Act::kDeauthorise;
}

bool IsEvent(Act act) {
  return act >= Act::kStaleEvent && act <= Act::kLateIntent;
}

bool IsNote(Act act) {
  return act >= Act::kNoteFirst && act <= Act::kNoteLast;
}

// Whether the truth table allows the call at all.
bool IsLegal(const Step& step) {
  if (step.act == Act::kPropose) return step.before == TurnState::kIdle;
  if (IsNote(step.act) || step.act == Act::kResolve) return step.before == TurnState::kActive;
  if (IsEvent(step.act)) return true;
  if (step.before != TurnState::kOpening) return false;
  if (step.act == Act::kOpenUnfrozen) return false;
  return step.act != Act::kOpen || (step.past.is_admitted && step.past.epoch == kEpoch);
}

// Each answers "" or what is wrong. The numbers are those of the truth table's assertions.
std::string NoCommitAndAbort(const Step& step) {  // 1
  return step.now.commits + step.now.aborts > 1 ? "two terminal outcomes" : "";
}

std::string AcceptedTurnsClose(const Step& step) {  // 2
  const int terminals = step.now.commits + step.now.aborts;
  if (terminals != step.now.closes) return "terminal without close, or close without terminal";
  if (terminals > 0 && step.after != TurnState::kClosed) return "ended but not Closed";
  if (terminals == 0 && step.after == TurnState::kClosed) return "Closed without an end";
  const bool must_end = step.act == Act::kResolve && step.before == TurnState::kActive &&
                        !step.pending_before.empty();
  return must_end && step.after != TurnState::kClosed ? "a pending cause did not end it" : "";
}

std::string PreTurnNeverEnds(const Step& step) {  // 3
  const bool ends = Says(step, "abort") || Says(step, "close") || Says(step, "commit");
  return ends && (step.past.opens == 0 || IsRefusal(step.act)) ? "ended what never opened" : "";
}

std::string OpensOnlyWhenReady(const Step& step) {  // 4
  const bool opens = Says(step, "turn_open") && !Says(step, "turn_open_proposed");
  if (!opens) return step.act == Act::kOpen && IsLegal(step) ? "did not open though ready" : "";
  if (!IsLegal(step) || step.act != Act::kOpen) return "opened without being ready";
  return step.after == TurnState::kActive ? "" : "opened but not Active";
}

std::string StaleEventsChangeNothing(const Step& step) {  // 5 and 8
  if (!IsEvent(step.act)) return "";
  if (step.before != step.after || step.pending_before != step.pending_after) {
    return "an event changed the turn";
  }
  return step.said.empty() ? "" : "an event made a lifecycle signal";
}

std::string StaleIsASchedulingPoint(const Step& step) {  // 6
  const bool is_open = step.past.opens > 0;
  if (step.act == Act::kStaleEvent && is_open) {
    const bool is_right = step.outcome.answer == InboundAnswer::kStale &&
                          step.decided.size() == 1 &&
                          step.decided[0].kind == DecisionKind::kStaleEpochReject &&
                          step.decided[0].phase == DecisionPhase::kSchedulingPoint;
    return is_right ? "" : "a stale event was not diagnosed at a scheduling point";
  }
  const bool loses = step.act == Act::kResolve && step.before == TurnState::kActive &&
                     step.pending_before.Contains(TurnCause::kAuthorityLost);
  if (!loses) return "";
  const bool is_right = step.decided.size() == 1 &&
                        step.decided[0].kind == DecisionKind::kDeauthorizedDrain &&
                        step.decided[0].phase == DecisionPhase::kActiveTurn;
  return is_right ? "" : "a lost lease was not decided in the active turn";
}

std::string DecisionsAreComplete(const Step& step) {  // 7
  for (const model::DecisionOutcome& decision : step.decided) {
    if (const auto valid = decision.Validate(); !valid) return valid.error().message();
    if (decision.scope == model::DecisionScope::kTurn && decision.turn.empty()) return "no turn";
  }
  return "";
}

std::string ClosedStaysClosed(const Step& step) {  // 9
  if (step.before != TurnState::kClosed) return "";
  if (step.after != TurnState::kClosed || !step.said.empty()) return "a closed turn did something";
  if (step.act != Act::kLateIntent) return "";
  return step.outcome.answer == InboundAnswer::kRemap ? "" : "a late wish was not remapped";
}

std::string AuthorityBeatsCancel(const Step& step) {  // 10
  const CauseSet both{TurnCause::kAuthorityLost, TurnCause::kCancelled};
  if (step.act != Act::kResolve || !step.pending_before.ContainsAll(both)) return "";
  if (step.before != TurnState::kActive) return "";
  const std::vector<std::string> expected{"deauthorized_drain(authority_loss)",
                                          "abort(authority_loss)", "close"};
  return step.said == expected ? "" : "cancel won over a lost lease";
}

std::string RefusalsLeadBackToIdle(const Step& step) {  // 11
  if (!IsRefusal(step.act) || step.before != TurnState::kOpening) return "";
  if (!step.outcome.is_ok || step.after != TurnState::kIdle) return "not refused to Idle";
  return step.said.size() == 1 && step.decided.size() == 1 ? "" : "said more or less than that";
}

// What holds beside the eleven: illegal calls change nothing, legal ones work.
std::string OnlyLegalCallsDoAnything(const Step& step) {
  if (IsLegal(step) != step.outcome.is_ok) return "a legal call failed, or an illegal one worked";
  if (step.outcome.is_ok) return "";
  const bool is_quiet = step.before == step.after && step.said.empty() && step.decided.empty();
  return is_quiet ? "" : "an illegal call did something";
}

std::string ProposalsOpen(const Step& step) {
  if (step.act != Act::kPropose || !IsLegal(step)) return "";
  return step.after == TurnState::kOpening ? "" : "proposed but not Opening";
}

std::string SignalsAreValid(const Step& step, const World& world) {
  const std::vector<model::ControlSignal>& signals = world.sink.signals;
  for (std::size_t i = signals.size() - step.said.size(); i < signals.size(); ++i) {
    if (const auto valid = signals[i].Validate(); !valid) return valid.error().message();
  }
  return "";
}

constexpr std::string (*kAssertions[])(const Step&) = {
    NoCommitAndAbort,         AcceptedTurnsClose,      PreTurnNeverEnds,         OpensOnlyWhenReady,
    StaleEventsChangeNothing, StaleIsASchedulingPoint, DecisionsAreComplete,     ClosedStaysClosed,
    AuthorityBeatsCancel,     RefusalsLeadBackToIdle,  OnlyLegalCallsDoAnything, ProposalsOpen,
};

void Learn(History& history, const Step& step) {
  if (step.outcome.is_ok && step.act == Act::kAdmit) history.is_admitted = true;
  if (step.outcome.is_ok && step.act == Act::kAuthorise) history.epoch = kEpoch;
  if (step.outcome.is_ok && step.act == Act::kAuthoriseOther) history.epoch = kEpoch - 1;
  if (step.after != TurnState::kOpening || step.act == Act::kPropose) {
    history.is_admitted = false;
    history.epoch.reset();
  }
  for (const std::string& said : step.said) {
    history.opens += said == "turn_open" ? 1 : 0;
    history.commits += said.starts_with("commit") ? 1 : 0;
    history.aborts += said.starts_with("abort") ? 1 : 0;
    history.closes += said.starts_with("close") ? 1 : 0;
  }
}

Step Take(World& world, const History& past, Act act) {
  Step step{.act = act,
            .outcome = {},
            .before = world.machine.state(),
            .after = world.machine.state(),
            .pending_before = world.machine.pending(),
            .pending_after = {},
            .past = past,
            .now = past,
            .said = {},
            .decided = {}};
  const std::size_t signals = world.sink.signals.size();
  const auto decisions = static_cast<std::ptrdiff_t>(world.sink.decisions.size());
  step.outcome = Do(world.machine, act);
  step.after = world.machine.state();
  step.pending_after = world.machine.pending();
  step.said = world.sink.Words(signals);
  step.decided.assign(world.sink.decisions.begin() + decisions, world.sink.decisions.end());
  Learn(step.now, step);
  return step;
}

std::string Judge(const Step& step, const World& world) {
  for (std::size_t i = 0; i < std::size(kAssertions); ++i) {
    if (std::string wrong = kAssertions[i](step); !wrong.empty()) {
      return fmt::format("assertion {} at act {}: {}", i, static_cast<int>(step.act), wrong);
    }
  }
  return SignalsAreValid(step, world);
}

struct Checked {
  std::size_t states = 0;
  std::size_t steps = 0;
  std::string violation;  // "" when there is none
};

using Visit = std::tuple<TurnState, std::uint32_t, History>;

Checked CheckTable(model::TurnTable table) {
  Checked checked;
  std::set<Visit> seen;
  std::deque<std::vector<Act>> todo{{}};
  seen.insert({TurnState::kIdle, 0, {}});
  while (!todo.empty()) {
    const std::vector<Act> path = std::move(todo.front());
    todo.pop_front();
    ++checked.states;
    for (int i = 0; i < static_cast<int>(Act::kCount); ++i) {
      World world(table);
      History history;
      for (const Act act : path) history = Take(world, history, act).now;
      const Step step = Take(world, history, static_cast<Act>(i));
      ++checked.steps;
      checked.violation = Judge(step, world);
      if (!checked.violation.empty()) return checked;
      const Visit key{step.after, step.pending_after.bits(), step.now};
      if (path.size() >= kDepth || !seen.insert(key).second) continue;
      std::vector<Act> next = path;
      next.push_back(static_cast<Act>(i));
      todo.push_back(std::move(next));
    }
  }
  return checked;
}

std::vector<TurnTransition> TableCopy() {
  return {model::TurnTransitions().begin(), model::TurnTransitions().end()};
}

std::string Text(const TurnTransition& row) {
  return json::serialize(row.ToJson());
}

TEST(TurnModelTest, TheTableHoldsAllElevenAssertionsInEveryOrderOfEvents) {
  const Checked checked = CheckTable(model::TurnTransitions());

  EXPECT_EQ(checked.violation, "");
  // 256 sets of pending causes are reached while Active, and 255 of them end the turn.
  EXPECT_GT(checked.states, 256U + 255U);
  RecordProperty("states", static_cast<int>(checked.states));
  RecordProperty("steps", static_cast<int>(checked.steps));
}

TEST(TurnModelTest, EveryRowThatLeadsElsewhereIsFoundOut) {
  for (std::size_t i = 0; i < model::TurnTransitions().size(); ++i) {
    for (const auto& [state, name] : model::kTurnStates) {
      std::vector<TurnTransition> table = TableCopy();
      if (table[i].to == state) continue;
      table[i].to = state;
      EXPECT_NE(CheckTable(table).violation, "") << Text(table[i]);
    }
  }
}

TEST(TurnModelTest, EveryMissingRowIsFoundOut) {
  for (std::size_t i = 0; i < model::TurnTransitions().size(); ++i) {
    std::vector<TurnTransition> table = TableCopy();
    const TurnTransition removed = table[i];
    table.erase(table.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_NE(CheckTable(table).violation, "") << Text(removed);
  }
}

// Rows from Terminal are never used (a turn does not rest there), and a turn that is not ready does
// not open whatever the table says; every other row too many shows.
TEST(TurnModelTest, EveryRowTooManyIsFoundOut) {
  constexpr TurnTrigger kTriggers[] = {TurnTrigger::kTurnOpenProposed,
                                       TurnTrigger::kReject,
                                       TurnTrigger::kDefer,
                                       TurnTrigger::kStaleEpochReject,
                                       TurnTrigger::kDeauthorizedDrain,
                                       TurnTrigger::kAbort};
  std::size_t tried = 0;
  for (const TurnState from :
       {TurnState::kIdle, TurnState::kOpening, TurnState::kActive, TurnState::kClosed}) {
    for (const TurnTrigger trigger : kTriggers) {
      if (model::Next(from, trigger)) continue;
      for (const auto& [to, name] : model::kTurnStates) {
        std::vector<TurnTransition> table = TableCopy();
        table.push_back({from, trigger, to});
        EXPECT_NE(CheckTable(table).violation, "") << Text(table.back());
        ++tried;
      }
    }
  }
  EXPECT_EQ(tried, 90U);
}

}  // namespace
}  // namespace falconer::kernel
