#pragma once
// The mouse: click, hover, drag.

#include <vector>

#include "api/tools/tool_context.h"

namespace falconer::api {

std::vector<ToolRow> PointerTools();

}  // namespace falconer::api
