#pragma once
// McpServer: the protocol, without a transport. It speaks both eras at once: `initialize` with the
// revisions up to 2025-11-25, and 2026-07-28, where every request says for itself which revision it
// is in. What a request says decides how it is answered; of older clients only what their
// `initialize` said is remembered.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "api/mcp/client_requests.h"
#include "api/mcp/json_rpc.h"
#include "api/mcp/tool.h"
#include "base/async/cancel.h"
#include "base/async/notifier.h"
#include "base/async/task_scope.h"

namespace falconer::api {

struct ServerIdentity {
  std::string name;
  std::string title;
  std::string version;
  std::string instructions;  // for the model
};

struct McpLimits {
  std::size_t calls_at_once = 64;
};

class McpServer {
 public:
  using Send = std::function<void(std::string line)>;

  McpServer(Executor executor, Clock& clock, ToolCatalog tools, ServerIdentity identity, Send send,
            McpLimits limits = {});
  ~McpServer();
  McpServer(const McpServer&) = delete;
  McpServer& operator=(const McpServer&) = delete;

  // `tell` is called once, when the first request has been answered or begun. A question which
  // revisions we speak does not count: clients ask it of processes that they end at once.
  void OnFirstRequest(std::function<void()> tell) { on_first_request_ = std::move(tell); }
  // One message of the client. Requests are answered through `send`, each when it is done.
  void OnMessage(std::string_view text);
  // Waits until every call has ended. One waiter at a time.
  Task<void> Join() { return tasks_.Join(); }
  // The same, but no longer than `ctx` allows.
  Task<Result<void>> WaitIdle(CallContext ctx);
  // Cancels what runs and waits until it has ended. It is answered: only what the client itself
  // cancelled is not.
  Task<void> Stop(Error reason);

  std::size_t running() const { return running_.size(); }

 private:
  enum class Era { kLegacy, kModern };
  using Handler = std::expected<json::object, RpcFailure> (McpServer::*)(const RpcMessage&);
  enum class Wanted { kYes, kCancelledByClient };
  struct RunningCall {
    CancelSource cancel;
    Wanted wanted = Wanted::kYes;
  };
  struct MethodRow {
    std::string_view name;
    std::optional<Era> only;
    Handler handle;
  };
  static const MethodRow kMethods[];

  void OnRequest(RpcMessage request);
  void Serve(const RpcMessage& request);
  void OnNotification(const RpcMessage& notification);
  std::expected<json::object, RpcFailure> Answer(const RpcMessage& request);
  std::expected<json::object, RpcFailure> Initialize(const RpcMessage& request);
  std::expected<json::object, RpcFailure> Discover(const RpcMessage& request);
  std::expected<json::object, RpcFailure> Ping(const RpcMessage& request);
  std::expected<json::object, RpcFailure> ListTools(const RpcMessage& request);
  // Empty when the call was begun; its answer comes later.
  std::optional<RpcFailure> BeginCall(const RpcMessage& request);
  static Task<void> RunCall(McpServer* self, CallContext ctx, const Tool* tool, RpcMessage request);
  ToolCall CallFrom(const RpcMessage& request, const CancelToken& cancel) const;
  ClientInput InputFrom(const RpcMessage& request) const;

  void Reply(const RpcMessage& request, json::object result);
  void Reply(const RpcMessage& request, RpcFailure failure);
  json::object About() const;

  Executor executor_;
  Clock& clock_;
  ToolCatalog tools_;
  ServerIdentity identity_;
  Send send_;
  McpLimits limits_;
  std::function<void()> on_first_request_;
  // What the client of an older revision said of itself in its `initialize`.
  bool shows_forms_ = false;
  std::shared_ptr<ClientRequests> to_client_;
  // A call that was cut off may notice it only when we are gone.
  std::shared_ptr<void> alive_ = std::make_shared<char>();
  // Calls under way, by their id as JSON text.
  std::map<std::string, RunningCall> running_;
  // Notified when one ends.
  Notifier ended_;
  TaskScope tasks_;
};

}  // namespace falconer::api
