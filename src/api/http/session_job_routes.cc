// The jobs of a session's workflow: how they stand, and what came of them.

#include <algorithm>
#include <utility>

#include "api/http/job_json.h"
#include "api/http/problem.h"
#include "api/http/routes.h"

namespace falconer::api {
namespace {

constexpr RoleSet kFollowingSession = {Role::kAgent, Role::kViewer, Role::kOperator};
constexpr std::size_t kMostSessionJobs = 100;

Task<Result<std::vector<store::JobRecord>>> JobsOf(RestContext* context, std::string workflow) {
  return context->jobs.List(
      {.tenant = {}, .workflow = std::move(workflow), .limit = kMostSessionJobs});
}

// In a word, as far as the newest job says.
std::string_view StandingOf(bool is_open, const std::vector<store::JobRecord>& jobs) {
  if (!jobs.empty()) return NameIn(store::kJobStates, jobs.front().state);
  return is_open ? "open" : "unknown";
}

Task<Result<net::HttpResponse>> GetSessionStatus(RestContext* context, CallContext,
                                                 RouteCall call) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  const browser::SessionKey key = SessionNamed(rooms, call.At("session"));
  const auto sessions = rooms.runtime->parts().sessions.List();
  const bool is_open =
      std::ranges::find(sessions, key, &browser::SessionInfo::key) != sessions.end();
  CO_TRY_ASSIGN(const auto jobs, co_await JobsOf(context, call.At("session")));
  if (!is_open && jobs.empty())
    co_return Fail(ErrorCode::kNotFound, "nothing is known of a session " + call.At("session"));
  json::array list;
  for (const store::JobRecord& job : jobs) list.push_back(JobJson(*context, job));
  co_return JsonResponse(200, json::object{{"session", call.At("session")},
                                           {"status", StandingOf(is_open, jobs)},
                                           {"open", is_open},
                                           {"jobs", std::move(list)}});
}

Task<Result<net::HttpResponse>> GetSessionResults(RestContext* context, CallContext ctx,
                                                  RouteCall call) {
  CO_TRY_ASSIGN(auto jobs, co_await JobsOf(context, call.At("session")));
  std::erase_if(jobs, [](const store::JobRecord& job) { return !IsOver(job.state); });
  json::array results;
  for (store::JobRecord& job : jobs) {
    CO_TRY_ASSIGN(json::object told,
                  co_await WholeJobJson(context, ctx, {.job = std::move(job), .news = {}}));
    told.erase("news");
    results.push_back(std::move(told));
  }
  co_return JsonResponse(200, json::object{{"results", std::move(results)}});
}

Route SessionJobRoute(std::string_view pattern, std::string_view summary, RouteHandler handler) {
  return {.method = "GET",
          .pattern = pattern,
          .tag = "jobs",
          .summary = summary,
          .roles = kFollowingSession,
          .handler = std::move(handler)};
}

}  // namespace

std::vector<Route> SessionJobRoutes(RestContext& context) {
  return {SessionJobRoute("/api/sessions/{session}/status",
                          "Whether a session is open, and the newest 100 jobs of its workflow.",
                          Handle<GetSessionStatus>(context)),
          SessionJobRoute("/api/sessions/{session}/results",
                          "What came of those of them that are over.",
                          Handle<GetSessionResults>(context))};
}

}  // namespace falconer::api
