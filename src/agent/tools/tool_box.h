#pragma once
// ToolBox: the tools of one caller. The agent's loop knows nothing else of tools.

#include <string_view>
#include <vector>

#include "agent/providers/chat_request.h"
#include "agent/tools/tool_descriptor.h"
#include "agent/tools/tool_result.h"
#include "base/async/call_context.h"

namespace falconer::agent {

class ToolBox {
 public:
  virtual ~ToolBox() = default;

  // In the order in which they are offered. Valid as long as the box.
  virtual std::vector<const ToolDescriptor*> Tools() const = 0;
  // Checks the arguments, calls within the tool's time, calls again what reads and failed with what
  // may pass, and puts the step on the trace. Whatever goes wrong is a result, an unknown name and
  // the end of ctx included. The box must outlive the call.
  virtual Task<ToolResult> Call(CallContext ctx, ToolCall call) = 0;
};

}  // namespace falconer::agent
