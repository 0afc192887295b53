#include "agent/tools/dispatcher.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/suggest.h"

namespace falconer::agent {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

ToolResult FailedWith(Error error) {
  return ToolResult::Failed(ToolFailure::Of(std::move(error)));
}

// What a tool says in its answer for programs when it did not succeed, although it calls that a
// success.
bool SaysItFailed(const json::object& answer) {
  if (IsTrueAt(answer, "isError")) return true;
  const json::value* ok = answer.if_contains("ok");
  if (ok != nullptr && ok->is_bool() && !ok->get_bool()) return true;
  const json::value* error = answer.if_contains("error");
  if (error == nullptr) return false;
  return (error->is_string() && !error->get_string().empty()) ||
         (error->is_object() && !error->get_object().empty());
}

void TakeAtItsWord(ToolResult& result, const std::string& tool) {
  if (!result.ok() || !result.structured || !SaysItFailed(*result.structured)) return;
  result.failure = ToolFailure::Of(
      Error(ErrorCode::kExecutionError, fmt::format("{} answered with an error", tool)));
}

// A call that used up its own time, and not that of its caller, says whose it was.
void NameTimeout(ToolResult& result, const CallContext& caller, const CallContext& own,
                 const ToolDescriptor& tool) {
  if (result.ok() || result.failure->kind() != ToolErrorKind::kTimeout) return;
  if (own.StillWanted(tool.name) || !caller.StillWanted(tool.name)) return;
  ToolFailure cut =
      ToolFailure::Of(Error(ErrorCode::kToolTimeout, fmt::format("{} took longer than {} ms",
                                                                 tool.name, tool.timeout.count())));
  // Nobody knows what a write that was cut off has done.
  cut.is_retriable = tool.effect == SideEffect::kRead;
  ToolResult named = ToolResult::Failed(std::move(cut));
  result.text = std::move(named.text);
  result.page_at.reset();
  result.failure = std::move(named.failure);
}

// How long to wait before the same is tried again; nothing when it is not.
std::optional<milliseconds> PauseBefore(const ToolResult& result, const ToolDescriptor& tool,
                                        const CallContext& ctx, int tries) {
  const bool may_repeat = tool.effect == SideEffect::kRead && tries <= tool.retry.retries;
  if (!may_repeat || result.ok() || !result.failure->is_retriable) return std::nullopt;
  const milliseconds pause =
      std::max(tool.retry.pause, result.failure->retry_after.value_or(milliseconds::zero()));
  // Who is told to come back too late need not wait for that.
  if (pause >= ctx.TimeLeft()) return std::nullopt;
  return pause;
}

// Fails when the call ends meanwhile.
Task<Result<void>> Pause(CallContext ctx, milliseconds pause) {
  Alarm alarm(ctx.executor(), ctx.clock());
  static_cast<void>(co_await ctx.WithTimeout(pause).Wait(&alarm, "the next try"));
  co_return ctx.StillWanted("the next try");
}

void FlagDenial(ToolResult& result) {
  if (result.ok() || result.failure->kind() != ToolErrorKind::kPolicyDenied) return;
  const std::string flag(result.failure->error.name());
  if (std::ranges::find(result.policy_flags, flag) == result.policy_flags.end())
    result.policy_flags.push_back(flag);
}

}  // namespace

Task<ToolResult> Dispatcher::Run(CallContext ctx, Dispatch dispatch) {
  const TimePoint began = ctx.clock().Now();
  ToolResult result;
  if (const auto wanted = ctx.StillWanted(dispatch.tool->name); !wanted) {
    result = FailedWith(wanted.error());
  } else if (const auto checked =
                 CheckArguments(dispatch.tool->checked_schema(), dispatch.call.arguments);
             !checked) {
    result = FailedWith(checked.error());
  } else {
    result = co_await Tried(ctx, &dispatch);
  }
  Note(dispatch.call, result, ctx.clock().Now() - began);
  co_return result;
}

Task<ToolResult> Dispatcher::Tried(CallContext ctx, const Dispatch* dispatch) {
  const ToolDescriptor& tool = *dispatch->tool;
  const bool keeps_time = tool.timekeeper == Timekeeper::kDispatcher;
  const CallContext own = keeps_time ? ctx.WithTimeout(tool.timeout) : ctx;
  for (int tries = 1;; ++tries) {
    ToolResult result = co_await dispatch->body(own, dispatch->call);
    result.tries = tries;
    TakeAtItsWord(result, tool.name);
    NameTimeout(result, ctx, own, tool);
    const auto pause = PauseBefore(result, tool, own, tries);
    if (!pause) co_return result;
    if (!co_await Pause(own, *pause)) co_return result;
  }
}

void Dispatcher::Note(const ToolCall& call, ToolResult& result, Duration took) {
  result.took = took;
  result.step_id = fmt::format("{}s{}", setup_.series, ++steps_);
  FlagDenial(result);
  if (setup_.trace == nullptr) return;
  setup_.trace->Note({.run_id = setup_.run_id,
                      .step_id = result.step_id,
                      .tool_name = call.name,
                      .args_hash = ArgsHash(call.arguments),
                      .duration = duration_cast<milliseconds>(took),
                      .error_code = std::string(result.error_code()),
                      .error = result.ok() ? "" : std::string(result.failure->error.name()),
                      .tries = result.tries,
                      .artifacts = result.artifacts,
                      .policy_flags = result.policy_flags,
                      .render_mode = result.render_mode,
                      .mode = setup_.mode});
}

ToolResult Dispatcher::Unknown(const ToolCall& call, const std::vector<std::string>& known) {
  const auto meant = Closest(call.name, known);
  ToolResult result =
      FailedWith(Error(ErrorCode::kNotFound,
                       fmt::format("there is no tool \"{}\"{}", call.name,
                                   meant ? fmt::format("; did you mean \"{}\"?", *meant) : "")));
  Note(call, result, Duration::zero());
  return result;
}

}  // namespace falconer::agent
