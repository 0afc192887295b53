#include "api/http/driver_json.h"

#include "base/units.h"

namespace falconer::api {

json::object DriverJson(const std::optional<engine::Takeover>& takeover) {
  if (!takeover) return {{"kind", "agent"}};
  json::object out{{"kind", "person"},
                   {"person", takeover->person},
                   {"since", IsoTime(takeover->since)},
                   {"epoch", takeover->epoch}};
  if (!takeover->reason.empty()) out["reason"] = takeover->reason;
  return out;
}

engine::Caller CallerFor(const ToolRooms& rooms, Role role, const json::value& contract) {
  engine::Caller caller = rooms.caller;
  if (role != Role::kOperator || !contract.is_object()) return caller;
  const browser::SessionKey key{
      .tenant = caller.tenant,
      .workflow = WorkflowId(TextAt(contract.get_object(), "workflow_id"))};
  if (const auto takeover = rooms.runtime->TakeoverOf(key)) caller.person = takeover->person;
  return caller;
}

}  // namespace falconer::api
