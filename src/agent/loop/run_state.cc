#include "agent/loop/run_state.h"

#include <algorithm>
#include <iterator>

namespace falconer::agent {
namespace {

struct StateStep {
  RunState from;
  RunState to;
};

constexpr StateStep kStateSteps[] = {
    {RunState::kInit, RunState::kPlan},
    {RunState::kInit, RunState::kStop},
    {RunState::kInit, RunState::kError},
    {RunState::kPlan, RunState::kExecuteTool},
    // An answer that is none is looked at like what a tool says.
    {RunState::kPlan, RunState::kObserve},
    {RunState::kPlan, RunState::kRespond},
    {RunState::kPlan, RunState::kStop},
    {RunState::kPlan, RunState::kError},
    {RunState::kExecuteTool, RunState::kObserve},
    {RunState::kExecuteTool, RunState::kError},
    {RunState::kObserve, RunState::kPlan},
    {RunState::kObserve, RunState::kStop},
    {RunState::kObserve, RunState::kError},
    {RunState::kRespond, RunState::kStop},
    {RunState::kError, RunState::kStop},
};

constexpr StopReason kBrokenEnds[] = {StopReason::kProviderError, StopReason::kInternalError};
constexpr StopReason kPassingEnds[] = {StopReason::kCancelled, StopReason::kProviderError,
                                       StopReason::kInternalError, StopReason::kHandedOverTimeout};

}  // namespace

bool MayFollow(RunState from, RunState to) {
  return std::ranges::any_of(
      kStateSteps, [&](const StateStep& row) { return row.from == from && row.to == to; });
}

bool IsBroken(StopReason reason) {
  return std::ranges::find(kBrokenEnds, reason) != std::end(kBrokenEnds);
}

bool MayBeResumed(StopReason reason) {
  return std::ranges::find(kPassingEnds, reason) != std::end(kPassingEnds);
}

}  // namespace falconer::agent
