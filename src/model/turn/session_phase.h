#pragma once
// The life of a session, as one table: CONNECTING, ACTIVE, DRAINING, ENDED.

#include <cstdint>
#include <span>

#include "base/json/json_reader.h"

namespace falconer::model {

enum class SessionPhase : std::uint8_t {
  kConnecting,  // the browser context is being made
  kActive,      // turns may open
  kDraining,    // the turn that runs may end; none opens
  kEnded,
};

inline constexpr EnumName<SessionPhase> kSessionPhases[] = {
    {SessionPhase::kConnecting, "CONNECTING"},
    {SessionPhase::kActive, "ACTIVE"},
    {SessionPhase::kDraining, "DRAINING"},
    {SessionPhase::kEnded, "ENDED"},
};

enum class SessionTrigger : std::uint8_t { kConnected, kDrain, kEnd };

inline constexpr EnumName<SessionTrigger> kSessionTriggers[] = {
    {SessionTrigger::kConnected, "connected"},
    {SessionTrigger::kDrain, "drain"},
    {SessionTrigger::kEnd, "end"},
};

struct SessionTransition {
  SessionPhase from;
  SessionTrigger trigger;
  SessionPhase to;
};

// THE table.
std::span<const SessionTransition> SessionTransitions();

// Where `trigger` leads. Fails with kSessionClosed once the session has ended, else with
// kInvalidArgument; either way nothing happened.
Result<SessionPhase> Next(SessionPhase phase, SessionTrigger trigger);

}  // namespace falconer::model
