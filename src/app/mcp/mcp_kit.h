#pragma once
// McpKit: what the tools of one client use: what it was told so far, and the turns that wait
// for people on its behalf.

#include <set>
#include <string_view>

#include "api/mcp/mcp_server.h"
#include "api/tools/approval_calls.h"
#include "api/tools/pending_approvals.h"
#include "api/tools/tool_context.h"
#include "app/mcp/lazy_host.h"

namespace falconer::app {

class McpKit {
 public:
  // All of it must outlive the kit.
  McpKit(Program& program, LazyHost& host, api::PendingApprovals& approvals,
         api::ToolCaller caller = {});

  // The kit must outlive them.
  api::ToolCatalog Tools(const std::set<std::string_view>& groups);
  api::McpOffer Offer(const std::set<std::string_view>& groups);
  // Cancels what goes on and waits until it has ended.
  Task<void> Stop(Error reason) { return calls_.Stop(std::move(reason)); }

 private:
  api::ToolContext context_;
  api::ApprovalCalls calls_;
};

// What every MCP server of this program says of itself.
api::ServerIdentity McpIdentity();

}  // namespace falconer::app
