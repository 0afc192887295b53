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
  if (questions) {
    return {{"resultType", "input_required"},
            {"inputRequests", questions->requests},
            {"requestState", std::string_view(questions->state)}};
  }
  json::array content{json::object{{"type", "text"}, {"text", std::string_view(text)}}};
  if (image) {
    content.push_back(json::object{{"type", "image"},
                                   {"data", std::string_view(image->base64)},
                                   {"mimeType", std::string_view(image->mime)}});
  }
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

json::array ToolCatalog::ToJson() const {
  json::array list;
  for (const Tool& tool : tools_) list.push_back(tool.info.ToJson());
  return list;
}

}  // namespace falconer::api
