#include "api/mcp/content.h"

namespace falconer::api {
namespace {

json::object MediaContent(std::string_view type, std::string_view base64, std::string_view mime) {
  return {{"type", type}, {"data", base64}, {"mimeType", mime}};
}

}  // namespace

json::object TextContent(std::string_view text) {
  return {{"type", "text"}, {"text", text}};
}

json::object ImageContent(std::string_view base64, std::string_view mime) {
  return MediaContent("image", base64, mime);
}

json::object AudioContent(std::string_view base64, std::string_view mime) {
  return MediaContent("audio", base64, mime);
}

json::object LinkContent(const ResourceLink& link) {
  json::object content{{"type", "resource_link"},
                       {"uri", std::string_view(link.uri)},
                       {"name", std::string_view(link.name)}};
  if (!link.mime.empty()) content["mimeType"] = std::string_view(link.mime);
  if (link.bytes) content["size"] = *link.bytes;
  return content;
}

json::object ResourceContent::ToJson() const {
  json::object content{{"uri", std::string_view(uri)}};
  if (!mime.empty()) content["mimeType"] = std::string_view(mime);
  if (text) content["text"] = std::string_view(*text);
  if (blob) content["blob"] = std::string_view(*blob);
  return content;
}

json::object EmbeddedContent(const ResourceContent& resource) {
  return {{"type", "resource"}, {"resource", resource.ToJson()}};
}

}  // namespace falconer::api
