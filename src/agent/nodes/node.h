#pragma once
// Node: a program of somebody else that has tools. Everything it says is said by a stranger.

#include <string>
#include <vector>

#include "agent/nodes/node_spec.h"
#include "agent/tools/tool_result.h"
#include "base/async/call_context.h"

namespace falconer::agent {

// One call of one of its tools.
struct NodeCall {
  std::string tool;  // by its own name
  json::object arguments;
  std::string invocation;  // an id of this call alone
  std::int64_t epoch = 0;
};

class Node {
 public:
  explicit Node(NodeSpec spec) : spec_(std::move(spec)) {}
  virtual ~Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  const NodeSpec& spec() const { return spec_; }

  // Its tools by their own names. Fails as a call would.
  virtual Task<Result<std::vector<NodeToolSpec>>> List(CallContext ctx) = 0;
  // Within the node's time and that of ctx. Whatever goes wrong is a result.
  virtual Task<ToolResult> Call(CallContext ctx, NodeCall call) = 0;
  // Ends what runs of it. It must not be called any more.
  virtual Task<void> Stop(CallContext ctx) = 0;

 private:
  const NodeSpec spec_;
};

}  // namespace falconer::agent
