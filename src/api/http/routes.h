#pragma once
// The routes of the server, by group. `context` must outlive them.

#include <vector>

#include "api/http/rest_context.h"
#include "api/http/route.h"

namespace falconer::api {

std::vector<Route> ActionRoutes(RestContext& context);
std::vector<Route> SessionRoutes(RestContext& context);
std::vector<Route> ApprovalRoutes(RestContext& context);
std::vector<Route> LedgerRoutes(RestContext& context);
std::vector<Route> MetricsRoutes(RestContext& context);
// MCP over Streamable HTTP.
std::vector<Route> McpRoutes(RestContext& context);
// Health, and the document of all routes.
std::vector<Route> ServerRoutes(RestContext& context);

// All of them, in the order of the document.
std::vector<Route> AllRoutes(RestContext& context);

}  // namespace falconer::api
