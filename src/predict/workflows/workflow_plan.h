#pragma once
// A learned workflow as contracts that can be sent: one by one, or as a task plan. Nothing
// predicts, heals or asks then: every step is done, in its order.

#include "model/contract/contract.h"
#include "model/contract/plan_dag.h"
#include "predict/workflows/learned_workflow.h"

namespace falconer::predict {

// Whether steps that were not in every recording are done, too. What they are about may not be
// there each time, so by default they are not.
enum class OptionalSteps : std::uint8_t { kLeaveOut, kKeep };

struct PlanWish {
  // The caller's own thread of work; "" for the workflow's name.
  WorkflowId workflow = {};
  RunId run = {};
  OptionalSteps optional = OptionalSteps::kLeaveOut;
};

// The contracts of the steps, in order, each guarded. kInvalidArgument as CompleteValues and Bind.
Result<std::vector<model::ActionContract>> ContractsFrom(const LearnedWorkflow& workflow,
                                                         const ParameterValues& values,
                                                         const PlanWish& wish = {});

// The document of a task plan of them, each step after the one before it. kInvalidArgument also
// when a plan cannot have so many.
Result<json::object> PlanFrom(const LearnedWorkflow& workflow, const ParameterValues& values,
                              const PlanWish& wish = {});

}  // namespace falconer::predict
