#pragma once
// ApprovalRecords: where the desk keeps its questions. The store's ApprovalStore, as this room sees
// it; the promises are written there.

#include <vector>

#include "base/async/task.h"
#include "model/approval/approval_record.h"

namespace falconer::engine {

class ApprovalRecords {
 public:
  virtual ~ApprovalRecords() = default;

  virtual Task<Result<void>> Put(model::ApprovalRequest request) = 0;
  virtual Task<Result<model::ApprovalRecord>> Decide(model::ApprovalDecision decision) = 0;
  virtual Task<Result<model::ApprovalRecord>> End(model::ApprovalEnd end) = 0;
  virtual Task<Result<void>> Use(model::ApprovalUse use) = 0;
  virtual Task<Result<model::ApprovalRecord>> Find(std::string request_id) = 0;
  virtual Task<Result<std::vector<model::ApprovalRecord>>> List(model::ApprovalFilter filter) = 0;
};

}  // namespace falconer::engine
