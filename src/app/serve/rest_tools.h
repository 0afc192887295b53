#pragma once
// RestTools: the tools as the server's routes call them. Each role that may call tools is a client
// of its own, with sessions of its own, as it is for MCP.

#include <map>
#include <memory>
#include <set>
#include <string_view>

#include "api/http/role.h"
#include "app/mcp/mcp_kit.h"
#include "app/serve/heard_approvals.h"

namespace falconer::app {

class RestTools {
 public:
  // Everything given must outlive this.
  RestTools(Program& program, LazyHost& host, ClientApprovals& approvals);

  // This must outlive them.
  std::map<api::Role, std::shared_ptr<const api::ToolCatalog>> Catalogs(
      const std::set<std::string_view>& groups);
  // Cancels what goes on and waits until it has ended.
  Task<void> Stop(Error reason);

 private:
  // Nobody who decides sits behind a route.
  HeardApprovals heard_;
  std::map<api::Role, std::unique_ptr<McpKit>> kits_;
};

}  // namespace falconer::app
