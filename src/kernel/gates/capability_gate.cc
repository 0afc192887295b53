#include "kernel/gates/capability_gate.h"

#include "base/check.h"
#include "base/json/json_reader.h"
#include "kernel/gates/token_gate.h"

namespace falconer::kernel {
namespace {

constexpr EnumName<policy::ProofRule> kProofRules[] = {
    {policy::ProofRule::kNotAsked, "not_asked"},
    {policy::ProofRule::kAsked, "asked"},
};

CapabilityFacts ReadCapabilityFacts(JsonReader& in) {
  return {.token = in.String("token"),
          .needs = ReadNeeds(in),
          .agent = in.OptionalString("agent").value_or(""),
          .proof = in.Enum("proof", kProofRules)};
}

}  // namespace

json::array NeedsJson(model::CapabilitySet needs) {
  json::array names;
  for (const std::string_view name : model::CapabilityNames(needs)) names.emplace_back(name);
  return names;
}

model::CapabilitySet ReadNeeds(JsonReader& in) {
  model::CapabilitySet needs;
  for (const std::string& name : in.Strings("needs")) {
    const auto found = model::CapabilitiesNamed(name);
    if (!found) in.Reject("needs", "names no capability");
    if (found) needs = needs | *found;
  }
  return needs;
}

json::object CapabilityFacts::ToJson() const {
  return {{"token", token},
          {"needs", NeedsJson(needs)},
          {"agent", agent},
          {"proof", NameIn(kProofRules, proof)}};
}

Result<CapabilityFacts> CapabilityFacts::FromJson(const json::object& object) {
  return ReadJson(object, "facts", ReadCapabilityFacts);
}

model::CapabilitySet NeedsOf(std::optional<model::ActionType> action) {
  return action ? model::CapabilitySet{model::TraitsOf(*action).capability}
                : model::CapabilitySet{};
}

Verdict DecideCapability(const policy::VerifiedToken& token, const TenantId& tenant,
                         const CapabilityFacts& facts) {
  const policy::TokenDemand demand{
      .capabilities = facts.needs, .tenant = tenant, .agent = AgentId(facts.agent)};
  const auto granted = policy::CheckGrant(token, demand, facts.proof);
  if (granted) return Verdict::Admit("capability_granted");
  return Verdict::Reject(TokenReason(granted.error()), granted.error());
}

Task<Verdict> CapabilityGate::Check(CallContext /*ctx*/, const GateInput* input) {
  CHECK(input->admission != nullptr && input->admission->token,
        "the token gate has admitted a token");
  const AdmittedToken& admitted = *input->admission->token;
  const CapabilityFacts facts{.token = admitted.digest,
                              .needs = NeedsOf(input->action) | input->needs,
                              .agent = input->agent,
                              .proof = proof_};
  Verdict verdict = DecideCapability(admitted.token, input->tenant, facts);
  verdict.facts = facts.ToJson();
  co_return verdict;
}

}  // namespace falconer::kernel
