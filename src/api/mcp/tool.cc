#include "api/mcp/tool.h"

#include <algorithm>
#include <utility>

namespace falconer::api {
namespace {

// One try of the tool, which leaves the answer for its client where that is waited for.
Task<agent::ToolResult> TryTool(CallContext ctx, const Tool* tool, ToolCall call,
                                std::shared_ptr<std::optional<ToolAnswer>> into) {
  *into = co_await tool->run(std::move(ctx), std::move(call));
  co_return (*into)->ToResult();
}

agent::ToolFailure FailureIn(const ToolAnswer& answer) {
  if (answer.refusal)
    return agent::ToolFailure::Of(Error(ErrorCode::kUnsupported, answer.refusal->message));
  if (answer.failure) return *answer.failure;
  return agent::ToolFailure::Of(
      Error(ErrorCode::kExecutionError, answer.text.substr(0, answer.text.find('\n'))));
}

}  // namespace

json::object Tool::ToJson() const {
  using enum agent::SideEffect;
  json::object hints{{"readOnlyHint", info.effect == kRead}};
  if (info.effect != kRead) hints["destructiveHint"] = info.effect == kDestroy;
  return {{"name", info.name},
          {"title", info.title},
          {"description", info.description},
          {"inputSchema", info.input_schema},
          {"annotations", std::move(hints)}};
}

agent::ToolResult ToolAnswer::ToResult() const {
  agent::ToolResult result{.text = text,
                           .page_at = page_at,
                           .structured = structured,
                           .artifacts = artifacts,
                           .policy_flags = policy_flags,
                           .render_mode = render_mode};
  if (is_error || failure || refusal) result.failure = FailureIn(*this);
  return result;
}

json::object ToolAnswer::ToJson() const {
  if (questions) return questions->ToJson();
  json::array content;
  if (image) content.push_back(ImageContent(image->base64, image->mime));
  content.insert(content.end(), more.begin(), more.end());
  for (const ResourceLink& link : links) content.push_back(LinkContent(link));
  // There is always something to read, unless another piece says it all.
  if (!text.empty() || content.empty()) content.insert(content.begin(), TextContent(text));
  json::object answer{{"content", std::move(content)}};
  if (structured) answer["structuredContent"] = *structured;
  if (is_error) answer["isError"] = true;
  return answer;
}

ToolCatalog::ToolCatalog(std::vector<Tool> tools, std::shared_ptr<agent::Dispatcher> dispatcher)
    : tools_(std::move(tools)), dispatcher_(std::move(dispatcher)) {
  if (!dispatcher_) dispatcher_ = std::make_shared<agent::Dispatcher>(agent::DispatchSetup{});
}

Task<CalledTool> ToolCatalog::Call(CallContext ctx, const Tool* tool, ToolCall call) const {
  const auto answer = std::make_shared<std::optional<ToolAnswer>>();
  agent::Dispatch dispatch{
      .tool = &tool->info,
      .call = {.id = "", .name = tool->info.name, .arguments = call.arguments},
      .body = [tool, call = std::move(call), answer](CallContext one, const agent::ToolCall&) {
        return TryTool(std::move(one), tool, call, answer);
      }};
  CalledTool called;
  called.result = co_await dispatcher_->Run(std::move(ctx), std::move(dispatch));
  // What the dispatcher found counts, whatever the tool calls it.
  if (*answer) called.answer = *std::move(*answer);
  called.answer.text = called.result.text;
  called.answer.failure = called.result.failure;
  called.answer.is_error = !called.result.ok();
  co_return called;
}

const Tool* ToolCatalog::Find(std::string_view name) const {
  const auto found = std::ranges::find(
      tools_, name, [](const Tool& tool) -> std::string_view { return tool.info.name; });
  return found == tools_.end() ? nullptr : &*found;
}

bool ToolCatalog::HasTasks() const {
  return std::ranges::any_of(tools_,
                             [](const Tool& tool) { return tool.tasks != TaskUse::kNever; });
}

json::array ToolCatalog::ToJson() const {
  json::array list;
  for (const Tool& tool : tools_) list.push_back(tool.ToJson());
  return list;
}

}  // namespace falconer::api
