#pragma once
// ApprovalChannel: a way to reach people who may approve. It is told what is asked and how it
// ended; it never waits and never decides by itself.

#include "model/approval/approval_record.h"

namespace falconer::engine {

class ApprovalChannel {
 public:
  virtual ~ApprovalChannel() = default;

  // The request is durable. MUST NOT wait.
  virtual void Announce(const model::ApprovalRequest& request) = 0;
  // The same request, once, when it is over.
  virtual void Ended(const model::ApprovalRecord& record) = 0;
};

}  // namespace falconer::engine
