#pragma once
// Pictures and documents of pages.

#include <vector>

#include "api/tools/tool_context.h"

namespace falconer::api {

std::vector<ToolRow> CaptureTools();

}  // namespace falconer::api
