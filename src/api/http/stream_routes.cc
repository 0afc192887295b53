// The live picture of sessions: for people who watch, and for the page that shows it to them.

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "api/http/driver_json.h"
#include "api/http/offered_protocols.h"
#include "api/http/problem.h"
#include "api/http/routes.h"
#include "api/http/viewer_socket.h"
#include "base/random.h"
#include "engine/check_look.h"

namespace falconer::api {
namespace {

constexpr RoleSet kWatchers = {Role::kAgent, Role::kViewer, Role::kOperator};
constexpr std::string_view kStreamProtocol = "falconer.stream.1";
constexpr std::string_view kBoundary = "falconer-frame";

using browser::LiveViewer;

browser::StreamHub& HubOf(RestContext* context, const ToolRooms& rooms) {
  return context->streams.Hub(rooms.runtime->parts().sessions);
}

// Who may not look at the page does not watch it either.
Task<Result<std::shared_ptr<LiveViewer>>> Join(RestContext* context, CallContext ctx,
                                               std::string session) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  const browser::SessionKey key = SessionNamed(rooms, session);
  CO_TRY_ASSIGN(auto viewer, HubOf(context, rooms).Watch(key));
  const auto looked_at = rooms.runtime->SessionAside(key);
  CO_TRY(co_await engine::CheckLook(std::move(ctx), rooms.runtime, &rooms.caller, looked_at.get(),
                                    looked_at->PageUrl(TabId()), kernel::GateReach::kLook));
  co_return viewer;
}

// A client that names subprotocols must be answered with one of them; keys are none.
Result<bool> OffersProtocol(const net::HttpRequest& request) {
  const auto offered = OfferedProtocols(request);
  if (offered.empty()) return false;
  if (std::ranges::find(offered, kStreamProtocol) != offered.end()) return true;
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("the subprotocol of streams is {}", kStreamProtocol));
}

Task<void> TalkToViewer(CallContext ctx, std::shared_ptr<net::WebSocket> socket,
                        std::shared_ptr<LiveViewer> viewer, ViewerSocket::About about) {
  ViewerSocket talk(std::move(ctx), std::move(socket), std::move(viewer), std::move(about));
  co_await talk.Run();
}

// What a person does in the picture becomes a contract like any other, one step after the other.
struct PersonRun {
  std::string session;
  std::string run = "person-" + RandomHex(8);
  std::int64_t steps = 0;
};

Task<Result<json::object>> DoAsPerson(RestContext* context, CallContext ctx,
                                      std::shared_ptr<PersonRun> run, json::object action_spec) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  json::value contract = json::object{{"workflow_id", run->session},
                                      {"run_id", run->run},
                                      {"step_index", run->steps++},
                                      {"action_spec", std::move(action_spec)}};
  engine::Caller caller = CallerFor(rooms, Role::kOperator, contract);
  if (caller.person.empty()) {
    co_return Fail(Error(ErrorCode::kForbidden, "take the session over first",
                         {{"reason", "not_taken_over"}}));
  }
  CO_TRY_ASSIGN(const auto bytes, co_await rooms.runtime->Execute(std::move(ctx), std::move(caller),
                                                                  std::move(contract)));
  CO_TRY_ASSIGN(json::object result, ParseJsonObject(*bytes));
  context->guard.Clean(result);
  co_return result;
}

ViewerInput InputFor(RestContext* context, const CallContext& ctx, Role role,
                     const std::string& session) {
  if (role != Role::kOperator) return nullptr;
  return [context, ctx, run = std::make_shared<PersonRun>(PersonRun{.session = session})](
             json::object action_spec) {
    return DoAsPerson(context, ctx, run, std::move(action_spec));
  };
}

Task<Result<net::HttpResponse>> GetStream(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(const bool is_named, OffersProtocol(call.request));
  const std::string& session = call.At("session");
  CO_TRY_ASSIGN(auto viewer, co_await Join(context, ctx, session));
  net::HttpResponse response;
  if (is_named) response.headers.Set("Sec-WebSocket-Protocol", std::string(kStreamProtocol));
  ViewerSocket::About about{.session = session,
                            .input = InputFor(context, ctx, call.client.role, session)};
  response.websocket = [ctx, viewer = std::move(viewer),
                        about = std::move(about)](std::shared_ptr<net::WebSocket> socket) {
    return TalkToViewer(ctx, std::move(socket), viewer, about);
  };
  co_return response;
}

Task<Result<void>> WriteParts(CallContext ctx, std::shared_ptr<LiveViewer> viewer,
                              net::BodyWriter* out) {
  for (;;) {
    const auto news = co_await viewer->Next(ctx);
    // Whatever ends the stream ends the body; there is no other way to say it.
    if (!news) co_return Result<void>();
    if (!news->frame) continue;
    CO_TRY(co_await out->Write(
        fmt::format("--{}\r\nContent-Type: image/jpeg\r\nContent-Length: {}\r\n\r\n", kBoundary,
                    news->frame->jpeg().size())));
    CO_TRY(co_await out->WriteShared(
        net::SharedBytes(news->frame->bytes, browser::kFrameHeaderBytes)));
    CO_TRY(co_await out->Write("\r\n"));
  }
}

