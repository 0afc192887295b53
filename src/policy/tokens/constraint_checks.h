#pragma once
// Whether a demand stays within the constraints of a token.

#include "base/async/clock.h"
#include "policy/tokens/token_claims.h"
#include "policy/tokens/token_demand.h"

namespace falconer::policy {

// kConstraintViolated with the reason: domain_outside, amount_over, amount_unknown, currency_other,
// pii_refused, time_over, outside_window.
Result<void> CheckConstraints(const TokenClaims& claims, const TokenDemand& demand, WallTime now);

}  // namespace falconer::policy
