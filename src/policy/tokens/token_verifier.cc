#include "policy/tokens/token_verifier.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policy/tokens/compact_jws.h"
#include "policy/tokens/constraint_checks.h"

namespace falconer::policy {
namespace {

constexpr std::string_view kTokenType = "JWT";

std::string CapabilityText(model::CapabilitySet set) {
  return fmt::format("{}", fmt::join(model::CapabilityNames(set), ", "));
}

Result<void> CheckHolder(const VerifiedToken& token, const TokenDemand& demand) {
  if (!demand.tenant.empty() && demand.tenant != token.tenant) {
    return RefuseToken(TokenFault::kWrongTenant);
  }
  if (!demand.agent.empty() && demand.agent != token.claims.agent) {
    return RefuseToken(TokenFault::kWrongAgent);
  }
  return {};
}

Result<void> CheckProof(const TokenClaims& claims, model::CapabilitySet wanted) {
  for (const CapabilityRule& rule : AllCapabilityRules()) {
    if (!wanted.Contains(rule.capability) || Satisfies(claims.proof, rule.proof)) continue;
    return RefuseToken(TokenFault::kProofTooWeak,
                       fmt::format("{} needs {}", model::CapabilityName(rule.capability),
                                   NameIn(kTokenProofs, rule.proof)));
  }
  return {};
}

}  // namespace

Result<void> CheckTokenRules(const TokenRules& rules) {
  if (rules.issuer.empty() || rules.audience.empty()) {
    return Fail(ErrorCode::kInvalidSetting, "tokens: issuer and audience must not be empty");
  }
  if (rules.skew < std::chrono::seconds(0) || rules.skew > kMostSkew) {
    return Fail(ErrorCode::kInvalidSetting, "tokens: the skew must be from 0 to 60 seconds");
  }
  if (!model::IsCurrencyCode(rules.currency)) {
    return Fail(ErrorCode::kInvalidSetting, "tokens: a currency has three capital letters");
  }
  return {};
}

Result<void> CheckGrant(const VerifiedToken& token, const TokenDemand& demand, ProofRule proof) {
  TRY(CheckHolder(token, demand));
  const model::CapabilitySet missing = demand.capabilities - token.claims.capabilities;
  if (!missing.empty()) {
    return RefuseToken(TokenFault::kCapabilityMissing, "needs " + CapabilityText(missing));
  }
  return proof == ProofRule::kAsked ? CheckProof(token.claims, demand.capabilities)
                                    : Result<void>();
}

TokenVerifier::TokenVerifier(TokenRules rules, const TokenKeySource& keys, const Clock& clock)
    : rules_(std::move(rules)), keys_(keys), clock_(clock) {
}

Result<VerifiedToken> TokenVerifier::Verify(std::string_view token) const {
  const WallTime now = clock_.WallNow();
  TRY_ASSIGN(CompactJws jws, ParseCompactJws(token));
  if (jws.type != kTokenType) return RefuseToken(TokenFault::kWrongType);
  if (jws.key_name.empty()) return RefuseToken(TokenFault::kKeyNameMissing);
  TRY_ASSIGN(const TokenKey key, keys_.KeyNamed(jws.key_name, now));
  TRY(VerifyJws(jws, key));
  VerifiedToken verified{.claims = {}, .key_name = std::move(jws.key_name)};
  TRY_ASSIGN(verified.claims, ParseTokenClaims(jws.payload, rules_.currency));
  TRY(CheckParties(verified.claims));
  TRY(CheckTimes(verified.claims, now));
  const bool names_tenant = !verified.claims.tenant.empty();
  verified.tenant = names_tenant ? verified.claims.tenant : rules_.default_tenant;
  return verified;
}

Result<void> TokenVerifier::CheckParties(const TokenClaims& claims) const {
  if (claims.issuer != rules_.issuer) return RefuseToken(TokenFault::kWrongIssuer);
  const bool is_for_us =
      std::ranges::find(claims.audience, rules_.audience) != claims.audience.end();
  if (!is_for_us) return RefuseToken(TokenFault::kWrongAudience);
  return {};
}

Result<void> TokenVerifier::CheckTimes(const TokenClaims& claims, WallTime now) const {
  if (now >= claims.expires + rules_.skew) return RefuseToken(TokenFault::kExpired);
  const WallTime start = std::max(claims.issued, claims.not_before.value_or(claims.issued));
  if (now + rules_.skew < start) return RefuseToken(TokenFault::kNotYetValid);
  const std::chrono::seconds longest = LongestLifetime(claims.capabilities);
  if (claims.expires - claims.issued > longest) {
    return RefuseToken(TokenFault::kLivesTooLong, fmt::format("at most {} s", longest.count()));
  }
  return {};
}

Result<void> TokenVerifier::CheckUse(const VerifiedToken& token, const TokenDemand& demand) const {
  TRY(CheckGrant(token, demand, rules_.proof));
  return CheckConstraints(token.claims, demand, clock_.WallNow());
}

}  // namespace falconer::policy
