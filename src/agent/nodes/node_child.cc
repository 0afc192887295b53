#include "agent/nodes/node_child.h"

#include <utility>

namespace falconer::agent {
namespace {

Task<Result<std::string>> VariableValue(CallContext ctx, const NodeVariable* variable,
                                        const NodeHost* host) {
  if (const auto* text = std::get_if<std::string>(&variable->value)) co_return *text;
  const auto& secret = std::get<NodeSecret>(variable->value);
  if (!host->keys)
    co_return Fail(ErrorCode::kToolUnavailable, "there are no secrets for nodes here");
  CO_TRY_ASSIGN(const policy::SecretText value,
                co_await host->keys(ctx, secret.reference, secret.url));
  co_return std::string(value.Reveal());
}

}  // namespace

Task<Result<ChildSpec>> ChildOfNode(CallContext ctx, const NodeSpec* node, const NodeHost* host) {
  const ChildLimits& limits = node->limits;
  ChildSpec out{.program = node->command.front(),
                .arguments = {node->command.begin() + 1, node->command.end()},
                .environment = {{"FALCONER_NODE", node->name},
                                {"FALCONER_CPU_UNITS", std::to_string(limits.cpu_seconds)},
                                {"FALCONER_MEMORY_MB", std::to_string(limits.memory_bytes >> 20)}},
                .network = node->network,
                .limits = limits,
                .hidden = host->hidden};
  for (const NodeVariable& variable : node->environment) {
    CO_TRY_ASSIGN(std::string value, co_await VariableValue(ctx, &variable, host));
    out.environment.emplace_back(variable.name, std::move(value));
  }
  co_return out;
}

std::vector<std::pair<std::string, std::string>> CallVariables(const Correlation& ids,
                                                               const NodeCall& call) {
  return {{"FALCONER_SESSION", ids.session.value()},
          {"FALCONER_TURN", ids.turn.value()},
          {"FALCONER_INVOCATION", call.invocation},
          {"FALCONER_EPOCH", std::to_string(call.epoch)},
          {"FALCONER_TOOL", call.tool}};
}

}  // namespace falconer::agent
