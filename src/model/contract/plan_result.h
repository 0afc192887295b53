#pragma once
// How the steps of a plan end: names of the answer to a plan (its form is PlanResultSchema).

#include <cstdint>

#include "base/json/json_reader.h"

namespace falconer::model {

enum class StepStatus : std::uint8_t { kDone, kFailed, kSkipped, kCancelled };

inline constexpr EnumName<StepStatus> kStepStatuses[] = {
    {StepStatus::kDone, "done"},
    {StepStatus::kFailed, "failed"},
    {StepStatus::kSkipped, "skipped"},
    {StepStatus::kCancelled, "cancelled"},
};

}  // namespace falconer::model
