#pragma once
// TokenConstraints: the limits within which a token's capabilities hold.
//
//   {"domains": ["shop.example", "*.shop.example"], "max_purchase": {"amount": "150",
//    "currency": "EUR"}, "pii_access": false, "time_limit": 120, "time_windows": [...]}
//
// What is not there does not limit; null is not "not there" but an error, and so is a member that
// is not known: it may be a limit.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "policy/host_pattern.h"
#include "policy/tokens/token_amount.h"
#include "policy/tokens/token_window.h"

namespace falconer::policy {

struct TokenConstraints {
  // An empty list allows no host at all.
  std::optional<std::vector<HostPattern>> domains;
  std::optional<model::Money> max_purchase;
  std::optional<bool> pii_access;
  // After the token was issued.
  std::optional<std::chrono::seconds> time_limit;
  // All of them must hold.
  std::vector<TokenWindow> time_windows;
};

// A plain number as max_purchase is in this currency.
inline constexpr std::string_view kDefaultCurrency = "USD";

// kInvalidArgument naming the member.
Result<TokenConstraints> ParseTokenConstraints(
    const json::value& value, std::string_view default_currency = kDefaultCurrency);
json::object ToJson(const TokenConstraints& constraints);

// What both allow: of each limit the narrower one. kConstraintViolated when two amounts cannot be
// compared because their currencies differ.
Result<TokenConstraints> Narrower(const TokenConstraints& one, const TokenConstraints& other);

}  // namespace falconer::policy
