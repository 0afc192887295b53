#include "api/mcp/prompt.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "api/mcp/caching.h"

namespace falconer::api {
namespace {

using PromptsPtr = std::shared_ptr<const std::vector<Prompt>>;

std::unexpected<RpcFailure> BadPromptCall(std::string message) {
  return std::unexpected(MakeRpcFailure(kRpcInvalidParams, std::move(message)));
}

RpcAnswer ListPrompts(const std::vector<Prompt>& prompts, const RpcMessage& request, McpEra era) {
  if (request.params.contains("cursor")) return BadPromptCall("cursor: unknown");
  json::array list;
  for (const Prompt& prompt : prompts) list.push_back(prompt.info.ToJson());
  json::object result{{"prompts", std::move(list)}};
  AddCaching(result, era, kFixedTtl);
  return result;
}

std::expected<std::map<std::string, std::string>, RpcFailure> ArgumentsFor(
    const PromptInfo& info, const json::object& params) {
  std::map<std::string, std::string> arguments;
  const json::value* given = params.if_contains("arguments");
  if (given != nullptr && !given->is_object()) return BadPromptCall("arguments: expected object");
  if (given != nullptr) {
    for (const auto& [name, value] : given->get_object()) {
      if (!value.is_string())
        return BadPromptCall("arguments." + std::string(name) + ": expected string");
      arguments[std::string(name)] = std::string(value.get_string());
    }
  }
  for (const PromptArgument& known : info.arguments) {
    if (known.need == ArgumentNeed::kRequired && !arguments.contains(known.name))
      return BadPromptCall("arguments." + known.name + ": missing");
  }
  return arguments;
}

Task<RpcAnswer> GetPrompt(CallContext ctx, PromptsPtr prompts, McpCall call) {
  const std::string name = TextAt(call.request.params, "name");
  const auto found =
      std::ranges::find(*prompts, name, [](const Prompt& prompt) { return prompt.info.name; });
  if (found == prompts->end()) co_return BadPromptCall("unknown prompt \"" + name + "\"");
  auto arguments = ArgumentsFor(found->info, call.request.params);
  if (!arguments) co_return std::unexpected(std::move(arguments).error());
  PromptCall made{.arguments = *std::move(arguments), .input = std::move(call.input)};
  const auto answer = co_await found->run(std::move(ctx), std::move(made));
  if (!answer) co_return std::unexpected(RpcFailureOf(answer.error()));
  if (answer->questions) co_return answer->questions->ToJson();
  co_return json::object{{"description", std::string_view(found->info.description)},
                         {"messages", answer->messages}};
}

}  // namespace

json::object PromptInfo::ToJson() const {
  json::object object{{"name", std::string_view(name)},
                      {"title", std::string_view(title)},
                      {"description", std::string_view(description)}};
  json::array list;
  for (const PromptArgument& each : arguments) {
    list.push_back(json::object{{"name", std::string_view(each.name)},
                                {"description", std::string_view(each.description)},
                                {"required", each.need == ArgumentNeed::kRequired}});
  }
  if (!list.empty()) object["arguments"] = std::move(list);
  return object;
}

json::object PromptMessage(PromptRole role, json::object content) {
  return {{"role", role == PromptRole::kUser ? "user" : "assistant"},
          {"content", std::move(content)}};
}

std::vector<McpMethod> PromptMethods(std::vector<Prompt> prompts) {
  const PromptsPtr all = std::make_shared<const std::vector<Prompt>>(std::move(prompts));
  return {{.name = "prompts/list",
           .answer = [all](const RpcMessage& request,
                           McpEra era) { return ListPrompts(*all, request, era); }},
          {.name = "prompts/get", .run = [all](CallContext ctx, McpCall call) {
             return GetPrompt(std::move(ctx), all, std::move(call));
           }}};
}

}  // namespace falconer::api
