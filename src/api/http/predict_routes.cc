// What is learnt of what is done, and what it predicts.

#include <utility>

#include "api/http/predict_route.h"
#include "api/http/problem.h"
#include "api/http/routes.h"
#include "api/tools/predict_wishes.h"

namespace falconer::api {
namespace {

constexpr RoleSet kPredictReaders = {Role::kAgent, Role::kViewer, Role::kOperator};
constexpr RoleSet kPredictKeepers = {Role::kOperator};
constexpr Bounds<std::int64_t> kTopCounts = {1, 1000};

std::size_t ReadTopCount(JsonReader& in) {
  return static_cast<std::size_t>(in.OptionalInteger("k", kTopCounts).value_or(10));
}

Task<Result<net::HttpResponse>> GetTopTransitions(RestContext* context, CallContext,
                                                  RouteCall call) {
  CO_TRY_ASSIGN(const std::size_t most, ReadJson(call.query, "query", ReadTopCount));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, PredictDeskOf(rooms));
  CO_TRY_ASSIGN(json::object top, co_await desk->TopTransitions(rooms.caller.tenant, most));
  context->guard.Clean(top);
  co_return JsonResponse(200, top);
}

predict::NextQuestion ReadNextQuestion(JsonReader& in) {
  return {.session = in.String("session", kSessionNames),
          .workflow = in.OptionalString("workflow").value_or(""),
          .values = {},
          .most = static_cast<std::size_t>(in.OptionalInteger("k", kPredictionCounts).value_or(5))};
}

Task<Result<net::HttpResponse>> GetPredictions(RestContext* context, CallContext ctx,
                                               RouteCall call) {
  CO_TRY_ASSIGN(auto question, ReadJson(call.query, "query", ReadNextQuestion));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, PredictDeskOf(rooms));
  CO_TRY(OpenSessionNamed(rooms, question.session));
  CO_TRY_ASSIGN(json::object next,
                co_await desk->Next(std::move(ctx), rooms.caller, std::move(question)));
  context->guard.Clean(next);
  co_return JsonResponse(200, next);
}

Task<Result<net::HttpResponse>> GetLearnt(RestContext* context, CallContext, RouteCall) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, PredictDeskOf(rooms));
  CO_TRY_ASSIGN(const json::object learnt, co_await desk->Export(rooms.caller.tenant));
  co_return JsonResponse(200, learnt);
}

Task<Result<net::HttpResponse>> PostLearnt(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(json::value other, call.Body());
  if (!other.is_object())
    co_return Fail(ErrorCode::kInvalidArgument,
                   "body: expected object, got " + std::string(JsonTypeName(other)));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, PredictDeskOf(rooms));
  CO_TRY_ASSIGN(const json::object merged,
                co_await desk->Merge(rooms.caller.tenant, std::move(other.get_object())));
  co_return JsonResponse(200, merged);
}

Task<Result<net::HttpResponse>> DeleteLearnt(RestContext* context, CallContext, RouteCall) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, PredictDeskOf(rooms));
  CO_TRY(co_await desk->Forget(rooms.caller.tenant));
  co_return net::HttpResponse{.status = 204};
}

}  // namespace

std::vector<Route> PredictRoutes(RestContext& context) {
  std::vector<QueryRow> top = {{"k", "integer", "at most so many (10)"}};
  std::vector<QueryRow> next = {{"session", "string", "the session that goes on"},
                                {"k", "integer", "at most so many (5)"},
                                {"workflow", "string", "only steps of this learned workflow"}};
  return {PredictRoute({"GET", "/transitions/top", "What follows on what most often.",
                        kPredictReaders, Handle<GetTopTransitions>(context), "", std::move(top)}),
          PredictRoute({"GET", "/predictions", "What comes next in a session that is open.",
                        kPredictReaders, Handle<GetPredictions>(context), "", std::move(next)}),
          PredictRoute({"GET", "/v1/predict/export", "What this node learnt, for others.",
                        kPredictKeepers, Handle<GetLearnt>(context)}),
          PredictRoute({"POST", "/v1/predict/merge",
                        "Add what another node learnt; the same again changes nothing.",
                        kPredictKeepers, Handle<PostLearnt>(context), "Learnt"}),
          PredictRoute({"DELETE", "/v1/predict",
                        "Forget what was learnt for the tenant; its workflows stay.",
                        kPredictKeepers, Handle<DeleteLearnt>(context)})};
}

}  // namespace falconer::api
