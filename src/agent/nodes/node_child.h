#pragma once
// From a node to the child that it runs in.

#include "agent/nodes/child_spec.h"
#include "agent/nodes/node.h"
#include "agent/nodes/node_host.h"

namespace falconer::agent {

// The node's program with its environment, in which its secrets are, and FALCONER_NODE,
// FALCONER_CPU_UNITS and FALCONER_MEMORY_MB. Fails as the desk of secrets does; kToolUnavailable
// where there is none. What is pointed to must outlive the call.
Task<Result<ChildSpec>> ChildOfNode(CallContext ctx, const NodeSpec* node, const NodeHost* host);

// On whose behalf a call is made, by the names that a program finds in its environment:
// FALCONER_SESSION, _TURN, _INVOCATION, _EPOCH and _TOOL. Ids, no secrets.
std::vector<std::pair<std::string, std::string>> CallVariables(const Correlation& ids,
                                                               const NodeCall& call);

}  // namespace falconer::agent
