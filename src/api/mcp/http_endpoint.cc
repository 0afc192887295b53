#include "api/mcp/http_endpoint.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "api/mcp/http_answers.h"

namespace falconer::api {
namespace {

using net::HttpHeaders;
using net::HttpRequest;
using net::HttpResponse;

constexpr std::string_view kInitialize = "initialize";

Error BadRequest(std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(message)};
}

std::optional<HttpResponse> CheckPostForm(const HttpHeaders& headers, AcceptedForms forms) {
  if (!forms.json && !forms.stream) {
    return RefusedFor(406,
                      BadRequest("header Accept must list application/json and text/event-stream"));
  }
  if (!IsJsonBody(headers))
    return RefusedFor(415, BadRequest("header Content-Type must be application/json"));
  return std::nullopt;
}

// A client that begins anew says so by `initialize`, whatever it has tried before.
bool IsModernPost(const HttpHeaders& headers, const RpcMessage& message) {
  return IsModern(message) || (AreModern(headers) && message.method != kInitialize);
}

}  // namespace

const McpHttp::MethodRow McpHttp::kMethods[] = {
    {"POST", &McpHttp::Post}, {"GET", &McpHttp::Get}, {"DELETE", &McpHttp::Delete}};

McpHttp::McpHttp(Executor executor, Clock& clock, McpHttpSetup setup, McpHttpLimits limits)
    : sessions_(std::move(executor), clock, std::move(setup), limits) {
}

Task<void> McpHttp::Stop(Error reason) {
  return sessions_.Stop(std::move(reason));
}

Task<HttpResponse> McpHttp::Handle(HttpRequest request, McpClient who) {
  const auto* const row = std::ranges::find(kMethods, request.method, &MethodRow::name);
  if (AreModern(request.headers) && request.method != "POST")
    co_return MethodNotAllowed(request.method, "POST");
  if (row == std::end(kMethods)) co_return MethodNotAllowed(request.method, "GET, POST, DELETE");
  co_return co_await (this->*row->handle)(std::move(request), std::move(who));
}

Task<HttpResponse> McpHttp::Post(HttpRequest request, McpClient who) {
  if (auto wrong = CheckPostForm(request.headers, FormsAcceptedIn(request.headers)))
    co_return *std::move(wrong);
  auto message = ParseRpc(request.body);
  if (!message) {
    const json::value id = message.error().id;
    co_return RefusedMessage(400, std::move(message).error(), id);
  }
  const auto post = IsModernPost(request.headers, *message) ? &McpHttp::PostModern
                    : message->kind == RpcKind::kRequest && message->method == kInitialize
                        ? &McpHttp::Initialize
                        : &McpHttp::PostLegacy;
  co_return co_await (this->*post)(std::move(request), *std::move(message), std::move(who));
}

Task<HttpResponse> McpHttp::PostModern(HttpRequest request, RpcMessage message, McpClient who) {
  // There is none that we heed: a call is cancelled by closing its connection.
  if (message.kind == RpcKind::kNotification) co_return AcceptedResponse();
  if (message.kind == RpcKind::kResponse)
    co_return RefusedFor(BadRequest("the server asks nothing that could be answered so"));
  if (auto wrong = CheckModernPost(request.headers, message))
    co_return RefusedMessage(400, *std::move(wrong), message.id);
  if (message.method == kListen && !FormsAcceptedIn(request.headers).stream)
    co_return RefusedFor(406, BadRequest("header Accept must list text/event-stream"));
  auto session = sessions_.OfModern(who);
  if (!session) co_return RefusedFor(session.error(), message.id);
  if (auto wrong = (*session)->CheckArguments(request.headers, message))
    co_return RefusedMessage(400, *std::move(wrong), message.id);
  co_return co_await Ask(*std::move(session), std::move(message), FormsAcceptedIn(request.headers));
}

Task<HttpResponse> McpHttp::Initialize(HttpRequest request, RpcMessage message, McpClient who) {
  if (request.headers.Has(kSessionHeader)) {
    co_return RefusedFor(BadRequest("initialize begins a session and cannot be sent within one"),
                         message.id);
  }
  auto begun = sessions_.Begin(who);
  if (!begun) co_return RefusedFor(begun.error(), message.id);
  const HttpSessions::Ptr session = *std::move(begun);
  // It is answered at once.
  auto response = co_await session->Ask(std::move(message), FormsAcceptedIn(request.headers));
  if (session->version().empty()) {
    sessions_.End(session, BadRequest("its initialize failed"));
  } else {
    response.headers.Set(std::string(kSessionHeader), session->id());
  }
  co_return response;
}

Task<HttpResponse> McpHttp::PostLegacy(HttpRequest request, RpcMessage message, McpClient who) {
  auto session = SessionOf(request.headers, who, message.id);
  if (!session) co_return std::move(session).error();
  if (message.kind == RpcKind::kRequest) {
    co_return co_await Ask(*std::move(session), std::move(message),
                           FormsAcceptedIn(request.headers));
  }
  (*session)->Take(std::move(message));
  co_return AcceptedResponse();
}

Task<HttpResponse> McpHttp::Ask(HttpSessions::Ptr session, RpcMessage message,
                                AcceptedForms forms) {
  session->Touch();
  if (message.method == "tools/call") {
    const auto room = sessions_.CheckRoom(*session);
    if (!room) co_return RefusedFor(room.error(), message.id);
  }
  // From here on this object may go before the call ends.
  co_return co_await session->Ask(std::move(message), forms);
}

Task<HttpResponse> McpHttp::Get(HttpRequest request, McpClient who) {
  if (!FormsAcceptedIn(request.headers).stream)
    co_return RefusedFor(406, BadRequest("header Accept must list text/event-stream"));
  auto session = SessionOf(request.headers, who);
  if (!session) co_return std::move(session).error();
  const auto last = request.headers.Find(kLastEventHeader);
  if (!last) co_return (*session)->Listen();
  const auto after = ParseSseEventId(*last);
  if (!after) co_return RefusedFor(after.error());
  auto resumed = (*session)->Resume(*after);
  if (!resumed) co_return RefusedFor(resumed.error());
  co_return *std::move(resumed);
}

Task<HttpResponse> McpHttp::Delete(HttpRequest request, McpClient who) {
  auto session = SessionOf(request.headers, who);
  if (!session) co_return std::move(session).error();
  sessions_.End(*session, Error(ErrorCode::kSessionClosed, "the client ended its session"));
  co_return HttpResponse{.status = 204};
}

std::expected<HttpSessions::Ptr, HttpResponse> McpHttp::SessionOf(const HttpHeaders& headers,
                                                                  const McpClient& who,
                                                                  const json::value& id) {
  if (auto wrong = CheckLegacyVersion(headers))
    return std::unexpected(RefusedMessage(400, *std::move(wrong), id));
  const auto name = headers.Find(kSessionHeader);
  if (!name) {
    return std::unexpected(RefusedFor(
        BadRequest("header MCP-Session-Id is missing; a session begins with initialize"), id));
  }
  auto session = sessions_.Find(*name, who);
  if (!session) return std::unexpected(RefusedFor(session.error(), id));
  (*session)->Touch();
  return *std::move(session);
}

}  // namespace falconer::api
