// Health, and the document of all routes.

#include <iterator>

#include "api/http/openapi.h"
#include "api/http/problem.h"
#include "api/http/routes.h"

namespace falconer::api {
namespace {

// That the process answers.
Task<Result<net::HttpResponse>> GetServerHealth(RestContext* context) {
  co_return JsonResponse(200, json::object{{"status", "ok"}, {"version", context->version}});
}

// That it can do work: the store and the ledger are open.
Task<Result<net::HttpResponse>> GetReadiness(RestContext* context) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(const auto pause, co_await rooms.runtime->parts().pauses.Find(rooms.caller.tenant));
  if (pause) co_return Fail(ErrorCode::kRuntimePaused, "everything is paused: " + pause->reason);
  co_return JsonResponse(200, json::object{{"status", "ready"}});
}

Task<Result<net::HttpResponse>> GetDocument(RestContext* context) {
  co_return JsonResponse(200, OpenApiDocument(AllRoutes(*context), context->version));
}

}  // namespace

std::vector<Route> ServerRoutes(RestContext& context) {
  return {
      {.method = "GET",
       .pattern = "/health",
       .tag = "server",
       .summary = "That the server answers.",
       .roles = kEveryRole,
       .handler = [context = &context](CallContext, RouteCall) { return GetServerHealth(context); },
       .door = Door::kOpen},
      {.method = "GET",
       .pattern = "/ready",
       .tag = "server",
       .summary = "That the server can do work: its store is open and nothing is paused.",
       .roles = kEveryRole,
       .handler = [context = &context](CallContext, RouteCall) { return GetReadiness(context); },
       .door = Door::kOpen},
      {.method = "GET",
       .pattern = "/openapi.json",
       .tag = "server",
       .summary = "This document.",
       .roles = kEveryRole,
       .handler = [context = &context](CallContext, RouteCall) { return GetDocument(context); },
       .door = Door::kOpen},
  };
}

std::vector<Route> AllRoutes(RestContext& context) {
  std::vector<Route> all;
  for (const auto group : {ActionRoutes, SessionRoutes, ApprovalRoutes, LedgerRoutes, McpRoutes,
                           MetricsRoutes, ServerRoutes}) {
    std::vector<Route> routes = group(context);
    all.insert(all.end(), std::move_iterator(routes.begin()), std::move_iterator(routes.end()));
  }
  return all;
}

}  // namespace falconer::api
