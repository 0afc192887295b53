// Contracts and plans.

#include <utility>

#include "api/http/accepted_job.h"
#include "api/http/driver_json.h"
#include "api/http/idempotency_key.h"
#include "api/http/problem.h"
#include "api/http/routes.h"
#include "base/text.h"
#include "engine/plan_run.h"
#include "model/contract/plan_dag.h"

namespace falconer::api {
namespace {

constexpr RoleSet kActing = {Role::kAgent, Role::kOperator};

struct NewsName {
  engine::PlanNewsKind kind;
  std::string_view name;
};

constexpr NewsName kNewsNames[] = {
    {engine::PlanNewsKind::kStepBegan, "step_began"},
    {engine::PlanNewsKind::kStepEnded, "step_ended"},
    {engine::PlanNewsKind::kCriteriaJudged, "criteria_judged"},
    {engine::PlanNewsKind::kCompensated, "compensated"},
};

json::object NewsJson(const engine::PlanNews& news) {
  const auto* const row = std::ranges::find(kNewsNames, news.kind, &NewsName::kind);
  json::object told{{"event", row->name}};
  if (!news.step_id.empty()) told["step_id"] = news.step_id.value();
  if (!news.result.empty()) told["status"] = NameIn(engine::kStepStatuses, news.status);
  return told;
}

// Of a contract, or of a plan: carried out now or as a job.
using Carried = Task<Result<json::object>>;

Carried CarryOutContract(RestContext* context, CallContext ctx, Role role, json::value contract) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  engine::Caller caller = CallerFor(rooms, role, contract);
  CO_TRY_ASSIGN(const auto bytes, co_await rooms.runtime->Execute(std::move(ctx), std::move(caller),
                                                                  std::move(contract)));
  CO_TRY_ASSIGN(json::object result, ParseJsonObject(*bytes));
  context->guard.Clean(result);
  co_return result;
}

Carried CarryOutPlan(RestContext* context, CallContext ctx, model::TaskPlan plan,
                     agent::JobNews news) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(
      json::object result,
      co_await engine::RunPlan(std::move(ctx), rooms.runtime, rooms.caller, std::move(plan),
                               [&news](const engine::PlanNews& one) { news(NewsJson(one)); }));
  context->guard.Clean(result);
  co_return result;
}

// RFC 7240.
bool PrefersAsync(const net::HttpRequest& request) {
  for (const auto& field : request.headers) {
    const bool is_prefer = ToLower(field.name) == "prefer";
    if (is_prefer && ToLower(field.value).contains("respond-async")) return true;
  }
  return false;
}

// The header says what the contract may say itself; both must say the same.
Result<void> TakeIdempotencyKey(const net::HttpRequest& request, json::value& contract) {
  TRY_ASSIGN(const auto key, IdempotencyKey(request));
  if (!key || !contract.is_object()) return {};
  json::value& idempotency = contract.get_object()["idempotency"];
  if (idempotency.is_null()) idempotency.emplace_object();
  if (!idempotency.is_object()) return {};
  json::value& own = idempotency.get_object()["key"];
  const json::value said(std::string_view{*key});
  if (own.is_null()) own = said;
  if (own == said) return {};
  return Fail(ErrorCode::kInvalidArgument,
              "Idempotency-Key: the contract's idempotency.key says otherwise");
}

// Work of the contract or plan that `shown` is.
Task<Result<net::HttpResponse>> BegunAsync(RestContext* context, std::string type,
                                           json::value shown, agent::JobQueue::JobWork work) {
  agent::JobWish wish{.type = std::move(type), .input = {}};
  if (shown.is_object()) wish.input = std::move(shown.get_object());
  wish.workflow = TextAt(wish.input, "workflow_id");
  CO_TRY_ASSIGN(auto response, co_await BegunJob(context, std::move(wish), std::move(work)));
  response.headers.Set("Preference-Applied", "respond-async");
  co_return response;
}

// A job belongs to the trace of the call that began it.
CallContext InTrace(CallContext own, TraceId trace) {
  Correlation ids = own.ids();
  ids.trace = std::move(trace);
  return own.WithIds(std::move(ids));
}

// A contract that failed or was refused is answered like one that succeeded: its result is on
// record and says which.
Task<Result<net::HttpResponse>> PostAction(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(auto contract, call.Body());
  CO_TRY(TakeIdempotencyKey(call.request, contract));
  const Role role = call.client.role;
  if (PrefersAsync(call.request)) {
    co_return co_await BegunAsync(
        context, "action", contract,
        [context, contract, role, trace = ctx.ids().trace](CallContext own, const agent::JobNews&) {
          return CarryOutContract(context, InTrace(std::move(own), trace), role, contract);
        });
  }
  CO_TRY_ASSIGN(const json::object result,
                co_await CarryOutContract(context, std::move(ctx), role, std::move(contract)));
  co_return JsonResponse(200, result);
}

Task<Result<net::HttpResponse>> PostPlan(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(const auto body, call.Body());
  CO_TRY_ASSIGN(auto plan, model::TaskPlan::FromJson(body));
  if (PrefersAsync(call.request)) {
    co_return co_await BegunAsync(
        context, "plan", body,
        [context, plan, trace = ctx.ids().trace](CallContext own, agent::JobNews news) {
          return CarryOutPlan(context, InTrace(std::move(own), trace), plan, std::move(news));
        });
  }
  CO_TRY_ASSIGN(
      const json::object result,
      co_await CarryOutPlan(context, std::move(ctx), std::move(plan), [](const json::object&) {}));
  co_return JsonResponse(200, result);
}

}  // namespace

std::vector<Route> ActionRoutes(RestContext& context) {
  return {{.method = "POST",
           .pattern = "/v1/actions",
           .tag = "actions",
           .summary = "Carry out a contract; the same one again is answered, not repeated.",
           .roles = kActing,
           .handler = Handle<PostAction>(context),
           .body = "ActionContract"},
          {.method = "POST",
           .pattern = "/v1/plans",
           .tag = "actions",
           .summary = "Carry out a plan: contracts as steps.",
           .roles = kActing,
           .handler = Handle<PostPlan>(context),
           .body = "TaskPlan"}};
}

}  // namespace falconer::api
