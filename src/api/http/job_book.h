#pragma once
// JobBook: actions and plans that go on after whoever sent them was answered. What became of them
// is kept for a while; the ledger keeps it for good. On the server's event loop.

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "api/tools/pending_approvals.h"
#include "base/async/cancel.h"
#include "base/async/notifier.h"
#include "base/async/task_scope.h"
#include "base/json/json.h"

namespace falconer::api {

struct JobLimits {
  std::size_t at_once = 64;
  // Of those that are over. The results of the newest are kept, as many as there is room for.
  std::size_t kept = 1024;
  std::size_t kept_bytes = 256UZ << 20U;
  Duration keep = std::chrono::hours(1);
};

class JobBook {
 public:
  // Tells how far it is.
  using JobNews = std::function<void(json::object news)>;
  using JobWork = std::function<Task<Result<json::object>>(CallContext ctx, JobNews news)>;

  // `approvals` must outlive the book.
  JobBook(Executor executor, Clock& clock, const PendingApprovals& approvals,
          JobLimits limits = {});
  JobBook(const JobBook&) = delete;
  JobBook& operator=(const JobBook&) = delete;

  // Begins it and gives its id. kQueueFull when too many run, kToolUnavailable after Stop().
  Result<std::string> Begin(std::string kind, JobWork work);
  // {"job", "kind", "status": "running" | "ended" | "failed", "began_at", "ended_at"?, "waits_for":
  // [approvals], "news": [...], "result"? , "problem"?}. kNotFound.
  Result<json::object> Look(std::string_view id) const;
  std::vector<json::object> List() const;
  // Waits until it is over, at most as long as ctx allows, and looks.
  Task<Result<json::object>> Await(CallContext ctx, std::string id);
  // Ends one that runs, which stays to be looked at, and forgets one that is over. kNotFound.
  Result<void> Remove(std::string_view id);
  // Cancels all and waits until they are over. Must be over before this object goes.
  Task<void> Stop(Error reason);

 private:
  struct Job;
  using JobPtr = std::shared_ptr<Job>;

  static Task<void> Run(JobBook* self, CallContext ctx, JobWork work, JobPtr job);
  Result<JobPtr> Find(std::string_view id) const;
  json::object Tell(const Job& job) const;
  std::size_t running() const;
  void ForgetOld();

  Executor executor_;
  Clock& clock_;
  const PendingApprovals& approvals_;
  JobLimits limits_;
  bool is_stopping_ = false;
  // In the order in which they began.
  std::map<std::string, JobPtr, std::less<>> jobs_;
  Notifier ended_;
  TaskScope tasks_;
};

}  // namespace falconer::api
