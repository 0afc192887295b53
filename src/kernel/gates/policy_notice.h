#pragma once
// PolicyNotice: what `audit.notify` of a policy's rules is for. Whoever is named hears of a
// decision by a line of the log, policy.notify, which names him.

#include <string>

#include "model/policy_facts.h"
#include "policy/rules/rule.h"

namespace falconer::kernel {

struct PolicyNotice {
  const policy::AuditTerms& audit;
  const model::PolicyFacts& facts;
  std::string_view effect;    // what was decided
  std::string_view rule;      // "" when none decided
  std::string_view decision;  // the id it is on record under, where there is one already

  // Nothing when nobody is named.
  void Tell() const;
};

// {"level", "notify"?} as it goes on record; empty where the policy says nothing special.
json::object AuditOnRecord(const policy::AuditTerms& audit);

}  // namespace falconer::kernel
