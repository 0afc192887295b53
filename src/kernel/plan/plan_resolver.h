#pragma once
// ResolvePlan: from snapshots of the world to a frozen plan. The same inputs give the same plan and
// the same hash; a snapshot that is not what its digest says gives none.

#include <array>
#include <optional>
#include <string>

#include "base/ids.h"
#include "base/json/json.h"
#include "model/turn/turn_plan.h"

namespace falconer::kernel {

struct PlanSnapshot {
  json::value content;
  std::string digest;  // SHA-256 of the canonical content, in hex

  // The snapshot of this content.
  static Result<PlanSnapshot> Of(json::value content);
};

// What the contract may ask for; it can only make the plan tighter.
struct ContractWishes {
  std::optional<std::int64_t> turn_ms;
  std::optional<std::int64_t> max_attempts;
};

struct PlanInputs {
  TurnId turn;
  std::int64_t turn_sequence = 1;
  std::int64_t authority_epoch = 0;  // the lease's; must be that of the routing view
  std::string fairness_key;
  ContractWishes wishes;
  // By model::SnapshotKind. What is read of them:
  //   routing_view        authority_epoch
  //   version_resolution  pipeline_version, graph_definition_ref
  //   policy_resolution   execution_profile, budgets?, retry?, timeouts?,
  //                       allowed_adaptive_actions?, recording_policy?, concurrency_limit?
  //   provider_health     bindings
  // The other two are proven by their digest and left to those who made them.
  std::array<PlanSnapshot, model::kSnapshotCount> snapshots;

  PlanSnapshot& operator[](model::SnapshotKind kind) {
    return snapshots[static_cast<std::size_t>(kind)];
  }
  const PlanSnapshot& operator[](model::SnapshotKind kind) const {
    return snapshots[static_cast<std::size_t>(kind)];
  }
};

// Fails with kInvalidArgument naming the snapshot (reason snapshot_invalid_or_missing in the
// details) or the field, and with kStaleEpoch when the routing view is of another epoch.
Result<model::ResolvedTurnPlan> ResolvePlan(const PlanInputs& inputs);

}  // namespace falconer::kernel
