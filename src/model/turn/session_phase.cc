#include "model/turn/session_phase.h"

#include <fmt/format.h>

namespace falconer::model {
namespace {

using enum SessionPhase;
using enum SessionTrigger;

constexpr SessionTransition kSessionTransitions[] = {
    {kConnecting, kConnected, kActive},
    // A session that never came up has nothing to drain.
    {kConnecting, kEnd, kEnded},
    {kActive, kDrain, kDraining},
    {kDraining, kEnd, kEnded},
};

}  // namespace

std::span<const SessionTransition> SessionTransitions() {
  return kSessionTransitions;
}

Result<SessionPhase> Next(SessionPhase phase, SessionTrigger trigger) {
  for (const SessionTransition& row : kSessionTransitions) {
    if (row.from == phase && row.trigger == trigger) return row.to;
  }
  return Fail(phase == kEnded ? ErrorCode::kSessionClosed : ErrorCode::kInvalidArgument,
              fmt::format("{} is not legal while the session is {}",
                          NameIn(kSessionTriggers, trigger), NameIn(kSessionPhases, phase)));
}

}  // namespace falconer::model
