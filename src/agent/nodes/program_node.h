#pragma once
// ProgramNode: a plain program as a tool: the arguments as JSON on its standard input, its answer
// on its standard output, a process for each call.

#include "agent/nodes/node.h"
#include "agent/nodes/node_host.h"

namespace falconer::agent {

class ProgramNode final : public Node {
 public:
  // The host must outlive it.
  ProgramNode(NodeSpec spec, const NodeHost& host) : Node(std::move(spec)), host_(host) {}

  Task<Result<std::vector<NodeToolSpec>>> List(CallContext ctx) override;
  // A JSON object is the result, everything else its text. kExecutionError for an exit code that is
  // not 0, with the end of standard error; else as RunChild fails.
  Task<ToolResult> Call(CallContext ctx, NodeCall call) override;
  Task<void> Stop(CallContext ctx) override;

 private:
  const NodeHost& host_;
};

}  // namespace falconer::agent
