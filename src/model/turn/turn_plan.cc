#include "model/turn/turn_plan.h"

#include <fmt/format.h>
#include <utility>

#include "base/json/canonical_json.h"
#include "base/sha256.h"

namespace falconer::model {
namespace {

constexpr std::int64_t kDay = 86'400'000;

std::unexpected<Error> RefusePlan(std::string_view field, std::string_view why) {
  return std::unexpected(Error(ErrorCode::kInvalidArgument,
                               fmt::format("turn_plan.{}: {}", field, why),
                               {{"field", fmt::format("turn_plan.{}", field)}}));
}

struct NumberRow {
  std::string_view field;
  std::int64_t value;
  std::int64_t min;
  std::int64_t max;
};

Result<void> CheckNumbers(const ResolvedTurnPlan& plan) {
  const NumberRow rows[] = {
      {"turn_sequence", plan.turn_sequence, 1, std::int64_t{1} << 53},
      {"authority_epoch", plan.authority_epoch, 0, std::int64_t{1} << 53},
      {"budgets.turn_ms", plan.budgets.turn_ms, 1, kDay},
      {"budgets.node_ms", plan.budgets.node_ms, 1, plan.budgets.turn_ms},
      {"budgets.path_ms", plan.budgets.path_ms, 1, plan.budgets.turn_ms},
      {"budgets.edge_ms", plan.budgets.edge_ms, 1, plan.budgets.turn_ms},
      {"retry.max_attempts", plan.retry.max_attempts, 1, 100},
      {"retry.backoff_ms", plan.retry.backoff_ms, 0, kDay},
      {"retry.multiplier", plan.retry.multiplier, 1, 100},
      {"retry.max_backoff_ms", plan.retry.max_backoff_ms, plan.retry.backoff_ms, kDay},
      {"timeouts.action_ms", plan.timeouts.action_ms, 1, kDay},
      {"timeouts.wait_ms", plan.timeouts.wait_ms, 1, kDay},
      {"timeouts.verify_ms", plan.timeouts.verify_ms, 1, kDay},
      {"node.concurrency_limit", plan.node.concurrency_limit, 1, 100'000},
  };
  for (const NumberRow& row : rows) {
    if (row.value >= row.min && row.value <= row.max) continue;
    return RefusePlan(row.field,
                      fmt::format("must be {} to {}, not {}", row.min, row.max, row.value));
  }
  return {};
}

Result<void> CheckTexts(const ResolvedTurnPlan& plan) {
  const std::pair<std::string_view, const std::string*> texts[] = {
      {"turn_id", &plan.turn.value()},
      {"pipeline_version", &plan.pipeline_version},
      {"graph_definition_ref", &plan.graph_definition_ref},
      {"execution_profile", &plan.execution_profile},
      {"node.fairness_key", &plan.node.fairness_key},
  };
  for (const auto& [field, text] : texts) {
    if (text->empty()) return RefusePlan(field, "is required");
  }
  for (const auto& [role, provider] : plan.provider_bindings) {
    if (role.empty() || provider.empty())
      return RefusePlan("provider_bindings", "has an empty name");
  }
  return {};
}

Result<void> CheckFlow(const PlanFlow& flow) {
  const std::pair<std::string_view, const PlanLane*> lanes[] = {
      {"flow.control", &flow.control},
      {"flow.data", &flow.data},
      {"flow.telemetry", &flow.telemetry}};
  for (const auto& [field, lane] : lanes) {
    const bool is_ordered = 0 <= lane->low && lane->low < lane->high && lane->high <= lane->bound;
    if (!is_ordered) return RefusePlan(field, "needs 0 <= low < high <= bound");
  }
  return {};
}

}  // namespace

PlanLane LaneWithBound(std::int64_t bound) {
  return {.bound = bound, .high = bound / 2, .low = bound / 4};
}

Result<void> ResolvedTurnPlan::Validate() const {
  TRY(CheckTexts(*this));
  TRY(CheckNumbers(*this));
  TRY(CheckFlow(flow));
  TRY(provenance.Validate());
  if (recording.replay_modes.empty())
    return RefusePlan("recording.replay_modes", "must not be empty");
  return determinism.Validate();
}

Result<std::string> ResolvedTurnPlan::ComputeHash() const {
  json::object content = ToJson();
  content.erase("plan_hash");
  content["determinism"].as_object().erase("seed");
  TRY_ASSIGN(const std::string canonical, CanonicalJson(content));
  return Sha256Hex(canonical);
}

Result<void> ResolvedTurnPlan::Freeze() {
  TRY(Validate());
  TRY_ASSIGN(plan_hash, ComputeHash());
  determinism.seed = DeriveSeed(plan_hash, turn_sequence);
  return {};
}

Result<void> ResolvedTurnPlan::CheckFrozen() const {
  TRY(Validate());
  TRY_ASSIGN(const std::string hash, ComputeHash());
  if (plan_hash != hash) return RefusePlan("plan_hash", "is not the hash of this plan");
  if (determinism.seed != DeriveSeed(plan_hash, turn_sequence)) {
    return RefusePlan("determinism.seed", "is not drawn from the plan's hash");
  }
  return {};
}

}  // namespace falconer::model
