#include "policy/tokens/token_issuer.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/random.h"
#include "policy/tokens/compact_jws.h"

namespace falconer::policy {
namespace {

struct Granting {
  model::CapabilitySet granted;
  std::vector<DeniedCapability> denied;
};

Granting GrantOf(const TokenRequest& request, const TokenGrant& grant, ProofRule proof) {
  Granting out;
  for (const CapabilityRule& rule : AllCapabilityRules()) {
    if (!request.capabilities.Contains(rule.capability)) continue;
    const bool is_weak = proof == ProofRule::kAsked && !Satisfies(request.proof, rule.proof);
    if (!grant.capabilities.Contains(rule.capability)) {
      out.denied.push_back({rule.capability, "not_granted"});
    } else if (is_weak) {
      out.denied.push_back({rule.capability, std::string(RowOf(TokenFault::kProofTooWeak).reason)});
    } else {
      out.granted.Add(rule.capability);
    }
  }
  return out;
}

}  // namespace

TokenIssuer::TokenIssuer(TokenRules rules, std::string key_name, TokenKey key, const Clock& clock)
    : rules_(std::move(rules)),
      key_name_(std::move(key_name)),
      key_(std::move(key)),
      clock_(clock) {
}

Result<std::chrono::seconds> TokenIssuer::LifetimeOf(const TokenRequest& request,
                                                     model::CapabilitySet granted) const {
  const std::chrono::seconds longest = LongestLifetime(granted);
  if (!request.lifetime) return std::min(longest, kMutatingLifetime);
  if (*request.lifetime >= std::chrono::seconds(1) && *request.lifetime <= longest) {
    return *request.lifetime;
  }
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("lifetime: {} s is not between 1 s and the {} s that these capabilities"
                          " may live",
                          request.lifetime->count(), longest.count()));
}

Result<MadeToken> TokenIssuer::Issue(const TokenRequest& request, const TokenGrant& grant) const {
  if (request.agent.empty()) return Fail(ErrorCode::kInvalidArgument, "agent: must not be empty");
  if (request.capabilities.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "capabilities: must not be empty");
  }
  Granting granting = GrantOf(request, grant, rules_.proof);
  if (granting.granted.empty()) {
    return RefuseToken(TokenFault::kCapabilityMissing, "nothing of the request is granted");
  }
  TRY_ASSIGN(const std::chrono::seconds lifetime, LifetimeOf(request, granting.granted));
  const auto now = std::chrono::floor<std::chrono::seconds>(clock_.WallNow());
  MadeToken made{.key_name = key_name_, .denied = std::move(granting.denied)};
  made.claims = {.issuer = rules_.issuer,
                 .audience = {rules_.audience},
                 .agent = request.agent,
                 .tier = request.tier,
                 .tenant = request.tenant,
                 .token_id = RandomId(),
                 .plan = request.plan,
                 .issued = now,
                 .expires = now + lifetime,
                 .capabilities = granting.granted,
                 .proof = request.proof};
  TRY_ASSIGN(made.claims.constraints, Narrower(request.constraints, grant.constraints));
  const std::string payload = json::serialize(ToJson(made.claims));
  // Names that a verifier would not read must not leave either.
  TRY(ParseTokenClaims(payload, rules_.currency));
  made.token = SignCompactJws(payload, key_name_, key_);
  if (made.token.size() > kMaxTokenLength) return RefuseToken(TokenFault::kTooLong);
  return made;
}

}  // namespace falconer::policy
