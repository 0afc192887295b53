#pragma once
// The gates of the order, made of the parts they ask.

#include "kernel/fences/epoch_guard.h"
#include "kernel/flow/pause_watch.h"
#include "kernel/gates/contract_gate.h"
#include "kernel/gates/domain_gate.h"
#include "kernel/gates/gate_list.h"
#include "kernel/gates/risk_gate.h"
#include "policy/tokens/token_guard.h"
#include "store/breaker_store.h"
#include "store/quota_store.h"

namespace falconer::kernel {

// All must outlive the gates.
struct GateParts {
  const Clock& clock;
  const ContractCheck& contract;
  policy::TokenGuard& tokens;
  const DomainRulesSource& rules;
  PolicySource& policies;
  store::PauseStore& pauses;
  PauseWatch& pause_watch;
  store::QuotaStore& quotas;
  // Of tenants that have none of their own.
  model::TenantQuota quota;
  RateBook& rates;
  store::BreakerStore& breakers;
  store::BreakerLimits breaker;
  // This process, as OwnLeaseOwner() says.
  std::string owner;
  const EpochGuard& epochs;
  LoadMeter& load;
};

GateList StandardGates(const GateParts& parts);

}  // namespace falconer::kernel
