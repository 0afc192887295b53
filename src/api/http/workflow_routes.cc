// Learned workflows: their documents, as JSON for programs and as YAML for people.

#include <utility>

#include "api/http/accepted_media.h"
#include "api/http/predict_route.h"
#include "api/http/problem.h"
#include "api/http/routes.h"
#include "api/tools/predict_wishes.h"
#include "base/text.h"

namespace falconer::api {
namespace {

constexpr RoleSet kWorkflowReaders = {Role::kAgent, Role::kViewer, Role::kOperator};
constexpr RoleSet kWorkflowWriters = {Role::kOperator};
constexpr std::string_view kYamlMedia = "application/yaml";
constexpr std::string_view kYamlMedias[] = {kYamlMedia, "application/x-yaml", "text/yaml",
                                            "text/x-yaml"};

// Whoever edits a document gets it as it is; for models what pages said in it is guarded.
void GuardFor(RestContext& context, Role role, json::object& document) {
  if (!kWorkflowWriters.Contains(role)) context.guard.Clean(document);
}

Task<Result<net::HttpResponse>> ListWorkflows(RestContext* context, CallContext, RouteCall) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, PredictDeskOf(rooms));
  CO_TRY_ASSIGN(const auto workflows, co_await desk->Workflows(rooms.caller.tenant));
  json::array list;
  for (const predict::LearnedWorkflow& one : workflows) list.push_back(WorkflowLine(one));
  json::object answer{{"workflows", std::move(list)}};
  context->guard.Clean(answer);
  co_return JsonResponse(200, answer);
}

net::HttpResponse WorkflowResponse(const predict::LearnedWorkflow& workflow,
                                   const net::HttpRequest& request, json::object document) {
  net::HttpResponse response =
      PrefersMedia(request, kYamlMedia, kJsonMedia)
          ? net::TextResponse(200, std::string(kYamlMedia), predict::WorkflowToYaml(workflow))
          : JsonResponse(200, std::move(document));
  response.headers.Set("Vary", "Accept");
  return response;
}

Task<Result<net::HttpResponse>> GetWorkflow(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, PredictDeskOf(rooms));
  CO_TRY_ASSIGN(const auto workflow,
                co_await desk->FindWorkflow(rooms.caller.tenant, call.At("name")));
  json::object document = workflow.ToJson();
  GuardFor(*context, call.client.role, document);
  auto shown = predict::LearnedWorkflow::FromJson(document);
  // What was put away may have been a part of a selector: then it is no document any more.
  if (!shown) co_return JsonResponse(200, document);
  co_return WorkflowResponse(*shown, call.request, std::move(document));
}

bool IsYaml(const net::HttpRequest& request) {
  const std::string_view type = request.headers.Find("content-type").value_or("");
  const std::string media = ToLower(Trim(type.substr(0, type.find(';'))));
  return std::ranges::find(kYamlMedias, media) != std::end(kYamlMedias);
}

Result<predict::LearnedWorkflow> WorkflowIn(const RouteCall& call) {
  if (IsYaml(call.request)) return predict::WorkflowFromYaml(call.request.body);
  TRY_ASSIGN(const auto body, call.Body());
  return predict::LearnedWorkflow::FromJson(body, "body");
}

Task<Result<net::HttpResponse>> PutWorkflow(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(auto workflow, WorkflowIn(call));
  if (workflow.name != call.At("name"))
    co_return Fail(ErrorCode::kInvalidArgument,
                   "body.name: the document is of another workflow than the address");
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, PredictDeskOf(rooms));
  CO_TRY_ASSIGN(const auto put,
                co_await desk->PutWorkflow(rooms.caller.tenant, std::move(workflow)));
  co_return WorkflowResponse(put, call.request, put.ToJson());
}

Task<Result<net::HttpResponse>> DeleteWorkflow(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, PredictDeskOf(rooms));
  CO_TRY(co_await desk->DropWorkflow(rooms.caller.tenant, call.At("name")));
  co_return net::HttpResponse{.status = 204};
}

Task<Result<net::HttpResponse>> GetConfidence(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, PredictDeskOf(rooms));
  CO_TRY_ASSIGN(json::object confidence,
                co_await desk->Confidence(rooms.caller.tenant, call.At("name")));
  context->guard.Clean(confidence);
  co_return JsonResponse(200, confidence);
}

}  // namespace

std::vector<Route> WorkflowRoutes(RestContext& context) {
  return {
      PredictRoute({"GET", "/v1/workflows", "The workflows that were learnt, by name.",
                    kWorkflowReaders, Handle<ListWorkflows>(context)}),
      PredictRoute({"GET", "/v1/workflows/{name}",
                    "One of them; as YAML for who prefers application/yaml.", kWorkflowReaders,
                    Handle<GetWorkflow>(context)}),
      PredictRoute({"PUT", "/v1/workflows/{name}",
                    "Put the next version: JSON, or YAML as application/yaml. Its version is that "
                    "of the document it was made from, 0 for a new one.",
                    kWorkflowWriters, Handle<PutWorkflow>(context), "LearnedWorkflow"}),
      PredictRoute({"DELETE", "/v1/workflows/{name}", "Forget a workflow and its recordings.",
                    kWorkflowWriters, Handle<DeleteWorkflow>(context)}),
      PredictRoute({"GET", "/v1/workflows/{name}/confidence",
                    "How sure the predictor is of each step, given those before it.",
                    kWorkflowReaders, Handle<GetConfidence>(context)})};
}

}  // namespace falconer::api
