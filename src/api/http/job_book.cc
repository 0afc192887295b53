#include "api/http/job_book.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <utility>
#include <vector>

#include "api/http/problem.h"
#include "base/random.h"
#include "base/units.h"

namespace falconer::api {
namespace {

// What is kept of a job's news; the newest count.
constexpr std::size_t kMostNews = 256;

}  // namespace

struct JobBook::Job {
  std::string id;
  std::string kind;
  WallTime began;
  CancelSource cancel;
  json::array news;
  // When it is over.
  std::optional<Result<json::object>> result;
  std::size_t bytes = 0;
  WallTime ended;
  TimePoint over;
};

JobBook::JobBook(Executor executor, Clock& clock, const PendingApprovals& approvals,
                 JobLimits limits)
    : executor_(std::move(executor)),
      clock_(clock),
      approvals_(approvals),
      limits_(limits),
      tasks_(executor_) {
}

Result<std::string> JobBook::Begin(std::string kind, JobWork work) {
  ForgetOld();
  if (is_stopping_) return Fail(ErrorCode::kToolUnavailable, "the server is about to end");
  if (running() >= limits_.at_once) {
    return Fail(ErrorCode::kQueueFull,
                fmt::format("at most {} jobs at once; wait for one", limits_.at_once));
  }
  auto job = std::make_shared<Job>();
  // Ids sort by the time at which they began.
  const auto since =
      std::chrono::duration_cast<std::chrono::microseconds>(clock_.WallNow().time_since_epoch());
  job->id = fmt::format("job_{:014x}_{}", since.count(), RandomId().substr(0, 12));
  job->kind = std::move(kind);
  job->began = clock_.WallNow();
  jobs_[job->id] = job;
  Correlation ids;
  ids.call = job->id;
  const CallContext ctx =
      CallContext(executor_, clock_).WithCancel(job->cancel.token()).WithIds(std::move(ids));
  tasks_.Spawn("http.job", Run(this, ctx, std::move(work), job));
  return job->id;
}

Task<void> JobBook::Run(JobBook* self, CallContext ctx, JobWork work, JobPtr job) {
  const auto news = [job](json::object one) {
    if (job->news.size() == kMostNews) job->news.erase(job->news.begin());
    job->news.push_back(std::move(one));
  };
  job->result = co_await work(std::move(ctx), news);
  job->bytes = *job->result ? json::serialize(**job->result).size() : 0;
  job->ended = self->clock_.WallNow();
  job->over = self->clock_.Now();
  self->ForgetOld();
  self->ended_.NotifyAll();
}

Result<JobBook::JobPtr> JobBook::Find(std::string_view id) const {
  const auto found = jobs_.find(id);
  if (found != jobs_.end()) return found->second;
  return Fail(ErrorCode::kNotFound, "there is no job " + std::string(id));
}

json::object JobBook::Tell(const Job& job) const {
  json::object told{{"job", job.id}, {"kind", job.kind}, {"began_at", IsoTime(job.began)}};
  json::array waits;
  for (const auto& request : approvals_.PendingFor(job.id)) waits.emplace_back(request.request_id);
  told["waits_for"] = std::move(waits);
  told["news"] = job.news;
  told["status"] = !job.result ? "running" : *job.result ? "ended" : "failed";
  if (!job.result) return told;
  told["ended_at"] = IsoTime(job.ended);
  if (*job.result) {
    told["result"] = **job.result;
  } else {
    told["problem"] = ProblemJson(job.result->error());
  }
  return told;
}

Result<json::object> JobBook::Look(std::string_view id) const {
  TRY_ASSIGN(const JobPtr job, Find(id));
  return Tell(*job);
}

std::vector<json::object> JobBook::List() const {
  std::vector<json::object> list;
  for (const auto& [id, job] : jobs_) list.push_back(Tell(*job));
  return list;
}

Task<Result<json::object>> JobBook::Await(CallContext ctx, std::string id) {
  CO_TRY_ASSIGN(const JobPtr job, Find(id));
  (void)co_await ended_.Until(std::move(ctx), [job] { return job->result.has_value(); }, "the job");
  co_return Tell(*job);
}

Result<void> JobBook::Remove(std::string_view id) {
  TRY_ASSIGN(const JobPtr job, Find(id));
  if (job->result) {
    jobs_.erase(job->id);
  } else {
    job->cancel.Cancel(Error(ErrorCode::kCancelled, "the job was cancelled"));
  }
  return {};
}

std::size_t JobBook::running() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(jobs_, [](const auto& entry) { return !entry.second->result; }));
}

void JobBook::ForgetOld() {
  std::vector<JobPtr> over;
  for (const auto& [id, job] : jobs_)
    if (job->result) over.push_back(job);
  std::ranges::sort(over, std::ranges::greater(), [](const JobPtr& job) { return job->over; });
  std::size_t kept = 0;
  std::size_t bytes = 0;
  for (const JobPtr& job : over) {
    bytes += job->bytes;
    // The newest is kept however large it is: nobody has seen it yet.
    const bool has_room = kept == 0 || (kept < limits_.kept && bytes <= limits_.kept_bytes);
    if (has_room && clock_.Now() - job->over <= limits_.keep) {
      ++kept;
    } else {
      jobs_.erase(job->id);
    }
  }
}

Task<void> JobBook::Stop(Error reason) {
  is_stopping_ = true;
  const auto jobs = jobs_;
  for (const auto& [id, job] : jobs) job->cancel.Cancel(reason);
  co_await tasks_.Join();
}

}  // namespace falconer::api
