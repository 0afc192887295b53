#include "api/mcp/http_session.h"

#include <algorithm>
#include <utility>

#include "api/mcp/http_answers.h"
#include "api/mcp/param_headers.h"

namespace falconer::api {
namespace {

// Of the stream that belongs to no request.
constexpr std::uint64_t kGeneralStream = 0;

}  // namespace

HttpSession::HttpSession(const CallContext& ctx, McpClient who, std::string id, SessionTools tools,
                         const ServerIdentity& identity, const McpHttpLimits& limits)
    : ctx_(ctx),
      who_(std::move(who)),
      id_(std::move(id)),
      limits_(limits),
      last_used_(ctx.clock().Now()),
      stop_tools_(std::move(tools.stop)),
      server_(ctx.executor(), ctx.clock(), std::move(tools.offer), identity,
              [this](std::string line) { Tell(std::move(line)); },
              {.calls_at_once = limits.calls_per_session}) {
}

void HttpSession::Take(RpcMessage message) {
  server_.OnMessage(std::move(message), {.send = [](const McpOutgoing&) {}});
}

// Clients of the newest revision are told nothing but what belongs to a request of theirs.
void HttpSession::Tell(std::string message) {
  if (has_id()) General()->Push(std::move(message));
}

Task<net::HttpResponse> HttpSession::Ask(RpcMessage request, AcceptedForms forms) {
  const std::uint64_t number = ++last_number_;
  const ExchangePtr exchange = NewExchange(number, forms);
  // Clients of the newest revision may use the same id in two requests at once.
  const std::string scope = has_id() ? "" : std::to_string(number);
  std::shared_ptr<void> guard;
  if (!has_id()) guard = HangUpGuard(exchange, scope, request.id);
  server_.OnMessage(std::move(request), {.scope = scope, .send = [exchange](McpOutgoing out) {
                                           exchange->Send(std::move(out));
                                         }});
  auto response = co_await HttpExchange::Respond(ctx_, exchange, limits_.stream_after, guard);
  if (!exchange->is_stream()) streams_.erase(number);
  co_return response;
}

std::optional<RpcFailure> HttpSession::CheckArguments(const net::HttpHeaders& headers,
                                                      const RpcMessage& request) const {
  if (request.method != "tools/call") return std::nullopt;
  const json::object* schema = server_.SchemaOf(TextAt(request.params, "name"));
  const json::value* arguments = request.params.if_contains("arguments");
  if (schema == nullptr) return std::nullopt;
  return CheckParamHeaders(headers, *schema, arguments == nullptr ? json::value() : *arguments);
}

HttpSession::ExchangePtr HttpSession::NewExchange(std::uint64_t number, AcceptedForms forms) {
  return std::make_shared<HttpExchange>(
      HttpExchangeSetup{.era = has_id() ? McpEra::kLegacy : McpEra::kModern,
                        .forms = forms,
                        .stream = NewStream(number),
                        .elsewhere = [weak = weak_from_this()](std::string message) {
                          if (const auto self = weak.lock())
                            self->General()->Push(std::move(message));
                        }});
}

std::shared_ptr<void> HttpSession::HangUpGuard(const ExchangePtr& exchange, std::string scope,
                                               json::value id) {
  const auto cancel = [exchange, self = shared_from_this(), scope = std::move(scope),
                       id = std::move(id)](void*) {
    if (exchange->is_over()) return;
    self->server_.CancelCall(
        scope, id, Error(ErrorCode::kCancelled, "the client closed the stream of its answer"));
  };
  return {this, cancel};
}

HttpSession::StreamPtr HttpSession::NewStream(std::uint64_t number) {
  SseForm form;
  if (has_id()) form = {.number = number, .primes = version() == kNewestLegacy};
  auto stream = std::make_shared<SseStream>(form, SseLimits{.events = limits_.events_per_stream,
                                                            .bytes = limits_.bytes_per_stream,
                                                            .keep_alive = limits_.keep_alive});
  if (has_ended_) stream->Close();
  if (!has_id()) return stream;
  DropOldStreams();
  streams_[number] = stream;
  return stream;
}

// The oldest first, until what is left fits.
void HttpSession::DropOldStreams() {
  const auto is_old = [](const auto& entry) {
    return entry.first != kGeneralStream && entry.second->is_closed() &&
           !entry.second->has_reader();
  };
  std::size_t count = 0;
  std::size_t bytes = 0;
  for (const auto& entry : streams_) {
    if (!is_old(entry)) continue;
    ++count;
    bytes += entry.second->kept_bytes();
  }
  for (auto at = streams_.begin(); at != streams_.end();) {
    if (count <= limits_.kept_streams && bytes <= limits_.kept_bytes) return;
    const auto next = std::next(at);
    if (is_old(*at)) {
      --count;
      bytes -= at->second->kept_bytes();
      streams_.erase(at);
    }
    at = next;
  }
}

const HttpSession::StreamPtr& HttpSession::General() {
  // Not before it is needed: only then is it known what the client understands.
  if (!general_) general_ = NewStream(kGeneralStream);
  return general_;
}

net::HttpResponse HttpSession::Listen() {
  return Events(General(), std::nullopt);
}

Result<net::HttpResponse> HttpSession::Resume(SseEventId after) {
  const auto found = streams_.find(after.stream);
  if (found != streams_.end() && after.event <= found->second->last_event())
    return Events(found->second, after.event);
  return Fail(ErrorCode::kInvalidArgument,
              "Last-Event-ID: its stream is not kept any more, or never was");
}

net::HttpResponse HttpSession::Events(StreamPtr stream, std::optional<std::uint64_t> after) const {
  return EventsResponse([ctx = ctx_, stream = std::move(stream), after](net::BodyWriter* out) {
    return SseStream::Write(ctx, stream, after, out);
  });
}

Task<void> HttpSession::End(Error reason) {
  co_await server_.Stop(reason);
  if (stop_tools_) co_await stop_tools_(std::move(reason));
  has_ended_ = true;
  for (const auto& [number, stream] : streams_) stream->Close();
}

bool HttpSession::is_busy() const {
  return running() > 0 || server_.has_tasks() ||
         std::ranges::any_of(streams_,
                             [](const auto& entry) { return entry.second->has_reader(); });
}

}  // namespace falconer::api
