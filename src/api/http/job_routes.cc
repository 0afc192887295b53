// Work that goes on after its sender was answered: actions, plans and crawls.

#include <utility>

#include "api/http/problem.h"
#include "api/http/routes.h"

namespace falconer::api {
namespace {

constexpr RoleSet kFollowing = {Role::kAgent, Role::kViewer, Role::kOperator};
constexpr RoleSet kCancelling = {Role::kAgent, Role::kOperator};
// How long a look may wait for the end.
constexpr Bounds<std::int64_t> kWaits = {0, 60'000};

std::chrono::milliseconds ReadWait(JsonReader& in) {
  return std::chrono::milliseconds(in.OptionalInteger("wait_ms", kWaits).value_or(0));
}

Task<Result<net::HttpResponse>> ListJobs(RestContext* context, CallContext, RouteCall) {
  json::array list;
  for (json::object& job : context->jobs.List()) {
    job.erase("result");
    list.push_back(std::move(job));
  }
  co_return JsonResponse(200, json::object{{"jobs", std::move(list)}});
}

Task<Result<net::HttpResponse>> GetJob(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(const auto wait, ReadJson(call.query, "query", ReadWait));
  CO_TRY_ASSIGN(const json::object job,
                co_await context->jobs.Await(ctx.WithTimeout(wait), call.At("job")));
  co_return JsonResponse(200, job);
}

Task<Result<net::HttpResponse>> DeleteJob(RestContext* context, CallContext, RouteCall call) {
  CO_TRY(context->jobs.Remove(call.At("job")));
  co_return net::HttpResponse{.status = 204};
}

}  // namespace

std::vector<Route> JobRoutes(RestContext& context) {
  return {{.method = "GET",
           .pattern = "/v1/jobs",
           .tag = "jobs",
           .summary = "Jobs that run, and those that have ended lately, without their results.",
           .roles = kFollowing,
           .handler = Handle<ListJobs>(context)},
          {.method = "GET",
           .pattern = "/v1/jobs/{job}",
           .tag = "jobs",
           .summary = "How far a job is, what it waits for, and what came of it.",
           .roles = kFollowing,
           .handler = Handle<GetJob>(context),
           .query = {{"wait_ms", "integer", "wait so long for its end, 0 to 60000 (0)"}}},
          {.method = "GET",
           .pattern = "/api/jobs/{job}",
           .tag = "jobs",
           .summary = "The same, where those who crawl look for it.",
           .roles = kFollowing,
           .handler = Handle<GetJob>(context),
           .query = {{"wait_ms", "integer", "wait so long for its end, 0 to 60000 (0)"}}},
          {.method = "DELETE",
           .pattern = "/v1/jobs/{job}",
           .tag = "jobs",
           .summary = "Cancel a job that runs; forget one that is over.",
           .roles = kCancelling,
           .handler = Handle<DeleteJob>(context)}};
}

}  // namespace falconer::api
