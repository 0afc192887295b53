#include "api/http/job_json.h"

#include <utility>

#include "api/http/problem.h"
#include "base/units.h"

namespace falconer::api {
namespace {

json::object CallbackJson(const store::JobCallback& callback) {
  json::array tries;
  for (const store::CallbackTry& one : callback.tries) {
    json::object told{{"at", IsoTime(one.at)}};
    if (one.status != 0) told["status"] = one.status;
    if (!one.problem.empty()) told["problem"] = one.problem;
    tries.push_back(std::move(told));
  }
  json::object told{{"url", callback.url},
                    {"secret", callback.secret},
                    {"state", NameIn(store::kCallbackStates, callback.state)},
                    {"tries", std::move(tries)}};
  if (callback.state == store::CallbackState::kWaiting)
    told["next_try_at"] = IsoTime(callback.next);
  return told;
}

void PutTimes(const store::JobRecord& job, json::object& told) {
  told["began_at"] = IsoTime(job.created);
  if (job.started != WallTime()) told["started_at"] = IsoTime(job.started);
  if (IsOver(job.state)) told["ended_at"] = IsoTime(job.ended);
}

void PutOutcome(const store::JobRecord& job, json::object& told) {
  const store::JobOutcome& outcome = job.outcome;
  if (outcome.bytes != 0) told["result_bytes"] = outcome.bytes;
  if (outcome.problem) told["problem"] = ProblemJson(*outcome.problem);
  if (!outcome.artifacts.empty())
    told["artifacts"] = json::array(outcome.artifacts.begin(), outcome.artifacts.end());
}

}  // namespace

json::object PlainJobJson(const store::JobRecord& job) {
  json::object told{{"job", job.id},
                    {"kind", job.type},
                    {"status", NameIn(store::kJobStates, job.state)},
                    {"attempts", job.attempts}};
  PutTimes(job, told);
  if (!job.workflow.empty()) told["workflow"] = job.workflow;
  if (job.callback.state != store::CallbackState::kNone)
    told["callback"] = CallbackJson(job.callback);
  PutOutcome(job, told);
  return told;
}

json::object JobJson(RestContext& context, const store::JobRecord& job) {
  json::object told = PlainJobJson(job);
  if (const auto rooms = context.Rooms(); rooms && rooms->redactor != nullptr) {
    json::object input = job.input;
    rooms->redactor->RedactJson(policy::Surface::kPreview, input);
    told["input"] = std::move(input);
  }
  json::array waits;
  if (context.approvals != nullptr) {
    for (const auto& request : context.approvals->PendingFor(job.id))
      waits.emplace_back(request.request_id);
  }
  told["waits_for"] = std::move(waits);
  return told;
}

Task<Result<json::object>> WholeJobJson(RestContext* context, CallContext ctx,
                                        agent::JobView view) {
  json::object told = JobJson(*context, view.job);
  json::array news;
  for (store::JobNewsRow& row : view.news) news.push_back(std::move(row.news));
  told["news"] = std::move(news);
  CO_TRY_ASSIGN(const std::string text,
                co_await context->jobs.ResultOf(std::move(ctx), std::move(view.job)));
  if (text.empty()) co_return told;
  CO_TRY_ASSIGN(told["result"], ParseJson(text));
  co_return told;
}

}  // namespace falconer::api
