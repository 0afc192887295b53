#pragma once
// Who drives a session, as the server tells it, and a person's contracts.

#include <optional>

#include "api/http/role.h"
#include "api/tools/tool_host.h"

namespace falconer::api {

// {"kind": "agent"}, or {"kind": "person", "person", "reason"?, "since", "epoch"}.
json::object DriverJson(const std::optional<engine::Takeover>& takeover);

// The caller for a contract that came with a key of this role: who holds the operators' key acts as
// the person who has taken the workflow over, if one has.
engine::Caller CallerFor(const ToolRooms& rooms, Role role, const json::value& contract);

}  // namespace falconer::api
