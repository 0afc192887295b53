#include "api/mcp/mcp_task.h"

#include <utility>

#include "base/units.h"

namespace falconer::api {

McpTask::McpTask(std::string id, Clock& clock, TaskTimes times)
    : id_(std::move(id)),
      clock_(clock),
      times_(times),
      expires_(clock.Now() + times.ttl),
      created_(clock.WallNow()),
      updated_(created_) {
}

void McpTask::Become(TaskStatus status) {
  status_ = status;
  updated_ = clock_.WallNow();
  changes_.NotifyAll();
}

void McpTask::Report(std::string message) {
  message_ = std::move(message);
  updated_ = clock_.WallNow();
}

Task<Result<json::object>> McpTask::Ask(CallContext ctx, json::object requests) {
  asked_ = std::move(requests);
  responses_.clear();
  Become(TaskStatus::kInputRequired);
  CO_TRY(co_await changes_.Until(
      std::move(ctx), [this] { return asked_.empty(); }, "the client's answers"));
  Become(TaskStatus::kWorking);
  co_return std::exchange(responses_, {});
}

void McpTask::Answer(const json::object& responses) {
  for (const auto& [name, response] : responses) {
    if (asked_.erase(name) > 0) responses_[name] = response;
  }
  updated_ = clock_.WallNow();
  changes_.NotifyAll();
}

void McpTask::End(ToolAnswer answer) {
  const bool is_refused = answer.refusal.has_value();
  answer_ = std::move(answer);
  asked_.clear();
  if (status_ == TaskStatus::kCancelled) {
    changes_.NotifyAll();
  } else {
    Become(is_refused ? TaskStatus::kFailed : TaskStatus::kCompleted);
  }
}

void McpTask::Cancel(Error reason) {
  if (has_ended() || status_ == TaskStatus::kCancelled) return;
  Become(TaskStatus::kCancelled);
  cancel_.Cancel(std::move(reason));
}

Task<Result<void>> McpTask::UntilEnded(CallContext ctx) {
  return changes_.Until(std::move(ctx), [this] { return has_ended(); }, "the tool");
}

json::object McpTask::Base() const {
  json::object object{{"taskId", std::string_view(id_)}, {"status", NameIn(kTaskStatuses, status_)},
                      {"createdAt", IsoTime(created_)},  {"lastUpdatedAt", IsoTime(updated_)},
                      {"ttlMs", times_.ttl.count()},     {"pollIntervalMs", times_.poll.count()}};
  if (!message_.empty()) object["statusMessage"] = std::string_view(message_);
  return object;
}

json::object McpTask::ToCreated() const {
  json::object object = Base();
  object["resultType"] = "task";
  return object;
}

json::object McpTask::ToDetails() const {
  json::object object = Base();
  if (status_ == TaskStatus::kInputRequired) object["inputRequests"] = asked_;
  if (status_ == TaskStatus::kCompleted) object["result"] = answer().ToJson();
  if (status_ == TaskStatus::kFailed) object["error"] = answer().refusal->ToJson();
  return object;
}

}  // namespace falconer::api
