#pragma once
// JobStore: the durable queue of jobs. Shared by all processes that use the file: only one of them
// runs a job at a time, by a lease that it must keep up, and what one that is gone had is taken by
// another. Each claim has an epoch of its own; who comes with an old one changes nothing. Calls
// behave as those of ControlStore; what they write survives a power loss, but for news and beats.

#include <vector>

#include "base/async/task.h"
#include "store/job_record.h"

namespace falconer::store {

// Who runs a job from the start.
struct JobHold {
  std::string owner;
  std::chrono::milliseconds ttl{0};
};

struct NewJob {
  // State, times and epoch are the store's.
  JobRecord job;
  std::size_t max_queued = 1000;
  // Set: it does not wait, and is of its owner at once.
  std::optional<JobHold> hold = std::nullopt;
};

struct PutJobAnswer {
  JobRecord job;
  // False for one that was sent before, with the same key.
  bool is_new = true;
};

struct JobClaim {
  TenantId tenant;
  std::vector<std::string> types;
  JobHold hold;
};

struct ClaimedJob {
  JobRecord job;
  // Somebody had begun it before, and was not heard of any more.
  bool was_running = false;
};

// A job that runs, as its owner knows it.
struct HeldJob {
  std::string id;
  std::uint64_t epoch = 0;
  std::string cancel_reason = {};
};

struct JobEnd {
  std::string id;
  std::uint64_t epoch = 0;
  JobOutcome outcome;
};

// How one that was not finished is left.
enum class JobLeft : std::uint8_t {
  kQueued,   // to be begun again, as if it never was
  kRunning,  // to be taken over as begun
};

struct JobRelease {
  std::string id;
  std::uint64_t epoch = 0;
  JobLeft left = JobLeft::kQueued;
};

struct JobName {
  TenantId tenant;
  std::string id;
};

struct JobCancel {
  JobName job;
  std::string reason;
};

struct JobFilter {
  TenantId tenant;  // "" for all
  std::optional<JobState> state = std::nullopt;
  std::string type = {};      // "" for all
  std::string workflow = {};  // "" for all
  std::string before = {};    // only older ones than this id; "" for all
  std::size_t limit = 50;
};

// What is kept of those that are over.
struct JobKeep {
  TenantId tenant;
  std::chrono::milliseconds age{0};
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
};

struct NewsNote {
  std::string id;
  std::uint64_t epoch = 0;
  json::object news;
};

struct NewsQuery {
  std::string id;
  std::uint64_t after = 0;
  std::size_t limit = 256;
};

// What there is to do.
struct JobOutlook {
  // Can be claimed now.
  std::uint64_t claimable = 0;
  std::uint64_t queued = 0;
  // Of jobs that run.
  std::vector<std::string> owners;
  // Of the callback that is due first; nothing when none waits.
  std::optional<WallTime> next_callback;
};

struct CallbackNote {
  std::string id;
  CallbackTry tried;
  // kWaiting with the time of the next try, kDelivered or kFailed.
  CallbackState state = CallbackState::kWaiting;
  WallTime next = {};
};

class JobStore {
 public:
  virtual ~JobStore() = default;

  // Takes it. A job of the same tenant and key that is there is answered instead; kAlreadyExists
  // when that one has another type or input. kQueueFull with retry_after_ms when too many wait.
  virtual Task<Result<PutJobAnswer>> PutJob(NewJob job) = 0;
  // The oldest that waits, or that another one holds no longer; nothing when there is none.
  virtual Task<Result<std::optional<ClaimedJob>>> ClaimJob(JobClaim claim) = 0;
  // Keeps up the leases of an owner. Answers what is still his.
  virtual Task<Result<std::vector<HeldJob>>> BeatJobs(JobHold hold) = 0;
  // What an owner that has ended held can be claimed at once.
  virtual Task<Result<void>> FreeJobsOf(std::string owner) = 0;
  // kStaleEpoch when it is no longer the caller's.
  virtual Task<Result<JobRecord>> EndJob(JobEnd end) = 0;
  virtual Task<Result<void>> ReleaseJob(JobRelease release) = 0;
  // Ends one that waits, or that nobody holds; one that runs is asked to end, which its owner does.
  // One that is over stays as it is. kNotFound.
  virtual Task<Result<JobRecord>> CancelJob(JobCancel cancel) = 0;
  // Forgets one that is over. kNotFound, kAlreadyExists while it is not over.
  virtual Task<Result<void>> DropJob(JobName name) = 0;
  // Forgets some of what is too old, and of what is too much, oldest first: the newest stays
  // whatever its size, and so do those whose callback is still to come. Answers their ids.
  virtual Task<Result<std::vector<std::string>>> ForgetJobs(JobKeep keep) = 0;

  // kNotFound.
  virtual Task<Result<JobRecord>> FindJob(JobName name) = 0;
  // Newest first.
  virtual Task<Result<std::vector<JobRecord>>> ListJobs(JobFilter filter) = 0;
  virtual Task<Result<JobOutlook>> LookAtJobs(JobClaim claim) = 0;

  // Of news the newest are kept. kStaleEpoch as EndJob.
  virtual Task<Result<void>> AddJobNews(NewsNote note) = 0;
  virtual Task<Result<std::vector<JobNewsRow>>> ListJobNews(NewsQuery query) = 0;

  // One whose callback is due; nobody else gets it for `hold`.
  virtual Task<Result<std::optional<JobRecord>>> ClaimCallback(TenantId tenant,
                                                               std::chrono::milliseconds hold) = 0;
  virtual Task<Result<JobRecord>> NoteCallback(CallbackNote note) = 0;
};

}  // namespace falconer::store
