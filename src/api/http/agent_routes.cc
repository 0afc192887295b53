// Runs of the built-in agent: begun, watched, governed, and told afterwards.

#include <utility>

#include "agent/loop/run_desk.h"
#include "agent/report/run_report.h"
#include "api/http/event_text.h"
#include "api/http/problem.h"
#include "api/http/routes.h"
#include "api/mcp/http_answers.h"
#include "api/tools/aside.h"
#include "api/tools/run_pictures.h"
#include "base/text.h"

namespace falconer::api {
namespace {

constexpr RoleSet kRunning = {Role::kAgent, Role::kOperator};
constexpr RoleSet kWatchingRuns = {Role::kAgent, Role::kViewer, Role::kOperator};
constexpr RoleSet kTakingRuns = {Role::kOperator};
constexpr auto kRunStillThere = std::chrono::seconds(15);
constexpr Bounds<std::int64_t> kNewsIds = {0, std::numeric_limits<std::int64_t>::max()};

enum class ReportForm : std::uint8_t { kHtml, kJsonl };
constexpr EnumName<ReportForm> kReportForms[] = {{ReportForm::kHtml, "html"},
                                                 {ReportForm::kJsonl, "jsonl"}};

Result<agent::RunDesk*> RunsOf(RestContext& context) {
  if (context.runs != nullptr) return context.runs;
  return Fail(ErrorCode::kToolUnavailable, "the built-in agent is off: agent.internal.enabled");
}

bool WantsNoWait(const net::HttpRequest& request) {
  const auto prefer = request.headers.Find("prefer");
  return prefer && ToLower(*prefer).contains("respond-async");
}

net::HttpResponse AcceptedRun(const RunId& run) {
  net::HttpResponse response =
      JsonResponse(202, json::object{{"run_id", run.value()}, {"status", "running"}});
  response.headers.Set("Location", "/api/agent/status/" + run.value());
  response.headers.Set("Preference-Applied", "respond-async");
  return response;
}

// However it ended, it is answered: the result says which.
Task<Result<net::HttpResponse>> PostRun(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(agent::RunDesk * runs, RunsOf(*context));
  CO_TRY_ASSIGN(const auto wish, call.Body());
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(const RunId run, runs->Begin(rooms.caller, wish));
  if (WantsNoWait(call.request)) co_return AcceptedRun(run);
  CO_TRY_ASSIGN(const json::object result, co_await runs->Follow(std::move(ctx), run, {}));
  co_return JsonResponse(200, result);
}

Task<Result<net::HttpResponse>> GetRunStatus(RestContext* context, CallContext ctx,
                                             RouteCall call) {
  CO_TRY_ASSIGN(agent::RunDesk * runs, RunsOf(*context));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(const json::object status,
                co_await runs->Status(std::move(ctx), rooms.caller, RunId(call.At("run"))));
  co_return JsonResponse(200, status);
}

Task<Result<net::HttpResponse>> ListRuns(RestContext* context, CallContext, RouteCall) {
  CO_TRY_ASSIGN(agent::RunDesk * runs, RunsOf(*context));
  json::array list;
  for (json::object& run : runs->List()) list.push_back(std::move(run));
  co_return JsonResponse(200, json::object{{"runs", std::move(list)}});
}

std::string ReadRunReason(JsonReader& in) {
  return in.OptionalString("reason", {0, 200}).value_or("");
}

Result<std::string> RunReasonFrom(const RouteCall& call) {
  if (call.request.body.empty()) return std::string();
  TRY_ASSIGN(const auto body, call.Body());
  return ReadJson(body, "", ReadRunReason);
}

Task<Result<net::HttpResponse>> PostPauseRun(RestContext* context, CallContext ctx,
                                             RouteCall call) {
  CO_TRY_ASSIGN(agent::RunDesk * runs, RunsOf(*context));
  CO_TRY(runs->Pause(call.At("run")));
  co_return co_await GetRunStatus(context, std::move(ctx), std::move(call));
}

Task<Result<net::HttpResponse>> PostCancelRun(RestContext* context, CallContext ctx,
                                              RouteCall call) {
  CO_TRY_ASSIGN(agent::RunDesk * runs, RunsOf(*context));
  CO_TRY_ASSIGN(std::string reason, RunReasonFrom(call));
  CO_TRY(runs->Cancel(call.At("run"), std::move(reason)));
  // It ends at once; what it came to is worth the moment.
  CO_TRY(co_await runs->Await(ctx, call.At("run")));
  co_return co_await GetRunStatus(context, std::move(ctx), std::move(call));
}

// One that is paused or in a person's hands goes on; one that is over is taken up again.
Task<Result<net::HttpResponse>> PostResumeRun(RestContext* context, CallContext ctx,
                                              RouteCall call) {
  CO_TRY_ASSIGN(agent::RunDesk * runs, RunsOf(*context));
  CO_TRY_ASSIGN(const std::string reason, RunReasonFrom(call));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  // Who works for a person must not take the session out of a person's hands.
  if (runs->IsDriven(call.At("run")) && !kTakingRuns.Contains(call.client.role))
    co_return Fail(ErrorCode::kForbidden,
                   "a person drives the run's session: an operator hands it back");
  if (runs->IsUnderWay(call.At("run"))) {
    CO_TRY(co_await runs->Resume(
        ctx, call.At("run"),
        {.person = std::string(NameIn(kRoles, call.client.role)), .reason = reason}));
  } else {
    CO_TRY(co_await runs->BeginAgain(ctx, rooms.caller, RunId(call.At("run"))));
  }
  co_return co_await GetRunStatus(context, std::move(ctx), std::move(call));
}

engine::DriverChange ReadRunDriver(JsonReader& in) {
  return {.person = in.String("person", {1, 128}),
          .reason = in.OptionalString("reason", {0, 1000}).value_or("")};
}

Task<Result<net::HttpResponse>> PostHandOverRun(RestContext* context, CallContext ctx,
                                                RouteCall call) {
  CO_TRY_ASSIGN(agent::RunDesk * runs, RunsOf(*context));
  CO_TRY_ASSIGN(const auto body, call.Body());
  CO_TRY_ASSIGN(auto change, ReadJson(body, "driver", ReadRunDriver));
  CO_TRY(co_await runs->HandOver(ctx, call.At("run"), std::move(change)));
  co_return co_await GetRunStatus(context, std::move(ctx), std::move(call));
}

net::HttpResponse ReportResponse(std::string_view media, std::string body) {
  net::HttpResponse response{.status = 200};
  response.headers.Set("Content-Type", std::string(media));
  response.headers.Set("X-Content-Type-Options", "nosniff");
  response.headers.Set("Content-Security-Policy",
                       "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox");
  response.body = std::move(body);
  return response;
}

Task<Result<net::HttpResponse>> GetRunReport(RestContext* context, CallContext ctx,
                                             RouteCall call) {
  CO_TRY_ASSIGN(agent::RunDesk * runs, RunsOf(*context));
  CO_TRY_ASSIGN(const ReportForm form, ReadJson(call.query, "query", [](JsonReader& in) {
                  return in.OptionalEnum("format", kReportForms).value_or(ReportForm::kHtml);
                }));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  const RunId run(call.At("run"));
  CO_TRY_ASSIGN(auto records, co_await runs->Records(ctx, rooms.caller, run));
  if (form == ReportForm::kJsonl)
    co_return ReportResponse("application/jsonl", agent::RunReportJsonl(records));
  CO_TRY_ASSIGN(agent::RunPast past, agent::ReadRunPast(records));
  auto pictures =
      PicturesOf(rooms.runtime->parts().artifacts,
                 {.tenant = rooms.caller.tenant, .workflow = WorkflowId(past.config.session)});
  std::string page =
      co_await Aside(std::move(ctx), [run, past = std::move(past), pictures = std::move(pictures)] {
        return agent::RunReportHtml(run, past, pictures);
      });
  co_return ReportResponse("text/html; charset=utf-8", std::move(page));
}

// Sends what is told of a run until it is over.
Task<Result<void>> WriteRunEvents(agent::RunDesk* runs, CallContext ctx, std::string run,
                                  std::uint64_t after, net::BodyWriter* out) {
  CO_TRY(co_await out->Write(std::string(kSseRetry)));
  for (;;) {
    const auto news = co_await runs->After(ctx.WithTimeout(kRunStillThere), run, after);
    if (!news && (news.error().code() != ErrorCode::kTimeout || !ctx.StillWanted("the run")))
      co_return Fail(news.error());
    if (news && news->empty()) co_return Result<void>();
    if (!news) CO_TRY(co_await out->Write(std::string(kSseComment)));
    if (!news) continue;
    for (const agent::RunJournal::Entry& entry : *news) {
      after = entry.id;
      CO_TRY(co_await out->Write(
          SseText(std::to_string(entry.id), entry.event.name, json::serialize(entry.event.facts))));
    }
  }
}

Result<std::uint64_t> FirstNews(const RouteCall& call) {
  TRY_ASSIGN(const auto after, ReadJson(call.query, "query", [](JsonReader& in) {
               return in.OptionalInteger("after", kNewsIds).value_or(0);
             }));
  const auto header = call.request.headers.Find("last-event-id");
  if (!header) return static_cast<std::uint64_t>(after);
  const auto id = ParseWhole(*header);
  if (id && kNewsIds.Contains(*id)) return static_cast<std::uint64_t>(*id);
  return Fail(ErrorCode::kInvalidArgument, "Last-Event-ID: is not the id of an event of ours");
}

Task<Result<net::HttpResponse>> GetRunEvents(RestContext* context, CallContext ctx,
                                             RouteCall call) {
  CO_TRY_ASSIGN(agent::RunDesk * runs, RunsOf(*context));
  CO_TRY_ASSIGN(const std::uint64_t after, FirstNews(call));
  const std::string& run = call.At("run");
  CO_TRY(runs->CheckKnown(run));
  co_return EventsResponse([runs, ctx, run, after](net::BodyWriter* out) {
    return WriteRunEvents(runs, ctx, run, after, out);
  });
}

Route RunRoute(std::string_view method, std::string_view pattern, std::string_view summary,
               RoleSet roles, RouteHandler handler) {
  return {.method = method,
          .pattern = pattern,
          .tag = "agent",
          .summary = summary,
          .roles = roles,
          .handler = std::move(handler)};
}

Route WithBody(Route route, std::string_view body, bool is_optional) {
  route.body = body;
  route.is_body_optional = is_optional;
  return route;
}

Route WithQuery(Route route, QueryRow row, std::string_view media) {
  route.query = {row};
  route.media = media;
  return route;
}

}  // namespace

std::vector<Route> AgentRoutes(RestContext& context) {
  return {
      WithBody(RunRoute("POST", "/api/agent/run",
                        "The built-in agent carries out a task. Prefer: respond-async answers at "
                        "once with the run's id.",
                        kRunning, Handle<PostRun>(context)),
               "AgentRun", false),
      RunRoute("GET", "/api/agent/status/{run}", "How far a run is, and what came of it.",
               kWatchingRuns, Handle<GetRunStatus>(context)),
      RunRoute("GET", "/v1/runs", "Runs that are under way, and those that have ended lately.",
               kWatchingRuns, Handle<ListRuns>(context)),
      RunRoute("POST", "/api/agent/{run}/pause", "Pause a run after the step that is under way.",
               kRunning, Handle<PostPauseRun>(context)),
      WithBody(RunRoute("POST", "/api/agent/{run}/resume",
                        "A run goes on, or is taken up again after it was broken off.", kRunning,
                        Handle<PostResumeRun>(context)),
               "Reason", true),
      WithBody(RunRoute("POST", "/api/agent/{run}/cancel", "End a run at once.", kRunning,
                        Handle<PostCancelRun>(context)),
               "Reason", true),
      WithBody(RunRoute("POST", "/api/agent/{run}/handover",
                        "A person drives the run's session; the run waits until it is handed back.",
                        kTakingRuns, Handle<PostHandOverRun>(context)),
               "DriverChange", false),
      WithQuery(RunRoute("GET", "/v1/runs/{run}/report",
                         "A run from its first word to its last, as one page or as its records.",
                         kAuditing, Handle<GetRunReport>(context)),
                {"format", "string", "html or jsonl (html)"}, "text/html"),
      WithQuery(RunRoute("GET", "/v1/runs/{run}/events",
                         "What a run does, as it does it, as server-sent events.", kWatchingRuns,
                         Handle<GetRunEvents>(context)),
                {"after", "integer", "begin after this event; without it, at the beginning"},
                "text/event-stream")};
}

}  // namespace falconer::api
