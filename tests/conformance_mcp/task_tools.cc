#include <string>

#include "base/async/alarm.h"
#include "tests/conformance_mcp/fixture_tools.h"
#include "tests/conformance_mcp/input_questions.h"

namespace falconer::test {
namespace {

using api::TaskUse;
using api::ToolAnswer;
using api::ToolCall;

// Long enough to become a task.
constexpr auto kLong = std::chrono::seconds(1);

// Work that takes so long; false when it is called off meanwhile.
Task<bool> WorkFor(CallContext ctx, Duration time) {
  Alarm never(ctx.executor(), ctx.clock());
  (void)co_await ctx.WithTimeout(time).Wait(&never, "working");
  co_return !ctx.cancel().is_cancelled();
}

Task<ToolAnswer> Greet(CallContext, ToolCall call) {
  co_return ToolAnswer{.text = "Hello, " + TextAt(call.arguments, "name") + "!"};
}

Task<ToolAnswer> SlowCompute(CallContext ctx, ToolCall call) {
  const json::value* seconds = call.arguments.if_contains("seconds");
  const auto time =
      std::chrono::seconds(seconds == nullptr ? 0 : seconds->to_number<std::int64_t>());
  if (!co_await WorkFor(std::move(ctx), time))
    co_return ToolAnswer{.text = "called off", .is_error = true};
  co_return ToolAnswer{.text = "computed " + TextAt(call.arguments, "label")};
}

Task<ToolAnswer> FailingJob(CallContext ctx, ToolCall) {
  co_await WorkFor(std::move(ctx), kLong);
  co_return ToolAnswer{.text = "the job failed", .is_error = true};
}

Task<ToolAnswer> BrokenJob(CallContext ctx, ToolCall) {
  co_await WorkFor(std::move(ctx), kLong);
  ToolAnswer answer;
  answer.refusal = api::MakeRpcFailure(api::kRpcInternalError, "the job broke");
  co_return answer;
}

ToolAnswer Questions(json::object requests) {
  ToolAnswer answer;
  answer.questions = api::InputQuestions{.requests = std::move(requests), .state = ""};
  return answer;
}

Task<ToolAnswer> ConfirmDelete(CallContext ctx, ToolCall call) {
  if (call.input.responses.contains("confirm"))
    co_return ToolAnswer{.text = "deleted " + TextAt(call.arguments, "filename")};
  co_await WorkFor(std::move(ctx), kLong);
  co_return Questions({{"confirm", FormRequest("Delete it?", "confirm", "boolean")}});
}

Task<ToolAnswer> MultiInput(CallContext ctx, ToolCall call) {
  if (call.input.responses.size() == 2)
    co_return ToolAnswer{.text = json::serialize(call.input.responses)};
  co_await WorkFor(std::move(ctx), kLong);
  co_return Questions({{"first", FormRequest("Who?", "name", "string")},
                       {"second", FormRequest("And who?", "name", "string")}});
}

// Asks at once, and works for long when it knows.
Task<ToolAnswer> AskThenWork(CallContext ctx, ToolCall call) {
  const json::value name = FilledIn(call.input.responses, "user_name", "name");
  if (!name.is_string())
    co_return Questions({{"user_name", FormRequest("What is your name?", "name", "string")}});
  co_await WorkFor(std::move(ctx), kLong);
  co_return ToolAnswer{.text = "worked for " + std::string(name.as_string())};
}

api::Tool TaskTool(std::string_view name, FixtureRun run, TaskUse use) {
  api::Tool tool = FixtureTool(name, run);
  tool.tasks = use;
  return tool;
}

}  // namespace

std::vector<api::Tool> TaskTools() {
  return {FixtureTool("greet", Greet),
          TaskTool("slow_compute", SlowCompute, TaskUse::kMay),
          TaskTool("failing_job", FailingJob, TaskUse::kMust),
          TaskTool("protocol_error_job", BrokenJob, TaskUse::kMay),
          TaskTool("confirm_delete", ConfirmDelete, TaskUse::kMay),
          TaskTool("multi_input", MultiInput, TaskUse::kMay),
          TaskTool("test_tool_with_task", AskThenWork, TaskUse::kMust)};
}

}  // namespace falconer::test
