#include "engine/plan_record.h"

#include <utility>

#include "engine/replay/record_fields.h"
#include "kernel/gates/admitted.h"
#include "kernel/plan/recorded_inputs.h"

namespace falconer::engine {

Result<PlanRecord> PlanRecord::Of(const model::ResolvedTurnPlan& plan, kernel::PlanInputs inputs,
                                  const model::ActionContract& contract, Clock& clock) {
  using Kind = model::SnapshotKind;
  PlanRecord record{.hash = plan.plan_hash};
  for (const auto& [kind, name] : model::kSnapshotKinds) {
    if (kind == Kind::kRoutingView) continue;
    kernel::PlanSnapshot& one = inputs[kind];
    record.snapshots.push_back(
        {std::string(name), std::move(one.digest), std::move(one.content).as_object()});
  }
  record.fields = {{"plan", std::string_view(plan.plan_hash)},
                   {"resolved_plan", plan.ToJson()},
                   {"routing_view", std::move(inputs[Kind::kRoutingView].content)}};
  if (!contract.deadline) return record;
  kernel::RecordedInputs seen(clock, plan.determinism.seed);
  TRY(seen.WallMillis(kTurnStart));
  record.fields["inputs"] = json::array{seen.inputs().front().ToJson()};
  return record;
}

void PlanRecord::Refer(const kernel::Admission& admission) {
  if (const auto& rules = admission.rules)
    snapshots.push_back({std::string(kDomainRules), rules->digest(), rules->content()});
  if (const auto& token = admission.token)
    snapshots.push_back({std::string(kTokenClaims), token->digest, token->content});
  if (const auto& policy = admission.policy)
    snapshots.push_back({std::string(kPolicyText), policy->digest, policy->content});
}

}  // namespace falconer::engine
