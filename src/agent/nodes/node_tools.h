#pragma once
// NodeTools: the tools of all nodes of the setting, offered as "<node>__<tool>". Arguments are
// checked, steps recorded and capabilities asked about by whoever joins them with other tools.

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "agent/nodes/node.h"
#include "agent/nodes/node_host.h"
#include "agent/providers/chat_request.h"

namespace falconer::agent {

class NodeTools {
 public:
  // kInvalidSetting for a row that is wrong; then there are none at all. Nothing is started. The
  // clock must outlive it.
  static Result<std::unique_ptr<NodeTools>> Make(const Executor& executor, Clock& clock,
                                                 const json::array& rows, NodeHost host);

  bool empty() const { return nodes_.empty(); }
  // Asks the nodes that have not said yet which tools they have. A node that does not answer has
  // none for now, and is asked again the next time; what a node has once said stays. Fails only
  // with the reason of ctx.
  Task<Result<void>> Load(CallContext ctx);
  // Those that are known, in the order of the setting. Each is valid as long as this object.
  std::vector<const ToolDescriptor*> Tools() const;
  // Whatever goes wrong is a result, an unknown name included; kQueueFull when a node is called too
  // often at once.
  Task<ToolResult> Call(CallContext ctx, ToolCall call);
  // Ends all of them.
  Task<void> Stop(CallContext ctx);

 private:
  struct Entry {
    std::unique_ptr<Node> node;
    int calls = 0;  // under way
    bool is_loaded = false;
    // By their own names, beside what they are offered as; both stay where they are.
    std::vector<std::string> names = {};
    std::deque<ToolDescriptor> tools = {};
  };

  explicit NodeTools(NodeHost host) : host_(std::move(host)) {}
  static Task<void> LoadOne(CallContext ctx, Entry* entry);
  Task<ToolResult> CallTool(CallContext ctx, Entry* entry, NodeCall call) const;
  static void Take(Entry& entry, std::vector<NodeToolSpec> tools);

  const NodeHost host_;
  std::deque<Entry> nodes_;
};

}  // namespace falconer::agent
