#pragma once
// ClientApprovals: what an MCP server knows of the approvals its own calls wait for, and the person
// at its client as one who approves.

#include "api/tools/pending_approvals.h"
#include "base/async/event_hub.h"
#include "base/settings/settings.h"
#include "engine/approvals/approval_desk.h"

namespace falconer::app {

// The name of the person at the client, in records and in the lists of policies and settings.
inline constexpr std::string_view kClientApprover = "mcp-client";

class ClientApprovals final : public api::PendingApprovals {
 public:
  // The settings must outlive this.
  explicit ClientApprovals(const Settings& settings) : settings_(settings) {}

  // From then on it speaks of this desk, which must outlive it or be taken away by Detach().
  void Attach(engine::ApprovalDesk& desk);
  void Detach();

  std::vector<model::ApprovalRequest> PendingFor(const std::string& call) const override;
  Subscription OnChange(std::function<void()> tell) override;
  Task<Result<model::ApprovalRecord>> DecideAtClient(std::string request_id,
                                                     model::ApprovalAnswer answer,
                                                     std::string reason) override;
  // approvals.client_may_approve, the terms, and whether the client shows all of it.
  bool MayClientApprove(const model::ApprovalRequest& request) const override;

 private:
  Result<void> CheckTold(const std::string& request_id, model::ApprovalAnswer answer) const;
  model::ApprovalDecision DecisionOf(std::string request_id, model::ApprovalAnswer answer) const;

  const Settings& settings_;
  engine::ApprovalDesk* desk_ = nullptr;
  EventHub<> changed_;
  Subscription heard_;
};

}  // namespace falconer::app
