#pragma once
// McpTask: a call of a tool that is carried on after it was answered (the extension
// io.modelcontextprotocol/tasks). Its client looks after it by its id: what it has come to, what it
// wants to know, and how it ended.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "api/mcp/tool.h"
#include "base/async/cancel.h"
#include "base/async/notifier.h"

namespace falconer::api {

enum class TaskStatus : std::uint8_t { kWorking, kInputRequired, kCompleted, kFailed, kCancelled };

inline constexpr EnumName<TaskStatus> kTaskStatuses[] = {
    {TaskStatus::kWorking, "working"},     {TaskStatus::kInputRequired, "input_required"},
    {TaskStatus::kCompleted, "completed"}, {TaskStatus::kFailed, "failed"},
    {TaskStatus::kCancelled, "cancelled"},
};

struct TaskTimes {
  std::chrono::milliseconds ttl;   // how long it is kept, from its beginning
  std::chrono::milliseconds poll;  // how often it is worth looking
};

class McpTask {
 public:
  // The clock must outlive it.
  McpTask(std::string id, Clock& clock, TaskTimes times);
  McpTask(const McpTask&) = delete;
  McpTask& operator=(const McpTask&) = delete;

  // From now on its client knows it.
  void BecomeKnown() { is_known_ = true; }
  void Report(std::string message);
  // Puts questions, and waits until each of them has been answered; then gives the answers.
  Task<Result<json::object>> Ask(CallContext ctx, json::object requests);
  // Answers of the client, by the names of the questions; others are ignored.
  void Answer(const json::object& responses);
  // The tool has ended.
  void End(ToolAnswer answer);
  // Nobody wants it any more. Does nothing once it has ended.
  void Cancel(Error reason);
  // Waits until the tool has ended.
  Task<Result<void>> UntilEnded(CallContext ctx);

  const std::string& id() const { return id_; }
  TaskStatus status() const { return status_; }
  bool is_known() const { return is_known_; }
  bool has_ended() const { return answer_.has_value(); }
  // Of the tool; only once it has ended.
  const ToolAnswer& answer() const { return *answer_; }
  CancelToken token() const { return cancel_.token(); }
  // When it need not be kept any more.
  TimePoint expires() const { return expires_; }

  // As the answer of the call that began it.
  json::object ToCreated() const;
  // As it is looked at.
  json::object ToDetails() const;

 private:
  void Become(TaskStatus status);
  json::object Base() const;

  std::string id_;
  Clock& clock_;
  TaskTimes times_;
  TimePoint expires_;
  std::chrono::system_clock::time_point created_;
  std::chrono::system_clock::time_point updated_;
  TaskStatus status_ = TaskStatus::kWorking;
  bool is_known_ = false;
  std::string message_;
  json::object asked_;      // not answered yet
  json::object responses_;  // to what was asked together
  std::optional<ToolAnswer> answer_;
  CancelSource cancel_;
  Notifier changes_;
};

}  // namespace falconer::api
