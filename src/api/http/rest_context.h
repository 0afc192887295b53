#pragma once
// RestContext: what all routes of one server share.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "agent/jobs/job_queue.h"
#include "api/http/control_panel.h"
#include "api/http/credits.h"
#include "api/http/event_texts.h"
#include "api/http/ledger_tail.h"
#include "api/http/protected_resource.h"
#include "api/http/route.h"
#include "api/http/stream_desk.h"
#include "api/mcp/http_endpoint.h"
#include "api/tools/pending_approvals.h"
#include "api/tools/tool_host.h"
#include "api/tools/view_guard.h"

namespace falconer::agent {
class RunDesk;
}  // namespace falconer::agent

namespace falconer::api {

struct RestContext {
  ToolHost& host;
  McpHttp& mcp;
  agent::JobQueue& jobs;
  LedgerTail& tail;
  StreamDesk& streams;
  std::string version;
  // Of the tools that are offered.
  std::set<std::string_view> tool_groups = {};
  CreditBook credits = {};
  ProtectedResource resource = {};
  // What everything that pages say goes through.
  ViewGuard guard = {};
  EventTexts event_texts = {};
  // What the routes of tools call, by who calls: everybody has sessions of his own.
  std::map<Role, std::shared_ptr<const ToolCatalog>> tools = {};
  // What jobs wait for; null for nothing.
  const PendingApprovals* approvals = nullptr;
  // Of the built-in agent; null where there is none.
  agent::RunDesk* runs = nullptr;

  // Fails as opening the rooms does.
  Result<ToolRooms> Rooms() {
    TRY_ASSIGN(ToolRooms rooms, host.Rooms());
    guard.Use(rooms.redactor, rooms.quarantine);
    return rooms;
  }
  // Fails as opening the rooms does.
  Result<const ControlPanel*> Panel() {
    TRY_ASSIGN(const ToolRooms rooms, Rooms());
    if (rooms.panel != nullptr) return rooms.panel;
    return Fail(ErrorCode::kUnsupported, "this server shows none of its controls");
  }
};

// The session of that name, of the tenant that the server is for.
inline browser::SessionKey SessionNamed(const ToolRooms& rooms, std::string name) {
  return {.tenant = rooms.caller.tenant, .workflow = WorkflowId(std::move(name))};
}

// A route's handler that works with the context, which must outlive it.
template <Task<Result<net::HttpResponse>> (*Body)(RestContext*, CallContext, RouteCall)>
RouteHandler Handle(RestContext& context) {
  return [context = &context](CallContext ctx, RouteCall call) {
    return Body(context, std::move(ctx), std::move(call));
  };
}

}  // namespace falconer::api
