#pragma once
// Approvals as people read them at a terminal. Nothing of a page can move the cursor or look like a
// line of ours.

#include <string>

#include "app/terminal.h"
#include "model/approval/approval_record.h"

namespace falconer::app {

// "apr_...  pending  9m12s  shopper  Buys something ..."
std::string ApprovalLine(const model::ApprovalRecord& record, WallTime now);
// Everything about one.
void PrintApproval(const model::ApprovalRecord& record, WallTime now, Terminal& terminal);
// "9m12s", "45s"; "0s" when it is over.
std::string CountdownOf(const model::ApprovalRequest& request, WallTime now);

}  // namespace falconer::app
