#pragma once
// McpConnection: one running MCP server on its standard streams, and what was asked of it. When it
// ends, for whatever reason, everything that waits for it fails. On one event loop.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "agent/nodes/child_process.h"
#include "base/async/message_pipe.h"
#include "base/async/one_shot.h"
#include "base/json/json.h"

namespace falconer::agent {

struct McpRefusal {
  std::int64_t code = 0;
  std::string message = {};
};

// What a server answered: a result, or an error in its own words.
struct McpReply {
  json::object result = {};
  std::optional<McpRefusal> refusal = std::nullopt;
};

class McpConnection : public std::enable_shared_from_this<McpConnection> {
 public:
  // Starts the server and shakes hands. kToolUnavailable when it cannot be run, ends, or speaks no
  // revision that is known; and the reason of ctx. `name` is how errors call it.
  static Task<Result<std::shared_ptr<McpConnection>>> Open(CallContext ctx, std::string name,
                                                           ChildSpec spec);
  // Kills what still runs.
  ~McpConnection();
  McpConnection(const McpConnection&) = delete;
  McpConnection& operator=(const McpConnection&) = delete;

  // Waits for the answer. kToolUnavailable when the server ends first, with the end of its standard
  // error in "errors", kBudgetExceeded when it says
  // too much, and the reason of ctx; then the server is told that nobody waits any more.
  Task<Result<McpReply>> Ask(CallContext ctx, std::string method, json::object params);
  // Ends the server: its input is closed, it is asked, it is killed.
  Task<void> Close(CallContext ctx);
  // Ends the server at once, as if it had ended by itself.
  void Abort(Error why);

  // Whether it can be asked no more.
  bool is_over() const { return over_.has_value(); }
  // Called once, when it is over; not after Close().
  void OnOver(std::function<void()> tell) { on_over_ = std::move(tell); }
  const ChildProcess& child() const { return *child_; }

 private:
  using Answer = OneShot<Result<McpReply>>;

  McpConnection(CallContext ctx, std::string name, ChildLimits limits,
                std::unique_ptr<ChildProcess> child);

  void Listen();
  Task<Result<void>> ShakeHands(CallContext ctx);
  void OnMessage(std::string_view text);
  void OnRequest(const json::object& message);
  void OnReply(const json::object& message);
  void OnClosed(PipeEnd end);
  Result<void> Post(json::object message);
  void Notify(std::string_view method, json::object params);
  void End(Error why);

  CallContext ctx_;
  const std::string name_;
  const ChildLimits limits_;
  std::unique_ptr<ChildProcess> child_;
  std::unique_ptr<MessagePipe> pipe_;
  std::int64_t last_id_ = 0;
  // What it has said since it last answered.
  std::size_t unasked_bytes_ = 0;
  // Each in the frame of who waits for it.
  std::map<std::int64_t, Answer*> waiting_;
  std::optional<Error> over_;
  std::function<void()> on_over_;
};

}  // namespace falconer::agent
