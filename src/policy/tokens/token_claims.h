#pragma once
// TokenClaims: what a token says. Read strictly: a claim of another type, a claim that is not known
// and a time that is not a whole number of seconds are refused.

#include <string>
#include <vector>

#include "base/async/clock.h"
#include "base/ids.h"
#include "model/action/capability.h"
#include "policy/tokens/capability_rules.h"
#include "policy/tokens/token_constraints.h"

namespace falconer::policy {

struct TokenClaims {
  std::string issuer;                    // iss
  std::vector<std::string> audience;     // aud: one text or several
  AgentId agent;                         // sub
  std::string tier;                      // tier: of the agent, for policies; "" when it has none
  TenantId tenant;                       // tenant; "" when the token names none
  std::string token_id;                  // jti
  PlanId plan;                           // plan_id; "" when the token names none
  WallTime issued;                       // iat
  WallTime expires;                      // exp
  std::optional<WallTime> not_before;    // nbf
  model::CapabilitySet capabilities;     // caps
  TokenProof proof = TokenProof::kNone;  // auth
  TokenConstraints constraints;
};

inline constexpr std::size_t kMaxClaimText = 256;  // in bytes

// Fails with a TokenFault's error. The message never repeats what the token says.
Result<TokenClaims> ParseTokenClaims(std::string_view payload,
                                     std::string_view default_currency = kDefaultCurrency);
json::object ToJson(const TokenClaims& claims);

// Whole seconds since 1970, as tokens have them.
std::int64_t ToTokenTime(WallTime time);

}  // namespace falconer::policy
