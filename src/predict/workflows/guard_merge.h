#pragma once
// Guards of two recordings of one step.

#include <string>

#include "predict/workflows/workflow_differences.h"

namespace falconer::predict {

// The page that the contract's guards say its action leads to, as a glob; "" when they say none.
std::string LeadsToOf(const json::object& contract);

// Whether its guards are those that were derived for it, rather than written by anybody.
bool IsDerived(const json::object& contract);

// Leaves those of the contract's guards that the other one has, too, but for what is known to
// differ.
void MergeGuards(json::object& contract, const json::object& other,
                 const WorkflowDifferences& differences);

}  // namespace falconer::predict
