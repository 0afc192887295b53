#pragma once
// Going somewhere: addresses, history, tabs, the size of the window, and the end of a session.

#include <vector>

#include "api/tools/tool_context.h"

namespace falconer::api {

std::vector<ToolRow> NavigationTools();

// The address that is meant: one without a scheme gets https, or http on this machine.
std::string CompleteUrl(const std::string& url);

}  // namespace falconer::api
