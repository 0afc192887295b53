#pragma once
// Reads one rule: {name, description?, when, then}.

#include "policy/rules/condition_reader.h"
#include "policy/rules/rule.h"

namespace falconer::policy {

// Fails with kInvalidArgument, naming place and path.
Result<Rule> ReadRule(const Spot& spot, const ConditionReader& conditions,
                      const ConditionDefaults& defaults);

// {level, notify} or only the level.
Result<AuditTerms> ReadAudit(const Spot& spot);

}  // namespace falconer::policy
