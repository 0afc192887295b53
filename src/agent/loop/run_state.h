#pragma once
// RunState and StopReason: where a run of the built-in agent is, and why it ended.

#include <cstdint>
#include <string_view>

#include "base/json/json_reader.h"

namespace falconer::agent {

enum class RunState : std::uint8_t {
  kInit,
  kPlan,         // the model is asked
  kExecuteTool,  // what it wants is called
  kObserve,      // what came of that is judged and remembered
  kRespond,      // the model has answered
  kStop,         // the run is over
  kError,        // something is broken; ends in kStop
};

inline constexpr EnumName<RunState> kRunStates[] = {
    {RunState::kInit, "INIT"},
    {RunState::kPlan, "PLAN"},
    {RunState::kExecuteTool, "EXECUTE_TOOL"},
    {RunState::kObserve, "OBSERVE"},
    {RunState::kRespond, "RESPOND"},
    {RunState::kStop, "STOP"},
    {RunState::kError, "ERROR"},
};

// Whether a run may go from the one to the other.
bool MayFollow(RunState from, RunState to);

enum class StopReason : std::uint8_t {
  kCompleted,
  kMaxSteps,
  kMaxWallTime,
  kMaxFailures,
  kNoOpLoop,
  kPolicyDenied,
  kTokenBudget,
  kCostBudget,
  kCancelled,
  kProviderError,
  kInternalError,
  kHandedOverTimeout,  // a person took the session and never gave it back
};

inline constexpr EnumName<StopReason> kStopReasons[] = {
    {StopReason::kCompleted, "completed"},
    {StopReason::kMaxSteps, "max_steps"},
    {StopReason::kMaxWallTime, "max_wall_time"},
    {StopReason::kMaxFailures, "max_failures"},
    {StopReason::kNoOpLoop, "no_op_loop"},
    {StopReason::kPolicyDenied, "policy_denied"},
    {StopReason::kTokenBudget, "token_budget"},
    {StopReason::kCostBudget, "cost_budget"},
    {StopReason::kCancelled, "cancelled"},
    {StopReason::kProviderError, "provider_error"},
    {StopReason::kInternalError, "internal_error"},
    {StopReason::kHandedOverTimeout, "handed_over_timeout"},
};

// Broken, rather than at an end that was foreseen: such a run passes kError.
bool IsBroken(StopReason reason);
// Whether the run can be taken up again where it was. The others would end at once in the same way.
bool MayBeResumed(StopReason reason);

}  // namespace falconer::agent
