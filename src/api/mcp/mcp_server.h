#pragma once
// McpServer: the protocol, without a transport. It speaks both eras at once: `initialize` with the
// revisions up to 2025-11-25, and 2026-07-28, where every request says for itself which revision it
// is in. What a request says decides how it is answered; of older clients only what their
// `initialize` said is remembered.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/mcp/client_requests.h"
#include "api/mcp/listening.h"
#include "api/mcp/mcp_offer.h"
#include "api/mcp/task_book.h"
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
    kNews,      // how far it is, and what else is told meanwhile
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

  McpServer(Executor executor, Clock& clock, McpOffer offer, ServerIdentity identity, Send send,
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
  // Whether its client may still ask for a task.
  bool has_tasks() const { return book_ && book_->size() > 0; }
  // The schema of a tool's arguments; null when there is no such tool.
  const json::object* SchemaOf(std::string_view tool) const;
  // What was agreed with a client of an older revision; "" before its `initialize`.
  const std::string& legacy_version() const { return legacy_version_; }

 private:
  enum class Wanted { kYes, kCancelledByClient };
  struct RunningCall {
    CancelSource cancel;
    Wanted wanted = Wanted::kYes;
  };
  using OwnAnswer = RpcAnswer (McpServer::*)(const RpcMessage&);

  McpMethod OwnMethod(std::string_view name, McpEra only, OwnAnswer answer);
  void AddMethods(const McpOffer& offer);
  void OnRequest(RpcMessage request, McpOrigin from);
  void Serve(const RpcMessage& request, const McpOrigin& from);
  const McpMethod* Find(const RpcMessage& request) const;
  void OnNotification(const RpcMessage& notification, std::string_view scope);
  RpcAnswer Initialize(const RpcMessage& request);
  RpcAnswer Discover(const RpcMessage& request);
  RpcAnswer Ping(const RpcMessage& request);
  RpcAnswer SetLogLevel(const RpcMessage& request);
  // Empty when the work was begun; its answer comes later.
  std::optional<RpcFailure> Begin(const McpMethod& method, const RpcMessage& request,
                                  const McpOrigin& from);
  static Task<void> Run(McpServer* self, CallContext ctx, const McpMethod* method, McpCall call,
                        McpOrigin from);
  std::expected<McpCall, RpcFailure> CallFrom(const RpcMessage& request, const McpOrigin& from,
                                              const CancelToken& cancel) const;
  ReportProgress ReportOf(const McpCall& call) const;
  SendLog LogOf(const McpCall& call) const;
  ClientInput InputByRequest(const McpOrigin& from) const;
  ClientInput::Ask AskBy(std::string_view method, const McpOrigin& from) const;

  void Reply(const RpcMessage& request, const McpOrigin& from, json::object result);
  void Reply(const RpcMessage& request, const McpOrigin& from, RpcFailure failure);
  json::object About() const;

  Executor executor_;
  Clock& clock_;
  std::shared_ptr<const ToolCatalog> tools_;
  std::shared_ptr<TaskBook> book_;  // null when no call becomes a task
  std::map<McpEra, json::object> capabilities_;
  ServerIdentity identity_;
  Send send_;
  McpLimits limits_;
  std::function<void()> on_first_request_;
  // What the client of an older revision said of itself in its `initialize`.
  ClientAbilities legacy_client_;
  std::string legacy_version_;
  // What it wants to read of logs; nothing until it says so.
  std::optional<LogLevel> legacy_level_;
  std::unique_ptr<LegacyNews> legacy_news_;  // null when there are never any
  std::shared_ptr<ClientRequests> to_client_;
  // A call that was cut off may notice it only when we are gone.
  std::shared_ptr<void> alive_ = std::make_shared<char>();
  // Calls under way, by their scope and their id as JSON text.
  std::map<std::string, RunningCall> running_;
  // Notified when one ends.
  Notifier ended_;
  std::vector<McpMethod> methods_;
  TaskScope tasks_;
};

}  // namespace falconer::api
