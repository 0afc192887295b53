#include "kernel/gates/rate_gate.h"

#include <utility>

#include "base/check.h"

namespace falconer::kernel {

Verdict DecideRate(const RateFacts& facts) {
  if (facts.limits.empty()) return Verdict::Admit("nothing_to_count");
  const RateFacts::Limit* reached = facts.Reached();
  auto refusal = facts.Refusal();
  if (!refusal) {
    const bool is_observed = reached != nullptr || !facts.error.empty();
    return Verdict::Admit(is_observed ? "policy_observes" : "within_rate_limits");
  }
  if (!facts.error.empty()) return Verdict::Reject("rate_unknown", *std::move(refusal));
  return Verdict::Defer("policy_rate_limit", reached->wait, *std::move(refusal));
}

RateClaim ClaimBefore(const policy::PolicyDecision& decision, policy::Truth least) {
  using policy::Effect;
  RateClaim claim{.demands = {}, .mode = decision.mode};
  const bool goes_on =
      decision.would_be == Effect::kAllow || decision.would_be == Effect::kConstrain;
  if (!goes_on) return claim;
  for (const policy::RateDemand& demand : decision.rate_limits) {
    if (demand.truth >= least) claim.demands.push_back(demand);
  }
  return claim;
}

Task<Verdict> RateGate::Check(CallContext /*ctx*/, const GateInput* input) {
  CHECK(input->admission != nullptr, "what is counted goes into an admission");
  auto taken = co_await book_.Take(input->admission->claim);
  Verdict verdict = DecideRate(taken.facts);
  verdict.facts = taken.facts.ToJson();
  // People are told why, the record only what gives the verdict again.
  if (!verdict.is_admit() && taken.failure) verdict.error = taken.failure;
  if (verdict.is_admit()) input->admission->rates = std::move(taken.permit);
  co_return verdict;
}

}  // namespace falconer::kernel
