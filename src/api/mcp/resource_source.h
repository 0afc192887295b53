#pragma once
// ResourceSource: what a server lets its clients read by address.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "api/mcp/caching.h"
#include "api/mcp/content.h"
#include "base/async/call_context.h"

namespace falconer::api {

struct ResourceInfo {
  std::string uri;
  std::string name;
  std::string title = {};
  std::string description = {};
  std::string mime = {};
  std::optional<std::int64_t> bytes = std::nullopt;

  json::object ToJson() const;
};

// Addresses of one form: "falconer://artifact/{id}" (RFC 6570).
struct ResourceTemplate {
  std::string uri_template;
  std::string name;
  std::string title = {};
  std::string description = {};
  std::string mime = {};

  json::object ToJson() const;
};

struct ResourcePage {
  std::vector<ResourceInfo> resources;
  std::string next = {};  // where the next page begins; "" after the last
};

struct ResourceReading {
  std::vector<ResourceContent> contents;
  std::chrono::milliseconds ttl = kNoTtl;
};

class ResourceSource {
 public:
  virtual ~ResourceSource() = default;

  // From where the page before said; "" for the first. kInvalidArgument for a place that no page
  // gave.
  virtual Task<Result<ResourcePage>> List(CallContext ctx, std::string from) = 0;
  virtual std::vector<ResourceTemplate> Templates() const { return {}; }
  // kNotFound when there is nothing of that address for this client.
  virtual Task<Result<ResourceReading>> Read(CallContext ctx, std::string uri) = 0;
};

}  // namespace falconer::api
