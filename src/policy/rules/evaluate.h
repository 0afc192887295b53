#pragma once
// Evaluating conditions, and saying why they came out so.

#include <string>
#include <vector>

#include "policy/rules/condition.h"
#include "policy/rules/fact_view.h"

namespace falconer::policy {

// Three-valued: not unknown is unknown; all is false as soon as one is; any is true as soon as one
// is.
Truth Evaluate(const Condition& condition, FactView& facts);

// One condition with the fact it saw.
struct ConditionTrace {
  std::string path;
  std::string asked;  // the question as JSON, or all, any, not, always
  std::string saw;    // the fact; "" for what only combines
  Truth truth = Truth::kFalse;
  std::vector<ConditionTrace> children;

  // {"path","asked","saw"?,"truth","children"?}
  json::object ToJson() const;
};

// The same, looking at every part.
ConditionTrace TraceOf(const Condition& condition, FactView& facts);

}  // namespace falconer::policy
