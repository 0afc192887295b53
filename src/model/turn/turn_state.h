#pragma once
// The life of one turn as one table: from which state which trigger leads where. Everything that is
// not a row is illegal and changes nothing.

#include <cstdint>
#include <span>
#include <string_view>

#include "base/json/json_reader.h"

namespace falconer::model {

enum class TurnState : std::uint8_t {
  kIdle,      // nothing was opened
  kOpening,   // a proposal is being judged; no turn exists yet
  kActive,    // the plan is frozen and the action runs
  kTerminal,  // committed or aborted
  kClosed,    // over; nothing can change it
};

inline constexpr EnumName<TurnState> kTurnStates[] = {
    {TurnState::kIdle, "Idle"},     {TurnState::kOpening, "Opening"},
    {TurnState::kActive, "Active"}, {TurnState::kTerminal, "Terminal"},
    {TurnState::kClosed, "Closed"},
};

enum class TurnTrigger : std::uint8_t {
  kTurnOpenProposed,
  kTurnOpen,
  kCommit,
  kAbort,
  kClose,
  kReject,
  kDefer,
  kStaleEpochReject,
  kDeauthorizedDrain,
};

inline constexpr EnumName<TurnTrigger> kTurnTriggers[] = {
    {TurnTrigger::kTurnOpenProposed, "turn_open_proposed"},
    {TurnTrigger::kTurnOpen, "turn_open"},
    {TurnTrigger::kCommit, "commit"},
    {TurnTrigger::kAbort, "abort"},
    {TurnTrigger::kClose, "close"},
    {TurnTrigger::kReject, "reject"},
    {TurnTrigger::kDefer, "defer"},
    {TurnTrigger::kStaleEpochReject, "stale_epoch_reject"},
    {TurnTrigger::kDeauthorizedDrain, "deauthorized_drain"},
};

struct TurnTransition {
  TurnState from = TurnState::kIdle;
  TurnTrigger trigger = TurnTrigger::kTurnOpenProposed;
  TurnState to = TurnState::kIdle;
  bool operator==(const TurnTransition&) const = default;

  // {"from_state","trigger","to_state","deterministic":true}
  json::object ToJson() const;
};

using TurnTable = std::span<const TurnTransition>;

// THE table.
TurnTable TurnTransitions();

// Where `trigger` leads. Fails with kTurnClosed once the turn has ended, else with
// kInvalidArgument; either way nothing happened.
Result<TurnState> Next(TurnState state, TurnTrigger trigger);
// The same in another table, for showing what a wrong row would do.
Result<TurnState> NextIn(TurnTable table, TurnState state, TurnTrigger trigger);

// A recorded transition: refused unless it is a row of the table.
Result<TurnTransition> ParseTurnTransition(const json::value& value);

}  // namespace falconer::model
