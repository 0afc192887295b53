#include "api/tools/node_catalog.h"

#include <utility>

#include "api/tools/page_lines.h"
#include "base/base64.h"
#include "engine/check_look.h"
#include "model/action/capability.h"

namespace falconer::api {
namespace {

// One call of a node's tool.
struct NodeDispatch {
  ToolContext* context = nullptr;
  agent::NodeTools* nodes = nullptr;
  const agent::ToolDescriptor* tool = nullptr;
};

Task<Result<void>> MayCallNode(CallContext ctx, NodeDispatch call) {
  CO_TRY_ASSIGN(const ToolRooms rooms, call.context->Rooms());
  const auto capability = ValueIn(model::kCapabilities, call.tool->capability);
  model::CapabilitySet needs;
  if (capability) needs = {*capability};
  engine::CallQuestion question{.workflow = call.context->WorkflowOf(std::string(kMainSession)),
                                .tool = call.tool->name,
                                .needs = needs};
  co_return co_await engine::CheckCall(std::move(ctx), rooms.runtime, rooms.caller,
                                       std::move(question));
}

std::string CleanLines(std::string_view text, ViewGuard& guard) {
  std::string clean;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    clean += CleanLine(text.substr(0, end), guard);
    if (end < text.size()) clean += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return clean;
}

ToolAnswer NodeAnswerFrom(agent::ToolResult result, ViewGuard& guard) {
  const std::size_t at = std::min(result.page_at.value_or(0), result.text.size());
  ToolAnswer answer{.text = result.text.substr(0, at),
                    .is_error = !result.ok(),
                    .page_at = at,
                    .structured = std::move(result.structured),
                    .failure = std::move(result.failure),
                    .policy_flags = std::move(result.policy_flags)};
  answer.text =
      CutToBudget(answer.text + CleanLines(std::string_view(result.text).substr(at), guard),
                  kAnswerTokens - kMarkTokens);
  if (answer.structured) guard.Clean(*answer.structured);
  if (!result.images.empty()) {
    agent::ChatImage& image = result.images.front();
    answer.image = ToolImage{.base64 = EncodeBase64(image.bytes), .mime = image.media_type};
  }
  guard.Finish(answer);
  return answer;
}

Task<ToolAnswer> CallNode(CallContext ctx, NodeDispatch node, ToolCall call) {
  if (const auto may = co_await MayCallNode(ctx, node); !may) co_return ErrorAnswer(may.error());
  agent::ToolResult result = co_await node.nodes->Call(
      std::move(ctx), {.id = "", .name = node.tool->name, .arguments = std::move(call.arguments)});
  co_return NodeAnswerFrom(std::move(result), node.context->guard());
}

}  // namespace

std::vector<Tool> NodeCatalog(ToolContext& context, agent::NodeTools& nodes) {
  std::vector<Tool> tools;
  for (const agent::ToolDescriptor* tool : nodes.Tools()) {
    const NodeDispatch node{.context = &context, .nodes = &nodes, .tool = tool};
    tools.push_back({.info = *tool, .run = [node](CallContext ctx, ToolCall call) {
                       return CallNode(std::move(ctx), node, std::move(call));
                     }});
  }
  return tools;
}

}  // namespace falconer::api
