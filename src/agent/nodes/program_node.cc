#include "agent/nodes/program_node.h"

#include <utility>

#include "agent/nodes/child_run.h"
#include "agent/nodes/node_child.h"
#include "agent/nodes/node_result.h"
#include "base/text.h"

namespace falconer::agent {
namespace {

NodeUse UseOfEnd(const NodeSpec& spec, const ChildEnd& end) {
  return {.node = spec.name,
          .used = {.cpu_time = end.cpu_time, .peak_memory_bytes = end.peak_memory_bytes},
          .bounds = end.bounds};
}

// What an error of RunChild says of the child, as far as it got.
NodeUse UseOfFailure(const NodeSpec& spec, const Error& error) {
  NodeUse use{.node = spec.name};
  const json::object& facts = error.details();
  const auto number = [&facts](std::string_view key) {
    const json::value* value = facts.if_contains(key);
    return value != nullptr && value->is_number() ? value->to_number<std::int64_t>() : 0;
  };
  use.used = {.cpu_time = std::chrono::milliseconds(number("cpu_ms")),
              .peak_memory_bytes = number("memory_bytes")};
  const json::value* bounds = facts.if_contains("bounds");
  if (bounds == nullptr || !bounds->is_array()) return use;
  for (const json::value& bound : bounds->as_array())
    use.bounds.emplace_back(std::string_view(bound.as_string()));
  return use;
}

ToolResult ResultOfEnd(const NodeSpec& spec, ChildEnd end) {
  const NodeUse use = UseOfEnd(spec, end);
  if (end.exit_code != 0) {
    const Error error(ErrorCode::kExecutionError,
                      "the node " + spec.name + " ended with code " + std::to_string(end.exit_code),
                      {{"exit_code", end.exit_code}});
    return NodeFailure(use, error, std::move(end.errors));
  }
  auto result = ParseJsonObject(Trim(end.output));
  return NodeAnswer(use, std::move(end.output),
                    result ? std::optional(*std::move(result)) : std::nullopt);
}

}  // namespace

Task<Result<std::vector<NodeToolSpec>>> ProgramNode::List(CallContext ctx) {
  CO_TRY(ctx.StillWanted("the tools of a node"));
  co_return spec().tools;
}

Task<ToolResult> ProgramNode::Call(CallContext ctx, NodeCall call) {
  auto child = co_await ChildOfNode(ctx, &spec(), &host_);
  if (!child) co_return NodeFailure({.node = spec().name}, child.error());
  for (auto& variable : CallVariables(ctx.ids(), call))
    child->environment.push_back(std::move(variable));
  child->input = json::serialize(call.arguments);
  auto end = co_await RunChild(ctx, *std::move(child));
  if (end) co_return ResultOfEnd(spec(), *std::move(end));
  co_return NodeFailure(UseOfFailure(spec(), end.error()), end.error());
}

Task<void> ProgramNode::Stop(CallContext /*ctx*/) {
  co_return;
}

}  // namespace falconer::agent
