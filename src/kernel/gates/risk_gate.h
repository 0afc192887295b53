#pragma once
// RiskGate: what does the policy say about the action, as far as it is known before it begins? What
// it does is judged again by the element it meets and by every request that leaves
// (engine/control); this refuses early what no element and no request could make right.

#include <memory>

#include "kernel/gates/admitted.h"
#include "kernel/gates/gate.h"

namespace falconer::kernel {

// Where the policy of a tenant comes from: the server's configuration, never the caller.
class PolicySource {
 public:
  virtual ~PolicySource() = default;
  // The policy for the next turn; null when there is none.
  virtual std::shared_ptr<const AdmittedPolicy> PolicyFor(const TenantId& tenant) = 0;
};

struct RiskFacts {
  std::string policy;  // its digest; "" when there is none
  policy::RuleSet set = policy::RuleSet::kActions;
  // Whether the action meets an element, so that not all is known yet.
  bool meets_element = false;
  Asking asking = Asking::kPossible;
  model::PolicyFacts facts;

  json::object ToJson() const;
  static Result<RiskFacts> FromJson(const json::object& object);
};

// The gate's verdict without its facts. `policy` is the one that the facts name, null for none.
Verdict DecideRisk(const policy::Policy* policy, const RiskFacts& facts);

// The rules that decide about an action.
policy::RuleSet SetOf(model::ActionType action);
// Whether the driver tells which element it meets, before anything leaves for it. One that then
// meets none (keys where nothing has the focus) is judged by itself.
bool MeetsElement(model::ActionType action);
// kPolicyDenied with the rule and the policy in its details.
Error DenialError(const policy::PolicyDecision& decision);

class RiskGate final : public Gate {
 public:
  // Both must outlive this.
  RiskGate(PolicySource& source, const Clock& clock) : source_(source), clock_(clock) {}
  std::string_view name() const override { return "risk"; }
  Task<Verdict> Check(CallContext ctx, const GateInput* input) override;

 private:
  PolicySource& source_;
  const Clock& clock_;
};

}  // namespace falconer::kernel
