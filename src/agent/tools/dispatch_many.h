#pragma once
// Several calls that were asked for together.

#include <vector>

#include "agent/tools/tool_box.h"

namespace falconer::agent {

// The results in the order of the calls. Reads that follow each other run together; everything else
// waits for what was asked for before it. The end of ctx ends all of it: what has not begun then is
// a result that says so. The box must outlive the call.
Task<std::vector<ToolResult>> DispatchMany(CallContext ctx, ToolBox* box,
                                           std::vector<ToolCall> calls);

}  // namespace falconer::agent
