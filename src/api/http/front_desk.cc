#include "api/http/front_desk.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "api/http/offered_protocols.h"
#include "api/http/problem.h"
#include "base/text.h"
#include "model/url.h"

namespace falconer::api {
namespace {

constexpr std::string_view kBearer = "bearer ";
// Pages can name subprotocols of a WebSocket, but set no header of it.
constexpr std::string_view kKeyProtocol = "falconer.key.";
constexpr auto kAttemptTime = std::chrono::minutes(1);
// Addresses that are remembered; a local server has few.
constexpr std::size_t kMostAddresses = 4096;

// "127.0.0.1:3252" is "127.0.0.1", "[::1]:3252" is "[::1]"; "" for what is no host and port.
std::string WithoutPort(std::string_view host) {
  const std::size_t after = host.starts_with('[') ? host.find(']') : 0;
  if (after == std::string_view::npos) return "";
  const std::size_t colon = std::min(host.find(':', after), host.size());
  const std::string_view port = host.substr(std::min(colon + 1, host.size()));
  return std::ranges::all_of(port, IsDigit) ? ToLower(host.substr(0, colon)) : "";
}

std::string AddressOf(const net::HttpRequest& request) {
  return request.peer.substr(0, request.peer.rfind(':'));
}

Error Forbidden(std::string why, std::string_view reason) {
  return {ErrorCode::kForbidden, std::move(why), {{"reason", reason}}};
}

// The key that a request carries; "" for none, and for what is no way to carry one.
std::string SaidKey(const net::HttpRequest& request) {
  const auto said = request.headers.Find("authorization");
  if (said) {
    const bool is_bearer = ToLower(said->substr(0, kBearer.size())) == kBearer;
    return is_bearer ? std::string(Trim(said->substr(kBearer.size()))) : "";
  }
  for (const std::string_view name : OfferedProtocols(request)) {
    if (name.starts_with(kKeyProtocol)) return std::string(name.substr(kKeyProtocol.size()));
  }
  return "";
}

bool SaysAKey(const net::HttpRequest& request) {
  return request.headers.Has("authorization") || !SaidKey(request).empty();
}

// With the headers that belong to some of them.
net::HttpResponse Refusal(const Error& error, std::string challenge) {
  net::HttpResponse response = Problem(error);
  if (error.code() == ErrorCode::kUnauthorized)
    response.headers.Set("WWW-Authenticate", std::move(challenge));
  if (error.code() == ErrorCode::kMethodNotAllowed)
    response.headers.Set("Allow", TextAt(error.details(), "allow"));
  return response;
}

// In the trace that its client says it belongs to (W3C trace context).
CallContext InTraceOf(const net::HttpRequest& request, CallContext ctx) {
  const auto trace = request.headers.Find("traceparent");
  if (!trace) return ctx;
  Correlation ids = ctx.ids();
  ids.trace = TraceId(std::string(*trace));
  return ctx.WithIds(std::move(ids));
}

}  // namespace

FrontDesk::FrontDesk(Clock& clock, AccessKeys keys, Router router, FrontDeskRules rules)
    : clock_(clock), keys_(std::move(keys)), router_(std::move(router)), rules_(std::move(rules)) {
}

Task<net::HttpResponse> FrontDesk::Answer(CallContext ctx, net::HttpRequest request) {
  const bool has_body = request.method != "HEAD";
  std::string challenge = rules_.resource.Challenge(request);
  ctx = InTraceOf(request, std::move(ctx));
  auto served = co_await Serve(std::move(ctx), std::move(request));
  net::HttpResponse response =
      served ? *std::move(served) : Refusal(served.error(), std::move(challenge));
  // Nothing of it is for a cache, unless its route says so, or for another page.
  if (!response.headers.Has("Cache-Control")) response.headers.Set("Cache-Control", "no-store");
  response.headers.Set("X-Content-Type-Options", "nosniff");
  if (!has_body) response.body.clear();
  co_return response;
}

Task<Result<net::HttpResponse>> FrontDesk::Serve(CallContext ctx, net::HttpRequest request) {
  CO_TRY(CheckHost(request));
  CO_TRY(CheckOrigin(request));
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  auto found = router_.Find(method, request.target);
  if (!found && found.error().methods.empty())
    co_return Fail(ErrorCode::kNotFound, "there is nothing at " + request.path);
  if (!found) {
    const std::string allow = fmt::format("{}", fmt::join(found.error().methods, ", "));
    co_return Fail(Error(ErrorCode::kMethodNotAllowed,
                         fmt::format("{} takes {}, not {}", request.path, allow, request.method),
                         {{"allow", allow}}));
  }
  HttpClient client{.role = Role::kViewer, .peer = request.peer};
  if (found->route->door == Door::kLocked) {
    CO_TRY_ASSIGN(client, CheckClient(request, *found));
    if (!found->route->roles.Contains(client.role)) {
      co_return Fail(Forbidden(
          fmt::format("a key for the role {} may not do this", NameIn(kRoles, client.role)),
          "role"));
    }
  }
  CO_TRY_ASSIGN(json::object query, ReadQuery(request.query, found->route->query));
  co_return co_await found->route->handler(
      std::move(ctx),
      RouteCall{std::move(request), std::move(found->path), std::move(client), std::move(query)});
}

Result<void> FrontDesk::CheckHost(const net::HttpRequest& request) const {
  const auto host = request.headers.Find("host");
  if (host && std::ranges::find(rules_.hosts, WithoutPort(*host)) != rules_.hosts.end()) return {};
  return Fail(Forbidden("this server is not called that; name it in serve.hosts", "host"));
}

// A browser says which page asks; programs that are none say nothing.
Result<void> FrontDesk::CheckOrigin(const net::HttpRequest& request) const {
  const auto origin = request.headers.Find("origin");
  if (!origin) return {};
  const bool is_named = std::ranges::find(rules_.origins, *origin) != rules_.origins.end();
  const std::string_view host = request.headers.Find("host").value_or("");
  const bool is_own =
      *origin == "http://" + std::string(host) || *origin == "https://" + std::string(host);
  if (is_named || is_own) return {};
  return Fail(Forbidden("pages of that origin may not ask; name it in serve.origins", "origin"));
}

Result<HttpClient> FrontDesk::CheckClient(const net::HttpRequest& request,
                                          const Router::Found& found) {
  const auto ticket = net::QueryValue(request.query, "ticket");
  if (!found.route->tickets || !ticket || SaysAKey(request)) return CheckKey(request);
  if (found.route->tickets(*ticket, found.path))
    return HttpClient{.role = Role::kViewer, .peer = request.peer};
  return Fail(WrongKey(AddressOf(request)));
}

Result<HttpClient> FrontDesk::CheckKey(const net::HttpRequest& request) {
  if (!SaysAKey(request))
    return Fail(ErrorCode::kUnauthorized, "a key is needed: Authorization: Bearer");
  const auto role = keys_.RoleOf(SaidKey(request));
  if (role) return HttpClient{.role = *role, .peer = request.peer};
  return Fail(WrongKey(AddressOf(request)));
}

// Who has a right one is never kept waiting by those who guess.
Error FrontDesk::WrongKey(const std::string& address) {
  if (attempts_.size() >= kMostAddresses) attempts_.clear();
  const TimePoint now = clock_.Now();
  Attempts& attempts = attempts_.try_emplace(address, Attempts{.since = now}).first->second;
  if (now - attempts.since >= kAttemptTime) attempts = {.since = now};
  if (++attempts.count <= rules_.wrong_keys)
    return {ErrorCode::kUnauthorized, "that key is not one of this server's"};
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(attempts.since + kAttemptTime - now);
  return {ErrorCode::kTooManyAttempts,
          "too many wrong keys came from this address",
          {{"retry_after_ms", left.count()}}};
}

}  // namespace falconer::api
