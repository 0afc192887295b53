#pragma once
// Reads what a condition asks about one fact: the host or the text that it is, and what it must be
// among, contain or match.

#include <string>
#include <vector>

#include "policy/rules/condition.h"
#include "policy/rules/node_reader.h"

namespace falconer::policy {

// The condition that asks this at that place.
Condition Ask(const Spot& spot, Question question);

// All fail with kInvalidArgument, naming place and path.
Result<Condition> ReadHost(const Spot& spot, HostFact fact);
Result<Condition> ReadTextQuestion(const Spot& spot, TextFact fact);
// Patterns as in policy/host_pattern.h.
Result<std::vector<HostPattern>> ReadHostPatterns(const Spot& spot);

}  // namespace falconer::policy
