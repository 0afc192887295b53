// MCP over Streamable HTTP, at one address.

#include "api/http/routes.h"

namespace falconer::api {
namespace {

constexpr RoleSet kTalking = {Role::kAgent, Role::kOperator};

struct McpMethodRow {
  std::string_view method;
  std::string_view summary;
};

constexpr McpMethodRow kMcpMethods[] = {
    {"POST", "One message of the Model Context Protocol; answered as JSON or as a stream."},
    {"GET", "The stream of an MCP session, from Last-Event-ID on if that is given."},
    {"DELETE", "Ends an MCP session."},
};

// Who has the same key is the same client: its sessions are told apart by their ids, or, in the
// revision without any, by the handles that its calls name.
McpClient ClientOf(const HttpClient& client) {
  const std::string role(NameIn(kRoles, client.role));
  return {.agent = role, .role = role};
}

Task<Result<net::HttpResponse>> Talk(RestContext* context, CallContext, RouteCall call) {
  const McpClient who = ClientOf(call.client);
  co_return co_await context->mcp.Handle(std::move(call.request), who);
}

}  // namespace

std::vector<Route> McpRoutes(RestContext& context) {
  std::vector<Route> routes;
  for (const McpMethodRow& row : kMcpMethods) {
    routes.push_back({.method = row.method,
                      .pattern = "/mcp",
                      .tag = "mcp",
                      .summary = row.summary,
                      .roles = kTalking,
                      .handler = Handle<Talk>(context)});
  }
  return routes;
}

}  // namespace falconer::api
