#pragma once
// Approval records in memory, for tests of what waits for them. They keep the store's promises as
// far as one process can tell; what another process does is what the test does to them directly.

#include <map>
#include <utility>

#include "engine/approvals/approval_records.h"

namespace falconer::test {

class MemoryApprovals final : public engine::ApprovalRecords {
 public:
  explicit MemoryApprovals(const Clock& clock) : clock_(clock) {}

  Task<Result<void>> Put(model::ApprovalRequest request) override {
    CO_TRY(failure);
    CO_TRY(request.Validate());
    const std::string id = request.request_id;
    last_id = id;
    records[id].request = std::move(request);
    co_return Result<void>();
  }
  Task<Result<model::ApprovalRecord>> Decide(model::ApprovalDecision decision) override {
    CO_TRY_ASSIGN(model::ApprovalRecord record, co_await Find(decision.request_id));
    if (record.is_over()) co_return Fail(ErrorCode::kAlreadyExists, "it was decided before");
    CO_TRY(model::CheckApprover(record.request, decision));
    co_return DecideNow(std::move(decision));
  }
  Task<Result<model::ApprovalRecord>> End(model::ApprovalEnd end) override {
    CO_TRY(failure);
    model::ApprovalRecord& record = records.at(end.request_id);
    if (record.state == model::ApprovalState::kPending) {
      record.state = end.state;
      record.end_reason = end.reason;
      record.ended = clock_.WallNow();
    }
    co_return record;
  }
  Task<Result<void>> Use(model::ApprovalUse use) override {
    CO_TRY(failure);
    model::ApprovalRecord& record = records.at(use.request_id);
    const bool may = record.state == model::ApprovalState::kApproved && !record.used &&
                     record.request.owner == use.owner && record.request.digest == use.digest;
    if (!may) co_return Fail(ErrorCode::kApprovalDenied, "not approved");
    record.used = clock_.WallNow();
    co_return Result<void>();
  }
  Task<Result<model::ApprovalRecord>> Find(std::string request_id) override {
    CO_TRY(failure);
    ++looks;
    const auto found = records.find(request_id);
    if (found == records.end()) co_return Fail(ErrorCode::kNotFound, "no such approval");
    model::ApprovalRecord record = found->second;
    const bool is_late = clock_.WallNow() >= record.request.expires;
    if (is_late && !record.is_over()) record.state = model::ApprovalState::kExpired;
    co_return record;
  }
  Task<Result<std::vector<model::ApprovalRecord>>> List(model::ApprovalFilter filter) override {
    std::vector<model::ApprovalRecord> out;
    for (const auto& [id, record] : records) {
      if (!filter.state || record.state == *filter.state) out.push_back(record);
    }
    co_return out;
  }

  // As another process would: nobody here is told.
  model::ApprovalRecord DecideNow(model::ApprovalDecision decision) {
    model::ApprovalRecord& record = records.at(decision.request_id);
    const bool approves = decision.answer == model::ApprovalAnswer::kApprove;
    decision.decided = clock_.WallNow();
    record.decisions.push_back(std::move(decision));
    if (!approves) record.state = model::ApprovalState::kDenied;
    if (approves && record.approvals() >= record.request.terms.count)
      record.state = model::ApprovalState::kApproved;
    return record;
  }

  std::map<std::string, model::ApprovalRecord> records;
  std::string last_id;
  int looks = 0;
  Result<void> failure;

 private:
  const Clock& clock_;
};

}  // namespace falconer::test
