#include "app/jobs/job_commands.h"

#include <fmt/format.h>
#include <utility>

#include "agent/jobs/job_files.h"
#include "agent/jobs/job_id.h"
#include "api/http/job_json.h"
#include "app/desk/control_desk.h"
#include "app/desk/desk_work.h"

namespace falconer::app {
namespace {

constexpr std::uint64_t kMostJobRows = 1000;

Result<std::optional<store::JobState>> JobStateOf(const Arguments& arguments) {
  const std::string& name = arguments.job_state;
  if (name.empty()) return std::optional<store::JobState>();
  if (const auto state = ValueIn(store::kJobStates, name)) return state;
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("--state: there is no state \"{}\"; there are queued, running, ended, "
                          "failed and cancelled",
                          name));
}

Result<store::JobName> JobNamed(const Arguments& arguments) {
  if (agent::IsJobId(arguments.job)) return store::JobName{.tenant = {}, .id = arguments.job};
  return Fail(ErrorCode::kInvalidArgument,
              "JOB: expected job_ and what follows, as `falconer jobs list` shows it");
}

Task<Result<json::object>> ListJobs(ControlDesk* desk, const Arguments* arguments) {
  store::JobFilter filter{.tenant = TenantId(arguments->tenant), .type = arguments->job_type};
  CO_TRY_ASSIGN(filter.state, JobStateOf(*arguments));
  CO_TRY_ASSIGN(filter.limit, NumberOf("--limit", arguments->limit, 1, kMostJobRows));
  CO_TRY_ASSIGN(store::SqliteStore* const store, desk->store());
  CO_TRY_ASSIGN(const auto jobs, co_await store->ListJobs(filter));
  json::array rows;
  for (const store::JobRecord& job : jobs) rows.push_back(api::PlainJobJson(job));
  co_return json::object{{"jobs", std::move(rows)}};
}

Task<Result<json::value>> ResultIn(ControlDesk* desk, const store::JobRecord* job) {
  std::string text = job->outcome.result;
  if (text.empty()) {
    const agent::JobFiles files(desk->settings().data.dir / "jobs");
    const CallContext ctx(co_await boost::asio::this_coro::executor, desk->clock());
    CO_TRY_ASSIGN(text, co_await files.LoadResult(ctx, job->id));
  }
  co_return ParseJson(text);
}

Task<Result<json::object>> ShowJob(ControlDesk* desk, const Arguments* arguments) {
  CO_TRY_ASSIGN(const store::JobName name, JobNamed(*arguments));
  CO_TRY_ASSIGN(store::SqliteStore* const store, desk->store());
  CO_TRY_ASSIGN(const store::JobRecord job, co_await store->FindJob(name));
  CO_TRY_ASSIGN(const auto news, co_await store->ListJobNews({.id = job.id}));
  json::object told = api::PlainJobJson(job);
  json::array list;
  for (const store::JobNewsRow& row : news) list.push_back(row.news);
  told["news"] = std::move(list);
  if (job.state == store::JobState::kEnded) {
    CO_TRY_ASSIGN(told["result"], co_await ResultIn(desk, &job));
  }
  co_return json::object{{"job", std::move(told)}};
}

Task<Result<json::object>> CancelJob(ControlDesk* desk, const Arguments* arguments) {
  CO_TRY_ASSIGN(const store::JobName name, JobNamed(*arguments));
  CO_TRY_ASSIGN(store::SqliteStore* const store, desk->store());
  CO_TRY_ASSIGN(const store::JobRecord known, co_await store->FindJob(name));
  if (!IsOver(known.state)) {
    CO_TRY(co_await desk->Record(known.tenant, "job_cancelled",
                                 {{"job", known.id}, {"reason", arguments->reason}}));
  }
  const std::string reason =
      arguments->reason.empty() ? "cancelled by " + OperatorName() : arguments->reason;
  CO_TRY_ASSIGN(const store::JobRecord job,
                co_await store->CancelJob({.job = name, .reason = reason}));
  co_return json::object{{"job", api::PlainJobJson(job)}};
}

std::string JobLine(const json::object& job) {
  return fmt::format("{:<32} {:<10} {:<14} {}", TextAt(job, "job"), TextAt(job, "status"),
                     TextAt(job, "kind"), TextAt(job, "began_at"));
}

void PrintJobs(const json::object& answer, Terminal& terminal) {
  const json::array& jobs = answer.at("jobs").as_array();
  for (const json::value& job : jobs) terminal.Print(JobLine(job.as_object()));
  if (jobs.empty()) terminal.Print("no jobs to show");
}

void PrintJob(const json::object& answer, Terminal& terminal) {
  const json::object& job = answer.at("job").as_object();
  terminal.Print(JobLine(job));
  for (const std::string_view key : {"problem", "callback", "news", "artifacts", "result"}) {
    if (const json::value* value = job.if_contains(key))
      terminal.Print(fmt::format("  {}: {}", key, json::serialize(*value)));
  }
}

void PrintCancelled(const json::object& answer, Terminal& terminal) {
  const json::object& job = answer.at("job").as_object();
  const std::string status = TextAt(job, "status");
  terminal.Print(TextAt(job, "job") + (status == "running" ? " is asked to end" : " is " + status));
}

}  // namespace

int RunJobsList(const Arguments& arguments, Terminal& terminal) {
  return RunDeskWork<ControlDesk>(arguments, terminal, &ListJobs, &PrintJobs);
}

int RunJobsShow(const Arguments& arguments, Terminal& terminal) {
  return RunDeskWork<ControlDesk>(arguments, terminal, &ShowJob, &PrintJob);
}

int RunJobsCancel(const Arguments& arguments, Terminal& terminal) {
  return RunDeskWork<ControlDesk>(arguments, terminal, &CancelJob, &PrintCancelled);
}

}  // namespace falconer::app
