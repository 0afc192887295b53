#pragma once
// A plan run as turns: every step, every compensation and the judgement of the success criteria is
// a contract that goes through Runtime::Execute, so each of them is admitted, verified and on
// record like any other.

#include <cstdint>
#include <functional>

#include "engine/runtime.h"
#include "model/contract/plan_dag.h"
#include "model/contract/plan_result.h"

namespace falconer::engine {

using model::kStepStatuses;
using model::StepStatus;

enum class PlanNewsKind : std::uint8_t {
  kStepBegan,
  kStepEnded,
  kCriteriaJudged,  // step_id is empty
  kCompensated,     // what undoes the step was tried; the result says whether it worked
};

// Told while the plan runs, on the loop it runs on. Steps that never begin are not told of.
struct PlanNews {
  PlanNewsKind kind = PlanNewsKind::kStepBegan;
  StepId step_id;
  StepStatus status = StepStatus::kSkipped;  // given with a result
  json::object result;  // an ActionExecutionResult; empty when the step only began
  Duration took{0};     // until the result
};

// Runs the steps in the order of TaskPlan::ReadySteps; those of one parallel group run at once (a
// workflow has one place for a turn, so only steps of different workflows really overlap). After a
// failure nothing more begins, and what was done is undone where the plan asks for it. Cancelling
// ctx, or its deadline, ends the steps that run and skips the rest.
//
// The answer is a PlanRunResult (model::PlanResultSchema). A plan that fails is an answer too, as
// are steps that were refused, and what was cut short: `failure` says why. Fails only with
// kInvalidContract, before anything is done. `runtime` must outlive the call; `news` may be empty.
Task<Result<json::object>> RunPlan(CallContext ctx, Runtime* runtime, Caller caller,
                                   model::TaskPlan plan, std::function<void(const PlanNews&)> news);

}  // namespace falconer::engine
