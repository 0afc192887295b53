#pragma once
// Tools that read a page from its picture.

#include <vector>

#include "api/tools/tool_context.h"

namespace falconer::api {

std::vector<ToolRow> GhostTools();

}  // namespace falconer::api
