#pragma once
// HeardApprovals: approvals for those who hear of them and decide none: clients with an agent's
// key. A person may sit at such a client, but nothing tells him from the agent.

#include "api/tools/pending_approvals.h"

namespace falconer::app {

class HeardApprovals final : public api::PendingApprovals {
 public:
  // `all` must outlive this.
  explicit HeardApprovals(api::PendingApprovals& all) : all_(all) {}

  std::vector<model::ApprovalRequest> PendingFor(const std::string& call) const override {
    return all_.PendingFor(call);
  }
  Subscription OnChange(std::function<void()> tell) override {
    return all_.OnChange(std::move(tell));
  }
  Task<Result<model::ApprovalRecord>> DecideAtClient(std::string request_id,
                                                     model::ApprovalAnswer answer,
                                                     std::string reason) override;
  bool MayClientApprove(const model::ApprovalRequest&) const override { return false; }

 private:
  api::PendingApprovals& all_;
};

}  // namespace falconer::app
