#include "engine/plan_snapshots.h"

#include "engine/pipeline.h"
#include "engine/runtime.h"
#include "model/contract/contract.h"

namespace falconer::engine {

Result<void> TakeSnapshots(const RuntimeConfig& config, kernel::PlanInputs& inputs) {
  using Kind = model::SnapshotKind;
  const std::pair<Kind, json::object> snapshots[] = {
      {Kind::kRoutingView, {{"authority_epoch", inputs.authority_epoch}}},
      {Kind::kAdmissionPolicy, config.admission_policy},
      {Kind::kAbiCompatibility, {{"contract_version", model::kContractVersion}}},
      {Kind::kVersionResolution,
       {{"pipeline_version", kPipelineVersion}, {"graph_definition_ref", kGraph}}},
      {Kind::kPolicyResolution, config.policy},
      {Kind::kProviderHealth, {{"bindings", {{"browser", "chromium"}}}}},
  };
  for (const auto& [kind, content] : snapshots) {
    TRY_ASSIGN(inputs[kind], kernel::PlanSnapshot::Of(content));
  }
  return {};
}

}  // namespace falconer::engine
