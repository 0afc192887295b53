#pragma once
// Tools for tests of what serves them.

#include <string>
#include <string_view>

#include "api/mcp/tool.h"
#include "base/async/alarm.h"

namespace falconer::test {

// Answers with its arguments, and tells of its progress once.
inline Task<api::ToolAnswer> Echo(CallContext, api::ToolCall call) {
  call.report("half way");
  co_return api::ToolAnswer{.text = json::serialize(call.arguments)};
}

// Ends only when it is cancelled, and says why.
inline Task<api::ToolAnswer> Hang(CallContext ctx, api::ToolCall) {
  Alarm never(ctx.executor(), ctx.clock());
  const auto ended = co_await ctx.Wait(&never, "hanging");
  co_return api::ToolAnswer{.text = std::string(ended.error().message()), .is_error = true};
}

inline api::Tool Named(std::string_view name,
                       Task<api::ToolAnswer> (*run)(CallContext, api::ToolCall)) {
  return {.info = {.name = std::string(name),
                   .title = std::string(name),
                   .description = "For tests.",
                   .group = "core",
                   .effect = agent::SideEffect::kRead,
                   .input_schema = {{"type", "object"}},
                   .timekeeper = agent::Timekeeper::kTool},
          .run = run};
}

}  // namespace falconer::test
