#include "api/mcp/resource_source.h"

namespace falconer::api {
namespace {

void AddText(json::object& to, std::string_view key, std::string_view text) {
  if (!text.empty()) to[key] = text;
}

}  // namespace

json::object ResourceInfo::ToJson() const {
  json::object object{{"uri", std::string_view(uri)}, {"name", std::string_view(name)}};
  AddText(object, "title", title);
  AddText(object, "description", description);
  AddText(object, "mimeType", mime);
  if (bytes) object["size"] = *bytes;
  return object;
}

json::object ResourceTemplate::ToJson() const {
  json::object object{{"uriTemplate", std::string_view(uri_template)},
                      {"name", std::string_view(name)}};
  AddText(object, "title", title);
  AddText(object, "description", description);
  AddText(object, "mimeType", mime);
  return object;
}

}  // namespace falconer::api
