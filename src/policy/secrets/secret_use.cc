#include "policy/secrets/secret_use.h"

#include <algorithm>

namespace falconer::policy {
namespace {

std::unexpected<Error> RefuseUse(const Secret& secret, std::string_view reason,
                                 std::string_view why) {
  return Fail(Error(ErrorCode::kConstraintViolated,
                    "the secret " + secret.name + " " + std::string(why),
                    {{"secret_name", secret.name}, {"reason", reason}}));
}

constexpr std::string_view kQueryTypes[] = {"search", "url"};

}  // namespace

SecretPlace SecretPlaceOf(const model::ElementFacts& element) {
  const bool is_query = std::ranges::find(kQueryTypes, element.type) != std::end(kQueryTypes);
  return is_query || element.tag != "input" ? SecretPlace::kPublished : SecretPlace::kField;
}

Result<void> CheckSecretUse(const Secret& secret, const SecretDemand& demand, WallTime now) {
  if (!secret.IsAllowedOn(demand.host, demand.port)) {
    return Fail(Error(ErrorCode::kSecurityDomainBlock,
                      "the secret " + secret.name + " may not be used on " + demand.host.text,
                      {{"secret_name", secret.name}, {"host", demand.host.text}}));
  }
  if (!demand.is_encrypted && demand.host.address_class != AddressClass::kLoopback) {
    return Fail(Error(ErrorCode::kSecurityDomainBlock,
                      "the secret " + secret.name + " may not be used on a page without TLS",
                      {{"secret_name", secret.name}, {"host", demand.host.text}}));
  }
  const SecretTerms& terms = secret.terms;
  if (!terms.AllowsAgent(demand.agent)) {
    return RefuseUse(secret, "secret_agent", "is not for this agent");
  }
  if (!terms.AllowsPage(demand.path)) {
    return RefuseUse(secret, "secret_page", "is not for this page");
  }
  if (terms.is_revoked) return RefuseUse(secret, "secret_revoked", "was revoked");
  if (terms.IsExpired(now)) return RefuseUse(secret, "secret_expired", "has expired");
  // It would be tried against fields as often as one likes, without ever being used up.
  if (terms.uses == SecretUses::kOnce && demand.purpose == SecretPurpose::kComparing) {
    return RefuseUse(secret, "secret_single_use", "is for typing once, not for comparing");
  }
  return {};
}

Result<void> CheckFieldUse(const Secret& secret, std::string_view field, const SecretDemand& demand,
                           WallTime now) {
  TRY(CheckSecretUse(secret, demand, now));
  if (demand.place == SecretPlace::kPublished && IsSecretField(field)) {
    return RefuseUse(secret, "secret_place",
                     "is not for a place whose text is meant for others or for an address");
  }
  if (!secret.terms.IsUsed(field)) return {};
  return RefuseUse(secret, "secret_used", "was used, and is for one use");
}

}  // namespace falconer::policy
