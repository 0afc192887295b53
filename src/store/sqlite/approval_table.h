#pragma once
// The tables behind ApprovalStore. Each call runs inside the transaction of its caller.

#include <vector>

#include "base/async/clock.h"
#include "model/approval/approval_record.h"
#include "store/sqlite/database.h"

namespace falconer::store {

// See ApprovalStore.
Result<void> PutApproval(Database& database, const model::ApprovalRequest& request, WallTime now);
Result<model::ApprovalRecord> DecideApproval(Database& database, model::ApprovalDecision decision,
                                             WallTime now);
Result<model::ApprovalRecord> EndApproval(Database& database, const model::ApprovalEnd& end,
                                          WallTime now);
Result<void> UseApproval(Database& database, const model::ApprovalUse& use, WallTime now);
Result<model::ApprovalRecord> FindApproval(Database& database, const std::string& request_id,
                                           WallTime now);
Result<std::vector<model::ApprovalRecord>> ListApprovals(Database& database,
                                                         const model::ApprovalFilter& filter,
                                                         WallTime now);

}  // namespace falconer::store
