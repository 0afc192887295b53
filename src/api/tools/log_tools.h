#pragma once
// What a page asked the network for and said to the console.

#include <optional>
#include <vector>

#include "api/tools/tool_context.h"
#include "model/network.h"
#include "model/pattern.h"

namespace falconer::api {

std::vector<ToolRow> LogTools();

// Which of what a page asked for is of interest.
enum class StaticFiles { kDrop, kTell };

// One line per request, oldest first: method, address, what came of it.
std::vector<model::ViewLine> RequestLines(const std::vector<model::NetworkEvent>& events,
                                          StaticFiles statics,
                                          const std::optional<model::Pattern>& filter);

}  // namespace falconer::api
