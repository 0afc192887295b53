#include "predict/workflows/workflow_plan.h"

#include <fmt/format.h>

#include "predict/workflows/step_check.h"
#include "predict/workflows/step_guards.h"

namespace falconer::predict {
namespace {

bool IsLeftOut(const WorkflowStep& step, const LearnedWorkflow& workflow, const PlanWish& wish) {
  return wish.optional == OptionalSteps::kLeaveOut && step.recordings < workflow.recordings;
}

struct PlannedStep {
  std::string id;
  model::ActionContract contract;
};

Result<model::ActionContract> PlannedContract(const WorkflowStep& step,
                                              const ParameterValues& values,
                                              const WorkflowId& workflow) {
  TRY_ASSIGN(WorkflowStep bound, Bind(step, values));
  if (!HasGuard(bound.contract)) PutGuards(bound.contract, "");
  auto contract = ContractOf(bound, workflow);
  // What a value makes of it is the value's fault: the template is a contract.
  if (!contract)
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("step {}: {}", step.id, contract.error().message()));
  return contract;
}

Result<std::vector<PlannedStep>> PlannedSteps(const LearnedWorkflow& workflow,
                                              const ParameterValues& given, const PlanWish& wish) {
  TRY_ASSIGN(const ParameterValues values, CompleteValues(workflow, given));
  const WorkflowId thread = wish.workflow.empty() ? WorkflowId(workflow.name) : wish.workflow;
  std::vector<PlannedStep> steps;
  for (const WorkflowStep& step : workflow.steps) {
    if (IsLeftOut(step, workflow, wish)) continue;
    TRY_ASSIGN(model::ActionContract contract, PlannedContract(step, values, thread));
    contract.run_id = wish.run;
    contract.step_index = static_cast<std::int64_t>(steps.size());
    steps.push_back({.id = step.id, .contract = std::move(contract)});
  }
  if (steps.empty())
    return Fail(ErrorCode::kInvalidArgument, "no step is left: none was in every recording");
  return steps;
}

}  // namespace

Result<std::vector<model::ActionContract>> ContractsFrom(const LearnedWorkflow& workflow,
                                                         const ParameterValues& values,
                                                         const PlanWish& wish) {
  TRY_ASSIGN(std::vector<PlannedStep> steps, PlannedSteps(workflow, values, wish));
  std::vector<model::ActionContract> contracts;
  contracts.reserve(steps.size());
  for (PlannedStep& step : steps) contracts.push_back(std::move(step.contract));
  return contracts;
}

Result<json::object> PlanFrom(const LearnedWorkflow& workflow, const ParameterValues& values,
                              const PlanWish& wish) {
  TRY_ASSIGN(std::vector<PlannedStep> steps, PlannedSteps(workflow, values, wish));
  if (steps.size() > model::kMaxPlanSteps) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("workflow {} has {} steps; a plan has at most {}", workflow.name,
                            steps.size(), model::kMaxPlanSteps));
  }
  model::TaskPlan plan;
  plan.plan_id = PlanId(workflow.name);
  plan.intent = workflow.about;
  for (PlannedStep& step : steps) {
    model::PlanStep next;
    next.step_id = StepId(step.id);
    if (!plan.steps.empty()) next.depends_on = {plan.steps.back().step_id};
    next.contract = std::move(step.contract);
    plan.steps.push_back(std::move(next));
  }
  TRY(plan.Validate());
  return plan.ToJson();
}

}  // namespace falconer::predict
