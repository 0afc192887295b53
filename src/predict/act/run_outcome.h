#pragma once
// RunOutcome: what a run by prediction ends as, and what a failure of one of its steps makes of it.

#include <cstdint>

#include "base/json/json_reader.h"

namespace falconer::predict {

enum class RunOutcome : std::uint8_t {
  kCompleted,
  kAsks,     // unsure: a person is to say what is right
  kRefused,  // not allowed: by the policy, a token, a limit, or a person's word
  kFailed,
  kCancelled,
  kTimedOut,
  kLooping,        // the same step on the same page, again and again
  kMaxIterations,  // too many steps
};

inline constexpr EnumName<RunOutcome> kRunOutcomes[] = {
    {RunOutcome::kCompleted, "completed"}, {RunOutcome::kAsks, "asks"},
    {RunOutcome::kRefused, "refused"},     {RunOutcome::kFailed, "failed"},
    {RunOutcome::kCancelled, "cancelled"}, {RunOutcome::kTimedOut, "timed_out"},
    {RunOutcome::kLooping, "looping"},     {RunOutcome::kMaxIterations, "max_iterations"},
};

// Of a step that failed with this code.
RunOutcome OutcomeOf(ErrorCode code);

// Nothing has happened, because the element was not found, or several were.
bool IsWithoutElement(ErrorCode code);

}  // namespace falconer::predict
