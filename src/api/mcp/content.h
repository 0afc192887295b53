#pragma once
// The pieces that answers of tools and messages of prompts are made of.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json/json.h"

namespace falconer::api {

json::object TextContent(std::string_view text);
json::object ImageContent(std::string_view base64, std::string_view mime);
json::object AudioContent(std::string_view base64, std::string_view mime);

// Something that resources/read gives. Clients of revisions before 2025-06-18 know no such piece.
struct ResourceLink {
  std::string uri;
  std::string name;
  std::string mime;
  std::optional<std::int64_t> bytes = std::nullopt;
};
json::object LinkContent(const ResourceLink& link);

// What a resource holds: text, or bytes as base64.
struct ResourceContent {
  std::string uri;
  std::string mime;
  std::optional<std::string> text = std::nullopt;
  std::optional<std::string> blob = std::nullopt;

  json::object ToJson() const;
};
// A resource that comes along whole.
json::object EmbeddedContent(const ResourceContent& resource);

}  // namespace falconer::api
