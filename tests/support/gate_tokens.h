#pragma once
// Real tokens for tests of gates: one key, records in memory.

#include <map>
#include <string>
#include <utility>

#include "policy/tokens/token_guard.h"
#include "policy/tokens/token_issuer.h"

namespace falconer::test {

// One key, which is always accepted.
class OneKey final : public policy::TokenKeySource {
 public:
  Result<policy::TokenKey> KeyNamed(std::string_view, WallTime) const override { return key; }
  policy::TokenKey key = policy::TokenKey::Generate(policy::TokenAlgorithm::kEdDsa);
};

// Remembers uses; revokes everything when it is told to, and fails when it is told to.
class MemoryTokenRecords final : public policy::TokenRecords {
 public:
  Task<Result<model::TokenStanding>> StandingOf(model::TokenName) override {
    CO_TRY(failure);
    co_return model::TokenStanding{.revoked = revoked, .reason = "", .at = {}};
  }
  Task<Result<model::UseOutcome>> Consume(model::TokenUse use) override {
    CO_TRY(failure);
    const auto [place, is_new] = uses.try_emplace(use.token_id + "/" + use.slot, use.use);
    if (is_new) co_return model::UseOutcome::kFirst;
    co_return place->second == use.use ? model::UseOutcome::kSame : model::UseOutcome::kReplayed;
  }

  Result<void> failure;
  model::Revocation revoked = model::Revocation::kNone;
  std::map<std::string, std::string> uses;
};

inline model::CapabilitySet EveryCapability() {
  model::CapabilitySet all;
  for (const auto& [capability, name] : model::kCapabilities) all.Add(capability);
  return all;
}

// A token of this key, good for the next few minutes.
inline std::string IssueToken(const policy::TokenVerifier& verifier, const OneKey& key,
                              const Clock& clock, const std::string& tenant,
                              const std::string& agent, const policy::TokenGrant& grant) {
  const policy::TokenIssuer issuer(verifier.rules(), "k1", key.key, clock);
  return issuer
      .Issue({.agent = AgentId(agent),
              .tenant = TenantId(tenant),
              .plan = {},
              .capabilities = grant.capabilities,
              .constraints = {},
              .lifetime = std::nullopt},
             grant)
      .value()
      .token;
}

}  // namespace falconer::test
