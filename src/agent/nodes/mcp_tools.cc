#include "agent/nodes/mcp_tools.h"

#include <algorithm>
#include <utility>

#include "base/base64.h"
#include "base/log.h"
#include "base/utf8.h"
#include "policy/injection/injection_filter.h"

namespace falconer::agent {
namespace {

constexpr std::size_t kLongestMcpDescription = 2048;
constexpr std::size_t kLongestMcpSchema = 16UZ << 10U;
constexpr std::size_t kMostMcpItems = 64;
constexpr std::size_t kMostMcpImages = 4;
constexpr std::string_view kMcpImageTypes[] = {"image/png", "image/jpeg", "image/webp",
                                               "image/gif"};

json::object McpPart(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_object() ? value->as_object() : json::object();
}

// What is put before a model as the description of a tool is believed more than what a tool says.
bool SpeaksToModels(std::string_view text) {
  return policy::JudgeText(text).decision == policy::InjectionDecision::kQuarantine;
}

// Each text for itself: an order that does not begin its sentence is taken for talk about orders.
bool SpeaksToModels(const json::value& value) {
  if (const json::string* text = value.if_string()) return SpeaksToModels(std::string_view(*text));
  const auto speaks = [](const json::value& one) { return SpeaksToModels(one); };
  if (const json::array* list = value.if_array()) return std::ranges::any_of(*list, speaks);
  const json::object* object = value.if_object();
  return object != nullptr && std::ranges::any_of(*object, [](const auto& member) {
           return SpeaksToModels(std::string_view(member.key())) || SpeaksToModels(member.value());
         });
}

// What the server says itself counts only against it, unless the setting believes it.
SideEffect McpEffect(const NodeSpec& node, std::string_view name, const json::object& hints) {
  const bool is_named = std::ranges::find(node.read_tools, name) != node.read_tools.end();
  const bool is_hinted = node.trusts_hints && IsTrueAt(hints, "readOnlyHint");
  if (is_named || is_hinted) return SideEffect::kRead;
  return IsTrueAt(hints, "destructiveHint") ? SideEffect::kDestroy : SideEffect::kWrite;
}

// Why a tool cannot be offered; "" when it can.
std::string_view McpFault(const NodeSpec& node, const NodeToolSpec& tool) {
  if (!IsNodeToolName(tool.name)) return "name";
  if (OfferedName(node.name, tool.name).empty()) return "long_name";
  if (TextAt(tool.schema, "type") != "object") return "schema";
  if (json::serialize(tool.schema).size() > kLongestMcpSchema) return "long_schema";
  if (SpeaksToModels(tool.description) || SpeaksToModels(json::value(tool.schema)))
    return "instructions";
  return "";
}

NodeToolSpec McpToolOf(const NodeSpec& node, const json::object& row) {
  NodeToolSpec out{.name = TextAt(row, "name"),
                   .description = TextAt(row, "description"),
                   .schema = McpPart(row, "inputSchema"),
                   .result_schema = McpPart(row, "outputSchema")};
  out.description = std::string(Utf8Prefix(out.description, kLongestMcpDescription));
  if (out.description.empty()) out.description = "A tool of " + node.name + ".";
  // A tool can be called without it: it is as long as a server likes, and put before models too.
  const json::value result = out.result_schema;
  if (json::serialize(result).size() > kLongestMcpSchema || SpeaksToModels(result))
    out.result_schema = {};
  out.effect = McpEffect(node, out.name, McpPart(row, "annotations"));
  return out;
}

void TakeMcpTool(const NodeSpec& node, const json::object& row, std::vector<NodeToolSpec>& out) {
  NodeToolSpec tool = McpToolOf(node, row);
  const bool is_known = std::ranges::find(out, tool.name, &NodeToolSpec::name) != out.end();
  const std::string_view fault = is_known ? "twice" : McpFault(node, tool);
  if (fault.empty()) return out.push_back(std::move(tool));
  LOG(warn, "node.tool_left_out", {"node", node.name}, {"why", fault});
}

// The content of an answer, gathered.
struct McpContent {
  std::string text;
  std::vector<ChatImage> images;

  void Line(std::string_view words) {
    if (!text.empty()) text += "\n";
    text += words;
  }
};

void TakeMcpImage(const json::object& item, McpContent& out) {
  const std::string type = TextAt(item, "mimeType");
  auto bytes = DecodeBase64(TextAt(item, "data"));
  const bool is_known = std::ranges::find(kMcpImageTypes, type) != std::end(kMcpImageTypes);
  if (!bytes || !is_known || out.images.size() >= kMostMcpImages)
    return out.Line("[an image was left out]");
  out.images.push_back({.media_type = type, .bytes = *std::move(bytes)});
}

void TakeMcpItem(const json::object& item, McpContent& out) {
  const std::string type = TextAt(item, "type");
  if (type == "text") return out.Line(TextAt(item, "text"));
  if (type == "image") return TakeMcpImage(item, out);
  if (type == "resource_link") return out.Line(TextAt(item, "uri"));
  const json::object resource = McpPart(item, "resource");
  if (type == "resource" && resource.contains("text")) return out.Line(TextAt(resource, "text"));
  out.Line("[something that is no text was left out]");
}

McpContent McpContentOf(const json::array& items) {
  McpContent out;
  for (const json::value& item : items) {
    if (&item - items.data() >= static_cast<std::ptrdiff_t>(kMostMcpItems)) break;
    if (item.is_object()) TakeMcpItem(item.as_object(), out);
  }
  return out;
}

}  // namespace

void TakeMcpTools(const NodeSpec& node, const json::object& page, std::vector<NodeToolSpec>& out) {
  const json::value* rows = page.if_contains("tools");
  if (rows == nullptr || !rows->is_array()) return;
  for (const json::value& row : rows->as_array()) {
    if (out.size() >= kMaxMcpTools) return;
    if (row.is_object()) TakeMcpTool(node, row.as_object(), out);
  }
}

ToolResult McpResult(const NodeUse& use, const McpReply& reply) {
  if (reply.refusal) {
    Error error(
        ErrorCode::kExecutionError,
        "the node " + use.node + " refuses with error " + std::to_string(reply.refusal->code),
        {{"rpc_code", reply.refusal->code}});
    return NodeFailure(use, error, reply.refusal->message);
  }
  const json::value* items = reply.result.if_contains("content");
  if (items == nullptr || !items->is_array())
    return NodeFailure(use, Error(ErrorCode::kExecutionError,
                                  "the node " + use.node + " answers without content"));
  McpContent content = McpContentOf(items->as_array());
  if (IsTrueAt(reply.result, "isError"))
    return NodeFailure(
        use, Error(ErrorCode::kExecutionError, "the node " + use.node + " says that it failed"),
        std::move(content.text));
  const json::object result = McpPart(reply.result, "structuredContent");
  ToolResult out = NodeAnswer(use, std::move(content.text),
                              result.empty() ? std::nullopt : std::optional(result));
  out.images = std::move(content.images);
  return out;
}

}  // namespace falconer::agent
