#include "api/mcp/caching.h"

namespace falconer::api {

void AddCaching(json::object& result, McpEra era, std::chrono::milliseconds ttl) {
  if (era == McpEra::kLegacy) return;
  result["ttlMs"] = ttl.count();
  result["cacheScope"] = "private";
}

}  // namespace falconer::api
