#pragma once
// JobQueue: work that goes on after whoever sent it was answered. Everything about a job is in the
// store before anybody is told of it: what waits runs after a restart, what only reads is begun
// again, what acts is resumed or ends as unknown, and nothing is done twice by two processes. On
// one event loop.

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/jobs/callback_desk.h"
#include "agent/jobs/job_files.h"
#include "agent/jobs/job_type.h"
#include "base/async/alarm.h"
#include "base/async/notifier.h"
#include "base/async/task_scope.h"

namespace falconer::agent {

struct JobLimits {
  // Taken from the queue at once, and begun at once beside it.
  std::size_t at_once = 4;
  std::size_t begun_at_once = 64;
  std::size_t max_queued = 1000;
  // Of those that are over.
  std::chrono::milliseconds keep = std::chrono::hours(24);
  std::uint64_t keep_count = 10'000;
  std::uint64_t keep_bytes = 1ULL << 30U;
  // Of one job, restarts of the program included.
  int attempts = 3;
  // How long a process that is not heard of keeps its jobs.
  std::chrono::milliseconds lease = std::chrono::seconds(30);
  // How often it looks for what other processes did.
  std::chrono::milliseconds look_every = std::chrono::seconds(2);
  // Larger results go into files.
  std::size_t stored_bytes = std::size_t{64} << 10;
  std::size_t callbacks_at_once = 4;
};

// What a queue works with.
struct JobGround {
  // Must outlive the queue.
  store::JobStore* store = nullptr;
  TenantId tenant;
  // Where large results go; made when it is needed.
  std::filesystem::path folder;
  // Names this process, as no other is ever named.
  std::string owner;
  // Whether an owner is known to have ended; may be empty.
  std::function<bool(const std::string& owner)> has_ended = nullptr;
  // Null: nobody is called back.
  std::shared_ptr<const CallbackDesk> callbacks = nullptr;
};

// A job, and what it told on its way.
struct JobView {
  store::JobRecord job;
  std::vector<store::JobNewsRow> news;
};

// What somebody who follows a job knows already.
struct JobSeen {
  // The number of the last news; 0 for none.
  std::uint64_t after = 0;
  // Nothing for who knows nothing.
  std::optional<store::JobState> state = {};
};

class JobQueue {
 public:
  using JobWork = std::function<Task<Result<json::object>>(CallContext ctx, JobNews news)>;

  // The clock must outlive the queue.
  JobQueue(Executor executor, Clock& clock, JobLimits limits = {});
  ~JobQueue();
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  // From now on there are jobs of this type; before Start().
  void Offer(JobType type);
  // Begins to work. Until then, and after Stop(), everything fails with kToolUnavailable.
  void Start(JobGround ground);
  // Cancels what runs and waits for it. What only reads waits for the next start; what can be
  // resumed will be. Must be over before this object goes.
  Task<void> Stop(Error reason);

  // Takes a job. kInvalidArgument, kToolUnavailable for a type that nobody does now, kQueueFull
  // with retry_after_ms, kAlreadyExists for another job under the same key, or as the store fails:
  // then nothing was taken.
  Task<Result<store::JobRecord>> Submit(JobWish wish);
  // Begins a job at once that only this process can do; its input is only shown. One that is there
  // under the same key is answered, and nothing begun. kQueueFull when too many of those run.
  Task<Result<store::JobRecord>> Begin(JobWish wish, JobWork work);

  // kNotFound.
  Task<Result<JobView>> Look(std::string id);
  // Newest first.
  Task<Result<std::vector<store::JobRecord>>> List(store::JobFilter filter);
  // Waits until it is over, at most as long as ctx allows, and looks.
  Task<Result<JobView>> Await(CallContext ctx, std::string id);
  // The news that came since, and the job as it is; waits until there is some, or until its state
  // is another. kNotFound, or like ctx.
  Task<Result<JobView>> Follow(CallContext ctx, std::string id, JobSeen seen);
  // The result as JSON text; "" for a job that has none.
  Task<Result<std::string>> ResultOf(CallContext ctx, store::JobRecord job);

  // Ends one that waits at once, and asks one that runs to end. kNotFound.
  Task<Result<store::JobRecord>> Cancel(std::string id, std::string reason);
  // Cancels one that is not over, and forgets one that is. kNotFound.
  Task<Result<void>> Remove(std::string id);

 private:
  struct Running;
  // How a job came to run: from the queue, or at once.
  enum class Way : std::uint8_t { kTaken, kBegun };
  using RunningPtr = std::shared_ptr<Running>;

  static Task<void> Pump(JobQueue* self);
  Task<Result<void>> Round();
  Task<void> SweepFiles();
  Task<Result<void>> Beat();
  Task<Result<void>> FreeWhatEnded(std::vector<std::string> owners);
  Task<Result<void>> TakeJobs();
  Task<Result<void>> TakeCallbacks();
  Task<Result<void>> ForgetOld();
  static Task<void> CallBack(JobQueue* self, store::JobRecord job);

  // A job that was claimed: by its handler, or why it must not run.
  Result<const JobHandler*> HandlerOf(const store::ClaimedJob& claimed) const;
  static Task<void> RunClaimed(JobQueue* self, RunningPtr run, store::ClaimedJob claimed);
  static Task<void> RunBegun(JobQueue* self, RunningPtr run, JobWork work);
  Task<Result<json::object>> Handle(RunningPtr run, const JobHandler* handler);
  Task<void> Conclude(RunningPtr run, Result<json::object> result);
  Task<store::JobOutcome> OutcomeOf(RunningPtr run, Result<json::object> result);
  Task<Result<void>> Leave(RunningPtr run);
  Task<Result<void>> End(RunningPtr run, store::JobOutcome outcome);
  JobNews NewsOf(const RunningPtr& run);
  static Task<void> WriteNews(JobQueue* self, RunningPtr run);

  RunningPtr Track(const store::JobRecord& job, Way way);
  CallContext ContextOf(const Running& run) const;
  CallContext OwnContext() const;
  store::JobHold Hold() const;
  store::JobClaim ClaimOf() const;
  Result<void> CheckOpen() const;
  Result<const JobType*> TypeOf(const std::string& name) const;
  Result<store::JobRecord> RecordFor(const JobWish& wish) const;
  std::size_t running(Way way) const;
  void Changed();

  Executor executor_;
  Clock& clock_;
  JobLimits limits_;
  std::map<std::string, JobType, std::less<>> types_;
  std::optional<JobGround> ground_;
  std::optional<JobFiles> files_;
  bool is_stopping_ = false;
  CancelSource stopping_;
  std::map<std::string, RunningPtr> running_;
  std::size_t calling_back_ = 0;
  std::optional<WallTime> next_callback_;
  TimePoint next_forget_;
  Alarm wake_;
  std::uint64_t version_ = 0;
  Notifier changes_;
  TaskScope tasks_;
};

}  // namespace falconer::agent
