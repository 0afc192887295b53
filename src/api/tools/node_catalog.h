#pragma once
// The tools of external nodes beside the product's own: called through the same dispatcher, with
// the same trace. Their callers are asked for by the gates, and what nodes say goes through the
// guard like the words of a page.

#include <vector>

#include "agent/nodes/node_tools.h"
#include "api/tools/tool_context.h"

namespace falconer::api {

// Those that are known. Both must outlive them.
std::vector<Tool> NodeCatalog(ToolContext& context, agent::NodeTools& nodes);

}  // namespace falconer::api
