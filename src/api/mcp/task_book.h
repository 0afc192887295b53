#pragma once
// TaskBook: the calls of one client that are carried on as tasks. A call that takes long becomes
// one when its client knows tasks; what ends soon, or asks something at once, is answered as ever.
// Tasks live as long as the client's session, and at most as long as they say.

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api/mcp/mcp_task.h"
#include "base/async/task_scope.h"

namespace falconer::api {

struct TaskLimits {
  // How long a call may take before it becomes a task.
  Duration after = std::chrono::milliseconds(500);
  TaskTimes times = {.ttl = std::chrono::hours(1), .poll = std::chrono::milliseconds(500)};
  // When so many are kept, further calls are answered when they are done.
  std::size_t kept = 256;
};

class TaskBook {
 public:
  using Run = std::function<Task<ToolAnswer>(CallContext ctx, ToolCall call)>;

  // The clock must outlive the book.
  TaskBook(Executor executor, Clock& clock, TaskLimits limits = {});
  TaskBook(const TaskBook&) = delete;
  TaskBook& operator=(const TaskBook&) = delete;

  // Runs a tool: gives its answer, or the task that it has become.
  static Task<RpcAnswer> Carry(CallContext ctx, std::shared_ptr<TaskBook> self, Run run,
                               ToolCall call);
  // Get, update, cancel. The book must outlive them.
  std::vector<McpMethod> Methods();
  // Cancels all and waits until they have ended.
  Task<void> Stop(Error reason);

  // Tasks that somebody may still look at.
  std::size_t size();

 private:
  using TaskPtr = std::shared_ptr<McpTask>;
  using TaskAnswer = RpcAnswer (TaskBook::*)(McpTask& task, const RpcMessage& request);

  static Task<void> Work(CallContext ctx, TaskPtr task, Run run, ToolCall call);
  static Task<RpcAnswer> ToItsEnd(CallContext ctx, TaskPtr task);
  bool Keep(const TaskPtr& task);
  void DropExpired();
  McpMethod Method(std::string_view name, TaskAnswer answer);
  RpcAnswer Find(const RpcMessage& request, TaskAnswer answer);
  RpcAnswer Get(McpTask& task, const RpcMessage& request);
  RpcAnswer Update(McpTask& task, const RpcMessage& request);
  RpcAnswer Cancel(McpTask& task, const RpcMessage& request);

  Clock& clock_;
  TaskLimits limits_;
  std::map<std::string, TaskPtr> tasks_;
  TaskScope scope_;
};

}  // namespace falconer::api
