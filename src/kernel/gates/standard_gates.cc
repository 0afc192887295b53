#include "kernel/gates/standard_gates.h"

#include <memory>
#include <utility>
#include <vector>

#include "base/check.h"
#include "kernel/gates/breaker_gate.h"
#include "kernel/gates/capability_gate.h"
#include "kernel/gates/capacity_gate.h"
#include "kernel/gates/constraint_gate.h"
#include "kernel/gates/lease_gate.h"
#include "kernel/gates/pause_gate.h"
#include "kernel/gates/quota_gate.h"
#include "kernel/gates/rate_gate.h"
#include "kernel/gates/token_gate.h"
#include "kernel/gates/use_gate.h"

namespace falconer::kernel {

GateList StandardGates(const GateParts& parts) {
  std::vector<std::unique_ptr<Gate>> gates;
  gates.push_back(std::make_unique<PauseGate>(parts.pauses, parts.pause_watch));
  gates.push_back(std::make_unique<ContractGate>(parts.contract));
  gates.push_back(std::make_unique<TokenGate>(parts.tokens));
  gates.push_back(std::make_unique<CapabilityGate>(parts.tokens.verifier().rules().proof));
  gates.push_back(std::make_unique<ConstraintGate>(parts.clock));
  gates.push_back(std::make_unique<DomainGate>(parts.rules));
  gates.push_back(std::make_unique<RiskGate>(parts.policies, parts.clock));
  gates.push_back(std::make_unique<QuotaGate>(parts.quotas, parts.quota));
  gates.push_back(std::make_unique<RateGate>(parts.rates));
  gates.push_back(std::make_unique<BreakerGate>(parts.breakers, parts.breaker, parts.owner));
  gates.push_back(std::make_unique<LeaseGate>(parts.epochs));
  gates.push_back(std::make_unique<CapacityGate>(parts.load));
  gates.push_back(std::make_unique<UseGate>(parts.tokens));
  auto list = GateList::Create(std::move(gates));
  CHECK(list, "every gate of the order is here");
  return *std::move(list);
}

}  // namespace falconer::kernel
