#pragma once
// The methods of a server that has tools: list, call.

#include <memory>
#include <vector>

#include "api/mcp/task_book.h"

namespace falconer::api {

// `book` takes calls that become tasks; null when none may.
std::vector<McpMethod> ToolMethods(const std::shared_ptr<const ToolCatalog>& tools,
                                   const std::shared_ptr<TaskBook>& book);

}  // namespace falconer::api
