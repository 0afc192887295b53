#include "policy/tokens/constraint_checks.h"

#include <algorithm>
#include <span>

#include "model/url.h"
#include "policy/tokens/token_fault.h"
#include "policy/web_place.h"

namespace falconer::policy {
namespace {

// As everywhere: what is not public must be meant in person.
bool IsAllowed(std::span<const HostPattern> patterns, const WebPlace& place) {
  return std::ranges::any_of(patterns, [&](const HostPattern& pattern) {
    const bool is_public = place.host.address_class == AddressClass::kPublic;
    return pattern.Matches(place.host, place.port) && (is_public || pattern.Names(place.host));
  });
}

Result<void> CheckTokenDomains(const TokenConstraints& constraints, const TokenDemand& demand) {
  if (!constraints.domains) return {};
  for (const std::string& url : demand.urls) {
    if (url.empty() || url == model::kBlankUrl) continue;
    const std::optional<WebPlace> place = WebPlaceOf(url);
    if (!place) return RefuseToken(TokenFault::kDomainOutside, "the address has no clear host");
    if (!IsAllowed(*constraints.domains, *place)) {
      return RefuseToken(TokenFault::kDomainOutside, place->host.text);
    }
  }
  return {};
}

// An amount that cannot be told is not a small one.
Result<void> CheckTokenAmount(const TokenConstraints& constraints, const TokenDemand& demand) {
  if (!constraints.max_purchase) return {};
  if (!demand.amount) {
    const bool spends = demand.capabilities.Contains(model::Capability::kPurchase);
    if (spends) return RefuseToken(TokenFault::kAmountUnknown);
    return {};
  }
  if (demand.amount->currency != constraints.max_purchase->currency) {
    return RefuseToken(TokenFault::kCurrencyOther);
  }
  if (demand.amount->ten_thousandths < 0) return RefuseToken(TokenFault::kAmountUnknown);
  if (demand.amount->ten_thousandths > constraints.max_purchase->ten_thousandths) {
    return RefuseToken(TokenFault::kAmountOver, demand.amount->ToText());
  }
  return {};
}

Result<void> CheckTokenPii(const TokenClaims& claims, const TokenDemand& demand) {
  if (!demand.touches_pii) return {};
  const bool may =
      claims.constraints.pii_access.value_or(claims.capabilities.Contains(model::Capability::kPii));
  if (!may) return RefuseToken(TokenFault::kPiiRefused);
  return {};
}

Result<void> CheckTokenHours(const TokenClaims& claims, WallTime now) {
  const TokenConstraints& constraints = claims.constraints;
  if (constraints.time_limit && now >= claims.issued + *constraints.time_limit) {
    return RefuseToken(TokenFault::kTimeOver);
  }
  const bool is_inside = std::ranges::all_of(
      constraints.time_windows, [now](const TokenWindow& window) { return window.Contains(now); });
  if (!is_inside) return RefuseToken(TokenFault::kOutsideWindow);
  return {};
}

}  // namespace

Result<void> CheckConstraints(const TokenClaims& claims, const TokenDemand& demand, WallTime now) {
  TRY(CheckTokenDomains(claims.constraints, demand));
  TRY(CheckTokenAmount(claims.constraints, demand));
  TRY(CheckTokenPii(claims, demand));
  return CheckTokenHours(claims, now);
}

}  // namespace falconer::policy
