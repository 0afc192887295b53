// Is it the contract it says it is, and do its guards follow from it?

#include <fmt/format.h>

#include "engine/replay/replay_scope.h"
#include "model/contract/guards.h"

namespace falconer::engine {
namespace {

// A refusal may be about what is no contract; then the gate says so, and is checked.
void ReadIt(ReplayScope& scope, const EvidenceRecord& asked) {
  const json::value* wire = At(asked.payload, "contract");
  if (wire == nullptr) return scope.out.Missing("contract", "the contract is not on record");
  auto contract = model::ActionContract::FromJson(*wire);
  if (contract) {
    scope.contract = *std::move(contract);
    scope.out.action_type = model::ActionName(scope.contract->action_spec.type);
    return scope.out.Reproduced("contract", scope.out.action_type);
  }
  if (!scope.evidence.opened) return;
  if (HasScrubbed(*wire)) {
    return scope.out.Missing("contract", "a part of it was scrubbed as a secret");
  }
  scope.out.Diverged("contract", DivergenceClass::kOutcome,
                     "it was accepted, now: " + contract.error().message());
}

void CheckIdentity(ReplayScope& scope, const EvidenceRecord& asked) {
  const auto identity = scope.contract->Identify();
  if (!identity) {
    return scope.out.Diverged("identity", DivergenceClass::kOutcome, identity.error().message());
  }
  if (TextAt(asked.payload, "action_hash") == identity->digest &&
      TextAt(asked.payload, "action_id") == identity->action_id.value()) {
    return scope.out.Reproduced("identity", identity->action_id.value());
  }
  if (HasScrubbed(asked.payload.at("contract"))) {
    scope.is_contract_whole = false;
    return scope.out.Missing("identity", "a part of the contract was scrubbed as a secret");
  }
  scope.out.Diverged("identity", DivergenceClass::kOutcome,
                     fmt::format("recorded {}, now {}", TextAt(asked.payload, "action_id"),
                                 identity->action_id.value()));
}

}  // namespace

void CheckContract(ReplayScope& scope) {
  const EvidenceRecord* asked = scope.evidence.asked();
  if (asked == nullptr) return;
  ReadIt(scope, *asked);
  if (scope.contract) CheckIdentity(scope, *asked);
}

}  // namespace falconer::engine
