#include "api/mcp/mcp_server.h"

#include <utility>

namespace falconer::api {
namespace {

constexpr std::string_view kMetaServer = "io.modelcontextprotocol/serverInfo";
// The list of tools is fixed as long as the program runs.
constexpr std::int64_t kListTtlMs = 3'600'000;

RpcFailure Failure(int code, std::string message, json::object data = {}) {
  return {.code = code, .message = std::move(message), .data = std::move(data), .id = nullptr};
}

// Whether a client that says this of itself shows forms. Without a mode it means forms.
bool ShowsForms(const json::object& capabilities) {
  const json::value* asks = capabilities.if_contains("elicitation");
  if (asks == nullptr || !asks->is_object()) return false;
  return asks->get_object().empty() || asks->get_object().contains("form");
}

json::object ObjectAt(const json::object& in, std::string_view key) {
  const json::value* found = in.if_contains(key);
  return found != nullptr && found->is_object() ? found->get_object() : json::object();
}

json::object Capabilities() {
  return {{"tools", json::object{}}};
}

// Whoever asks may outlive the server, and must not keep its way to the client.
Task<Result<json::object>> AskClient(CallContext ctx, std::weak_ptr<ClientRequests> client,
                                     json::object question, ClientRequests::Send send) {
  std::shared_ptr<ClientRequests> known = client.lock();
  if (!known) co_return Fail(ErrorCode::kCancelled, "the client has gone");
  auto answer = known->Ask(std::move(ctx), "elicitation/create", std::move(question), send);
  known.reset();
  co_return co_await std::move(answer);
}

std::string KeyOf(std::string_view scope, const json::value& id) {
  return std::string(scope) + " " + json::serialize(id);
}

// One way for everything, whatever it belongs to.
McpOrigin OriginOf(const std::function<void(std::string)>& send) {
  return {.scope = {}, .send = [&send](McpOutgoing out) {
            if (out.kind != McpOutgoing::Kind::kNothing) send(std::move(out.line));
          }};
}

}  // namespace

const McpServer::MethodRow McpServer::kMethods[] = {
    {"initialize", McpEra::kLegacy, &McpServer::Initialize},
    {"ping", McpEra::kLegacy, &McpServer::Ping},
    {kDiscover, McpEra::kModern, &McpServer::Discover},
    {"tools/list", std::nullopt, &McpServer::ListTools},
};

McpServer::McpServer(Executor executor, Clock& clock, ToolCatalog tools, ServerIdentity identity,
                     Send send, McpLimits limits)
    : executor_(std::move(executor)),
      clock_(clock),
      tools_(std::move(tools)),
      identity_(std::move(identity)),
      send_(std::move(send)),
      limits_(limits),
      to_client_(std::make_shared<ClientRequests>()),
      tasks_(executor_) {
}

McpServer::~McpServer() = default;

void McpServer::OnMessage(std::string_view text) {
  auto message = ParseRpc(text);
  if (!message) return send_(RpcFailureText(message.error()));
  OnMessage(*std::move(message), OriginOf(send_));
}

void McpServer::OnMessage(RpcMessage message, McpOrigin from) {
  switch (message.kind) {
    case RpcKind::kRequest:
      return OnRequest(std::move(message), std::move(from));
    case RpcKind::kNotification:
      return OnNotification(message, from.scope);
    case RpcKind::kResponse:
      return to_client_->OnResponse(message);
  }
}

void McpServer::OnRequest(RpcMessage request, McpOrigin from) {
  Serve(request, from);
  if (request.method == kDiscover) return;
  if (const auto tell = std::exchange(on_first_request_, {})) tell();
}

void McpServer::Serve(const RpcMessage& request, const McpOrigin& from) {
  if (IsModern(request)) {
    if (auto wrong = CheckMeta(request)) return Reply(request, from, *std::move(wrong));
  }
  if (request.method == "tools/call") {
    if (auto refused = BeginCall(request, from)) Reply(request, from, *std::move(refused));
    return;
  }
  auto result = Answer(request);
  if (!result) return Reply(request, from, std::move(result).error());
  Reply(request, from, *std::move(result));
}

std::expected<json::object, RpcFailure> McpServer::Answer(const RpcMessage& request) {
  const McpEra era = IsModern(request) ? McpEra::kModern : McpEra::kLegacy;
  for (const MethodRow& row : kMethods) {
    if (row.name == request.method && row.only.value_or(era) == era)
      return (this->*row.handle)(request);
  }
  return std::unexpected(Failure(kRpcMethodNotFound, "unknown method " + request.method));
}

void McpServer::OnNotification(const RpcMessage& notification, std::string_view scope) {
  if (notification.method != "notifications/cancelled") return;
  const json::value* id = notification.params.if_contains("requestId");
  if (id == nullptr) return;
  const std::string reason = TextAt(notification.params, "reason");
  CancelCall(scope, *id,
             Error(ErrorCode::kCancelled, reason.empty() ? "the caller cancelled it" : reason));
}

void McpServer::CancelCall(std::string_view scope, const json::value& id, Error reason) {
  const auto found = running_.find(KeyOf(scope, id));
  if (found == running_.end()) return;
  found->second.wanted = Wanted::kCancelledByClient;
  // A copy: the call may end, and its entry go, before Cancel() returns.
  CancelSource source = found->second.cancel;
  source.Cancel(std::move(reason));
}

std::expected<json::object, RpcFailure> McpServer::Initialize(const RpcMessage& request) {
  const std::string asked = TextAt(request.params, "protocolVersion");
  if (asked.empty())
    return std::unexpected(Failure(kRpcInvalidParams, "protocolVersion: expected string"));
  shows_forms_ = ShowsForms(ObjectAt(request.params, "capabilities"));
  legacy_version_ = IsLegacyVersion(asked) ? asked : std::string(kNewestLegacy);
  json::object result{{"protocolVersion", std::string_view(legacy_version_)},
                      {"capabilities", Capabilities()},
                      {"serverInfo", About()}};
  if (!identity_.instructions.empty())
    result["instructions"] = std::string_view(identity_.instructions);
  return result;
}

std::expected<json::object, RpcFailure> McpServer::Discover(const RpcMessage&) {
  json::object result{{"supportedVersions", json::array{kModernVersion, kNewestLegacy}},
                      {"capabilities", Capabilities()},
                      {"ttlMs", kListTtlMs},
                      {"cacheScope", "private"}};
  if (!identity_.instructions.empty())
    result["instructions"] = std::string_view(identity_.instructions);
  return result;
}

std::expected<json::object, RpcFailure> McpServer::Ping(const RpcMessage&) {
  return json::object{};
}

// All at once: the list is short, and a cursor of ours does not exist.
std::expected<json::object, RpcFailure> McpServer::ListTools(const RpcMessage& request) {
  if (request.params.contains("cursor"))
    return std::unexpected(Failure(kRpcInvalidParams, "cursor: unknown"));
  json::object result{{"tools", tools_.ToJson()}};
  if (IsModern(request)) {
    result["ttlMs"] = kListTtlMs;
    result["cacheScope"] = "private";
  }
  return result;
}

std::optional<RpcFailure> McpServer::BeginCall(const RpcMessage& request, const McpOrigin& from) {
  const std::string name = TextAt(request.params, "name");
  const Tool* tool = tools_.Find(name);
  if (tool == nullptr) {
    return Failure(kRpcInvalidParams, "unknown tool \"" + name +
                                          "\"; tools/list names those that are offered, and a "
                                          "server started with --tools all offers more");
  }
  const json::value* arguments = request.params.if_contains("arguments");
  if (arguments != nullptr && !arguments->is_object())
    return Failure(kRpcInvalidParams, "arguments: expected object");
  if (running_.size() >= limits_.calls_at_once)
    return Failure(kRpcInternalError, "too many calls at once",
                   {{"code", "QUEUE_FULL"}, {"retryable", true}});
  const auto [call, is_new] = running_.try_emplace(KeyOf(from.scope, request.id));
  if (!is_new) return Failure(kRpcInvalidRequest, "id: is in use by another call");
  Correlation ids;
  ids.trace = TraceId(TextAt(request.meta(), "traceparent"));
  const CallContext ctx = CallContext(executor_, clock_)
                              .WithCancel(call->second.cancel.token())
                              .WithIds(std::move(ids));
  tasks_.Spawn("mcp.call", RunCall(this, ctx, tool, request, from));
  return std::nullopt;
}

Task<void> McpServer::RunCall(McpServer* self, CallContext ctx, const Tool* tool,
                              RpcMessage request, McpOrigin from) {
  const std::weak_ptr<void> alive = self->alive_;
  const ToolAnswer answer = co_await tool->run(ctx, self->CallFrom(request, from, ctx.cancel()));
  if (alive.expired()) co_return;
  const auto call = self->running_.extract(KeyOf(from.scope, request.id));
  // A client that cancelled does not listen any more. Whatever else ended the call, it does.
  if (call.mapped().wanted == Wanted::kYes) {
    self->Reply(request, from, answer.ToJson());
  } else {
    from.send({.kind = McpOutgoing::Kind::kNothing});
  }
  self->ended_.NotifyAll();
}

ToolCall McpServer::CallFrom(const RpcMessage& request, const McpOrigin& from,
                             const CancelToken& cancel) const {
  ToolCall call;
  if (const json::value* arguments = request.params.if_contains("arguments"))
    call.arguments = arguments->get_object();
  call.input = InputFrom(request, from);
  const json::value* token = request.meta().if_contains("progressToken");
  if (token == nullptr) {
    call.report = [](const std::string&) {};
    return call;
  }
  call.report = [send = from.send, alive = std::weak_ptr(alive_), cancel, token = *token,
                 step = 0](const std::string& message) mutable {
    if (alive.expired() || cancel.is_cancelled()) return;
    json::object told{
        {"progressToken", token}, {"progress", ++step}, {"message", std::string_view(message)}};
    send({.kind = McpOutgoing::Kind::kProgress,
          .line = RpcNotificationText("notifications/progress", std::move(told))});
  };
  return call;
}

ClientInput McpServer::InputFrom(const RpcMessage& request, const McpOrigin& from) const {
  ClientInput input;
  if (IsModern(request)) {
    if (ShowsForms(ObjectAt(request.meta(), kMetaCapabilities)))
      input.asking = ClientAsking::kByAnswer;
    input.responses = ObjectAt(request.params, "inputResponses");
    input.state = TextAt(request.params, "requestState");
  } else if (shows_forms_) {
    input.asking = ClientAsking::kByRequest;
    const auto send = [send = from.send](std::string line) {
      send({.kind = McpOutgoing::Kind::kQuestion, .line = std::move(line)});
    };
    input.ask = [client = std::weak_ptr(to_client_), send](CallContext ctx, json::object question) {
      return AskClient(std::move(ctx), client, std::move(question), send);
    };
  }
  return input;
}

Task<Result<void>> McpServer::WaitIdle(CallContext ctx) {
  return ended_.Until(std::move(ctx), [this] { return running_.empty(); }, "the last calls");
}

Task<void> McpServer::Stop(Error reason) {
  // Copies: a call may end, and its entry go, before Cancel() returns.
  std::vector<CancelSource> sources;
  for (const auto& [id, call] : running_) sources.push_back(call.cancel);
  for (CancelSource& source : sources) source.Cancel(reason);
  co_await tasks_.Join();
}

void McpServer::Reply(const RpcMessage& request, const McpOrigin& from, json::object result) {
  if (IsModern(request)) {
    if (!result.contains("resultType")) result["resultType"] = "complete";
    result["_meta"] = json::object{{kMetaServer, About()}};
  }
  from.send(
      {.kind = McpOutgoing::Kind::kAnswer, .line = RpcResultText(request.id, std::move(result))});
}

void McpServer::Reply(const RpcMessage& request, const McpOrigin& from, RpcFailure failure) {
  failure.id = request.id;
  from.send({.kind = McpOutgoing::Kind::kAnswer,
             .line = RpcFailureText(failure),
             .failure = failure.code});
}

json::object McpServer::About() const {
  return {{"name", std::string_view(identity_.name)},
          {"title", std::string_view(identity_.title)},
          {"version", std::string_view(identity_.version)}};
}

}  // namespace falconer::api
