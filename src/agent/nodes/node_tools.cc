#include "agent/nodes/node_tools.h"

#include <utility>

#include "agent/nodes/mcp_node.h"
#include "agent/nodes/node_result.h"
#include "agent/nodes/program_node.h"
#include "base/async/task_scope.h"
#include "base/log.h"
#include "base/random.h"

namespace falconer::agent {
namespace {

// What reads may be tried once more, by whoever calls.
constexpr RetryProfile kNodeReadRetry{.retries = 1};

// Of one node at once: a program is a process for each.
constexpr int kMostNodeCalls = 16;

class CallCount {
 public:
  explicit CallCount(int& calls) : calls_(calls) { ++calls_; }
  ~CallCount() { --calls_; }
  CallCount(const CallCount&) = delete;
  CallCount& operator=(const CallCount&) = delete;

 private:
  int& calls_;
};

ToolDescriptor NodeDescriptor(const NodeSpec& node, NodeToolSpec tool) {
  return {.name = OfferedName(node.name, tool.name),
          .title = node.name + ": " + tool.name,
          .description = std::move(tool.description),
          .group = "nodes",
          .effect = tool.effect,
          .input_schema = std::move(tool.schema),
          .result_schema = NodeResultSchema(std::move(tool.result_schema)),
          // The node ends by itself in its time, and says so a little later.
          .timeout = node.limits.timeout + node.limits.grace * 2,
          .retry = tool.effect == SideEffect::kRead ? kNodeReadRetry : RetryProfile{},
          .capability = node.capability};
}

std::unique_ptr<Node> MakeNode(const Executor& executor, Clock& clock, NodeSpec spec,
                               const NodeHost& host) {
  if (spec.kind == NodeKind::kProgram) return std::make_unique<ProgramNode>(std::move(spec), host);
  return std::make_unique<McpNode>(executor, clock, std::move(spec), host);
}

}  // namespace

Result<std::unique_ptr<NodeTools>> NodeTools::Make(const Executor& executor, Clock& clock,
                                                   const json::array& rows, NodeHost host) {
  TRY_ASSIGN(std::vector<NodeSpec> specs, ParseNodes(rows));
  std::unique_ptr<NodeTools> out(new NodeTools(std::move(host)));
  for (NodeSpec& spec : specs) {
    // Those of a program are in the setting: they are known without asking it.
    const bool is_known = spec.kind == NodeKind::kProgram;
    std::vector<NodeToolSpec> tools = spec.tools;
    Entry& entry = out->nodes_.emplace_back(
        Entry{.node = MakeNode(executor, clock, std::move(spec), out->host_)});
    if (is_known) Take(entry, std::move(tools));
  }
  return out;
}

void NodeTools::Take(Entry& entry, std::vector<NodeToolSpec> tools) {
  for (NodeToolSpec& tool : tools) {
    entry.names.push_back(tool.name);
    entry.tools.push_back(NodeDescriptor(entry.node->spec(), std::move(tool)));
  }
  entry.is_loaded = true;
}

Task<Result<void>> NodeTools::Load(CallContext ctx) {
  // Each has its own time: one that does not start keeps nobody else waiting.
  TaskScope loads(ctx.executor());
  for (Entry& entry : nodes_) {
    if (!entry.is_loaded) loads.Spawn("node.load", LoadOne(ctx, &entry));
  }
  co_await loads.Join();
  co_return ctx.StillWanted("the tools of nodes");
}

Task<void> NodeTools::LoadOne(CallContext ctx, Entry* entry) {
  auto tools = co_await entry->node->List(ctx);
  if (!tools) {
    LOG(warn, "node.not_there", {"node", entry->node->spec().name}, {"why", tools.error().name()});
    co_return;
  }
  // Somebody else may have asked at the same time.
  if (!entry->is_loaded) Take(*entry, *std::move(tools));
}

std::vector<const ToolDescriptor*> NodeTools::Tools() const {
  std::vector<const ToolDescriptor*> out;
  for (const Entry& entry : nodes_) {
    for (const ToolDescriptor& tool : entry.tools) out.push_back(&tool);
  }
  return out;
}

Task<ToolResult> NodeTools::Call(CallContext ctx, ToolCall call) {
  for (Entry& entry : nodes_) {
    for (std::size_t i = 0; i < entry.tools.size(); ++i) {
      if (entry.tools[i].name != call.name) continue;
      NodeCall wanted{.tool = entry.names[i],
                      .arguments = std::move(call.arguments),
                      .invocation = RandomId(),
                      .epoch = host_.epoch ? host_.epoch(ctx.ids()) : 0};
      co_return co_await CallTool(ctx, &entry, std::move(wanted));
    }
  }
  co_return NodeFailure({}, Error(ErrorCode::kToolUnavailable, "no node has a tool " + call.name));
}

Task<ToolResult> NodeTools::CallTool(CallContext ctx, Entry* entry, NodeCall call) const {
  const std::string& name = entry->node->spec().name;
  if (entry->calls >= kMostNodeCalls)
    co_return NodeFailure(
        {.node = name}, Error(ErrorCode::kQueueFull, "the node " + name + " is called too often"));
  const TimePoint begun = ctx.clock().Now();
  const CallCount counted(entry->calls);
  ToolResult result = co_await entry->node->Call(ctx, std::move(call));
  result.took = ctx.clock().Now() - begun;
  co_return result;
}

Task<void> NodeTools::Stop(CallContext ctx) {
  for (Entry& entry : nodes_) co_await entry.node->Stop(ctx);
}

}  // namespace falconer::agent
