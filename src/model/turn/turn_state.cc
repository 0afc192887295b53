#include "model/turn/turn_state.h"

#include <algorithm>
#include <fmt/format.h>

namespace falconer::model {
namespace {

using enum TurnState;
using enum TurnTrigger;

constexpr TurnTransition kTurnTransitions[] = {
    {kIdle, kTurnOpenProposed, kOpening},
    {kOpening, kTurnOpen, kActive},
    // What ends before the turn opens leaves no trace in the turn: it may be proposed again.
    {kOpening, kReject, kIdle},
    {kOpening, kDefer, kIdle},
    {kOpening, kStaleEpochReject, kIdle},
    {kOpening, kDeauthorizedDrain, kIdle},
    {kActive, kCommit, kTerminal},
    {kActive, kAbort, kTerminal},
    {kTerminal, kClose, kClosed},
};

TurnTransition ReadTransition(JsonReader& in) {
  const TurnTransition read{.from = in.Enum("from_state", kTurnStates),
                            .trigger = in.Enum("trigger", kTurnTriggers),
                            .to = in.Enum("to_state", kTurnStates)};
  if (!in.Bool("deterministic")) in.Reject("deterministic", "must be true");
  return read;
}

}  // namespace

json::object TurnTransition::ToJson() const {
  return {{"from_state", NameIn(kTurnStates, from)},
          {"trigger", NameIn(kTurnTriggers, trigger)},
          {"to_state", NameIn(kTurnStates, to)},
          {"deterministic", true}};
}

TurnTable TurnTransitions() {
  return kTurnTransitions;
}

Result<TurnState> NextIn(TurnTable table, TurnState state, TurnTrigger trigger) {
  for (const TurnTransition& row : table) {
    if (row.from == state && row.trigger == trigger) return row.to;
  }
  const bool is_over = state == kTerminal || state == kClosed;
  return Fail(is_over ? ErrorCode::kTurnClosed : ErrorCode::kInvalidArgument,
              fmt::format("{} is not legal in state {}", NameIn(kTurnTriggers, trigger),
                          NameIn(kTurnStates, state)));
}

Result<TurnState> Next(TurnState state, TurnTrigger trigger) {
  return NextIn(kTurnTransitions, state, trigger);
}

Result<TurnTransition> ParseTurnTransition(const json::value& value) {
  TRY_ASSIGN(const TurnTransition read, ReadJson(value, "turn_transition", ReadTransition));
  if (std::ranges::find(kTurnTransitions, read) != std::end(kTurnTransitions)) return read;
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("turn_transition: {} from {} to {} is not legal",
                          NameIn(kTurnTriggers, read.trigger), NameIn(kTurnStates, read.from),
                          NameIn(kTurnStates, read.to)));
}

}  // namespace falconer::model
