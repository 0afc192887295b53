// A learned workflow with its values, as a plan that anybody can carry out.

#include <utility>

#include "api/http/predict_route.h"
#include "api/http/problem.h"
#include "api/http/routes.h"
#include "api/tools/predict_wishes.h"
#include "predict/workflows/workflow_plan.h"

namespace falconer::api {
namespace {

constexpr RoleSet kPlanReaders = {Role::kAgent, Role::kOperator};

struct PlanBody {
  predict::ParameterValues values;
  predict::PlanWish wish;
};

PlanBody ReadPlanBody(JsonReader& in) {
  PlanBody body{.values = ReadParameterValues(in), .wish = {}};
  body.wish.workflow = WorkflowId(in.OptionalString("session", kSessionNames).value_or(""));
  if (in.OptionalBool("optional_steps").value_or(false))
    body.wish.optional = predict::OptionalSteps::kKeep;
  return body;
}

Task<Result<net::HttpResponse>> PostWorkflowPlan(RestContext* context, CallContext,
                                                 RouteCall call) {
  json::value said = json::object();
  if (!call.request.body.empty()) {
    CO_TRY_ASSIGN(said, call.Body());
  }
  CO_TRY_ASSIGN(const PlanBody body, ReadJson(said, "body", ReadPlanBody));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, PredictDeskOf(rooms));
  CO_TRY_ASSIGN(const auto workflow,
                co_await desk->FindWorkflow(rooms.caller.tenant, call.At("name")));
  CO_TRY_ASSIGN(const json::object plan, predict::PlanFrom(workflow, body.values, body.wish));
  co_return JsonResponse(200, plan);
}

}  // namespace

std::vector<Route> WorkflowPlanRoutes(RestContext& context) {
  Route plan = PredictRoute({"POST", "/v1/workflows/{name}/plan",
                             "A workflow with its parameters, as a task plan: POST /v1/plans "
                             "carries it out.",
                             kPlanReaders, Handle<PostWorkflowPlan>(context), "WorkflowPlan"});
  plan.is_body_optional = true;
  return {std::move(plan)};
}

}  // namespace falconer::api
