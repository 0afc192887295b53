#pragma once
// The store's approvals, as the engine asks for them.

#include <utility>

#include "engine/approvals/approval_records.h"
#include "store/approval_store.h"

namespace falconer::app {

class StoreApprovalRecords final : public engine::ApprovalRecords {
 public:
  // The store must outlive this.
  explicit StoreApprovalRecords(store::ApprovalStore& store) : store_(store) {}

  Task<Result<void>> Put(model::ApprovalRequest request) override {
    return store_.PutApproval(std::move(request));
  }
  Task<Result<model::ApprovalRecord>> Decide(model::ApprovalDecision decision) override {
    return store_.DecideApproval(std::move(decision));
  }
  Task<Result<model::ApprovalRecord>> End(model::ApprovalEnd end) override {
    return store_.EndApproval(std::move(end));
  }
  Task<Result<void>> Use(model::ApprovalUse use) override {
    return store_.UseApproval(std::move(use));
  }
  Task<Result<model::ApprovalRecord>> Find(std::string request_id) override {
    return store_.FindApproval(std::move(request_id));
  }
  Task<Result<std::vector<model::ApprovalRecord>>> List(model::ApprovalFilter filter) override {
    return store_.ListApprovals(std::move(filter));
  }

 private:
  store::ApprovalStore& store_;
};

}  // namespace falconer::app
