#pragma once
// TaskPlan: contracts as steps of a directed graph. A step waits for the steps it depends on; steps
// of one parallel group may run together, a step of group 0 runs alone.

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/json/json_reader.h"
#include "model/contract/contract.h"

namespace falconer::model {

inline constexpr std::size_t kMaxPlanSteps = 64;
inline constexpr std::size_t kMaxOutcomeLength = 1024;  // code points
inline constexpr Bounds<std::int64_t> kParallelGroups = {0, 1'000};
inline constexpr Bounds<std::int64_t> kStepTimeoutMs = {1, 3'600'000};
inline constexpr Bounds<double> kConfidences = {0, 1};
inline constexpr Bounds<std::int64_t> kDurationsMs = {0, 1LL << 40};
// RFC 3339, for created_at; RE2 and ECMAScript read it alike.
inline constexpr std::string_view kTimestampPattern =
    R"(^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$)";

struct PlanStep {
  StepId step_id;
  std::vector<StepId> depends_on;
  std::int64_t parallel_group = 0;
  ActionContract contract;
  std::string expected_outcome;
  std::optional<std::chrono::milliseconds> timeout;
  std::optional<ActionContract> compensation;  // what undoes it
  bool operator==(const PlanStep&) const = default;
};

enum class Rollback : std::uint8_t { kNone, kCompensate };

inline constexpr EnumName<Rollback> kRollbacks[] = {
    {Rollback::kNone, "none"},
    {Rollback::kCompensate, "compensate"},
};

struct PlanMetadata {
  std::string created_at;
  std::string planner_model;
  std::optional<double> confidence;
  std::optional<std::chrono::milliseconds> estimated_duration;
  bool operator==(const PlanMetadata&) const = default;
};

// How far the steps of a plan have come. A step that is in none of the lists has not begun.
struct PlanProgress {
  std::span<const StepId> done;
  std::span<const StepId> running;
  std::span<const StepId> failed;
};

struct TaskPlan {
  PlanId plan_id;
  std::string intent;
  std::vector<PlanStep> steps;
  std::vector<VerificationRule> success_criteria;  // judged from the page as it is at the end
  Rollback on_failure = Rollback::kNone;
  PlanMetadata metadata;

  // Reads and validates. Fails with kInvalidContract and the codes of a contract, naming the field.
  static Result<TaskPlan> FromJson(const json::value& value, std::string path = "");
  // {"plan_id", "intent", "steps", "success_criteria", "rollback": {"on_failure"}, "metadata"};
  // members at their defaults are left out.
  json::object ToJson() const;
  // Fails with kInvalidContract: no steps or too many, an id twice, a dependency nobody knows, a
  // cycle (the message names it); and as the contracts and rules in it do. Without a cycle every
  // step can be reached.
  Result<void> Validate() const;

  // The steps that may begin now, in the order of the plan: their dependencies are done and nothing
  // of another group runs. Of several groups that could begin, the lowest does.
  std::vector<StepId> ReadySteps(const PlanProgress& progress) const;
  // The steps to undo, last done first; none when the plan does not ask for it. `done` is in the
  // order in which they were done.
  std::vector<StepId> CompensationOrder(std::span<const StepId> done) const;

  const PlanStep* Find(const StepId& id) const;
  bool operator==(const TaskPlan&) const = default;
};

}  // namespace falconer::model
