#pragma once
// The record of what was done, and how the server is.

#include <vector>

#include "api/tools/tool_context.h"

namespace falconer::api {

std::vector<ToolRow> AuditTools();

}  // namespace falconer::api
