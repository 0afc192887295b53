#include "agent/jobs/job_queue.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "agent/jobs/job_running.h"
#include "base/random.h"

namespace falconer::agent {
namespace {

constexpr std::size_t kLargestInput = std::size_t{1} << 20;

// Ids sort by the time at which they were given.
std::string NewJobId(WallTime now) {
  const auto since = std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch());
  return fmt::format("job_{:014x}_{}", since.count(), RandomId().substr(0, 12));
}

}  // namespace

JobQueue::JobQueue(Executor executor, Clock& clock, JobLimits limits)
    : executor_(std::move(executor)),
      clock_(clock),
      limits_(limits),
      wake_(executor_, clock_),
      tasks_(executor_) {
}

JobQueue::~JobQueue() = default;

void JobQueue::Offer(JobType type) {
  std::string name = type.name;
  types_[std::move(name)] = std::move(type);
}

void JobQueue::Start(JobGround ground) {
  files_.emplace(ground.folder);
  ground_ = std::move(ground);
  tasks_.Spawn("jobs.pump", Pump(this));
}

Task<void> JobQueue::Stop(Error reason) {
  is_stopping_ = true;
  const auto running = running_;
  for (const auto& [id, run] : running) run->cancel.Cancel(reason);
  stopping_.Cancel(std::move(reason));
  wake_.Signal();
  Changed();
  co_await tasks_.Join();
}

Result<void> JobQueue::CheckOpen() const {
  if (is_stopping_) return Fail(ErrorCode::kToolUnavailable, "the server is about to end");
  if (!ground_) return Fail(ErrorCode::kToolUnavailable, "jobs cannot be taken yet");
  return {};
}

Result<const JobType*> JobQueue::TypeOf(const std::string& name) const {
  const auto found = types_.find(name);
  if (found != types_.end()) return &found->second;
  return Fail(ErrorCode::kToolUnavailable, "jobs of the type " + name + " are not done here");
}

Result<store::JobRecord> JobQueue::RecordFor(const JobWish& wish) const {
  store::JobRecord job{.id = NewJobId(clock_.WallNow()),
                       .tenant = ground_->tenant,
                       .type = wish.type,
                       .input = wish.input,
                       .workflow = wish.workflow,
                       .idempotency_key = wish.idempotency_key};
  if (json::serialize(job.input).size() > kLargestInput)
    return Fail(ErrorCode::kInvalidArgument, "input: is longer than 1 MiB");
  if (wish.callback.url.empty()) return job;
  if (!ground_->callbacks)
    return Fail(ErrorCode::kUnsupported, "callback_url: nobody is called back here");
  TRY_ASSIGN(job.callback, ground_->callbacks->Accept(wish.callback));
  return job;
}

Task<Result<store::JobRecord>> JobQueue::Submit(JobWish wish) {
  CO_TRY(CheckOpen());
  CO_TRY_ASSIGN(const JobType* const type, TypeOf(wish.type));
  if (!type->run) {
    co_return Fail(ErrorCode::kToolUnavailable,
                   "jobs of the type " + wish.type + " begin by themselves only");
  }
  if (type->check) CO_TRY(type->check(wish.input));
  CO_TRY_ASSIGN(store::JobRecord job, RecordFor(wish));
  CO_TRY_ASSIGN(auto put, co_await ground_->store->PutJob(
                              {.job = std::move(job), .max_queued = limits_.max_queued}));
  wake_.Signal();
  co_return std::move(put.job);
}

Task<Result<store::JobRecord>> JobQueue::Begin(JobWish wish, JobWork work) {
  CO_TRY(CheckOpen());
  CO_TRY(TypeOf(wish.type));
  if (running(Way::kBegun) >= limits_.begun_at_once) {
    co_return Fail(ErrorCode::kQueueFull,
                   fmt::format("at most {} jobs at once; wait for one", limits_.begun_at_once));
  }
  CO_TRY_ASSIGN(store::JobRecord job, RecordFor(wish));
  // From now on it counts, so that no more begin meanwhile.
  const RunningPtr run = Track(job, Way::kBegun);
  auto put = co_await ground_->store->PutJob({.job = std::move(job), .hold = Hold()});
  if (!put) {
    running_.erase(run->job.id);
    co_return Fail(std::move(put).error());
  }
  if (!put->is_new) {
    running_.erase(run->job.id);
    co_return std::move(put->job);
  }
  run->job = put->job;
  tasks_.Spawn("jobs.begun", RunBegun(this, run, std::move(work)));
  co_return std::move(put->job);
}

