#pragma once
// What the ledger keeps of an approval (records of the kind "approval"): that it was asked, each
// decision, its end, and that it was given and nothing came of it.

#include "model/approval/approval_record.h"

namespace falconer::engine {

// {"event":"asked", ...} with the whole request.
json::object AskedEvent(const model::ApprovalRequest& request);
// {"event":"decided", ...} with the decision and how the request stands after it.
json::object DecidedEvent(const model::ApprovalRecord& record,
                          const model::ApprovalDecision& decision);
// {"event":"ended", ...} with all decisions.
json::object EndedEvent(const model::ApprovalRecord& record);
// {"event":"unused", ...}: it was approved, and what was approved was not let go.
json::object UnusedEvent(const model::ApprovalRecord& record, const Error& why);

}  // namespace falconer::engine
