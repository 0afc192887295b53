// Contracts and plans.

#include <utility>

#include "api/http/problem.h"
#include "api/http/routes.h"
#include "engine/plan_run.h"
#include "model/contract/plan_dag.h"

namespace falconer::api {
namespace {

constexpr RoleSet kActing = {Role::kAgent, Role::kOperator};

// A contract that failed or was refused is answered like one that succeeded: its result is on
// record and says which.
Task<Result<net::HttpResponse>> PostAction(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(auto contract, call.Body());
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(const auto bytes,
                co_await rooms.runtime->Execute(std::move(ctx), rooms.caller, std::move(contract)));
  CO_TRY_ASSIGN(json::object result, ParseJsonObject(*bytes));
  context->guard.Clean(result);
  co_return JsonResponse(200, result);
}

Task<Result<net::HttpResponse>> PostPlan(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(const auto body, call.Body());
  CO_TRY_ASSIGN(auto plan, model::TaskPlan::FromJson(body));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(json::object result,
                co_await engine::RunPlan(std::move(ctx), rooms.runtime, rooms.caller,
                                         std::move(plan), [](const engine::PlanNews&) {}));
  context->guard.Clean(result);
  co_return JsonResponse(200, result);
}

}  // namespace

std::vector<Route> ActionRoutes(RestContext& context) {
  return {{.method = "POST",
           .pattern = "/v1/actions",
           .tag = "actions",
           .summary = "Carry out a contract; the same one again is answered, not repeated.",
           .roles = kActing,
           .handler =
               [context = &context](CallContext ctx, RouteCall call) {
                 return PostAction(context, std::move(ctx), std::move(call));
               },
           .body = "ActionContract"},
          {.method = "POST",
           .pattern = "/v1/plans",
           .tag = "actions",
           .summary = "Carry out a plan: contracts as steps.",
           .roles = kActing,
           .handler =
               [context = &context](CallContext ctx, RouteCall call) {
                 return PostPlan(context, std::move(ctx), std::move(call));
               },
           .body = "TaskPlan"}};
}

}  // namespace falconer::api