Task<Result<JobView>> JobQueue::Look(std::string id) {
  if (!ground_) co_return Fail(CheckOpen().error());
  CO_TRY_ASSIGN(store::JobRecord job,
                co_await ground_->store->FindJob({.tenant = ground_->tenant, .id = id}));
  CO_TRY_ASSIGN(auto news, co_await ground_->store->ListJobNews({.id = std::move(id)}));
  co_return JobView{.job = std::move(job), .news = std::move(news)};
}

Task<Result<std::vector<store::JobRecord>>> JobQueue::List(store::JobFilter filter) {
  if (!ground_) co_return Fail(CheckOpen().error());
  filter.tenant = ground_->tenant;
  co_return co_await ground_->store->ListJobs(std::move(filter));
}

Task<Result<JobView>> JobQueue::Await(CallContext ctx, std::string id) {
  for (;;) {
    const std::uint64_t seen = version_;
    CO_TRY_ASSIGN(JobView view, co_await Look(id));
    if (IsOver(view.job.state) || !ctx.StillWanted("the job") || is_stopping_)
      co_return std::move(view);
    // Another process may have it: what it does is not told here.
    (void)co_await changes_.Until(
        ctx.WithTimeout(limits_.look_every), [this, seen] { return version_ != seen; }, "the job");
  }
}

Task<Result<JobView>> JobQueue::Follow(CallContext ctx, std::string id, JobSeen seen) {
  for (;;) {
    const std::uint64_t version = version_;
    CO_TRY_ASSIGN(JobView view, co_await Look(id));
    std::erase_if(view.news, [seen](const auto& row) { return row.seq <= seen.after; });
    if (!view.news.empty() || view.job.state != seen.state) co_return std::move(view);
    CO_TRY(ctx.StillWanted("news of the job"));
    CO_TRY(stopping_.token().Check());
    (void)co_await changes_.Until(
        ctx.WithTimeout(limits_.look_every), [this, version] { return version_ != version; },
        "news of the job");
  }
}

Task<Result<std::string>> JobQueue::ResultOf(CallContext ctx, store::JobRecord job) {
  if (job.state != store::JobState::kEnded) co_return std::string();
  if (!job.outcome.result.empty()) co_return std::move(job.outcome.result);
  co_return co_await files_->LoadResult(std::move(ctx), std::move(job.id));
}

Task<Result<store::JobRecord>> JobQueue::Cancel(std::string id, std::string reason) {
  if (!ground_) co_return Fail(CheckOpen().error());
  CO_TRY_ASSIGN(auto job, co_await ground_->store->CancelJob(
                              {.job = {.tenant = ground_->tenant, .id = id}, .reason = reason}));
  const auto found = running_.find(id);
  if (found != running_.end())
    found->second->cancel.Cancel(Error(ErrorCode::kCancelled, std::move(reason)));
  Changed();
  // A callback of one that waited is due now.
  wake_.Signal();
  co_return job;
}

Task<Result<void>> JobQueue::Remove(std::string id) {
  CO_TRY_ASSIGN(const JobView view, co_await Look(id));
  if (!IsOver(view.job.state)) {
    CO_TRY(co_await Cancel(std::move(id), "the job was cancelled"));
    co_return Result<void>();
  }
  CO_TRY(co_await ground_->store->DropJob({.tenant = ground_->tenant, .id = id}));
  co_await files_->Remove(OwnContext(), std::move(id));
  co_return Result<void>();
}

CallContext JobQueue::OwnContext() const {
  return {executor_, clock_};
}

CallContext JobQueue::ContextOf(const Running& run) const {
  Correlation ids;
  ids.call = run.job.id;
  return OwnContext().WithCancel(run.cancel.token()).WithIds(std::move(ids));
}

store::JobHold JobQueue::Hold() const {
  return {.owner = ground_->owner, .ttl = limits_.lease};
}

store::JobClaim JobQueue::ClaimOf() const {
  store::JobClaim claim{.tenant = ground_->tenant, .types = {}, .hold = Hold()};
  for (const auto& [name, type] : types_) claim.types.push_back(name);
  return claim;
}

std::size_t JobQueue::running(Way way) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      running_, [way](const auto& entry) { return entry.second->way == way; }));
}

void JobQueue::Changed() {
  ++version_;
  changes_.NotifyAll();
}

}  // namespace falconer::agent
