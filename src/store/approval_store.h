#pragma once
// ApprovalStore: durable questions to people and their answers. Shared by all processes that use
// the file: what one writes the next call of another sees, and of several that end a request at the
// same moment exactly one does. Calls behave as those of ControlStore; what they write survives a
// power loss.

#include <vector>

#include "base/async/task.h"
#include "model/approval/approval_record.h"

namespace falconer::store {

class ApprovalStore {
 public:
  virtual ~ApprovalStore() = default;

  // kInvalidArgument for a request that is not whole, kAlreadyExists for an id that is there.
  virtual Task<Result<void>> PutApproval(model::ApprovalRequest request) = 0;
  // Takes one person's answer; the time is the store's. A denial ends the request, the last
  // approval that is needed approves it. Answers how it stands then. The same person approving
  // again changes nothing. kNotFound, kAlreadyExists (with the state as detail) when it is over,
  // kApprovalTimeout when its time is, and as model::CheckApprover.
  virtual Task<Result<model::ApprovalRecord>> DecideApproval(model::ApprovalDecision decision) = 0;
  // Ends it unless it is over; answers how it stands then. kNotFound; kInvalidArgument for an end
  // that only people can bring about.
  virtual Task<Result<model::ApprovalRecord>> EndApproval(model::ApprovalEnd end) = 0;
  // Uses an approval up. kApprovalDenied unless it is approved, was not used, and is for this
  // owner and digest.
  virtual Task<Result<void>> UseApproval(model::ApprovalUse use) = 0;

  // kNotFound. One that is pending after its time counts as expired here and in lists.
  virtual Task<Result<model::ApprovalRecord>> FindApproval(std::string request_id) = 0;
  // Newest first.
  virtual Task<Result<std::vector<model::ApprovalRecord>>> ListApprovals(
      model::ApprovalFilter filter) = 0;
};

}  // namespace falconer::store
