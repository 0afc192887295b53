#pragma once
// A person's answer, however it came in.

#include <functional>

#include "engine/approvals/approval_records.h"

namespace falconer::engine {

// Puts an event of an approval on record: {"event":"asked"|"decided"|"ended"|"unused", ...}.
using ApprovalRecorder = std::function<Task<Result<void>>(TenantId tenant, json::object event)>;

// Ends the question as denied, on record, when it is open and the program that asked has ended;
// answers how it stands then. Both must outlive the call.
Task<Result<model::ApprovalRecord>> EndIfAskerGone(ApprovalRecords* records,
                                                   const ApprovalRecorder* record,
                                                   model::ApprovalRecord asked);
// Whether that is how it ended.
bool WasAskerGone(const model::ApprovalRecord& record);

// Keeps the answer and puts it on record; both must outlive the call. Whoever waits may hear of it
// between the two. That is why he puts every answer on record once more, with the end, before he
// acts on it: one of which the record failed here, with that error, is kept and still counts.
// kApprovalDenied for an approval that the program that asked did not live to see: the question is
// denied then.
Task<Result<model::ApprovalRecord>> TakeDecision(ApprovalRecords* records,
                                                 const ApprovalRecorder* record,
                                                 model::ApprovalDecision decision);

}  // namespace falconer::engine
