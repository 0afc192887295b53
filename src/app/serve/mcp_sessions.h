#pragma once
// The tools of the server's MCP sessions: each session has a kit of its own.

#include <set>
#include <string_view>

#include "api/mcp/http_setup.h"
#include "app/mcp/lazy_host.h"

namespace falconer::app {

// Everything given must outlive the sessions.
api::McpHttpSetup McpSessions(Program& program, LazyHost& host, ClientApprovals& approvals,
                              std::set<std::string_view> groups);

}  // namespace falconer::app
