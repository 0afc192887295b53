// One job of the queue, from when it is taken until it is over.

#include <fmt/format.h>
#include <utility>

#include "agent/jobs/job_running.h"
#include "base/log.h"
#include "base/percent.h"

namespace falconer::agent {
namespace {

// What waits to be written of a job's news; older ones give way.
constexpr std::size_t kMostUnwritten = 256;

std::vector<std::string> ArtifactsIn(const json::object& result) {
  std::vector<std::string> ids;
  const json::value* list = result.if_contains("artifacts");
  if (list == nullptr || !list->is_array()) return ids;
  for (const json::value& one : list->get_array()) {
    if (one.is_string()) ids.emplace_back(one.get_string());
    if (const json::object* told = one.if_object()) ids.push_back(TextAt(*told, "id"));
  }
  std::erase(ids, "");
  return ids;
}

Error LostOutcome(const store::JobRecord& job) {
  json::object details{{"job", job.id}};
  if (!job.workflow.empty()) {
    details["workflow"] = job.workflow;
    details["records"] = "/v1/ledger/records?workflow=" + PercentEncoded(job.workflow);
  }
  return {ErrorCode::kOutcomeUnknown,
          "the program ended while the job ran; what it did is in the ledger", std::move(details)};
}

store::JobState EndOf(const Result<json::object>& result) {
  if (result) return store::JobState::kEnded;
  return result.error().code() == ErrorCode::kCancelled ? store::JobState::kCancelled
                                                        : store::JobState::kFailed;
}

}  // namespace

JobQueue::RunningPtr JobQueue::Track(const store::JobRecord& job, Way way) {
  auto run = std::make_shared<Running>();
  run->job = job;
  run->way = way;
  running_[job.id] = run;
  return run;
}

Result<const JobHandler*> JobQueue::HandlerOf(const store::ClaimedJob& claimed) const {
  const store::JobRecord& job = claimed.job;
  if (!job.cancel_reason.empty()) return Fail(ErrorCode::kCancelled, job.cancel_reason);
  const JobType& type = types_.find(job.type)->second;
  const bool is_again = claimed.was_running;
  if ((is_again && !type.resume && !type.only_reads) || !type.run) return Fail(LostOutcome(job));
  if (job.attempts > limits_.attempts) {
    return Fail(ErrorCode::kRetryExhausted,
                fmt::format("the program ended {} times while the job ran", limits_.attempts));
  }
  return is_again && type.resume ? &type.resume : &type.run;
}

Task<void> JobQueue::RunClaimed(JobQueue* self, RunningPtr run, store::ClaimedJob claimed) {
  self->Changed();
  const auto handler = self->HandlerOf(claimed);
  Result<json::object> result;
  if (handler) {
    result = co_await self->Handle(run, *handler);
  } else {
    result = Fail(handler.error());
  }
  co_await self->Conclude(run, std::move(result));
}

Task<Result<json::object>> JobQueue::Handle(RunningPtr run, const JobHandler* handler) {
  const CallContext ctx = ContextOf(*run);
  const store::JobRecord& job = run->job;
  CO_TRY_ASSIGN(const auto texts, co_await files_->LoadParts(ctx, job.id));
  std::map<std::string, json::object> parts;
  for (const auto& [name, text] : texts) {
    // One that makes no sense is done again.
    if (auto part = ParseJsonObject(text)) parts[name] = *std::move(part);
  }
  JobInput input{.id = job.id,
                 .tenant = job.tenant,
                 .workflow = job.workflow,
                 .input = job.input,
                 .attempt = job.attempts,
                 .parts = std::make_shared<JobParts>(*files_, job.id, std::move(parts))};
  co_return co_await (*handler)(ctx, std::move(input), NewsOf(run));
}

Task<void> JobQueue::RunBegun(JobQueue* self, RunningPtr run, JobWork work) {
  auto result = co_await work(self->ContextOf(*run), self->NewsOf(run));
  co_await self->Conclude(run, std::move(result));
}

JobNews JobQueue::NewsOf(const RunningPtr& run) {
  return [this, run](json::object news) {
    if (run->is_lost || run->is_concluding) return;
    if (run->unwritten.size() == kMostUnwritten) run->unwritten.pop_front();
    run->unwritten.push_back(std::move(news));
    if (std::exchange(run->is_writing, true)) return;
    tasks_.Spawn("jobs.news", WriteNews(this, run));
  };
}

// In their order, each as soon as the one before is there.
Task<void> JobQueue::WriteNews(JobQueue* self, RunningPtr run) {
  while (!run->unwritten.empty()) {
    json::object news = std::move(run->unwritten.front());
    run->unwritten.pop_front();
    const auto written = co_await self->ground_->store->AddJobNews(
        {.id = run->job.id, .epoch = run->job.epoch, .news = std::move(news)});
    if (!written) LOG(warn, "jobs.news_lost", {"why", Describe(written.error())});
    self->Changed();
  }
  run->is_writing = false;
  self->Changed();
}

Task<void> JobQueue::Conclude(RunningPtr run, Result<json::object> result) {
  (void)co_await changes_.Until(OwnContext(), [run] { return !run->is_writing; }, "the last news");
  run->is_concluding = true;
  Result<void> done;
  if (run->is_lost) {
    LOG(warn, "jobs.lost", {"job", run->job.id});
  } else if (is_stopping_ && !result && run->way == Way::kTaken &&
             result.error().code() != ErrorCode::kOutcomeUnknown) {
    done = co_await Leave(run);
  } else {
    done = co_await End(run, co_await OutcomeOf(run, std::move(result)));
  }
  if (!done) LOG(error, "jobs.not_ended", {"job", run->job.id}, {"why", Describe(done.error())});
  // One that was lost may have come back meanwhile.
  std::erase_if(running_, [&run](const auto& entry) { return entry.second == run; });
  Changed();
  wake_.Signal();
}

// For the next start, unless nobody could say then what it did.
Task<Result<void>> JobQueue::Leave(RunningPtr run) {
  const JobType& type = types_.find(run->job.type)->second;
  if (!type.only_reads && !type.resume) {
    return End(run, {.state = store::JobState::kFailed, .problem = LostOutcome(run->job)});
  }
  return ground_->store->ReleaseJob(
      {.id = run->job.id,
       .epoch = run->job.epoch,
       .left = type.resume ? store::JobLeft::kRunning : store::JobLeft::kQueued});
}

Task<store::JobOutcome> JobQueue::OutcomeOf(RunningPtr run, Result<json::object> result) {
  store::JobOutcome outcome{.state = EndOf(result)};
  if (!result) {
    outcome.problem = std::move(result).error();
    co_return outcome;
  }
  outcome.artifacts = ArtifactsIn(*result);
  outcome.result = json::serialize(*result);
  outcome.bytes = outcome.result.size();
  if (outcome.bytes <= limits_.stored_bytes) co_return outcome;
  const auto saved =
      co_await files_->SaveResult(OwnContext(), run->job.id, std::exchange(outcome.result, ""));
  if (saved) co_return outcome;
  co_return store::JobOutcome{.state = store::JobState::kFailed,
                              .problem = Error(saved.error()).In("keep the result"),
                              .artifacts = std::move(outcome.artifacts)};
}

// Until the store takes it: the lease is kept up meanwhile, and a job that ended is never begun
// again.
Task<Result<void>> JobQueue::End(RunningPtr run, store::JobOutcome outcome) {
  for (;;) {
    const auto ended = co_await ground_->store->EndJob(
        {.id = run->job.id, .epoch = run->job.epoch, .outcome = outcome});
    if (ended) break;
    const ErrorCode code = ended.error().code();
    const bool is_over = code == ErrorCode::kStaleEpoch || code == ErrorCode::kNotFound;
    if (is_over || is_stopping_) co_return Fail(ended.error());
    LOG(error, "jobs.not_noted", {"job", run->job.id}, {"why", Describe(ended.error())});
    Alarm alarm(executor_, clock_);
    (void)co_await OwnContext()
        .WithCancel(stopping_.token())
        .WithTimeout(limits_.look_every)
        .Wait(&alarm, "the store");
  }
  co_await files_->RemoveParts(OwnContext(), run->job.id);
  co_return Result<void>();
}

}  // namespace falconer::agent
