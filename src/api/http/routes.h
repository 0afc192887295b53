#pragma once
// The routes of the server, by group. `context` must outlive them.

#include <vector>

#include "api/http/rest_context.h"
#include "api/http/route.h"

namespace falconer::api {

std::vector<Route> ActionRoutes(RestContext& context);
std::vector<Route> JobRoutes(RestContext& context);
std::vector<Route> SessionJobRoutes(RestContext& context);
std::vector<Route> EventRoutes(RestContext& context);
std::vector<Route> ArtifactRoutes(RestContext& context);
std::vector<Route> SessionRoutes(RestContext& context);
std::vector<Route> ApprovalRoutes(RestContext& context);
std::vector<Route> LedgerRoutes(RestContext& context);
std::vector<Route> StreamRoutes(RestContext& context);
std::vector<Route> TakeoverRoutes(RestContext& context);
std::vector<Route> PolicyRoutes(RestContext& context);
std::vector<Route> QuotaRoutes(RestContext& context);
std::vector<Route> TokenRoutes(RestContext& context);
std::vector<Route> CrawlRoutes(RestContext& context);
std::vector<Route> GhostRoutes(RestContext& context);
std::vector<Route> AgentRoutes(RestContext& context);
std::vector<Route> PageRoutes(RestContext& context);
std::vector<Route> PredictRoutes(RestContext& context);
std::vector<Route> PredictedRunRoutes(RestContext& context);
std::vector<Route> WorkflowRoutes(RestContext& context);
std::vector<Route> WorkflowPlanRoutes(RestContext& context);
std::vector<Route> RecordingRoutes(RestContext& context);
std::vector<Route> MetricsRoutes(RestContext& context);
// Who has tokens for this server.
std::vector<Route> ResourceRoutes(RestContext& context);
// What people look at.
std::vector<Route> ConsoleRoutes(RestContext& context);
// MCP over Streamable HTTP.
std::vector<Route> McpRoutes(RestContext& context);
// Calls of tools, and the steps that came of them.
std::vector<Route> ToolRoutes(RestContext& context);
// Health, and the document of all routes.
std::vector<Route> ServerRoutes(RestContext& context);

// All of them, in the order of the document.
std::vector<Route> AllRoutes(RestContext& context);

}  // namespace falconer::api
