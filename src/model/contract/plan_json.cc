// TaskPlan to and from JSON.

#include <fmt/format.h>
#include <utility>

#include "model/contract/plan_dag.h"

namespace falconer::model {
namespace {

std::string RequiredId(JsonReader& in, std::string_view key) {
  if (!in.Has(key)) in.Reject(key, "is required");
  return ReadCallerId(in, key);
}

std::vector<StepId> ReadDependencies(JsonReader& in) {
  std::vector<StepId> ids;
  const auto names = in.OptionalStrings("depends_on", {0, kMaxPlanSteps});
  for (const std::string& name : names.value_or(std::vector<std::string>())) {
    ids.emplace_back(name);
  }
  return ids;
}

PlanStep ReadStep(JsonReader& in) {
  PlanStep step;
  step.step_id = StepId(RequiredId(in, "step_id"));
  step.depends_on = ReadDependencies(in);
  step.parallel_group = in.OptionalInteger("parallel_group", kParallelGroups).value_or(0);
  step.contract = in.Object("contract", ReadContract);
  step.expected_outcome = in.OptionalString("expected_outcome").value_or("");
  step.timeout = in.OptionalMilliseconds("timeout_ms", kStepTimeoutMs);
  step.compensation = in.OptionalObject("compensation", ReadContract);
  return step;
}

Rollback ReadRollback(JsonReader& in) {
  return in.OptionalEnum("on_failure", kRollbacks).value_or(Rollback::kNone);
}

PlanMetadata ReadMetadata(JsonReader& in) {
  return {.created_at = in.OptionalString("created_at").value_or(""),
          .planner_model = in.OptionalString("planner_model").value_or(""),
          .confidence = in.OptionalNumber("confidence", kConfidences),
          .estimated_duration = in.OptionalMilliseconds("estimated_duration_ms", kDurationsMs)};
}

TaskPlan ReadPlan(JsonReader& in) {
  TaskPlan plan;
  plan.plan_id = PlanId(RequiredId(in, "plan_id"));
  plan.intent = in.OptionalString("intent").value_or("");
  plan.steps = in.Objects("steps", ReadStep, {1, kMaxPlanSteps});
  plan.success_criteria = ReadRules(in, "success_criteria", RuleUse::kAnyTime);
  plan.on_failure = in.OptionalObject("rollback", ReadRollback).value_or(Rollback::kNone);
  plan.metadata = in.OptionalObject("metadata", ReadMetadata).value_or(PlanMetadata());
  return plan;
}

json::object StepJson(const PlanStep& step) {
  json::object out{{"step_id", step.step_id.value()}};
  if (!step.depends_on.empty()) {
    json::array& ids = out["depends_on"].emplace_array();
    for (const StepId& id : step.depends_on) ids.emplace_back(id.value());
  }
  if (step.parallel_group != 0) out["parallel_group"] = step.parallel_group;
  out["contract"] = step.contract.ToJson();
  if (!step.expected_outcome.empty()) out["expected_outcome"] = step.expected_outcome;
  if (step.timeout) out["timeout_ms"] = step.timeout->count();
  if (step.compensation) out["compensation"] = step.compensation->ToJson();
  return out;
}

json::object MetadataJson(const PlanMetadata& metadata) {
  json::object out;
  if (!metadata.created_at.empty()) out["created_at"] = metadata.created_at;
  if (!metadata.planner_model.empty()) out["planner_model"] = metadata.planner_model;
  if (metadata.confidence) out["confidence"] = *metadata.confidence;
  if (metadata.estimated_duration) {
    out["estimated_duration_ms"] = metadata.estimated_duration->count();
  }
  return out;
}

}  // namespace

Result<TaskPlan> TaskPlan::FromJson(const json::value& value, std::string path) {
  const std::string where = path;
  TRY_ASSIGN(TaskPlan plan,
             ReadJson(value, std::move(path), ReadPlan, ErrorCode::kInvalidContract));
  if (auto valid = plan.Validate(); !valid) {
    return Fail(where.empty() ? std::move(valid).error() : std::move(valid).error().In(where));
  }
  return plan;
}

json::object TaskPlan::ToJson() const {
  json::object out{{"plan_id", plan_id.value()}};
  if (!intent.empty()) out["intent"] = intent;
  json::array& list = out["steps"].emplace_array();
  for (const PlanStep& step : steps) list.emplace_back(StepJson(step));
  if (!success_criteria.empty()) out["success_criteria"] = RulesJson(success_criteria);
  if (on_failure != Rollback::kNone) {
    out["rollback"] = {{"on_failure", NameIn(kRollbacks, on_failure)}};
  }
  if (json::object written = MetadataJson(metadata); !written.empty()) {
    out["metadata"] = std::move(written);
  }
  return out;
}

}  // namespace falconer::model
