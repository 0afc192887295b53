#pragma once
// RestContext: what all routes of one server share.

#include <string>

#include "api/mcp/http_endpoint.h"
#include "api/tools/tool_host.h"
#include "api/tools/view_guard.h"

namespace falconer::api {

struct RestContext {
  ToolHost& host;
  McpHttp& mcp;
  std::string version;
  // What everything that pages say goes through.
  ViewGuard guard = {};

  // Fails as opening the rooms does.
  Result<ToolRooms> Rooms() {
    TRY_ASSIGN(ToolRooms rooms, host.Rooms());
    guard.Use(rooms.redactor, rooms.quarantine);
    return rooms;
  }
};

}  // namespace falconer::api
