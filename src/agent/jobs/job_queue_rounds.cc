// What the queue does by itself: it keeps up its leases, takes jobs and callbacks that are due, and
// forgets what is old.

#include <algorithm>
#include <utility>

#include "agent/jobs/job_id.h"
#include "agent/jobs/job_running.h"
#include "base/log.h"

namespace falconer::agent {
namespace {

// How often what is too old or too much is looked for.
constexpr auto kForgetEvery = std::chrono::seconds(10);

}  // namespace

Task<void> JobQueue::Pump(JobQueue* self) {
  co_await self->SweepFiles();
  while (!self->is_stopping_) {
    if (const auto done = co_await self->Round(); !done)
      LOG(warn, "jobs.store", {"why", Describe(done.error())});
    if (self->is_stopping_) break;
    Duration pause = self->limits_.look_every;
    if (self->next_callback_) {
      pause = std::min(pause, std::chrono::duration_cast<Duration>(*self->next_callback_ -
                                                                   self->clock_.WallNow()));
    }
    const auto at = self->clock_.Now() + std::max(pause, Duration(std::chrono::milliseconds(1)));
    (void)co_await self->wake_.Wait(Deadline::At(at));
  }
}

Task<Result<void>> JobQueue::Round() {
  CO_TRY(co_await Beat());
  CO_TRY_ASSIGN(store::JobOutlook outlook, co_await ground_->store->LookAtJobs(ClaimOf()));
  CO_TRY(co_await FreeWhatEnded(std::move(outlook.owners)));
  CO_TRY(co_await TakeJobs());
  next_callback_ = outlook.next_callback;
  CO_TRY(co_await TakeCallbacks());
  if (clock_.Now() >= next_forget_) CO_TRY(co_await ForgetOld());
  co_return Result<void>();
}

// Folders of jobs that were forgotten by a program that ended before it could remove them.
Task<void> JobQueue::SweepFiles() {
  for (std::string& job : co_await files_->Jobs(OwnContext())) {
    if (!IsJobId(job)) continue;
    const auto known = co_await ground_->store->FindJob({.tenant = TenantId(), .id = job});
    if (known || known.error().code() != ErrorCode::kNotFound) continue;
    co_await files_->Remove(OwnContext(), std::move(job));
  }
}

Task<Result<void>> JobQueue::Beat() {
  std::vector<RunningPtr> mine;
  for (const auto& [id, run] : running_)
    if (run->job.epoch != 0) mine.push_back(run);
  if (mine.empty()) co_return Result<void>();
  CO_TRY_ASSIGN(const auto held, co_await ground_->store->BeatJobs(Hold()));
  for (const RunningPtr& run : mine) {
    if (run->is_concluding) continue;
    const auto found = std::ranges::find_if(held, [&run](const store::HeldJob& one) {
      return one.id == run->job.id && one.epoch == run->job.epoch;
    });
    run->is_lost = found == held.end();
    if (run->is_lost)
      run->cancel.Cancel(Error(ErrorCode::kStaleEpoch, "another process has taken the job"));
    else if (!found->cancel_reason.empty())
      run->cancel.Cancel(Error(ErrorCode::kCancelled, found->cancel_reason));
  }
  co_return Result<void>();
}

Task<Result<void>> JobQueue::FreeWhatEnded(std::vector<std::string> owners) {
  if (!ground_->has_ended) co_return Result<void>();
  for (std::string& owner : owners)
    if (ground_->has_ended(owner)) CO_TRY(co_await ground_->store->FreeJobsOf(std::move(owner)));
  co_return Result<void>();
}

Task<Result<void>> JobQueue::TakeJobs() {
  while (!is_stopping_ && running(Way::kTaken) < limits_.at_once) {
    CO_TRY_ASSIGN(const auto outlook, co_await ground_->store->LookAtJobs(ClaimOf()));
    if (outlook.claimable == 0) break;
    CO_TRY_ASSIGN(auto claimed, co_await ground_->store->ClaimJob(ClaimOf()));
    if (!claimed) break;
    // Whoever stops the queue has not seen this one, and would wait for it.
    if (is_stopping_) {
      const store::JobLeft left =
          claimed->was_running ? store::JobLeft::kRunning : store::JobLeft::kQueued;
      co_return co_await ground_->store->ReleaseJob(
          {.id = claimed->job.id, .epoch = claimed->job.epoch, .left = left});
    }
    const RunningPtr run = Track(claimed->job, Way::kTaken);
    tasks_.Spawn("jobs.claimed", RunClaimed(this, run, *std::move(claimed)));
  }
  co_return Result<void>();
}

Task<Result<void>> JobQueue::TakeCallbacks() {
  if (!ground_->callbacks) next_callback_.reset();
  while (!is_stopping_ && next_callback_ && *next_callback_ <= clock_.WallNow()) {
    // One that ends wakes the queue.
    if (calling_back_ >= limits_.callbacks_at_once) {
      next_callback_.reset();
      break;
    }
    const auto hold = std::chrono::ceil<std::chrono::milliseconds>(ground_->callbacks->timeout() +
                                                                   std::chrono::seconds(5));
    CO_TRY_ASSIGN(auto job, co_await ground_->store->ClaimCallback(ground_->tenant, hold));
    if (!job) break;
    ++calling_back_;
    tasks_.Spawn("jobs.callback", CallBack(this, *std::move(job)));
    CO_TRY_ASSIGN(const auto outlook, co_await ground_->store->LookAtJobs(ClaimOf()));
    next_callback_ = outlook.next_callback;
  }
  co_return Result<void>();
}

Task<void> JobQueue::CallBack(JobQueue* self, store::JobRecord job) {
  const CallContext ctx = self->OwnContext().WithCancel(self->stopping_.token());
  auto note = co_await self->ground_->callbacks->Try(ctx, std::move(job));
  if (note) {
    const auto noted = co_await self->ground_->store->NoteCallback(*std::move(note));
    if (!noted) LOG(warn, "jobs.callback_not_noted", {"why", Describe(noted.error())});
  }
  --self->calling_back_;
  self->Changed();
  self->wake_.Signal();
}

Task<Result<void>> JobQueue::ForgetOld() {
  CO_TRY_ASSIGN(auto forgotten, co_await ground_->store->ForgetJobs({.tenant = ground_->tenant,
                                                                     .age = limits_.keep,
                                                                     .count = limits_.keep_count,
                                                                     .bytes = limits_.keep_bytes}));
  // There may be more than were taken at once.
  if (forgotten.empty()) next_forget_ = clock_.Now() + kForgetEvery;
  for (std::string& id : forgotten) co_await files_->Remove(OwnContext(), std::move(id));
  co_return Result<void>();
}

}  // namespace falconer::agent
