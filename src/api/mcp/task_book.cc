#include "api/mcp/task_book.h"

#include <utility>

#include "base/random.h"

namespace falconer::api {
namespace {

// What it says of its progress belongs to the call until that is answered, then to the task.
ReportProgress ReportOf(std::shared_ptr<McpTask> task, ReportProgress report) {
  return [task = std::move(task), report = std::move(report)](std::string message) {
    if (!task->is_known()) report(message);
    task->Report(std::move(message));
  };
}

SendLog LogOf(std::shared_ptr<McpTask> task, SendLog log) {
  return [task = std::move(task), log = std::move(log)](LogLevel level, json::value data) {
    if (!task->is_known()) log(level, std::move(data));
  };
}

ToolAnswer Unanswered(const Error& error) {
  return {.text = Describe(error), .is_error = true};
}

}  // namespace

TaskBook::TaskBook(Executor executor, Clock& clock, TaskLimits limits)
    : clock_(clock), limits_(limits), scope_(std::move(executor)) {
}

Task<RpcAnswer> TaskBook::Carry(CallContext ctx, std::shared_ptr<TaskBook> self, Run run,
                                ToolCall call) {
  const auto task = std::make_shared<McpTask>(RandomId(), self->clock_, self->limits_.times);
  call.report = ReportOf(task, std::move(call.report));
  call.log = LogOf(task, std::move(call.log));
  self->scope_.Spawn("mcp.task",
                     Work(ctx.WithCancel(task->token()), task, std::move(run), std::move(call)));
  (void)co_await task->UntilEnded(ctx.WithTimeout(self->limits_.after));
  const bool is_wanted = !task->has_ended() && ctx.StillWanted("the call").has_value();
  if (is_wanted && self->Keep(task)) co_return task->ToCreated();
  co_return co_await ToItsEnd(std::move(ctx), task);
}

Task<void> TaskBook::Work(CallContext ctx, TaskPtr task, Run run, ToolCall call) {
  while (true) {
    ToolAnswer answer = co_await run(ctx, call);
    // Who waits for the answer of the call is asked by that.
    if (!task->is_known() || !answer.questions) co_return task->End(std::move(answer));
    auto said = co_await task->Ask(ctx, std::move(answer.questions->requests));
    if (!said) co_return task->End(Unanswered(said.error()));
    call.input.responses = *std::move(said);
    call.input.state = std::move(answer.questions->state);
  }
}

Task<RpcAnswer> TaskBook::ToItsEnd(CallContext ctx, TaskPtr task) {
  if (const auto ended = co_await task->UntilEnded(ctx); !ended) {
    task->Cancel(ended.error());
    (void)co_await task->UntilEnded(CallContext(ctx.executor(), ctx.clock()));
  }
  if (task->answer().refusal) co_return std::unexpected(*task->answer().refusal);
  co_return task->answer().ToJson();
}

bool TaskBook::Keep(const TaskPtr& task) {
  DropExpired();
  if (tasks_.size() >= limits_.kept) return false;
  task->BecomeKnown();
  tasks_.emplace(task->id(), task);
  return true;
}

void TaskBook::DropExpired() {
  std::erase_if(tasks_, [now = clock_.Now()](const auto& entry) {
    if (entry.second->expires() > now) return false;
    entry.second->Cancel(Error(ErrorCode::kTimeout, "the task took longer than it may"));
    return true;
  });
}

std::size_t TaskBook::size() {
  DropExpired();
  return tasks_.size();
}

std::vector<McpMethod> TaskBook::Methods() {
  return {Method("tasks/get", &TaskBook::Get), Method("tasks/update", &TaskBook::Update),
          Method("tasks/cancel", &TaskBook::Cancel)};
}

McpMethod TaskBook::Method(std::string_view name, TaskAnswer answer) {
  return {.name = name,
          .only = McpEra::kModern,
          .answer = [this, answer](const RpcMessage& request, McpEra) {
            return Find(request, answer);
          }};
}

RpcAnswer TaskBook::Find(const RpcMessage& request, TaskAnswer answer) {
  if (!AbilitiesOf(request).tasks) return std::unexpected(MissingCapability(NeedsTasks()));
  DropExpired();
  const auto found = tasks_.find(TextAt(request.params, "taskId"));
  if (found == tasks_.end())
    return std::unexpected(MakeRpcFailure(kRpcInvalidParams, "taskId: there is no such task"));
  // A copy: it may go with what is done to it.
  const TaskPtr task = found->second;
  return (this->*answer)(*task, request);
}

RpcAnswer TaskBook::Get(McpTask& task, const RpcMessage&) {
  return task.ToDetails();
}

RpcAnswer TaskBook::Update(McpTask& task, const RpcMessage& request) {
  auto input = InputByAnswer(request);
  if (!input) return std::unexpected(std::move(input).error());
  task.Answer(input->responses);
  return json::object{};
}

RpcAnswer TaskBook::Cancel(McpTask& task, const RpcMessage&) {
  task.Cancel(Error(ErrorCode::kCancelled, "the client cancelled the task"));
  return json::object{};
}

Task<void> TaskBook::Stop(Error reason) {
  // A copy: what is cancelled may go at once.
  const auto tasks = tasks_;
  for (const auto& [id, task] : tasks) task->Cancel(reason);
  co_await scope_.Join();
}

}  // namespace falconer::api
