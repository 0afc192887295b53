#include "agent/nodes/node_spec.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "model/action/capability.h"
#include "model/url.h"

namespace falconer::agent {
namespace {

constexpr std::size_t kLongestToolName = 64;
constexpr Bounds<std::size_t> kNodeNameLength{1, 24};
constexpr Bounds<std::size_t> kToolNameLength{1, kLongestToolName};
constexpr Bounds<std::size_t> kCommandWords{1, 64};
constexpr Bounds<std::size_t> kToolDescriptionLength{1, 4096};
constexpr Bounds<std::size_t> kNodeToolCount{1, 64};
constexpr Bounds<std::size_t> kReadToolCount{0, 256};
constexpr std::size_t kMostVariables = 64;

constexpr std::int64_t kNodeMegabyte = std::int64_t{1} << 20;
constexpr Bounds<std::int64_t> kNodeTimeouts{10, 3'600'000};
constexpr Bounds<std::int64_t> kGraces{0, 60'000};
constexpr Bounds<std::int64_t> kCpuSeconds{0, 86'400};
constexpr Bounds<std::int64_t> kMemoryMegabytes{8, 65'536};
constexpr Bounds<std::int64_t> kAddressMegabytes{8, 1 << 20};
constexpr Bounds<std::int64_t> kNodeOutputBytes{1024, 256 * kNodeMegabyte};
constexpr Bounds<std::int64_t> kProcessCounts{1, 4096};

// An MCP server lives on, and is often an interpreter with threads that reserves far more than it
// uses.
constexpr ChildLimits kMcpLimits{.timeout = std::chrono::seconds(30),
                                 .grace = std::chrono::seconds(2),
                                 .cpu_seconds = 0,
                                 .output_bytes = 4 * kNodeMegabyte,
                                 .processes = 64};

// Asked for as it would be by a script: nothing that a node does comes nearer.
constexpr std::string_view kUsualCapability = "SCRIPT";

constexpr EnumName<SideEffect> kSettableEffects[] = {
    {SideEffect::kWrite, "write"},
    {SideEffect::kRead, "read"},
    {SideEffect::kAuth, "auth"},
};

bool IsNodeWord(std::string_view name) {
  return std::ranges::all_of(name,
                             [](char c) { return IsLetterOrDigit(c) || c == '_' || c == '-'; });
}

bool IsVariableName(std::string_view name) {
  const bool begins_well = !name.empty() && name.size() <= 128 && !IsDigit(name.front());
  return begins_well &&
         std::ranges::all_of(name, [](char c) { return IsLetterOrDigit(c) || c == '_'; });
}

NodeSecret ReadNodeSecret(JsonReader& in) {
  NodeSecret out{.reference = {.name = in.String("secret", {1, 128}),
                               .field = in.OptionalString("field", {1, 128}).value_or("")},
                 .url = in.String("url", {1, 2048})};
  if (in.failed()) return out;
  for (const auto& [what, name] :
       {std::pair<std::string_view, std::string_view>{"secret", out.reference.name},
        {"field", out.reference.field}}) {
    const bool is_left_out = what == "field" && name.empty();
    if (!is_left_out && !policy::CheckSecretName(what, name))
      in.Reject(what, "expected letters, digits, \"_\", \"-\" and \".\"");
  }
  const model::UrlParts parts = model::SplitUrl(out.url);
  if (parts.scheme != "https" || parts.host.empty() || out.url.contains('@'))
    in.Reject("url", "expected https://host, where the node uses the secret");
  return out;
}

std::variant<std::string, NodeSecret> ReadNodeValue(JsonReader& in, const json::value& value,
                                                    const std::string& path) {
  if (const json::string* text = value.if_string()) {
    if (text->find('\0') != json::string::npos)
      in.Reject(Error(ErrorCode::kInvalidSetting, path + ": has a zero byte in it"));
    return std::string(*text);
  }
  auto secret = ReadJson(value, path, ReadNodeSecret, ErrorCode::kInvalidSetting);
  if (secret) return *std::move(secret);
  in.Reject(std::move(secret).error());
  return std::string();
}

std::vector<NodeVariable> ReadEnvironment(JsonReader& in) {
  std::vector<NodeVariable> out;
  const json::object all = in.OptionalRawObject("environment").value_or(json::object());
  if (all.size() > kMostVariables)
    in.Reject("environment", "at most " + std::to_string(kMostVariables) + " variables");
  for (const auto& [name, value] : all) {
    // They say on whose behalf a node is called.
    if (!IsVariableName(name) || name.starts_with("FALCONER_"))
      in.Reject("environment", "expected names of variables, none of them FALCONER_...");
    if (in.failed()) break;
    const std::string path = in.path() + ".environment." + std::string(name);
    out.push_back({std::string(name), ReadNodeValue(in, value, path)});
  }
  return out;
}

ChildLimits ReadNodeLimits(JsonReader& in, const ChildLimits& usual) {
  ChildLimits out = usual;
  out.timeout = in.OptionalMilliseconds("timeout_ms", kNodeTimeouts).value_or(out.timeout);
  out.grace = in.OptionalMilliseconds("grace_ms", kGraces).value_or(out.grace);
  out.cpu_seconds = in.OptionalInteger("cpu_seconds", kCpuSeconds).value_or(out.cpu_seconds);
  const auto memory = in.OptionalInteger("memory_mb", kMemoryMegabytes);
  if (memory) out.memory_bytes = *memory * kNodeMegabyte;
  const auto space = in.OptionalInteger("address_space_mb", kAddressMegabytes);
  if (space) out.address_space_bytes = *space * kNodeMegabyte;
  if (space && out.address_space_bytes < out.memory_bytes)
    in.Reject("address_space_mb", "is less than the memory");
  out.output_bytes =
      in.OptionalInteger("output_bytes", kNodeOutputBytes).value_or(out.output_bytes);
  out.processes = in.OptionalInteger("processes", kProcessCounts).value_or(out.processes);
  return out;
}

// What models are told of a tool must be an object's schema: arguments are one.
void CheckNodeSchema(JsonReader& in, std::string_view key, const json::object& schema) {
  if (!in.failed() && TextAt(schema, "type") != "object")
    in.Reject(key, "expected a JSON Schema with \"type\": \"object\"");
}

NodeToolSpec ReadNodeTool(JsonReader& in) {
  NodeToolSpec out{
      .name = in.String("name", kToolNameLength),
      .description = in.String("description", kToolDescriptionLength),
      .schema = in.RawObject("schema"),
      .result_schema = in.OptionalRawObject("result_schema").value_or(json::object()),
      .effect = in.OptionalEnum("side_effect", kSettableEffects).value_or(SideEffect::kWrite)};
  if (!in.failed() && !IsNodeToolName(out.name))
    in.Reject("name", "expected letters, digits, \"_\" and \"-\"");
  CheckNodeSchema(in, "schema", out.schema);
  if (!out.result_schema.empty()) CheckNodeSchema(in, "result_schema", out.result_schema);
  return out;
}

void CheckOfferedNames(JsonReader& in, const NodeSpec& node) {
  std::vector<std::string_view> known;
  for (const NodeToolSpec& tool : node.tools) {
    if (std::ranges::find(known, tool.name) != known.end())
      in.Reject("tools", tool.name + " is there twice");
    if (OfferedName(node.name, tool.name).empty())
      in.Reject("tools", tool.name + " is too long behind the node's name");
    known.push_back(tool.name);
  }
}

// What a program can do is said here; an MCP server says it itself.
void ReadNodeTools(JsonReader& in, NodeSpec& out) {
  if (out.kind == NodeKind::kProgram) {
    out.tools = in.Objects("tools", ReadNodeTool, kNodeToolCount);
    CheckOfferedNames(in, out);
    return;
  }
  out.read_tools =
      in.OptionalStrings("read_tools", kReadToolCount).value_or(std::vector<std::string>());
  if (!std::ranges::all_of(out.read_tools, IsNodeToolName))
    in.Reject("read_tools", "expected names of tools");
  out.trusts_hints = in.OptionalBool("trust_hints").value_or(false);
}

void CheckCommand(JsonReader& in, const std::vector<std::string>& command) {
  if (in.failed()) return;
  const bool has_zero =
      std::ranges::any_of(command, [](const std::string& word) { return word.contains('\0'); });
  if (command.front().empty() || has_zero) in.Reject("command", "expected a program and its words");
}

NodeSpec ReadNode(JsonReader& in) {
  NodeSpec out{.name = in.String("name", kNodeNameLength),
               .kind = in.Enum("kind", kNodeKinds),
               .command = in.Strings("command", kCommandWords)};
  if (!IsNodeWord(out.name) || out.name.contains("__"))
    in.Reject("name", "expected letters, digits, \"_\" and \"-\", without \"__\"");
  CheckCommand(in, out.command);
  out.environment = ReadEnvironment(in);
  out.network = in.OptionalEnum("network", kNodeNetworks).value_or(ChildNetwork::kNone);
  out.limits = out.kind == NodeKind::kMcp ? kMcpLimits : ChildLimits{};
  const ChildLimits usual = out.limits;
  out.limits = in.OptionalObject("limits", [&usual](JsonReader& limits) {
                   return ReadNodeLimits(limits, usual);
                 }).value_or(usual);
  ReadNodeTools(in, out);
  out.capability = in.OptionalString("capability").value_or(std::string(kUsualCapability));
  if (!ValueIn(model::kCapabilities, out.capability))
    in.Reject("capability", "expected a capability of tokens, such as READ or SCRIPT");
  return out;
}

}  // namespace

bool IsNodeToolName(std::string_view name) {
  return !name.empty() && name.size() <= kLongestToolName && IsNodeWord(name);
}

std::string OfferedName(std::string_view node, std::string_view tool) {
  std::string name = std::string(node) + "__" + std::string(tool);
  return name.size() <= kLongestToolName ? name : std::string();
}

Result<std::vector<NodeSpec>> ParseNodes(const json::array& rows) {
  constexpr auto kCode = ErrorCode::kInvalidSetting;
  if (rows.size() > kMaxNodes)
    return Fail(kCode, "agent.nodes: at most " + std::to_string(kMaxNodes));
  std::vector<NodeSpec> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string path = "agent.nodes[" + std::to_string(i) + "]";
    TRY_ASSIGN(NodeSpec spec, ReadJson(rows[i], path, ReadNode, kCode));
    if (std::ranges::find(out, spec.name, &NodeSpec::name) != out.end())
      return Fail(kCode, path + ".name: " + spec.name + " is there twice");
    out.push_back(std::move(spec));
  }
  return out;
}

}  // namespace falconer::agent
