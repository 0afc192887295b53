#pragma once
// PolicyDecision: what a policy says about some facts, with everything that led to it.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/policy_facts.h"
#include "policy/rules/policy_document.h"
#include "policy/rules/rule.h"

namespace falconer::policy {

// A rule that holds, or that cannot be ruled out (`truth` unknown). Rules of the second kind deny
// and ask for approval like the others, and never allow.
struct MatchedRule {
  std::string name;
  Effect effect = Effect::kNone;
  Truth truth = Truth::kTrue;
  model::CapabilitySet capabilities;  // for which of those needed
  bool operator==(const MatchedRule&) const = default;
};

// All must hold for what follows.
struct Constraints {
  std::vector<model::Money> max_amounts;
  std::vector<std::vector<std::string>> domains;  // each list must cover the host
  bool pii_access = true;
  std::optional<std::chrono::milliseconds> time_limit;  // since the session began

  bool empty() const;
  // Why these facts are outside of it; nothing when they are inside. An amount that is not known,
  // or in another currency, is outside.
  std::optional<std::string> Violation(const model::PolicyFacts& facts) const;
  bool operator==(const Constraints&) const = default;
};

// Whoever counts refuses when `key` was seen `max` times within the period. Nothing is counted of
// what is denied.
struct RateDemand {
  std::string rule;
  std::int64_t max = 0;
  std::chrono::milliseconds period{0};
  std::string key;             // a JSON array of the rule and what it counts apart
  Truth truth = Truth::kTrue;  // of the rule
  bool operator==(const RateDemand&) const = default;
};

struct PolicyDecision {
  Effect outcome = Effect::kDeny;   // what happens; kNone never
  Effect would_be = Effect::kDeny;  // what it is when enforced; the same in enforce mode
  PolicyMode mode = PolicyMode::kEnforce;
  RuleSet set = RuleSet::kActions;                          // that was asked
  RuleSet used = RuleSet::kActions;                         // whose rules decided
  std::string rule;                                         // that decided; "" when none allows it
  std::string reason;                                       // for people
  model::Capability capability = model::Capability::kRead;  // the one it was decided by
  std::vector<MatchedRule> matched;                         // in the order of the policy
  std::optional<ApprovalTerms> approval;                    // with its message filled in
  Constraints constraints;
  std::vector<RateDemand> rate_limits;
  AuditTerms audit;
  std::string policy;
  std::string version;
  std::string digest;

  // Everything that has a value.
  json::object ToJson() const;
};

}  // namespace falconer::policy
