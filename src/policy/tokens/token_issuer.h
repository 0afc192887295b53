#pragma once
// TokenIssuer: makes tokens. It grants what a request asks for as far as the grant allows, says
// what it did not grant and why, and never makes a token that the verifier would refuse.

#include <optional>
#include <string>
#include <vector>

#include "policy/tokens/token_claims.h"
#include "policy/tokens/token_verifier.h"

namespace falconer::policy {

struct TokenRequest {
  AgentId agent;
  TenantId tenant;
  PlanId plan;
  model::CapabilitySet capabilities;
  TokenConstraints constraints;
  // How long it is to live; without it five minutes, or less where the capabilities ask for less.
  std::optional<std::chrono::seconds> lifetime;
  TokenProof proof = TokenProof::kNone;
  std::string tier = {};  // of the agent, for policies
};

// The most that whoever decides about tokens gives; what a request says can only narrow it.
struct TokenGrant {
  model::CapabilitySet capabilities;
  TokenConstraints constraints;
};

struct DeniedCapability {
  model::Capability capability;
  std::string reason;  // "not_granted", "proof_too_weak"
};

struct MadeToken {
  std::string token;
  std::string key_name;
  TokenClaims claims;
  std::vector<DeniedCapability> denied;
};

class TokenIssuer {
 public:
  // The clock must outlive this; the key MUST be one that can sign.
  TokenIssuer(TokenRules rules, std::string key_name, TokenKey key, const Clock& clock);

  // kInvalidArgument for a request that makes no sense (no agent, a lifetime that the granted
  // capabilities do not allow), kCapabilityMissing when nothing of it is granted.
  Result<MadeToken> Issue(const TokenRequest& request, const TokenGrant& grant) const;

 private:
  Result<std::chrono::seconds> LifetimeOf(const TokenRequest& request,
                                          model::CapabilitySet granted) const;

  TokenRules rules_;
  std::string key_name_;
  TokenKey key_;
  const Clock& clock_;
};

}  // namespace falconer::policy
