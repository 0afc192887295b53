#pragma once
// CapabilityGate: does the token have what the action needs by its type? What it turns out to need,
// once its element and its requests are known, is asked for again during the turn.

#include "base/json/json_reader.h"
#include "kernel/gates/admitted.h"
#include "kernel/gates/gate.h"

namespace falconer::kernel {

struct CapabilityFacts {
  std::string token;  // the digest of what it says
  model::CapabilitySet needs;
  std::string agent;
  policy::ProofRule proof = policy::ProofRule::kNotAsked;

  json::object ToJson() const;
  static Result<CapabilityFacts> FromJson(const json::object& object);
};

// The gate's verdict without its facts, about the token that the facts name.
Verdict DecideCapability(const policy::VerifiedToken& token, const TenantId& tenant,
                         const CapabilityFacts& facts);

// What is needed, as facts have it under "needs".
json::array NeedsJson(model::CapabilitySet needs);
model::CapabilitySet ReadNeeds(JsonReader& in);

// By the action's own row.
model::CapabilitySet NeedsOf(std::optional<model::ActionType> action);

class CapabilityGate final : public Gate {
 public:
  explicit CapabilityGate(policy::ProofRule proof) : proof_(proof) {}
  std::string_view name() const override { return "capability"; }
  Task<Verdict> Check(CallContext ctx, const GateInput* input) override;

 private:
  policy::ProofRule proof_;
};

}  // namespace falconer::kernel
