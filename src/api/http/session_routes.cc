// Sessions: which there are, what they show, and their end.

#include <utility>

#include "api/http/driver_json.h"
#include "api/http/problem.h"
#include "api/http/routes.h"
#include "base/units.h"
#include "engine/look.h"

namespace falconer::api {
namespace {

constexpr RoleSet kReading = {Role::kAgent, Role::kViewer, Role::kOperator};
constexpr RoleSet kClosing = {Role::kAgent, Role::kOperator};

json::object SessionJson(const browser::SessionInfo& info) {
  return {{"session", info.key.workflow.value()}, {"session_id", info.id.value()},
          {"browser", info.browser_number},       {"tabs", info.tabs},
          {"opened_at", IsoTime(info.opened)},    {"last_used_at", IsoTime(info.last_acquired)}};
}

Task<Result<net::HttpResponse>> ListSessions(RestContext* context, CallContext, RouteCall) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  json::array list;
  for (const browser::SessionInfo& info : rooms.runtime->parts().sessions.List()) {
    if (info.key.tenant != rooms.caller.tenant) continue;
    json::object session = SessionJson(info);
    session["driver"] = DriverJson(rooms.runtime->TakeoverOf(info.key));
    list.push_back(std::move(session));
  }
  co_return JsonResponse(200, json::object{{"sessions", std::move(list)}});
}

// Only of a session that is there: looking opens none.
Result<browser::SessionKey> OpenSession(const ToolRooms& rooms, const std::string& name) {
  browser::SessionKey key = SessionNamed(rooms, name);
  for (const browser::SessionInfo& info : rooms.runtime->parts().sessions.List()) {
    if (info.key == key) return key;
  }
  return Fail(ErrorCode::kNotFound, "there is no session " + name);
}

engine::StateQuestion ReadStateQuestion(JsonReader& in) {
  engine::StateQuestion question;
  question.tab = TabId(in.OptionalString("tab").value_or(""));
  question.scope = in.OptionalEnum("scope", model::kStateScopes).value_or(question.scope);
  return question;
}

Task<Result<net::HttpResponse>> GetState(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(const engine::StateQuestion question,
                ReadJson(call.query, "query", ReadStateQuestion));
  CO_TRY_ASSIGN(const browser::SessionKey key, OpenSession(rooms, call.At("session")));
  engine::Look look(*rooms.runtime, rooms.caller);
  CO_TRY_ASSIGN(auto state, co_await look.State(std::move(ctx), key.workflow, question));
  context->guard.Clean(state);
  co_return JsonResponse(200, state.ToJson());
}

Task<Result<net::HttpResponse>> DeleteSession(RestContext* context, CallContext ctx,
                                              RouteCall call) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(const browser::SessionKey key, OpenSession(rooms, call.At("session")));
  if (call.client.role == Role::kAgent) CO_TRY(rooms.runtime->CheckNotTaken(key));
  co_await rooms.runtime->Close(std::move(ctx), key);
  co_return net::HttpResponse{.status = 204};
}

}  // namespace

std::vector<Route> SessionRoutes(RestContext& context) {
  return {{.method = "GET",
           .pattern = "/v1/sessions",
           .tag = "sessions",
           .summary = "The sessions that have a browser now.",
           .roles = kReading,
           .handler = Handle<ListSessions>(context)},
          {.method = "GET",
           .pattern = "/v1/sessions/{session}/state",
           .tag = "sessions",
           .summary = "What the active tab of a session shows.",
           .roles = kReading,
           .handler = Handle<GetState>(context),
           .query = {{"tab", "string", "another tab than the active one"},
                     {"scope", "string", "viewport (default) or page"}}},
          {.method = "DELETE",
           .pattern = "/v1/sessions/{session}",
           .tag = "sessions",
           .summary = "Close a session and let go of its lease.",
           .roles = kClosing,
           .handler = Handle<DeleteSession>(context)}};
}

}  // namespace falconer::api
