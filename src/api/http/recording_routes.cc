// Recordings: what is done in a session becomes a workflow, whoever does it.

#include <utility>

#include "api/http/predict_route.h"
#include "api/http/problem.h"
#include "api/http/routes.h"
#include "api/tools/predict_wishes.h"

namespace falconer::api {
namespace {

constexpr RoleSet kRecorders = {Role::kAgent, Role::kOperator};
constexpr RoleSet kRecordingReaders = {Role::kAgent, Role::kViewer, Role::kOperator};

Task<Result<net::HttpResponse>> PostRecording(RestContext* context, CallContext ctx,
                                              RouteCall call) {
  CO_TRY_ASSIGN(const auto body, call.Body());
  CO_TRY_ASSIGN(auto wish, ReadJson(body, "body", ReadRecordWish));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, PredictDeskOf(rooms));
  CO_TRY_ASSIGN(const auto begun,
                co_await desk->BeginRecording(std::move(ctx), rooms.caller, std::move(wish)));
  net::HttpResponse response = JsonResponse(201, RecordingJson(begun));
  response.headers.Set("Location", "/v1/recordings/" + begun.id);
  co_return response;
}

Task<Result<net::HttpResponse>> ListRecordings(RestContext* context, CallContext, RouteCall) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, PredictDeskOf(rooms));
  json::array list;
  for (const predict::OpenRecording& one : desk->Recordings(rooms.caller.tenant))
    list.push_back(RecordingJson(one));
  co_return JsonResponse(200, json::object{{"recordings", std::move(list)}});
}

Task<Result<net::HttpResponse>> EndRecording(RestContext* context, CallContext ctx,
                                             RouteCall call) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, PredictDeskOf(rooms));
  CO_TRY_ASSIGN(const auto workflow,
                co_await desk->EndRecording(std::move(ctx), rooms.caller, call.At("recording")));
  json::object document = workflow.ToJson();
  if (call.client.role != Role::kOperator) context->guard.Clean(document);
  co_return JsonResponse(200, document);
}

Task<Result<net::HttpResponse>> DeleteRecording(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, PredictDeskOf(rooms));
  CO_TRY(desk->DropRecording(rooms.caller, call.At("recording")));
  co_return net::HttpResponse{.status = 204};
}

}  // namespace

std::vector<Route> RecordingRoutes(RestContext& context) {
  return {PredictRoute({"POST", "/v1/recordings",
                        "From now on what happens in a session belongs to a workflow.", kRecorders,
                        Handle<PostRecording>(context), "Recording"}),
          PredictRoute({"GET", "/v1/recordings", "Recordings that are under way.",
                        kRecordingReaders, Handle<ListRecordings>(context)}),
          PredictRoute({"POST", "/v1/recordings/{recording}/end",
                        "End a recording; answers the workflow that it became part of.", kRecorders,
                        Handle<EndRecording>(context)}),
          PredictRoute({"DELETE", "/v1/recordings/{recording}", "End a recording, and forget it.",
                        kRecorders, Handle<DeleteRecording>(context)})};
}

}  // namespace falconer::api
