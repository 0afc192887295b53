#include "kernel/gates/use_gate.h"

#include "base/check.h"
#include "base/json/json_reader.h"
#include "kernel/gates/capability_gate.h"
#include "kernel/gates/token_gate.h"
#include "policy/tokens/token_fault.h"

namespace falconer::kernel {
namespace {

UseFacts ReadUseFacts(JsonReader& in) {
  return {.fault = in.OptionalString("fault").value_or(""),
          .error = in.OptionalString("error").value_or("")};
}

}  // namespace

json::object UseFacts::ToJson() const {
  return {{"fault", fault}, {"error", error}};
}

Result<UseFacts> UseFacts::FromJson(const json::object& object) {
  return ReadJson(object, "facts", ReadUseFacts);
}

// The words are those of a token's faults, and so is the verdict.
Verdict DecideUse(const UseFacts& facts) {
  if (facts.fault.empty() && facts.error.empty()) return Verdict::Admit("may_be_used");
  return DecideToken({.token = "", .token_id = "", .fault = facts.fault, .error = facts.error});
}

Task<Verdict> UseGate::Check(CallContext /*ctx*/, const GateInput* input) {
  CHECK(input->admission != nullptr && input->admission->token,
        "the token gate has admitted a token");
  const policy::TokenDemand demand{.capabilities = NeedsOf(input->action), .use = input->use};
  const auto used = co_await guard_.Use(&input->admission->token->token, &demand);
  UseFacts facts;
  if (!used) {
    const bool is_fault = used.error().details().contains(policy::kTokenReasonDetail);
    (is_fault ? facts.fault : facts.error) =
        is_fault ? TokenReason(used.error()) : std::string(used.error().name());
  }
  Verdict verdict = DecideUse(facts);
  if (!used) verdict.error = used.error();
  verdict.facts = facts.ToJson();
  co_return verdict;
}

}  // namespace falconer::kernel
