#include "app/token/token_input.h"

#include <algorithm>
#include <fmt/format.h>

#include "app/act/act_input.h"
#include "app/desk/option_values.h"
#include "app/token/token_desk.h"
#include "base/text.h"

namespace falconer::app {
namespace {

Result<model::CapabilitySet> TokenCapabilitiesOf(const Arguments& arguments) {
  model::CapabilitySet all;
  for (const std::string& word : arguments.capabilities) {
    const auto named = model::CapabilitiesNamed(word);
    if (!named) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("--capability: there is no capability \"{}\"", word));
    }
    all = all | *named;
  }
  return all;
}

// "150 EUR" or "150EUR".
Result<std::optional<model::Money>> TokenMoneyOf(std::string_view option, const std::string& text) {
  if (text.empty()) return std::optional<model::Money>();
  const std::size_t letter = std::min(text.find_first_not_of("0123456789."), text.size());
  const json::object written{{"amount", text.substr(0, letter)},
                             {"currency", Trim(text.substr(letter))}};
  Result<model::Money> money = policy::ParseTokenAmount(written, "");
  if (money) return *std::move(money);
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: \"{}\" is no amount such as 150EUR", option, text));
}

Result<policy::TokenConstraints> TokenLimitsOf(const Arguments& arguments) {
  json::object limits;
  if (!arguments.domains.empty()) {
    limits["domains"] = json::array(arguments.domains.begin(), arguments.domains.end());
  }
  if (arguments.bars_pii) limits["pii_access"] = false;
  TRY_ASSIGN(policy::TokenConstraints constraints, policy::ParseTokenConstraints(limits));
  TRY_ASSIGN(constraints.max_purchase, TokenMoneyOf("--max-purchase", arguments.max_purchase));
  return constraints;
}

Result<policy::TokenProof> TokenProofOf(const Arguments& arguments) {
  if (arguments.proof.empty()) return policy::TokenProof::kNone;
  const auto proof = ValueIn(policy::kTokenProofs, arguments.proof);
  if (proof) return *proof;
  return Fail(ErrorCode::kInvalidArgument,
              "--auth: expected passkey, passkey+biometric or passkey+hardware");
}

}  // namespace

TenantId TokenTenantOf(const Arguments& arguments, const TenantId& otherwise) {
  return arguments.tenant.empty() ? otherwise : TenantId(arguments.tenant);
}

Result<policy::TokenRequest> TokenRequestOf(const Arguments& arguments, const TenantId& tenant) {
  policy::TokenRequest request{.agent = AgentId(arguments.agent),
                               .tenant = TokenTenantOf(arguments, tenant),
                               .plan = PlanId(arguments.plan)};
  TRY_ASSIGN(request.capabilities, TokenCapabilitiesOf(arguments));
  TRY_ASSIGN(request.constraints, TokenLimitsOf(arguments));
  TRY_ASSIGN(request.lifetime, SecondsOf("--ttl", arguments.lifetime));
  TRY_ASSIGN(request.proof, TokenProofOf(arguments));
  request.tier = arguments.tier;
  return request;
}

Result<policy::TokenDemand> TokenDemandOf(const Arguments& arguments) {
  policy::TokenDemand demand{.urls = arguments.urls};
  TRY_ASSIGN(demand.capabilities, TokenCapabilitiesOf(arguments));
  TRY_ASSIGN(demand.amount, TokenMoneyOf("--amount", arguments.amount));
  return demand;
}

Result<std::string> TokenOf(const Arguments& arguments) {
  if (arguments.token != "-") return arguments.token;
  TRY_ASSIGN(const std::string text, ReadActText("-"));
  return std::string(Trim(text));
}

}  // namespace falconer::app
