#include "app/approvals/client_approvals.h"

#include <utility>

#include "api/tools/approval_words.h"
#include "app/approvals/approver_rank.h"

namespace falconer::app {

void ClientApprovals::Attach(engine::ApprovalDesk& desk) {
  desk_ = &desk;
  heard_ = desk.on_changed().Subscribe([this] { changed_.Emit(); });
}

void ClientApprovals::Detach() {
  heard_.Reset();
  desk_ = nullptr;
}

std::vector<model::ApprovalRequest> ClientApprovals::PendingFor(const std::string& call) const {
  if (desk_ == nullptr || call.empty()) return {};
  std::vector<model::ApprovalRequest> pending = desk_->Pending();
  std::erase_if(pending,
                [&](const model::ApprovalRequest& request) { return request.call != call; });
  return pending;
}

Subscription ClientApprovals::OnChange(std::function<void()> tell) {
  return changed_.Subscribe(std::move(tell));
}

model::ApprovalDecision ClientApprovals::DecisionOf(std::string request_id,
                                                    model::ApprovalAnswer answer) const {
  return {.request_id = std::move(request_id),
          .answer = answer,
          .approver = std::string(kClientApprover),
          .rank = RankOf(settings_, kClientApprover),
          .channel = "mcp"};
}

// Nobody approves at the client what the client was not shown.
Result<void> ClientApprovals::CheckTold(const std::string& request_id,
                                        model::ApprovalAnswer answer) const {
  if (answer == model::ApprovalAnswer::kDeny) return {};
  for (const model::ApprovalRequest& request : desk_->Pending()) {
    if (request.request_id == request_id && !api::IsToldWhole(request))
      return Fail(ErrorCode::kPolicyDenied, "not all of it is shown here: decide at a terminal");
  }
  return {};
}

Task<Result<model::ApprovalRecord>> ClientApprovals::DecideAtClient(std::string request_id,
                                                                    model::ApprovalAnswer answer,
                                                                    std::string reason) {
  if (desk_ == nullptr) co_return Fail(ErrorCode::kNotFound, "nothing was asked here");
  if (!settings_.approvals.client_may_approve) {
    co_return Fail(ErrorCode::kPolicyDenied, "the setting approvals.client_may_approve is off");
  }
  CO_TRY(CheckTold(request_id, answer));
  model::ApprovalDecision decision = DecisionOf(std::move(request_id), answer);
  decision.reason = std::move(reason);
  co_return co_await desk_->Decide(std::move(decision));
}

bool ClientApprovals::MayClientApprove(const model::ApprovalRequest& request) const {
  const auto decision = DecisionOf(request.request_id, model::ApprovalAnswer::kApprove);
  return settings_.approvals.client_may_approve && api::IsToldWhole(request) &&
         model::CheckApprover(request, decision).has_value();
}

}  // namespace falconer::app
