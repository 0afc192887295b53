#include "engine/approvals/approval_events.h"

#include <utility>

namespace falconer::engine {
namespace {

// What leads from the record to the question and to exactly what was asked.
json::object ApprovalEvent(std::string_view event, const model::ApprovalRequest& request) {
  return {{"event", event},
          {"request_id", request.request_id},
          {"workflow", request.workflow.value()},
          {"turn_id", request.turn.value()},
          {"action_id", request.action_id.value()},
          {"digest", request.digest}};
}

}  // namespace

json::object AskedEvent(const model::ApprovalRequest& request) {
  json::object out = ApprovalEvent("asked", request);
  out["request"] = request.ToJson();
  return out;
}

json::object DecidedEvent(const model::ApprovalRecord& record,
                          const model::ApprovalDecision& decision) {
  json::object out = ApprovalEvent("decided", record.request);
  out["decision"] = decision.ToJson();
  out["state"] = NameIn(model::kApprovalStates, record.state);
  return out;
}

json::object EndedEvent(const model::ApprovalRecord& record) {
  json::object out = ApprovalEvent("ended", record.request);
  out["state"] = NameIn(model::kApprovalStates, record.state);
  if (!record.end_reason.empty()) out["reason"] = record.end_reason;
  json::array decisions;
  for (const model::ApprovalDecision& decision : record.decisions) {
    decisions.push_back(decision.ToJson());
  }
  out["decisions"] = std::move(decisions);
  return out;
}

json::object UnusedEvent(const model::ApprovalRecord& record, const Error& why) {
  json::object out = ApprovalEvent("unused", record.request);
  out["code"] = why.name();
  out["reason"] = why.message();
  return out;
}

}  // namespace falconer::engine
