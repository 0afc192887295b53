#include "policy/tokens/token_guard.h"

#include "base/random.h"
#include "policy/tokens/token_fault.h"

namespace falconer::policy {
namespace {

constexpr std::string_view kWholeTokenSlot = "token";

struct RevocationFault {
  model::Revocation revoked;
  TokenFault fault;
};

constexpr RevocationFault kRevocationFaults[] = {
    {model::Revocation::kToken, TokenFault::kRevoked},
    {model::Revocation::kAgent, TokenFault::kAgentRevoked},
    {model::Revocation::kAll, TokenFault::kAllRevoked},
};

std::vector<std::string> SlotsOf(const TokenRules& rules, const TokenDemand& demand) {
  std::vector<std::string> slots;
  if (rules.replay == ReplayRule::kWholeToken) {
    slots.emplace_back(kWholeTokenSlot);
    return slots;
  }
  for (const std::string_view name : model::CapabilityNames(UsedOnce(demand.capabilities))) {
    slots.emplace_back(name);
  }
  return slots;
}

}  // namespace

TokenGuard::TokenGuard(const TokenVerifier& verifier, TokenRecords& records)
    : verifier_(verifier), records_(records) {
}

Task<Result<void>> TokenGuard::CheckStanding(const VerifiedToken* token) {
  model::TokenName name{.token_id = token->claims.token_id,
                        .tenant = token->tenant,
                        .agent = token->claims.agent,
                        .earliest_issue = token->claims.issued - verifier_.rules().skew};
  CO_TRY_ASSIGN(const model::TokenStanding standing, co_await records_.StandingOf(std::move(name)));
  for (const RevocationFault& row : kRevocationFaults) {
    if (row.revoked == standing.revoked) co_return RefuseToken(row.fault, standing.reason);
  }
  co_return Result<void>();
}

Task<Result<void>> TokenGuard::Use(const VerifiedToken* token, const TokenDemand* demand) {
  const std::string use = demand->use.empty() ? RandomId() : demand->use;
  for (std::string& slot : SlotsOf(verifier_.rules(), *demand)) {
    model::TokenUse record{.token_id = token->claims.token_id,
                           .slot = std::move(slot),
                           .use = use,
                           .expires = token->claims.expires + verifier_.rules().skew};
    CO_TRY_ASSIGN(const model::UseOutcome outcome, co_await records_.Consume(std::move(record)));
    if (outcome == model::UseOutcome::kReplayed) co_return RefuseToken(TokenFault::kReplayed);
  }
  co_return Result<void>();
}

Task<Result<VerifiedToken>> TokenGuard::Inspect(std::string token) {
  CO_TRY_ASSIGN(VerifiedToken verified, verifier_.Verify(token));
  CO_TRY(co_await CheckStanding(&verified));
  co_return verified;
}

Task<Result<VerifiedToken>> TokenGuard::Admit(std::string token, TokenDemand demand) {
  CO_TRY_ASSIGN(VerifiedToken verified, co_await Inspect(std::move(token)));
  CO_TRY(verifier_.CheckUse(verified, demand));
  CO_TRY(co_await Use(&verified, &demand));
  co_return verified;
}

}  // namespace falconer::policy
