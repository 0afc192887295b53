#include "policy/tokens/constraint_checks.h"

#include <algorithm>
#include <span>

#include "model/url.h"
#include "policy/tokens/token_fault.h"

namespace falconer::policy {
namespace {

struct DefaultPort {
  std::string_view scheme;
  std::uint16_t port;
};

constexpr DefaultPort kDefaultPorts[] = {{"https", 443}, {"http", 80}, {"wss", 443}, {"ws", 80}};

struct TokenPlace {
  Host host;
  std::uint16_t port = 0;
};

// Nothing for what has no host, or one that readers disagree on.
std::optional<TokenPlace> PlaceOfUrl(std::string_view url) {
  const bool is_repaired = std::ranges::any_of(
      url, [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f' || c == '\\'; });
  const model::UrlParts parts = model::SplitUrl(url);
  const auto* const row = std::ranges::find(kDefaultPorts, parts.scheme, &DefaultPort::scheme);
  const bool is_web =
      row != std::end(kDefaultPorts) && url.substr(parts.scheme.size()).starts_with("://");
  if (is_repaired || !is_web) return std::nullopt;
  Result<Host> host = ParseHost(parts.host);
  if (!host) return std::nullopt;
  if (parts.port.empty()) return TokenPlace{*std::move(host), row->port};
  const std::optional<std::uint16_t> port = ParsePort(parts.port);
  if (!port) return std::nullopt;
  return TokenPlace{*std::move(host), *port};
}

// As everywhere: what is not public must be meant in person.
bool IsAllowed(std::span<const HostPattern> patterns, const TokenPlace& place) {
  return std::ranges::any_of(patterns, [&](const HostPattern& pattern) {
    const bool is_public = place.host.address_class == AddressClass::kPublic;
    return pattern.Matches(place.host, place.port) && (is_public || pattern.Names(place.host));
  });
}

Result<void> CheckTokenDomains(const TokenConstraints& constraints, const TokenDemand& demand) {
  if (!constraints.domains) return {};
  for (const std::string& url : demand.urls) {
    if (url.empty() || url == model::kBlankUrl) continue;
    const std::optional<TokenPlace> place = PlaceOfUrl(url);
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
