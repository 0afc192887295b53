#include "api/mcp/mcp_server.h"

#include <algorithm>
#include <utility>

#include "api/mcp/caching.h"
#include "api/mcp/tool_methods.h"

namespace falconer::api {
namespace {

constexpr std::string_view kMetaServer = "io.modelcontextprotocol/serverInfo";

// Whoever asks may outlive the server, and must not keep its way to the client.
Task<Result<json::object>> AskClient(CallContext ctx, std::weak_ptr<ClientRequests> client,
                                     std::string_view method, json::object question,
                                     ClientRequests::Send send) {
  std::shared_ptr<ClientRequests> known = client.lock();
  if (!known) co_return Fail(ErrorCode::kCancelled, "the client has gone");
  auto answer = known->Ask(std::move(ctx), std::string(method), std::move(question), send);
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

McpServer::McpServer(Executor executor, Clock& clock, McpOffer offer, ServerIdentity identity,
                     Send send, McpLimits limits)
    : executor_(std::move(executor)),
      clock_(clock),
      capabilities_{{McpEra::kLegacy, offer.Capabilities(McpEra::kLegacy)},
                    {McpEra::kModern, offer.Capabilities(McpEra::kModern)}},
      identity_(std::move(identity)),
      send_(std::move(send)),
      limits_(limits),
      to_client_(std::make_shared<ClientRequests>()),
      tasks_(executor_) {
  if (offer.tools.HasTasks()) book_ = std::make_shared<TaskBook>(executor_, clock_);
  tools_ = std::make_shared<const ToolCatalog>(std::move(offer.tools));
  AddMethods(offer);
}

const json::object* McpServer::SchemaOf(std::string_view tool) const {
  const Tool* found = tools_->Find(tool);
  return found == nullptr ? nullptr : &found->info.input_schema;
}

McpMethod McpServer::OwnMethod(std::string_view name, McpEra only, OwnAnswer answer) {
  return {.name = name, .only = only, .answer = [this, answer](const RpcMessage& request, McpEra) {
            return (this->*answer)(request);
          }};
}

void McpServer::AddMethods(const McpOffer& offer) {
  using enum McpEra;
  methods_ = offer.Methods();
  for (McpMethod& method : ToolMethods(tools_, book_)) methods_.push_back(std::move(method));
  methods_.push_back(OwnMethod("initialize", kLegacy, &McpServer::Initialize));
  methods_.push_back(OwnMethod("ping", kLegacy, &McpServer::Ping));
  methods_.push_back(OwnMethod(kDiscover, kModern, &McpServer::Discover));
  if (offer.has_logs)
    methods_.push_back(OwnMethod("logging/setLevel", kLegacy, &McpServer::SetLogLevel));
  if (!offer.changes) return;
  legacy_news_ = std::make_unique<LegacyNews>(offer.changes, send_);
  for (McpMethod& method : legacy_news_->Methods()) methods_.push_back(std::move(method));
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
  const McpMethod* method = Find(request);
  if (method == nullptr) {
    return Reply(request, from,
                 MakeRpcFailure(kRpcMethodNotFound, "unknown method " + request.method));
  }
  if (method->run) {
    if (auto refused = Begin(*method, request, from)) Reply(request, from, *std::move(refused));
    return;
  }
  auto result = method->answer(request, EraOf(request));
  if (!result) return Reply(request, from, std::move(result).error());
  Reply(request, from, *std::move(result));
}

const McpMethod* McpServer::Find(const RpcMessage& request) const {
  const McpEra era = EraOf(request);
  const auto found = std::ranges::find_if(methods_, [&](const McpMethod& method) {
    return method.name == request.method && method.only.value_or(era) == era;
  });
  return found == methods_.end() ? nullptr : &*found;
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

RpcAnswer McpServer::Initialize(const RpcMessage& request) {
  const std::string asked = TextAt(request.params, "protocolVersion");
  if (asked.empty())
    return std::unexpected(MakeRpcFailure(kRpcInvalidParams, "protocolVersion: expected string"));
  const json::value* said = request.params.if_contains("capabilities");
  legacy_client_ =
      AbilitiesIn(said != nullptr && said->is_object() ? said->get_object() : json::object());
  legacy_version_ = IsLegacyVersion(asked) ? asked : std::string(kNewestLegacy);
  if (legacy_news_) legacy_news_->Begin();
  json::object result{{"protocolVersion", std::string_view(legacy_version_)},
                      {"capabilities", capabilities_.at(McpEra::kLegacy)},
                      {"serverInfo", About()}};
  if (!identity_.instructions.empty())
    result["instructions"] = std::string_view(identity_.instructions);
  return result;
}

RpcAnswer McpServer::Discover(const RpcMessage& request) {
  json::object result{{"supportedVersions", json::array{kModernVersion, kNewestLegacy}},
                      {"capabilities", capabilities_.at(McpEra::kModern)}};
  AddCaching(result, EraOf(request), kFixedTtl);
  if (!identity_.instructions.empty())
    result["instructions"] = std::string_view(identity_.instructions);
  return result;
}

RpcAnswer McpServer::Ping(const RpcMessage&) {
  return json::object{};
}

RpcAnswer McpServer::SetLogLevel(const RpcMessage& request) {
  const auto level = ValueIn(kLogLevels, TextAt(request.params, "level"));
  if (!level)
    return std::unexpected(
        MakeRpcFailure(kRpcInvalidParams, "level: expected the name of a level"));
  legacy_level_ = level;
  return json::object{};
}

std::optional<RpcFailure> McpServer::Begin(const McpMethod& method, const RpcMessage& request,
                                           const McpOrigin& from) {
  if (running_.size() >= limits_.calls_at_once)
    return MakeRpcFailure(kRpcInternalError, "too many calls at once",
                          {{"code", "QUEUE_FULL"}, {"retryable", true}});
  const std::string key = KeyOf(from.scope, request.id);
  if (running_.contains(key))
    return MakeRpcFailure(kRpcInvalidRequest, "id: is in use by another call");
  RunningCall running;
  auto call = CallFrom(request, from, running.cancel.token());
  if (!call) return std::move(call).error();
  Correlation ids;
  ids.trace = TraceId(TextAt(request.meta(), "traceparent"));
  const CallContext ctx =
      CallContext(executor_, clock_).WithCancel(running.cancel.token()).WithIds(std::move(ids));
  running_.emplace(key, std::move(running));
  tasks_.Spawn("mcp.call", Run(this, ctx, &method, *std::move(call), from));
  return std::nullopt;
}

Task<void> McpServer::Run(McpServer* self, CallContext ctx, const McpMethod* method, McpCall call,
                          McpOrigin from) {
  const std::weak_ptr<void> alive = self->alive_;
  const RpcMessage request = call.request;
  auto answer = co_await method->run(ctx, std::move(call));
  if (alive.expired()) co_return;
  const auto running = self->running_.extract(KeyOf(from.scope, request.id));
  // A client that cancelled does not listen any more. Whatever else ended the call, it does.
  if (running.mapped().wanted == Wanted::kCancelledByClient) {
    from.send({.kind = McpOutgoing::Kind::kNothing});
  } else if (answer) {
    self->Reply(request, from, *std::move(answer));
  } else {
    self->Reply(request, from, std::move(answer).error());
  }
  self->ended_.NotifyAll();
}

std::expected<McpCall, RpcFailure> McpServer::CallFrom(const RpcMessage& request,
                                                       const McpOrigin& from,
                                                       const CancelToken& cancel) const {
  McpCall call{.request = request, .era = EraOf(request)};
  if (call.era == McpEra::kModern) {
    auto input = InputByAnswer(request);
    if (!input) return std::unexpected(std::move(input).error());
    call.input = *std::move(input);
    call.knows_tasks = AbilitiesOf(request).tasks;
  } else {
    call.input = InputByRequest(from);
    call.knows_links = legacy_version_ >= kFirstWithLinks;
  }
  call.notify = [send = from.send, alive = std::weak_ptr(alive_), cancel](std::string_view method,
                                                                          json::object params) {
    if (alive.expired() || cancel.is_cancelled()) return;
    send(
        {.kind = McpOutgoing::Kind::kNews, .line = RpcNotificationText(method, std::move(params))});
  };
  call.report = ReportOf(call);
  call.log = LogOf(call);
  return call;
}

ReportProgress McpServer::ReportOf(const McpCall& call) const {
  const json::value* token = call.request.meta().if_contains("progressToken");
  if (token == nullptr) return [](const std::string&) {};
  return [notify = call.notify, token = *token, step = 0](const std::string& message) mutable {
    notify(
        "notifications/progress",
        {{"progressToken", token}, {"progress", ++step}, {"message", std::string_view(message)}});
  };
}

SendLog McpServer::LogOf(const McpCall& call) const {
  const auto least = call.era == McpEra::kModern
                         ? ValueIn(kLogLevels, TextAt(call.request.meta(), kMetaLogLevel))
                         : legacy_level_;
  return [notify = call.notify, least](LogLevel level, json::value data) {
    if (!least || level < *least) return;
    notify("notifications/message",
           {{"level", NameIn(kLogLevels, level)}, {"data", std::move(data)}});
  };
}

ClientInput McpServer::InputByRequest(const McpOrigin& from) const {
  ClientInput input;
  if (legacy_client_.forms) {
    input.asking = ClientAsking::kByRequest;
    input.ask = AskBy("elicitation/create", from);
  }
  if (legacy_client_.sampling) {
    input.sampling = ClientAsking::kByRequest;
    input.sample = AskBy("sampling/createMessage", from);
  }
  return input;
}

ClientInput::Ask McpServer::AskBy(std::string_view method, const McpOrigin& from) const {
  const auto send = [send = from.send](std::string line) {
    send({.kind = McpOutgoing::Kind::kQuestion, .line = std::move(line)});
  };
  return
      [client = std::weak_ptr(to_client_), method, send](CallContext ctx, json::object question) {
        return AskClient(std::move(ctx), client, method, std::move(question), send);
      };
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
  if (book_) co_await book_->Stop(std::move(reason));
}

void McpServer::Reply(const RpcMessage& request, const McpOrigin& from, json::object result) {
  if (IsModern(request)) {
    if (!result.contains("resultType")) result["resultType"] = "complete";
    result.insert({{"_meta", json::object()}});
    result["_meta"].as_object()[kMetaServer] = About();
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
