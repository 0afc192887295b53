#pragma once
// TokenVerifier: whether a token is one of ours, is in force, and allows what is about to happen.
// The order of the checks is fixed: form and algorithm, signature, claims, issuer, audience, times;
// then (TokenGuard) records; then capability and constraints. Each refusal has a TokenFault.

#include <chrono>
#include <string>

#include "base/async/clock.h"
#include "policy/tokens/token_claims.h"
#include "policy/tokens/token_demand.h"
#include "policy/tokens/token_key.h"

namespace falconer::policy {

// Where keys come from.
class TokenKeySource {
 public:
  virtual ~TokenKeySource() = default;
  // The key that tokens of this name are checked with. kTokenInvalid (unknown_kid, key_retired), or
  // what kept it from looking.
  virtual Result<TokenKey> KeyNamed(std::string_view name, WallTime now) const = 0;
};

// Whether capabilities that ask for a proof of the person are refused without it.
enum class ProofRule : std::uint8_t { kNotAsked, kAsked };
// What of a token may be used once: what its capabilities say, or all of it.
enum class ReplayRule : std::uint8_t { kByCapability, kWholeToken };

struct TokenRules {
  std::string issuer = "abos-policy-authority";
  std::string audience = "abos-executor";
  // How far the issuer's clock may be from ours; at most kMostSkew.
  std::chrono::seconds skew{30};
  // Whose tokens are those that name no tenant.
  TenantId default_tenant;
  std::string currency{kDefaultCurrency};
  ProofRule proof = ProofRule::kNotAsked;
  ReplayRule replay = ReplayRule::kByCapability;
};

inline constexpr std::chrono::seconds kMostSkew{60};

// kInvalidSetting: an empty issuer or audience, a skew that is too large, no currency.
Result<void> CheckTokenRules(const TokenRules& rules);

struct VerifiedToken {
  TokenClaims claims;
  std::string key_name;
  TenantId tenant;
};

// Whether the token is of this tenant and agent, has every capability, and the person behind it
// proved what they ask for.
Result<void> CheckGrant(const VerifiedToken& token, const TokenDemand& demand, ProofRule proof);

class TokenVerifier {
 public:
  // The rules MUST pass CheckTokenRules; keys and clock must outlive this.
  TokenVerifier(TokenRules rules, const TokenKeySource& keys, const Clock& clock);

  // Everything that the token itself can show.
  Result<VerifiedToken> Verify(std::string_view token) const;
  // CheckGrant; then domains, amount, personal data, time.
  Result<void> CheckUse(const VerifiedToken& token, const TokenDemand& demand) const;

  // Whether the token's times hold at `now`, give or take the skew.
  Result<void> CheckTimes(const TokenClaims& claims, WallTime now) const;

  const TokenRules& rules() const { return rules_; }

 private:
  Result<void> CheckParties(const TokenClaims& claims) const;

  TokenRules rules_;
  const TokenKeySource& keys_;
  const Clock& clock_;
};

}  // namespace falconer::policy
