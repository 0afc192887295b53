#pragma once
// Tools that act by what was learnt: predictions, learned workflows, recordings, instructions.

#include <vector>

#include "api/tools/tool_context.h"

namespace falconer::api {

std::vector<ToolRow> PredictTools();

}  // namespace falconer::api
