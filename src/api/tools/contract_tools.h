#pragma once
// Contracts and plans as a caller writes them.

#include <vector>

#include "api/tools/tool_context.h"

namespace falconer::api {

std::vector<ToolRow> ContractTools();

// A result as text within the budget: what is longest and on record anyway goes first, and a member
// "omitted" names it.
std::string FittedResult(json::object result, const AnswerBudget& budget = {});
// The same for the result of a plan: of its steps, that goes.
std::string FittedPlanResult(json::object result, std::size_t budget = kAnswerTokens);

}  // namespace falconer::api
