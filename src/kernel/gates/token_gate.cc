#include "kernel/gates/token_gate.h"

#include <algorithm>
#include <utility>

#include "base/json/json_reader.h"
#include "policy/tokens/token_fault.h"

namespace falconer::kernel {
namespace {

TokenFacts ReadTokenFacts(JsonReader& in) {
  return {.token = in.OptionalString("token").value_or(""),
          .token_id = in.OptionalString("token_id").value_or(""),
          .fault = in.OptionalString("fault").value_or(""),
          .error = in.OptionalString("error").value_or("")};
}

const policy::TokenFaultRow* FaultNamed(std::string_view reason) {
  const auto rows = policy::AllTokenFaults();
  const auto found = std::ranges::find(rows, reason, &policy::TokenFaultRow::reason);
  return found == rows.end() ? nullptr : &*found;
}

TokenFacts FactsOf(const Error& error) {
  const std::string reason = TokenReason(error);
  if (FaultNamed(reason) != nullptr)
    return {.token = "", .token_id = "", .fault = reason, .error = ""};
  return {.token = "", .token_id = "", .fault = "", .error = std::string(error.name())};
}

TokenFacts FactsOf(const AdmittedToken& admitted) {
  return {.token = admitted.digest,
          .token_id = admitted.token.claims.token_id,
          .fault = "",
          .error = ""};
}

}  // namespace

std::string TokenReason(const Error& error) {
  std::string word = TextAt(error.details(), policy::kTokenReasonDetail);
  return word.empty() ? "unknown" : word;
}

json::object TokenFacts::ToJson() const {
  json::object out;
  if (!token.empty()) out["token"] = token;
  if (!token_id.empty()) out["token_id"] = token_id;
  if (!fault.empty()) out["fault"] = fault;
  if (!error.empty()) out["error"] = error;
  return out;
}

Result<TokenFacts> TokenFacts::FromJson(const json::object& object) {
  return ReadJson(object, "facts", ReadTokenFacts);
}

Verdict DecideToken(const TokenFacts& facts) {
  if (!facts.token.empty()) return Verdict::Admit("token_in_force");
  if (const auto* row = FaultNamed(facts.fault))
    return Verdict::Reject(facts.fault, policy::TokenError(row->fault));
  const ErrorCode code = ErrorCodeNamed(facts.error).value_or(ErrorCode::kUnauthorized);
  return Verdict::Reject("token_unknown", Error(code, "the token could not be checked"));
}

Task<Verdict> TokenGate::Check(CallContext /*ctx*/, const GateInput* input) {
  auto verified = co_await guard_.Inspect(input->token);
  const auto admitted =
      verified ? AdmittedToken::Of(*std::move(verified)) : std::unexpected(verified.error());
  const TokenFacts facts = admitted ? FactsOf(**admitted) : FactsOf(admitted.error());
  Verdict verdict = DecideToken(facts);
  verdict.facts = facts.ToJson();
  if (!admitted) {
    // People are told all of it, the record only what gives the verdict again.
    verdict.error = admitted.error();
  } else if (input->admission != nullptr) {
    input->admission->token = *admitted;
  }
  co_return verdict;
}

}  // namespace falconer::kernel
