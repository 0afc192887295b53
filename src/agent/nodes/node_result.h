#pragma once
// How the answer of a node becomes a result: its words are marked as a stranger's, and what it used
// goes on record with it.

#include <optional>
#include <string>
#include <vector>

#include "agent/nodes/child_use.h"
#include "agent/nodes/node_spec.h"
#include "agent/tools/tool_result.h"

namespace falconer::agent {

// Where a call was answered, and what that took.
struct NodeUse {
  std::string node;
  ChildUse used = {};
  std::vector<std::string> bounds = {};
};

// "structured" of each result: {"result"?, "node": {"boundary", "node_id", "cpu_ms",
// "memory_bytes", "bounds"}}. Nothing of it is the node's but "result".
json::object NodeRecord(const NodeUse& use);
// The schema of that, for a tool whose "result" has this one.
json::object NodeResultSchema(json::object result);

ToolResult NodeAnswer(const NodeUse& use, std::string text, std::optional<json::object> result);
// `words` are the node's own about it, else those in "errors" of the error's details; they are in
// the text, and in no error.
ToolResult NodeFailure(const NodeUse& use, const Error& error, std::string words = {});

}  // namespace falconer::agent
