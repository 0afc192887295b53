#include "agent/tools/dispatch_many.h"

#include <algorithm>
#include <utility>

#include "base/async/task_scope.h"

namespace falconer::agent {
namespace {

bool OnlyReads(const ToolBox& box, const ToolCall& call) {
  return std::ranges::any_of(box.Tools(), [&call](const ToolDescriptor* tool) {
    return tool->name == call.name && tool->effect == SideEffect::kRead;
  });
}

// Behind the reads that begin here, or behind one call of another kind.
std::size_t EndOfBatch(const ToolBox& box, const std::vector<ToolCall>& calls, std::size_t begin) {
  std::size_t end = begin;
  while (end < calls.size() && OnlyReads(box, calls[end])) ++end;
  return std::max(end, begin + 1);
}

Task<void> CallInto(CallContext ctx, ToolBox* box, ToolCall call, ToolResult* result) {
  *result = co_await box->Call(std::move(ctx), std::move(call));
}

}  // namespace

Task<std::vector<ToolResult>> DispatchMany(CallContext ctx, ToolBox* box,
                                           std::vector<ToolCall> calls) {
  std::vector<ToolResult> results(calls.size());
  for (std::size_t begin = 0; begin < calls.size();) {
    const std::size_t end = EndOfBatch(*box, calls, begin);
    TaskScope together(ctx.executor());
    for (std::size_t i = begin; i < end; ++i)
      together.Spawn("tool.call", CallInto(ctx, box, std::move(calls[i]), &results[i]));
    co_await together.Join();
    begin = end;
  }
  co_return results;
}

}  // namespace falconer::agent