Task<Result<net::HttpResponse>> GetMjpeg(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(auto viewer, co_await Join(context, ctx, call.At("session")));
  net::HttpResponse response;
  response.headers.Set("Content-Type",
                       fmt::format("multipart/x-mixed-replace; boundary={}", kBoundary));
  response.stream = [ctx, viewer = std::move(viewer)](net::BodyWriter* out) {
    return WriteParts(ctx, viewer, out);
  };
  co_return response;
}

json::object InfoJson(const std::optional<browser::StreamInfo>& info) {
  if (!info) return {{"state", "idle"}, {"viewers", 0}};
  json::object out = StatusJson(info->status);
  out["viewers"] = info->viewers;
  out["frames"] = info->frames;
  out["dropped"] = info->dropped;
  out["quality"] = info->quality;
  out["max_fps"] = info->max_fps;
  return out;
}

Task<Result<net::HttpResponse>> GetStreamStatus(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  const browser::SessionKey key = SessionNamed(rooms, call.At("session"));
  const browser::StreamHub& hub = HubOf(context, rooms);
  const auto info = hub.InfoOf(key);
  if (!info && rooms.runtime->parts().sessions.Find(key) == nullptr)
    co_return Fail(ErrorCode::kNotFound, "there is no session " + call.At("session"));
  json::object out = InfoJson(info);
  out["session"] = call.At("session");
  out["enabled"] = hub.options().is_enabled;
  co_return JsonResponse(200, out);
}

json::array BrowsersJson(const std::vector<browser::BrowserStatus>& browsers) {
  json::array list;
  for (const browser::BrowserStatus& status : browsers)
    list.push_back(json::object{{"browser", status.number}, {"sessions", status.sessions}});
  return list;
}

Task<Result<net::HttpResponse>> GetPoolStatus(RestContext* context, CallContext, RouteCall) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  const browser::SessionManager& sessions = rooms.runtime->parts().sessions;
  const browser::StreamHub& hub = HubOf(context, rooms);
  co_return JsonResponse(200, json::object{{"enabled", hub.options().is_enabled},
                                           {"browsers", BrowsersJson(sessions.Browsers())},
                                           {"sessions", sessions.List().size()},
                                           {"waiting", sessions.waiting()},
                                           {"streams", hub.streams()},
                                           {"viewers", hub.viewers()},
                                           {"max_viewers", hub.options().max_viewers}});
}

Task<Result<net::HttpResponse>> PostTicket(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  const std::string& session = call.At("session");
  const browser::SessionKey key = SessionNamed(rooms, session);
  const bool is_there = rooms.runtime->parts().sessions.Find(key) != nullptr ||
                        HubOf(context, rooms).InfoOf(key).has_value();
  if (!is_there) co_return Fail(ErrorCode::kNotFound, "there is no session " + session);
  CO_TRY_ASSIGN(auto ticket, context->streams.tickets().Issue(session));
  const std::chrono::milliseconds life = StreamTickets::kLifetime;
  co_return JsonResponse(
      200, json::object{{"ticket", std::move(ticket)}, {"expires_in_ms", life.count()}});
}

}  // namespace

std::vector<Route> StreamRoutes(RestContext& context) {
  const RouteTickets tickets = [context = &context](std::string_view ticket, const PathValues& at) {
    return context->streams.tickets().Admits(ticket, at.find("session")->second);
  };
  const QueryRow by_ticket{"ticket", "string", "instead of a key; see POST .../tickets"};
  return {{.method = "GET",
           .pattern = "/stream/pool/status",
           .tag = "streams",
           .summary = "Browsers, sessions and viewers in numbers.",
           .roles = kWatchers,
           .handler = Handle<GetPoolStatus>(context)},
          {.method = "GET",
           .pattern = "/stream/{session}",
           .tag = "streams",
           .summary = "WebSocket: the live picture of a session that is open.",
           .roles = kWatchers,
           .handler = Handle<GetStream>(context),
           .query = {by_ticket},
           .tickets = tickets},
          {.method = "GET",
           .pattern = "/stream/{session}/mjpeg",
           .tag = "streams",
           .summary = "The same as pictures that replace each other (multipart/x-mixed-replace).",
           .roles = kWatchers,
           .handler = Handle<GetMjpeg>(context),
           .query = {by_ticket},
           .media = "multipart/x-mixed-replace",
           .tickets = tickets},
          {.method = "GET",
           .pattern = "/stream/{session}/status",
           .tag = "streams",
           .summary = "Whether a session is shown, and to how many.",
           .roles = kWatchers,
           .handler = Handle<GetStreamStatus>(context)},
          {.method = "POST",
           .pattern = "/stream/{session}/tickets",
           .tag = "streams",
           .summary = "A ticket to watch that session, for pages that cannot send a key.",
           .roles = kWatchers,
           .handler = Handle<PostTicket>(context)}};
}

}  // namespace falconer::api
