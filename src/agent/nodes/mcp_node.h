#pragma once
// McpNode: the tools of a third-party MCP server. The server is started when it is first needed and
// again when it has ended: after a pause that grows, and not at all for a while after it has
// crashed three times in a row. A server that does not even answer a ping after a call was given up
// is killed. On one event loop.

#include <memory>
#include <vector>

#include "agent/nodes/mcp_connection.h"
#include "agent/nodes/node.h"
#include "agent/nodes/node_host.h"
#include "agent/nodes/node_result.h"
#include "agent/providers/provider_breaker.h"
#include "base/async/notifier.h"
#include "base/async/task_scope.h"

namespace falconer::agent {

struct McpRestart {
  std::chrono::milliseconds first_pause = std::chrono::milliseconds(250);
  ProviderBreakerLimits crashes = {};
};

class McpNode final : public Node {
 public:
  // Host and clock must outlive it.
  McpNode(const Executor& executor, Clock& clock, NodeSpec spec, const NodeHost& host,
          McpRestart restart = {});
  ~McpNode() override;

  Task<Result<std::vector<NodeToolSpec>>> List(CallContext ctx) override;
  // kToolTimeout when the node's own time is over, kToolUnavailable when it cannot be started or
  // ends meanwhile, kCircuitOpen after too many crashes, kBudgetExceeded for an answer that is too
  // long, kExecutionError when it says that it failed, and the reason of ctx.
  Task<ToolResult> Call(CallContext ctx, NodeCall call) override;
  Task<void> Stop(CallContext ctx) override;

 private:
  using Connection = std::shared_ptr<McpConnection>;

  // One that can be asked. Of several who need it one starts it.
  Task<Result<Connection>> Connect(CallContext ctx);
  Task<Result<Connection>> Start(CallContext ctx);
  Result<void> MayStart();
  void OnCrash();
  Task<Result<McpReply>> AskInTime(CallContext ctx, Connection connection, std::string method,
                                   json::object params);
  // Kills a server that does not answer any more.
  Task<void> Probe(Connection connection);
  Error WhyOver(const CallContext& ctx, const Error& error) const;
  ToolResult ResultOf(const Connection& connection, std::chrono::milliseconds cpu_before,
                      const Result<McpReply>& reply) const;

  Clock& clock_;
  Executor executor_;
  const NodeHost& host_;
  const McpRestart restart_;
  ProviderBreaker breaker_;
  std::chrono::milliseconds pause_;
  TimePoint earliest_start_{};
  Connection connection_;
  bool is_starting_ = false;
  bool is_stopped_ = false;
  Notifier changed_;
  // Last: what it runs uses all of the above.
  TaskScope probes_;
};

}  // namespace falconer::agent
