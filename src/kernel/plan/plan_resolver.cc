#include "kernel/plan/plan_resolver.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/json/canonical_json.h"
#include "base/sha256.h"

namespace falconer::kernel {
namespace {

using model::ResolvedTurnPlan;
using model::SnapshotKind;

std::unexpected<Error> BadSnapshot(std::string_view name, std::string_view why) {
  return std::unexpected(Error(ErrorCode::kInvalidArgument,
                               fmt::format("snapshot {}: {}", name, why),
                               {{"reason", "snapshot_invalid_or_missing"}, {"snapshot", name}}));
}

Result<void> CheckSnapshots(const PlanInputs& inputs) {
  for (const auto& [kind, name] : model::kSnapshotKinds) {
    const PlanSnapshot& snapshot = inputs[kind];
    if (snapshot.digest.empty()) return BadSnapshot(name, "is missing");
    const Result<std::string> canonical = CanonicalJson(snapshot.content);
    if (!canonical) return BadSnapshot(name, canonical.error().message());
    if (Sha256Hex(*canonical) != snapshot.digest) return BadSnapshot(name, "is not its digest's");
  }
  return {};
}

// Reads one snapshot into the plan, strictly.
template <typename Read>
Result<void> Fill(const PlanInputs& inputs, SnapshotKind kind, ResolvedTurnPlan& plan, Read read) {
  const std::string name(NameIn(model::kSnapshotKinds, kind));
  const auto fill = [&](JsonReader& in) {
    read(in, plan);
    return true;
  };
  const Result<bool> done = ReadJson(inputs[kind].content, name, fill);
  if (!done) return BadSnapshot(name, done.error().message());
  return {};
}

void ReadRouting(JsonReader& in, ResolvedTurnPlan& plan) {
  plan.authority_epoch = in.Integer("authority_epoch");
}

void ReadVersions(JsonReader& in, ResolvedTurnPlan& plan) {
  plan.pipeline_version = in.String("pipeline_version");
  plan.graph_definition_ref = in.String("graph_definition_ref");
}

void ReadPolicy(JsonReader& in, ResolvedTurnPlan& plan) {
  plan.execution_profile = in.String("execution_profile");
  plan.budgets = in.OptionalObject("budgets", model::ReadBudgets).value_or(plan.budgets);
  plan.retry = in.OptionalObject("retry", model::ReadRetry).value_or(plan.retry);
  plan.timeouts = in.OptionalObject("timeouts", model::ReadTimeouts).value_or(plan.timeouts);
  plan.recording =
      in.OptionalObject("recording_policy", model::ReadRecording).value_or(plan.recording);
  plan.node.concurrency_limit =
      in.OptionalInteger("concurrency_limit").value_or(plan.node.concurrency_limit);
  if (in.Has("allowed_adaptive_actions")) {
    plan.allowed_adaptive_actions = model::ReadAdaptiveActions(in, "allowed_adaptive_actions");
  }
}

void ReadProviders(JsonReader& in, ResolvedTurnPlan& plan) {
  for (const auto& [role, provider] : in.RawObject("bindings")) {
    const json::string* name = provider.if_string();
    if (name == nullptr) return in.Reject("bindings", "expected strings");
    plan.provider_bindings.emplace(role, *name);
  }
}

// A caller's wish never widens what policy gives.
void Tighten(ResolvedTurnPlan& plan, const ContractWishes& wishes) {
  if (wishes.turn_ms) {
    model::PlanBudgets& budgets = plan.budgets;
    budgets.turn_ms = std::min(budgets.turn_ms, *wishes.turn_ms);
    for (std::int64_t* part : {&budgets.node_ms, &budgets.path_ms, &budgets.edge_ms}) {
      *part = std::min(*part, budgets.turn_ms);
    }
  }
  if (wishes.max_attempts) {
    plan.retry.max_attempts = std::min(plan.retry.max_attempts, *wishes.max_attempts);
  }
}

}  // namespace

Result<PlanSnapshot> PlanSnapshot::Of(json::value content) {
  TRY_ASSIGN(const std::string canonical, CanonicalJson(content));
  return PlanSnapshot{.content = std::move(content), .digest = Sha256Hex(canonical)};
}

Result<ResolvedTurnPlan> ResolvePlan(const PlanInputs& inputs) {
  TRY(CheckSnapshots(inputs));
  ResolvedTurnPlan plan{.turn = inputs.turn,
                        .turn_sequence = inputs.turn_sequence,
                        .node = {.fairness_key = inputs.fairness_key}};
  TRY(Fill(inputs, SnapshotKind::kRoutingView, plan, ReadRouting));
  if (plan.authority_epoch != inputs.authority_epoch) {
    return Fail(ErrorCode::kStaleEpoch, fmt::format("the routing view is of epoch {}, not {}",
                                                    plan.authority_epoch, inputs.authority_epoch));
  }
  TRY(Fill(inputs, SnapshotKind::kVersionResolution, plan, ReadVersions));
  TRY(Fill(inputs, SnapshotKind::kPolicyResolution, plan, ReadPolicy));
  TRY(Fill(inputs, SnapshotKind::kProviderHealth, plan, ReadProviders));
  for (const auto& [kind, name] : model::kSnapshotKinds) {
    plan.provenance[kind] = inputs[kind].digest;
  }
  Tighten(plan, inputs.wishes);
  TRY(plan.Freeze());
  return plan;
}

}  // namespace falconer::kernel
