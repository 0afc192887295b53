#pragma once
// Names and rules that whoever writes the records of a turn shares with whoever replays them.

#include <string_view>

#include "kernel/plan/plan_resolver.h"
#include "model/contract/contract.h"

namespace falconer::engine {

// The snapshot that the facts of the domain gate refer to.
inline constexpr std::string_view kDomainRules = "domain_rules";
// Those of the gates that ask a token and a policy.
inline constexpr std::string_view kTokenClaims = "token_claims";
inline constexpr std::string_view kPolicyText = "policy_text";
// The clock on the wall when the turn opened; recorded when the contract has a deadline.
inline constexpr std::string_view kTurnStart = "turn_start";

// What a contract asks of its plan.
inline kernel::ContractWishes WishesOf(const model::ActionContract& contract) {
  return {.turn_ms = contract.timeout.total.count(), .max_attempts = contract.retry.max_attempts};
}

}  // namespace falconer::engine
