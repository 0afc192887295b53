#pragma once
// The methods of a server that has resources: list, templates, read.

#include <memory>
#include <vector>

#include "api/mcp/mcp_call.h"
#include "api/mcp/resource_source.h"

namespace falconer::api {

std::vector<McpMethod> ResourceMethods(const std::shared_ptr<ResourceSource>& source);

}  // namespace falconer::api
