#pragma once
// Looking at a page: what is on it, what comes, what a script finds.

#include <vector>

#include "api/tools/tool_context.h"

namespace falconer::api {

std::vector<ToolRow> PageTools();

}  // namespace falconer::api
