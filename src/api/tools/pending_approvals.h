#pragma once
// PendingApprovals: what the tools must know of people who are asked while a call is under way, and
// how the person at the client answers. The rooms behind it are not the tools' business.

#include <functional>
#include <string>
#include <vector>

#include "base/async/subscription.h"
#include "base/async/task.h"
#include "model/approval/approval_record.h"

namespace falconer::api {

class PendingApprovals {
 public:
  virtual ~PendingApprovals() = default;

  // What is pending for a client's call (Correlation::call), oldest first.
  virtual std::vector<model::ApprovalRequest> PendingFor(const std::string& call) const = 0;
  // `tell` runs whenever something is asked or is over.
  virtual Subscription OnChange(std::function<void()> tell) = 0;
  // The answer of the person at the client; named and ranked by whoever implements this.
  virtual Task<Result<model::ApprovalRecord>> DecideAtClient(std::string request_id,
                                                             model::ApprovalAnswer answer,
                                                             std::string reason) = 0;
  // Whether that person may approve this at all.
  virtual bool MayClientApprove(const model::ApprovalRequest& request) const = 0;
};

}  // namespace falconer::api
