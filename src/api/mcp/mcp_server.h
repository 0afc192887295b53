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
#include "api/mcp/revisions.h"
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

// Something for the client, and what it is to the request that it belongs to.
struct McpOutgoing {
  enum class Kind {
    kProgress,
    kQuestion,  // a request to the client, or its withdrawal; may come after the answer
    kAnswer,    // the last of the request
    kNothing,   // instead of the answer: the client cancelled the request
  };
  Kind kind = Kind::kNothing;
  std::string line = {};
  int failure = 0;  // the code of an answer that is an error
};

// Where a message comes from. What belongs to a request goes back where that came from.
struct McpOrigin {
  // Ids of requests are unique within one, and cancelled from within it.
  std::string scope = {};
  // Not called any more once the server has gone.
  std::function<void(McpOutgoing out)> send;
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
  // The same, for a transport that has more than one way to its client.
  void OnMessage(RpcMessage message, McpOrigin from);
  // As if its client had cancelled the call, if it still runs.
  void CancelCall(std::string_view scope, const json::value& id, Error reason);
  // Waits until every call has ended. One waiter at a time.
  Task<void> Join() { return tasks_.Join(); }
  // The same, but no longer than `ctx` allows.
  Task<Result<void>> WaitIdle(CallContext ctx);
  // Cancels what runs and waits until it has ended. It is answered: only what the client itself
  // cancelled is not.
  Task<void> Stop(Error reason);

  std::size_t running() const { return running_.size(); }
  // What was agreed with a client of an older revision; "" before its `initialize`.
  const std::string& legacy_version() const { return legacy_version_; }

 private:
  using Handler = std::expected<json::object, RpcFailure> (McpServer::*)(const RpcMessage&);
  enum class Wanted { kYes, kCancelledByClient };
  struct RunningCall {
    CancelSource cancel;
    Wanted wanted = Wanted::kYes;
  };
  struct MethodRow {
    std::string_view name;
    std::optional<McpEra> only;
    Handler handle;
  };
  static const MethodRow kMethods[];

  void OnRequest(RpcMessage request, McpOrigin from);
  void Serve(const RpcMessage& request, const McpOrigin& from);
  void OnNotification(const RpcMessage& notification, std::string_view scope);
  std::expected<json::object, RpcFailure> Answer(const RpcMessage& request);
  std::expected<json::object, RpcFailure> Initialize(const RpcMessage& request);
  std::expected<json::object, RpcFailure> Discover(const RpcMessage& request);
  std::expected<json::object, RpcFailure> Ping(const RpcMessage& request);
  std::expected<json::object, RpcFailure> ListTools(const RpcMessage& request);
  // Empty when the call was begun; its answer comes later.
  std::optional<RpcFailure> BeginCall(const RpcMessage& request, const McpOrigin& from);
  static Task<void> RunCall(McpServer* self, CallContext ctx, const Tool* tool, RpcMessage request,
                            McpOrigin from);
  ToolCall CallFrom(const RpcMessage& request, const McpOrigin& from,
                    const CancelToken& cancel) const;
  ClientInput InputFrom(const RpcMessage& request, const McpOrigin& from) const;

  void Reply(const RpcMessage& request, const McpOrigin& from, json::object result);
  void Reply(const RpcMessage& request, const McpOrigin& from, RpcFailure failure);
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
  std::string legacy_version_;
  std::shared_ptr<ClientRequests> to_client_;
  // A call that was cut off may notice it only when we are gone.
  std::shared_ptr<void> alive_ = std::make_shared<char>();
  // Calls under way, by their scope and their id as JSON text.
  std::map<std::string, RunningCall> running_;
  // Notified when one ends.
  Notifier ended_;
  TaskScope tasks_;
};

}  // namespace falconer::api
