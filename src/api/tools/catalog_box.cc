#include "api/tools/catalog_box.h"

#include <algorithm>
#include <utility>

#include "base/base64.h"

namespace falconer::api {
namespace {

// Nobody at a client can be asked, and nobody there listens.
ToolCall LoopCall(json::object arguments) {
  return {.arguments = std::move(arguments),
          .report = [](const std::string&) {},
          .input = {},
          .log = [](LogLevel, const json::value&) {}};
}

}  // namespace

CatalogBox::CatalogBox(const ToolCatalog& catalog) : catalog_(catalog) {
  for (const Tool& tool : catalog_.tools()) tools_.push_back(&tool);
}

CatalogBox::CatalogBox(const ToolCatalog& catalog, const std::set<std::string, std::less<>>& names)
    : catalog_(catalog) {
  for (const Tool& tool : catalog_.tools()) {
    if (names.contains(tool.info.name)) tools_.push_back(&tool);
  }
}

std::vector<const agent::ToolDescriptor*> CatalogBox::Tools() const {
  std::vector<const agent::ToolDescriptor*> list;
  for (const Tool* tool : tools_) list.push_back(&tool->info);
  return list;
}

const Tool* CatalogBox::Find(std::string_view name) const {
  const auto found = std::ranges::find(
      tools_, name, [](const Tool* tool) -> std::string_view { return tool->info.name; });
  return found == tools_.end() ? nullptr : *found;
}

Task<agent::ToolResult> CatalogBox::Call(CallContext ctx, agent::ToolCall call) {
  const Tool* tool = Find(call.name);
  if (tool == nullptr) {
    std::vector<std::string> known;
    for (const Tool* one : tools_) known.push_back(one->info.name);
    co_return catalog_.dispatcher()->Unknown(call, known);
  }
  CalledTool called =
      co_await catalog_.Call(std::move(ctx), tool, LoopCall(std::move(call.arguments)));
  co_return WithPicture(std::move(called.result), called.answer);
}

agent::ToolResult WithPicture(agent::ToolResult result, const ToolAnswer& answer) {
  if (!answer.image) return result;
  auto bytes = DecodeBase64(answer.image->base64);
  if (bytes)
    result.images.push_back({.media_type = answer.image->mime, .bytes = *std::move(bytes)});
  return result;
}

}  // namespace falconer::api
