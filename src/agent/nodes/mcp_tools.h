#pragma once
// What an MCP server says of its tools, and what it answers: read as what a stranger says, with
// limits.

#include <vector>

#include "agent/nodes/mcp_connection.h"
#include "agent/nodes/node_result.h"
#include "agent/nodes/node_spec.h"

namespace falconer::agent {

inline constexpr std::size_t kMaxMcpTools = 128;

// The tools of one page of tools/list, added to `out`. What has no proper name, a schema that is
// none or too long, or words that are meant for a model, is left out and logged.
void TakeMcpTools(const NodeSpec& node, const json::object& page, std::vector<NodeToolSpec>& out);

// What tools/call answered. kExecutionError when the server says that it failed, or says nothing
// that can be read; its words are in the text.
ToolResult McpResult(const NodeUse& use, const McpReply& reply);

}  // namespace falconer::agent
