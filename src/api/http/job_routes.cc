// Work that goes on after its sender was answered: actions, plans, crawls and runs of the agent.

#include <utility>

#include "api/http/accepted_job.h"
#include "api/http/event_text.h"
#include "api/http/job_json.h"
#include "api/http/problem.h"
#include "api/http/routes.h"
#include "api/mcp/http_answers.h"
#include "base/text.h"

namespace falconer::api {
namespace {

constexpr RoleSet kFollowing = {Role::kAgent, Role::kViewer, Role::kOperator};
constexpr RoleSet kCancelling = {Role::kAgent, Role::kOperator};
// How long a look may wait for the end.
constexpr Bounds<std::int64_t> kWaits = {0, 60'000};
constexpr Bounds<std::int64_t> kJobRows = {1, 1000};
constexpr std::int64_t kUsualJobRows = 100;
constexpr Bounds<std::int64_t> kNewsNumbers = {0, std::numeric_limits<std::int64_t>::max()};
// The longest silence of a stream.
constexpr auto kStillRuns = std::chrono::seconds(15);
constexpr std::string_view kTaskRunType = "agent_run";

std::chrono::milliseconds ReadWait(JsonReader& in) {
  return std::chrono::milliseconds(in.OptionalInteger("wait_ms", kWaits).value_or(0));
}

store::JobFilter ReadJobFilter(JsonReader& in) {
  return {.tenant = {},
          .state = in.OptionalEnum("state", store::kJobStates),
          .type = in.OptionalString("type").value_or(""),
          .before = in.OptionalString("before").value_or(""),
          .limit = static_cast<std::size_t>(
              in.OptionalInteger("limit", kJobRows).value_or(kUsualJobRows))};
}

Task<Result<net::HttpResponse>> ListJobs(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(const auto filter, ReadJson(call.query, "query", ReadJobFilter));
  CO_TRY_ASSIGN(const auto jobs, co_await context->jobs.List(filter));
  json::array list;
  for (const store::JobRecord& job : jobs) list.push_back(JobJson(*context, job));
  json::object answer{{"jobs", std::move(list)}, {"next", nullptr}};
  if (jobs.size() == filter.limit) answer["next"] = jobs.back().id;
  co_return JsonResponse(200, answer);
}

Task<Result<net::HttpResponse>> GetJob(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(const auto wait, ReadJson(call.query, "query", ReadWait));
  CO_TRY_ASSIGN(auto view, co_await context->jobs.Await(ctx.WithTimeout(wait), call.At("job")));
  CO_TRY_ASSIGN(const json::object job, co_await WholeJobJson(context, ctx, std::move(view)));
  co_return JsonResponse(200, job);
}

// Of a job that is not over the answer is to come again.
net::HttpResponse NotYet(RestContext& context, const store::JobRecord& job) {
  net::HttpResponse response = JsonResponse(202, JobJson(context, job));
  response.headers.Set("Retry-After", "1");
  return response;
}

Task<Result<net::HttpResponse>> GetJobResult(RestContext* context, CallContext ctx,
                                             RouteCall call) {
  CO_TRY_ASSIGN(const auto wait, ReadJson(call.query, "query", ReadWait));
  CO_TRY_ASSIGN(auto view, co_await context->jobs.Await(ctx.WithTimeout(wait), call.At("job")));
  if (view.job.outcome.problem) co_return Fail(*view.job.outcome.problem);
  if (!IsOver(view.job.state)) co_return NotYet(*context, view.job);
  CO_TRY_ASSIGN(std::string text,
                co_await context->jobs.ResultOf(std::move(ctx), std::move(view.job)));
  co_return net::TextResponse(200, std::string(kJsonMedia), std::move(text));
}

Task<Result<net::HttpResponse>> DeleteJob(RestContext* context, CallContext, RouteCall call) {
  CO_TRY(co_await context->jobs.Remove(call.At("job")));
  co_return net::HttpResponse{.status = 204};
}

// Somebody who reads the events of a job.
struct JobReader {
  RestContext* context;
  CallContext ctx;
  agent::JobSeen seen;
  std::string id;
};

// What is new, or what says that the stream is still open.
Task<Result<std::string>> NextJobEvents(JobReader* reader) {
  auto view = co_await reader->context->jobs.Follow(reader->ctx.WithTimeout(kStillRuns), reader->id,
                                                    reader->seen);
  const bool is_only_late = !view && view.error().code() == ErrorCode::kTimeout;
  if (is_only_late && reader->ctx.StillWanted("events")) co_return std::string(kSseComment);
  CO_TRY(view);
  std::string text;
  for (const store::JobNewsRow& row : view->news) {
    text += SseText(std::to_string(row.seq), "news", json::serialize(row.news));
    reader->seen.after = row.seq;
  }
  if (reader->seen.state != view->job.state) {
    text += SseText("", "job", json::serialize(JobJson(*reader->context, view->job)));
    reader->seen.state = view->job.state;
  }
  co_return text;
}

Task<Result<void>> WriteJobEvents(JobReader reader, net::BodyWriter* out) {
  CO_TRY(co_await out->Write(std::string(kSseRetry)));
  for (;;) {
    auto text = co_await NextJobEvents(&reader);
    if (!text) {
      co_return co_await out->Write(SseText("", "end", json::serialize(ProblemJson(text.error()))));
    }
    CO_TRY(co_await out->Write(*std::move(text)));
    if (reader.seen.state && IsOver(*reader.seen.state)) co_return Result<void>();
  }
}

std::uint64_t ReadAfter(JsonReader& in) {
  return static_cast<std::uint64_t>(in.OptionalInteger("after", kNewsNumbers).value_or(0));
}

// Where a client that lost its connection was.
Result<std::uint64_t> NewsBegin(const RouteCall& call) {
  TRY_ASSIGN(const std::uint64_t after, ReadJson(call.query, "query", ReadAfter));
  const auto header = call.request.headers.Find("last-event-id");
  if (!header) return after;
  if (const auto id = ParseWhole<std::uint64_t>(*header)) return *id;
  return Fail(ErrorCode::kInvalidArgument, "Last-Event-ID: is not the id of an event of ours");
}

Task<Result<net::HttpResponse>> GetJobEvents(RestContext* context, CallContext ctx,
                                             RouteCall call) {
  CO_TRY_ASSIGN(const std::uint64_t after, NewsBegin(call));
  CO_TRY(co_await context->jobs.Look(call.At("job")));
  const JobReader reader{context, std::move(ctx), {.after = after, .state = {}}, call.At("job")};
  co_return EventsResponse([reader](net::BodyWriter* out) { return WriteJobEvents(reader, out); });
}

Task<Result<net::HttpResponse>> PostAgentRun(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(auto wish, JobWishFrom(*context, call, std::string(kTaskRunType)));
  co_return co_await SubmittedJob(context, std::move(wish));
}

std::vector<QueryRow> WaitRows() {
  return {{"wait_ms", "integer", "wait so long for its end, 0 to 60000 (0)"}};
}

std::vector<QueryRow> JobFilterRows() {
  return {{"state", "string", "queued, running, ended, failed or cancelled"},
          {"type", "string", "of this type"},
          {"before", "string", "older than this job: \"next\" of the page before"},
          {"limit", "integer", "most jobs, 1 to 1000 (100)"}};
}

Route FollowRoute(std::string_view pattern, std::string_view summary, RouteHandler handler,
                  std::vector<QueryRow> query) {
  return {.method = "GET",
          .pattern = pattern,
          .tag = "jobs",
          .summary = summary,
          .roles = kFollowing,
          .handler = std::move(handler),
          .query = std::move(query)};
}

Route EventsRoute(RestContext& context, std::string_view pattern) {
  Route route = FollowRoute(
      pattern, "What a job tells on its way, and what becomes of it, as it happens.",
      Handle<GetJobEvents>(context),
      {{"after", "integer", "only news after this one (0); Last-Event-ID goes before"}});
  route.media = "text/event-stream";
  return route;
}

Route CancelRoute(RestContext& context, std::string_view pattern) {
  return {.method = "DELETE",
          .pattern = pattern,
          .tag = "jobs",
          .summary = "Cancel a job that waits or runs; forget one that is over.",
          .roles = kCancelling,
          .handler = Handle<DeleteJob>(context)};
}

Route AgentRunRoute(RestContext& context, std::string_view pattern, std::string_view summary) {
  return {.method = "POST",
          .pattern = pattern,
          .tag = "jobs",
          .summary = summary,
          .roles = kCancelling,
          .handler = Handle<PostAgentRun>(context),
          .body = "AgentRunJob"};
}

}  // namespace

std::vector<Route> JobRoutes(RestContext& context) {
  return {
      FollowRoute("/v1/jobs", "Jobs that wait, run and are over, newest first, without results.",
                  Handle<ListJobs>(context), JobFilterRows()),
      FollowRoute("/v1/jobs/{job}", "How far a job is, what it waits for, and what came of it.",
                  Handle<GetJob>(context), WaitRows()),
      FollowRoute("/v1/jobs/{job}/result", "What came of a job; 202 while it is not over.",
                  Handle<GetJobResult>(context), WaitRows()),
      EventsRoute(context, "/v1/jobs/{job}/events"),
      CancelRoute(context, "/v1/jobs/{job}"),
      FollowRoute("/api/jobs", "The same list, where those who crawl look for it.",
                  Handle<ListJobs>(context), JobFilterRows()),
      FollowRoute("/api/jobs/{job}", "The same, where those who crawl look for it.",
                  Handle<GetJob>(context), WaitRows()),
      FollowRoute("/api/jobs/{job}/result", "The same, where those who crawl look for it.",
                  Handle<GetJobResult>(context), WaitRows()),
      EventsRoute(context, "/api/jobs/{job}/events"),
      CancelRoute(context, "/api/jobs/{job}"),
      AgentRunRoute(context, "/api/jobs/agent-run", "Give the built-in agent a task, as a job."),
      AgentRunRoute(context, "/api/wraith", "The same, under the name that others know it by.")};
}

}  // namespace falconer::api
