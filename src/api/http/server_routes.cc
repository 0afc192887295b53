// What the server offers: health, and the document of all routes.

#include <iterator>

#include "api/http/openapi.h"
#include "api/http/problem.h"
#include "api/http/routes.h"

namespace falconer::api {
namespace {

constexpr RoleSet kLooking = {Role::kViewer, Role::kOperator};

// That the process answers.
Task<Result<net::HttpResponse>> GetServerHealth(RestContext* context, CallContext, RouteCall) {
  co_return JsonResponse(200, json::object{{"status", "ok"}, {"version", context->version}});
}

// That it can do work: the store and the ledger are open.
Task<Result<net::HttpResponse>> GetReadiness(RestContext* context, CallContext, RouteCall) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(const auto pause, co_await rooms.runtime->parts().pauses.Find(rooms.caller.tenant));
  // Who has no key is not told why.
  if (pause) co_return Fail(ErrorCode::kRuntimePaused, "everything is paused");
  co_return JsonResponse(200, json::object{{"status", "ready"}});
}

Task<Result<net::HttpResponse>> GetDocument(RestContext* context, CallContext, RouteCall) {
  co_return JsonResponse(200, OpenApiDocument(AllRoutes(*context), context->version));
}

Task<Result<net::HttpResponse>> GetRole(RestContext* context, CallContext, RouteCall call) {
  co_return JsonResponse(
      200, json::object{{"role", NameIn(kRoles, call.client.role)}, {"version", context->version}});
}

Task<Result<net::HttpResponse>> GetLoad(RestContext* context, CallContext, RouteCall) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  const engine::RuntimeParts& parts = rooms.runtime->parts();
  const kernel::LoadLimits& limits = parts.load.limits();
  const engine::FlowNumbers flow = rooms.runtime->Flow();
  json::object lanes;
  for (const EnumName<model::Lane>& lane : model::kLanes)
    lanes[lane.name] = flow.depth[static_cast<std::size_t>(lane.value)];
  co_return JsonResponse(
      200, json::object{{"running", parts.load.running()},
                        {"running_limit", limits.running},
                        {"waiting", parts.load.queued()},
                        {"waiting_limit", limits.queued},
                        {"sessions", parts.sessions.List().size()},
                        {"sessions_limit", rooms.runtime->config().max_sessions},
                        {"leases", parts.leases.held()},
                        {"approvals_pending", parts.control.approvals.meter().pending},
                        {"mcp_sessions", context->mcp.sessions()},
                        {"events_lost", flow.data_lost + flow.telemetry_lost},
                        {"lanes", std::move(lanes)}});
}

}  // namespace

std::vector<Route> ServerRoutes(RestContext& context) {
  return {
      {.method = "GET",
       .pattern = "/v1/whoami",
       .tag = "keys",
       .summary = "What the key of this request may do.",
       .roles = kEveryRole,
       .handler = Handle<GetRole>(context)},
      {.method = "GET",
       .pattern = "/v1/load",
       .tag = "load",
       .summary = "How much is under way and how much may be.",
       .roles = kLooking,
       .handler = Handle<GetLoad>(context)},
      {.method = "GET",
       .pattern = "/health",
       .tag = "server",
       .summary = "That the server answers.",
       .roles = kEveryRole,
       .handler = Handle<GetServerHealth>(context),
       .door = Door::kOpen},
      {.method = "GET",
       .pattern = "/ready",
       .tag = "server",
       .summary = "That the server can do work: its store is open and nothing is paused.",
       .roles = kEveryRole,
       .handler = Handle<GetReadiness>(context),
       .door = Door::kOpen},
      {.method = "GET",
       .pattern = "/openapi.json",
       .tag = "server",
       .summary = "This document.",
       .roles = kEveryRole,
       .handler = Handle<GetDocument>(context),
       .door = Door::kOpen},
  };
}

std::vector<Route> AllRoutes(RestContext& context) {
  std::vector<Route> all;
  for (const auto group :
       {ActionRoutes,       JobRoutes,       SessionJobRoutes, SessionRoutes,  TakeoverRoutes,
        StreamRoutes,       EventRoutes,     ArtifactRoutes,   ApprovalRoutes, LedgerRoutes,
        PolicyRoutes,       QuotaRoutes,     TokenRoutes,      CrawlRoutes,    GhostRoutes,
        PageRoutes,         AgentRoutes,     PredictRoutes,    WorkflowRoutes, WorkflowPlanRoutes,
        PredictedRunRoutes, RecordingRoutes, McpRoutes,        ToolRoutes,     MetricsRoutes,
        ResourceRoutes,     ConsoleRoutes,   ServerRoutes}) {
    std::vector<Route> routes = group(context);
    all.insert(all.end(), std::move_iterator(routes.begin()), std::move_iterator(routes.end()));
  }
  return all;
}

}  // namespace falconer::api
