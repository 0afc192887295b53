#include "api/mcp/tool.h"

#include <algorithm>

namespace falconer::api {

json::object ToolInfo::ToJson() const {
  json::object hints{{"readOnlyHint", effect == ToolEffect::kReads}};
  if (effect != ToolEffect::kReads) hints["destructiveHint"] = effect == ToolEffect::kDestroys;
  return {{"name", name},
          {"title", title},
          {"description", description},
          {"inputSchema", input_schema},
          {"annotations", std::move(hints)}};
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

const Tool* ToolCatalog::Find(std::string_view name) const {
  const auto found =
      std::ranges::find(tools_, name, [](const Tool& tool) { return tool.info.name; });
  return found == tools_.end() ? nullptr : &*found;
}

bool ToolCatalog::HasTasks() const {
  return std::ranges::any_of(tools_,
                             [](const Tool& tool) { return tool.info.tasks != TaskUse::kNever; });
}

json::array ToolCatalog::ToJson() const {
  json::array list;
  for (const Tool& tool : tools_) list.push_back(tool.info.ToJson());
  return list;
}

}  // namespace falconer::api
