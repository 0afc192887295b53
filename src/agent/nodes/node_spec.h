#pragma once
// NodeSpec: one row of the setting agent.nodes: a program of somebody else whose tools are offered,
// what it may have, and what it may use. Secrets are named, never written into settings.

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "agent/nodes/child_spec.h"
#include "agent/tools/tool_descriptor.h"
#include "policy/secrets/secret_reference.h"

namespace falconer::agent {

enum class NodeKind : std::uint8_t {
  kMcp,      // an MCP server on its standard streams; stays as long as it is used
  kProgram,  // is run once for each call
};

inline constexpr EnumName<NodeKind> kNodeKinds[] = {
    {NodeKind::kMcp, "mcp"},
    {NodeKind::kProgram, "program"},
};

inline constexpr EnumName<ChildNetwork> kNodeNetworks[] = {
    {ChildNetwork::kNone, "none"},
    {ChildNetwork::kAsParent, "parent"},
};

// A secret, and the host that the node will use it at: it must be one of the secret's own.
struct NodeSecret {
  policy::SecretReference reference;
  std::string url;
};

struct NodeVariable {
  std::string name;
  std::variant<std::string, NodeSecret> value;
};

// A tool of a program; those of an MCP server are asked for.
struct NodeToolSpec {
  std::string name;
  std::string description;
  json::object schema;
  json::object result_schema = {};
  SideEffect effect = SideEffect::kWrite;
};

struct NodeSpec {
  std::string name;
  NodeKind kind = NodeKind::kMcp;
  std::vector<std::string> command;
  std::vector<NodeVariable> environment = {};
  ChildNetwork network = ChildNetwork::kNone;
  ChildLimits limits = {};
  std::vector<NodeToolSpec> tools = {};
  // Tools of an MCP server that change nothing, whatever it says itself.
  std::vector<std::string> read_tools = {};
  // Whether it is believed when it says that a tool changes nothing.
  bool trusts_hints = false;
  // What its caller's token must grant.
  std::string capability = {};
};

inline constexpr std::size_t kMaxNodes = 16;

// Whether a tool may have this name: 1 to 64 letters, digits, "_" and "-".
bool IsNodeToolName(std::string_view name);

// What it is offered as: "<node>__<tool>". "" when that would be too long to be a name.
std::string OfferedName(std::string_view node, std::string_view tool);

// The rows of the setting. kInvalidSetting, naming the row and the field; quotes no values.
Result<std::vector<NodeSpec>> ParseNodes(const json::array& rows);

}  // namespace falconer::agent
