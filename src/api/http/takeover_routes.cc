// A person takes a session over from its agents, and hands it back.

#include <utility>

#include "api/http/driver_json.h"
#include "api/http/problem.h"
#include "api/http/routes.h"

namespace falconer::api {
namespace {

constexpr RoleSet kDriving = {Role::kOperator};
// For the turn that runs to end: it can do nothing any more, and has only to say so.
constexpr auto kDriverTime = std::chrono::seconds(30);

engine::DriverChange ReadDriverChange(JsonReader& in) {
  return {.person = in.String("person", {1, 128}),
          .reason = in.OptionalString("reason", {0, 1000}).value_or("")};
}

// Whoever holds the key says who he is; that goes on record with what he does.
Result<engine::DriverChange> ChangeFrom(const RouteCall& call) {
  TRY_ASSIGN(const auto body, call.Body());
  return ReadJson(body, "driver", ReadDriverChange);
}

Task<Result<net::HttpResponse>> PostTakeover(RestContext* context, CallContext ctx,
                                             RouteCall call) {
  CO_TRY_ASSIGN(auto change, ChangeFrom(call));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(
      const auto takeover,
      co_await rooms.runtime->TakeOver(ctx.WithTimeout(kDriverTime),
                                       SessionNamed(rooms, call.At("session")), std::move(change)));
  json::object out{{"session", call.At("session")}, {"driver", DriverJson(takeover)}};
  co_return JsonResponse(200, out);
}

Task<Result<net::HttpResponse>> PostHandback(RestContext* context, CallContext ctx,
                                             RouteCall call) {
  CO_TRY_ASSIGN(auto change, ChangeFrom(call));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(
      const std::int64_t epoch,
      co_await rooms.runtime->HandBack(ctx.WithTimeout(kDriverTime),
                                       SessionNamed(rooms, call.At("session")), std::move(change)));
  json::object driver = DriverJson(std::nullopt);
  driver["epoch"] = epoch;
  co_return JsonResponse(
      200, json::object{{"session", call.At("session")}, {"driver", std::move(driver)}});
}

}  // namespace

std::vector<Route> TakeoverRoutes(RestContext& context) {
  return {{.method = "POST",
           .pattern = "/v1/sessions/{session}/takeover",
           .tag = "sessions",
           .summary = "A person drives the session from now on; its agents are refused.",
           .roles = kDriving,
           .handler = Handle<PostTakeover>(context),
           .body = "DriverChange"},
          {.method = "POST",
           .pattern = "/v1/sessions/{session}/handback",
           .tag = "sessions",
           .summary = "The session goes back to its agents.",
           .roles = kDriving,
           .handler = Handle<PostHandback>(context),
           .body = "DriverChange"}};
}

}  // namespace falconer::api
