#include "api/mcp/mcp_server.h"

#include <algorithm>
#include <utility>

namespace falconer::api {
namespace {

constexpr std::string_view kModernVersion = "2026-07-28";
constexpr std::string_view kNewestLegacy = "2025-11-25";
constexpr std::string_view kLegacyVersions[] = {"2025-11-25", "2025-06-18", "2025-03-26",
                                                "2024-11-05"};

constexpr std::string_view kDiscover = "server/discover";
constexpr std::string_view kMetaVersion = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view kMetaCapabilities = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view kMetaServer = "io.modelcontextprotocol/serverInfo";

constexpr int kUnsupportedVersion = -32022;
// The list of tools is fixed as long as the program runs.
constexpr std::int64_t kListTtlMs = 3'600'000;

RpcFailure Failure(int code, std::string message, json::object data = {}) {
  return {.code = code, .message = std::move(message), .data = std::move(data), .id = nullptr};
}

bool IsModern(const RpcMessage& message) {
  return message.meta().contains(kMetaVersion) || message.method == kDiscover;
}

// What a modern request must say about itself.
std::optional<RpcFailure> CheckMeta(const RpcMessage& request) {
  const json::object& meta = request.meta();
  const json::value* version = meta.if_contains(kMetaVersion);
  if (version == nullptr || !version->is_string()) {
    return Failure(kRpcInvalidParams,
                   "params._meta." + std::string(kMetaVersion) + ": expected string");
  }
  if (version->get_string() != kModernVersion) {
    return Failure(kUnsupportedVersion, "unsupported protocol version",
                   {{"supported", json::array{kModernVersion}}, {"requested", *version}});
  }
  const json::value* capabilities = meta.if_contains(kMetaCapabilities);
  if (capabilities == nullptr || !capabilities->is_object()) {
    return Failure(kRpcInvalidParams,
                   "params._meta." + std::string(kMetaCapabilities) + ": expected object");
  }
  return std::nullopt;
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
                                     json::object question) {
  std::shared_ptr<ClientRequests> known = client.lock();
  if (!known) co_return Fail(ErrorCode::kCancelled, "the client has gone");
  auto answer = known->Ask(std::move(ctx), "elicitation/create", std::move(question));
  known.reset();
  co_return co_await std::move(answer);
}

std::string KeyOf(const json::value& id) {
  return json::serialize(id);
}

}  // namespace

const McpServer::MethodRow McpServer::kMethods[] = {
    {"initialize", Era::kLegacy, &McpServer::Initialize},
    {"ping", Era::kLegacy, &McpServer::Ping},
    {kDiscover, Era::kModern, &McpServer::Discover},
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
      to_client_(std::make_shared<ClientRequests>(send_)),
      tasks_(executor_) {
}

McpServer::~McpServer() = default;

void McpServer::OnMessage(std::string_view text) {
  auto message = ParseRpc(text);
  if (!message) return send_(RpcFailureText(message.error()));
  switch (message->kind) {
    case RpcKind::kRequest:
      return OnRequest(*std::move(message));
    case RpcKind::kNotification:
      return OnNotification(*message);
    case RpcKind::kResponse:
      return to_client_->OnResponse(*message);
  }
}

void McpServer::OnRequest(RpcMessage request) {
  Serve(request);
  if (request.method == kDiscover) return;
  if (const auto tell = std::exchange(on_first_request_, {})) tell();
}

void McpServer::Serve(const RpcMessage& request) {
  if (IsModern(request)) {
    if (auto wrong = CheckMeta(request)) return Reply(request, *std::move(wrong));
  }
  if (request.method == "tools/call") {
    if (auto refused = BeginCall(request)) Reply(request, *std::move(refused));
    return;
  }
  auto result = Answer(request);
  if (!result) return Reply(request, std::move(result).error());
  Reply(request, *std::move(result));
}

std::expected<json::object, RpcFailure> McpServer::Answer(const RpcMessage& request) {
  const Era era = IsModern(request) ? Era::kModern : Era::kLegacy;
  for (const MethodRow& row : kMethods) {
    if (row.name == request.method && row.only.value_or(era) == era)
      return (this->*row.handle)(request);
  }
  return std::unexpected(Failure(kRpcMethodNotFound, "unknown method " + request.method));
}

void McpServer::OnNotification(const RpcMessage& notification) {
  if (notification.method != "notifications/cancelled") return;
  const json::value* id = notification.params.if_contains("requestId");
  if (id == nullptr) return;
  const auto found = running_.find(KeyOf(*id));
  if (found == running_.end()) return;
  found->second.wanted = Wanted::kCancelledByClient;
  // A copy: the call may end, and its entry go, before Cancel() returns.
  CancelSource source = found->second.cancel;
  const std::string reason = TextAt(notification.params, "reason");
  source.Cancel(Error(ErrorCode::kCancelled, reason.empty() ? "the caller cancelled it" : reason));
}

std::expected<json::object, RpcFailure> McpServer::Initialize(const RpcMessage& request) {
  const std::string asked = TextAt(request.params, "protocolVersion");
  if (asked.empty())
    return std::unexpected(Failure(kRpcInvalidParams, "protocolVersion: expected string"));
  shows_forms_ = ShowsForms(ObjectAt(request.params, "capabilities"));
  const bool is_known = std::ranges::find(kLegacyVersions, asked) != std::end(kLegacyVersions);
  json::object result{{"protocolVersion", is_known ? std::string_view(asked) : kNewestLegacy},
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

std::optional<RpcFailure> McpServer::BeginCall(const RpcMessage& request) {
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
  const auto [call, is_new] = running_.try_emplace(KeyOf(request.id));
  if (!is_new) return Failure(kRpcInvalidRequest, "id: is in use by another call");
  Correlation ids;
  ids.trace = TraceId(TextAt(request.meta(), "traceparent"));
  const CallContext ctx = CallContext(executor_, clock_)
                              .WithCancel(call->second.cancel.token())
                              .WithIds(std::move(ids));
  tasks_.Spawn("mcp.call", RunCall(this, ctx, tool, request));
  return std::nullopt;
}

Task<void> McpServer::RunCall(McpServer* self, CallContext ctx, const Tool* tool,
                              RpcMessage request) {
  const std::weak_ptr<void> alive = self->alive_;
  const ToolAnswer answer = co_await tool->run(ctx, self->CallFrom(request, ctx.cancel()));
  if (alive.expired()) co_return;
  const auto call = self->running_.extract(KeyOf(request.id));
  // A client that cancelled does not listen any more. Whatever else ended the call, it does.
  if (call.mapped().wanted == Wanted::kYes) self->Reply(request, answer.ToJson());
  self->ended_.NotifyAll();
}

ToolCall McpServer::CallFrom(const RpcMessage& request, const CancelToken& cancel) const {
  ToolCall call;
  if (const json::value* arguments = request.params.if_contains("arguments"))
    call.arguments = arguments->get_object();
  call.input = InputFrom(request);
  const json::value* token = request.meta().if_contains("progressToken");
  if (token == nullptr) {
    call.report = [](const std::string&) {};
    return call;
  }
  call.report = [this, alive = std::weak_ptr(alive_), cancel, token = *token,
                 step = 0](const std::string& message) mutable {
    if (alive.expired() || cancel.is_cancelled()) return;
    send_(RpcNotificationText(
        "notifications/progress",
        {{"progressToken", token}, {"progress", ++step}, {"message", std::string_view(message)}}));
  };
  return call;
}

ClientInput McpServer::InputFrom(const RpcMessage& request) const {
  ClientInput input;
  if (IsModern(request)) {
    if (ShowsForms(ObjectAt(request.meta(), kMetaCapabilities)))
      input.asking = ClientAsking::kByAnswer;
    input.responses = ObjectAt(request.params, "inputResponses");
    input.state = TextAt(request.params, "requestState");
  } else if (shows_forms_) {
    input.asking = ClientAsking::kByRequest;
    input.ask = [client = std::weak_ptr(to_client_)](CallContext ctx, json::object question) {
      return AskClient(std::move(ctx), client, std::move(question));
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

void McpServer::Reply(const RpcMessage& request, json::object result) {
  if (IsModern(request)) {
    if (!result.contains("resultType")) result["resultType"] = "complete";
    result["_meta"] = json::object{{kMetaServer, About()}};
  }
  send_(RpcResultText(request.id, std::move(result)));
}

void McpServer::Reply(const RpcMessage& request, RpcFailure failure) {
  failure.id = request.id;
  send_(RpcFailureText(failure));
}

json::object McpServer::About() const {
  return {{"name", std::string_view(identity_.name)},
          {"title", std::string_view(identity_.title)},
          {"version", std::string_view(identity_.version)}};
}

}  // namespace falconer::api
