// Runs by prediction, and instructions: done now, or as a job.

#include <utility>

#include "api/http/accepted_job.h"
#include "api/http/predict_route.h"
#include "api/http/predicted_run.h"
#include "api/http/problem.h"
#include "api/http/routes.h"
#include "api/tools/predict_wishes.h"
#include "base/text.h"

namespace falconer::api {
namespace {

constexpr RoleSet kPredictRunners = {Role::kAgent, Role::kOperator};
// What a job says of itself beside its input.
constexpr std::string_view kCallbackKeys[] = {"callback_url", "callback_secret"};

bool WantsJob(const net::HttpRequest& request) {
  const auto prefer = request.headers.Find("prefer");
  return prefer && ToLower(*prefer).contains("respond-async");
}

Task<Result<json::object>> CarryPrediction(RestContext* context, CallContext ctx,
                                           predict::RunWish wish) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, PredictDeskOf(rooms));
  wish.renew = [context] { return CallerOf(context->Rooms()); };
  CO_TRY_ASSIGN(json::object result,
                co_await desk->Run(std::move(ctx), rooms.caller, std::move(wish)));
  context->guard.Clean(result);
  co_return result;
}

// What a step says in the words of a page is guarded before it is news.
std::function<void(const json::object&)> GuardedNews(RestContext* context, agent::JobNews news) {
  return [context, news = std::move(news)](const json::object& step) {
    json::object told = step;
    context->guard.Clean(told);
    told["event"] = "step";
    news(std::move(told));
  };
}

Result<json::value> BodyOrNothing(const RouteCall& call) {
  if (call.request.body.empty()) return json::value(json::object());
  return call.Body();
}

Task<Result<net::HttpResponse>> CarriedJob(RestContext* context, CallContext ctx, RouteCall call,
                                           predict::RunWish wish) {
  if (WantsJob(call.request)) {
    CO_TRY_ASSIGN(auto job, JobWishOf(*context, call, std::string(kWorkflowRunJob), {}));
    CO_TRY_ASSIGN(auto response,
                  co_await BegunPredictedRun(context, std::move(wish), std::move(job)));
    response.headers.Set("Preference-Applied", "respond-async");
    co_return response;
  }
  CO_TRY_ASSIGN(const json::object result,
                co_await CarryPrediction(context, std::move(ctx), std::move(wish)));
  co_return JsonResponse(200, result);
}

// However it ended, it is answered: the outcome says which.
Task<Result<net::HttpResponse>> PostWorkflowRun(RestContext* context, CallContext ctx,
                                                RouteCall call) {
  CO_TRY_ASSIGN(const auto body, BodyOrNothing(call));
  const std::string& name = call.At("name");
  CO_TRY_ASSIGN(auto wish,
                ReadJson(body, "body", [&name](JsonReader& in) { return ReadRunWish(in, name); }));
  co_return co_await CarriedJob(context, std::move(ctx), std::move(call), std::move(wish));
}

predict::RunWish ReadFreeRunWish(JsonReader& in) {
  return ReadRunWish(in, "");
}

Task<Result<net::HttpResponse>> PostPredictedRun(RestContext* context, CallContext ctx,
                                                 RouteCall call) {
  CO_TRY_ASSIGN(const auto body, call.Body());
  CO_TRY_ASSIGN(auto wish, ReadJson(body, "body", ReadFreeRunWish));
  co_return co_await CarriedJob(context, std::move(ctx), std::move(call), std::move(wish));
}

Task<Result<net::HttpResponse>> PostIntent(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(const auto body, call.Body());
  CO_TRY_ASSIGN(auto wish, ReadJson(body, "body", ReadIntentWish));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, PredictDeskOf(rooms));
  CO_TRY_ASSIGN(json::object result,
                co_await desk->DoIntent(std::move(ctx), rooms.caller, std::move(wish)));
  context->guard.Clean(result);
  co_return JsonResponse(200, result);
}

}  // namespace

Task<Result<net::HttpResponse>> BegunPredictedRun(RestContext* context, predict::RunWish wish,
                                                  agent::JobWish job) {
  job.input = ShownRunWish(wish);
  job.workflow = wish.session;
  co_return co_await BegunJob(
      context, std::move(job),
      [context, wish = std::move(wish)](CallContext own, agent::JobNews news) {
        predict::RunWish told = wish;
        told.news = GuardedNews(context, std::move(news));
        return CarryPrediction(context, std::move(own), std::move(told));
      });
}

Task<Result<net::HttpResponse>> BegunPredictedRun(RestContext* context, RouteCall call,
                                                  json::object input) {
  json::object callback;
  for (const std::string_view key : kCallbackKeys) {
    if (const json::value* value = input.if_contains(key)) callback[key] = *value;
    input.erase(key);
  }
  CO_TRY_ASSIGN(auto wish, ReadJson(input, "input", ReadNamedRunWish));
  CO_TRY_ASSIGN(auto job,
                JobWishOf(*context, call, std::string(kWorkflowRunJob), std::move(callback)));
  co_return co_await BegunPredictedRun(context, std::move(wish), std::move(job));
}

std::vector<Route> PredictedRunRoutes(RestContext& context) {
  Route run = PredictRoute({"POST", "/v1/workflows/{name}/run",
                            "Do what a workflow says, by prediction. Prefer: respond-async makes a "
                            "job of it.",
                            kPredictRunners, Handle<PostWorkflowRun>(context), "WorkflowRun"});
  run.is_body_optional = true;
  return {std::move(run),
          PredictRoute({"POST", "/v1/predict/run",
                        "Go on in a session by prediction alone, as long as it is sure.",
                        kPredictRunners, Handle<PostPredictedRun>(context), "PredictedRun"}),
          PredictRoute({"POST", "/v1/intents",
                        "Do one thing that is said in words, on the page of a session.",
                        kPredictRunners, Handle<PostIntent>(context), "Intent"})};
}

}  // namespace falconer::api
