#include "agent/nodes/mcp_connection.h"

#include <algorithm>
#include <utility>

#include "base/log.h"

namespace falconer::agent {
namespace {

constexpr std::string_view kOwnMcpRevision = "2025-11-25";
// What a server may answer that speaks an older one: for what is asked of it they are the same.
constexpr std::string_view kKnownMcpRevisions[] = {kOwnMcpRevision, "2025-06-18", "2025-03-26",
                                                   "2024-11-05"};
constexpr std::size_t kMostWaitingBytes = 4UZ << 20U;
// So many of the longest messages are heard between two answers.
constexpr std::size_t kUnaskedMessages = 16;
constexpr int kRpcMethodNotFound = -32601;
constexpr std::size_t kLongestCancelReason = 200;

json::object RpcMessage() {
  return {{"jsonrpc", "2.0"}};
}

McpReply ReplyOf(const json::object& message) {
  McpReply out;
  if (const json::value* result = message.if_contains("result")) {
    if (result->is_object()) out.result = result->as_object();
    return out;
  }
  const json::value* error = message.if_contains("error");
  out.refusal.emplace();
  if (error == nullptr || !error->is_object()) return out;
  const json::value* code = error->as_object().if_contains("code");
  if (code != nullptr && code->is_int64()) out.refusal->code = code->as_int64();
  out.refusal->message = TextAt(error->as_object(), "message");
  return out;
}

}  // namespace

Task<Result<std::shared_ptr<McpConnection>>> McpConnection::Open(CallContext ctx, std::string name,
                                                                 ChildSpec spec) {
  CO_TRY_ASSIGN(auto child, co_await ChildProcess::Start(ctx, &spec));
  // Its own life is not bound to the call that started it.
  const CallContext plain(ctx.executor(), ctx.clock());
  std::shared_ptr<McpConnection> made(
      new McpConnection(plain, std::move(name), spec.limits, std::move(child)));
  made->Listen();
  CO_TRY(co_await made->ShakeHands(std::move(ctx)));
  co_return made;
}

McpConnection::McpConnection(CallContext ctx, std::string name, ChildLimits limits,
                             std::unique_ptr<ChildProcess> child)
    : ctx_(std::move(ctx)), name_(std::move(name)), limits_(limits), child_(std::move(child)) {
}

McpConnection::~McpConnection() = default;

void McpConnection::Listen() {
  pipe_ = std::make_unique<MessagePipe>(
      ctx_.executor(), child_->TakeOutput(), child_->TakeInput(),
      MessagePipe::Options{.most_queued = kMostWaitingBytes,
                           .longest_message = static_cast<std::size_t>(limits_.output_bytes)});
  pipe_->Start({.on_message = [this](std::string_view text) { OnMessage(text); },
                .on_closed = [this](PipeEnd end, const std::string&) { OnClosed(end); }});
}

Task<Result<void>> McpConnection::ShakeHands(CallContext ctx) {
  const auto self = shared_from_this();
  json::object params{{"protocolVersion", kOwnMcpRevision},
                      {"capabilities", json::object()},
                      {"clientInfo", {{"name", "falconer"}, {"version", FALCONER_VERSION}}}};
  CO_TRY_ASSIGN(const McpReply reply, co_await Ask(ctx, "initialize", std::move(params)));
  const std::string revision = TextAt(reply.result, "protocolVersion");
  if (std::ranges::find(kKnownMcpRevisions, revision) == std::end(kKnownMcpRevisions))
    co_return Fail(ErrorCode::kToolUnavailable,
                   "the node " + name_ + " speaks no revision of MCP that is known here");
  Notify("notifications/initialized", {});
  co_return Result<void>();
}

// Lines that are no messages are passed over: many servers write what was meant for people there.
void McpConnection::OnMessage(std::string_view text) {
  unasked_bytes_ += text.size() + 1;
  if (unasked_bytes_ > kUnaskedMessages * static_cast<std::size_t>(limits_.output_bytes))
    return Abort(Error(ErrorCode::kBudgetExceeded,
                       "the node " + name_ + " says too much that nobody asked"));
  const auto message = ParseJsonObject(text);
  if (!message) return;
  const bool is_call = message->if_contains("method") != nullptr;
  const bool has_id = message->if_contains("id") != nullptr;
  if (is_call && has_id) return OnRequest(*message);
  if (!is_call && has_id) return OnReply(*message);
}

// It may ask whether we are there. It gets no model, no person and no folders of ours.
void McpConnection::OnRequest(const json::object& message) {
  json::object answer = RpcMessage();
  answer["id"] = message.at("id");
  if (TextAt(message, "method") == "ping") {
    answer["result"] = json::object();
  } else {
    answer["error"] = {{"code", kRpcMethodNotFound}, {"message", "not offered to servers"}};
  }
  const auto posted = Post(std::move(answer));
  if (!posted) Abort(posted.error());
}

// One that nobody waits for came too late, or was made up.
void McpConnection::OnReply(const json::object& message) {
  const json::value& id = message.at("id");
  const auto found = id.is_int64() ? waiting_.find(id.as_int64()) : waiting_.end();
  if (found == waiting_.end()) return;
  unasked_bytes_ = 0;
  found->second->Set(ReplyOf(message));
}

void McpConnection::OnClosed(PipeEnd end) {
  if (end == PipeEnd::kTooLong)
    return Abort(Error(ErrorCode::kBudgetExceeded, "the node " + name_ + " says more than " +
                                                       std::to_string(limits_.output_bytes) +
                                                       " bytes at once"));
  Abort(Error(ErrorCode::kToolUnavailable, "the node " + name_ + " has ended",
              {{"errors", child_->last_errors()}}));
}

Result<void> McpConnection::Post(json::object message) {
  return pipe_->Post(json::serialize(message));
}

void McpConnection::Notify(std::string_view method, json::object params) {
  json::object message = RpcMessage();
  message["method"] = method;
  if (!params.empty()) message["params"] = std::move(params);
  const auto posted = Post(std::move(message));
  if (!posted) LOG(warn, "node.deaf", {"node", name_});
}

Task<Result<McpReply>> McpConnection::Ask(CallContext ctx, std::string method,
                                          json::object params) {
  const auto self = shared_from_this();
  if (over_) co_return Fail(*over_);
  const std::int64_t id = ++last_id_;
  Answer answer(ctx);
  waiting_.emplace(id, &answer);
  json::object request = RpcMessage();
  request["id"] = id;
  request["method"] = method;
  request["params"] = std::move(params);
  const Result<void> posted = Post(std::move(request));
  Result<Result<McpReply>> waited =
      Fail(ErrorCode::kToolUnavailable, "the node " + name_ + " does not read what it is asked");
  if (posted) waited = co_await answer.Wait(ctx, method);
  waiting_.erase(id);
  if (waited) co_return *std::move(waited);
  // A handshake is not to be cancelled, by the rules of MCP.
  if (posted && !over_ && method != "initialize")
    Notify(
        "notifications/cancelled",
        {{"requestId", id}, {"reason", waited.error().message().substr(0, kLongestCancelReason)}});
  co_return Fail(waited.error());
}

void McpConnection::End(Error why) {
  over_ = std::move(why);
  pipe_->Close();
  for (const auto& [id, answer] : waiting_) answer->Set(Fail(*over_));
}

// Killed now, waited for by the destructor at the latest.
void McpConnection::Abort(Error why) {
  if (over_) return;
  End(std::move(why));
  child_->Kill();
  if (const auto tell = std::exchange(on_over_, nullptr)) tell();
}

Task<void> McpConnection::Close(CallContext ctx) {
  const auto self = shared_from_this();
  on_over_ = nullptr;
  if (!over_) End(Error(ErrorCode::kToolUnavailable, "the node " + name_ + " is shut down"));
  const CallContext plain(ctx.executor(), ctx.clock());
  const auto ended = co_await child_->WaitForExit(plain.WithTimeout(limits_.grace));
  if (!ended) co_await child_->End(ctx, limits_.grace);
}

}  // namespace falconer::agent
