#pragma once
// Dispatcher: the one way in which tools are called, by whomever. Arguments are checked, a call has
// the time of its descriptor, what reads and failed with what may pass is called again, whatever
// goes wrong is a typed failure, and every call is a step on the trace.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "agent/tools/tool_descriptor.h"
#include "agent/tools/tool_result.h"
#include "agent/tools/tool_step.h"
#include "base/async/call_context.h"

namespace falconer::agent {

struct DispatchSetup {
  std::string run_id;
  // What the ids of its steps begin with; told apart where several dispatchers have the same run.
  std::string series = {};
  CallMode mode = CallMode::kExternal;
  // Must outlive the dispatcher; null for no trace.
  StepTrace* trace = nullptr;
};

// A call that is to be made.
struct Dispatch {
  // Does one try, within the time of its context. Failures are results.
  using Body = std::function<Task<ToolResult>(CallContext ctx, ToolCall call)>;

  const ToolDescriptor* tool = nullptr;  // must outlive the call
  ToolCall call;
  Body body;
};

class Dispatcher {
 public:
  explicit Dispatcher(DispatchSetup setup) : setup_(std::move(setup)) {}
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  // The dispatcher must outlive the call.
  Task<ToolResult> Run(CallContext ctx, Dispatch dispatch);
  // A call of a tool that there is not: kNotFound, with the name that was probably meant.
  ToolResult Unknown(const ToolCall& call, const std::vector<std::string>& known);

  const std::string& run_id() const { return setup_.run_id; }

 private:
  Task<ToolResult> Tried(CallContext ctx, const Dispatch* dispatch);
  void Note(const ToolCall& call, ToolResult& result, Duration took);

  DispatchSetup setup_;
  std::uint64_t steps_ = 0;
};

}  // namespace falconer::agent
