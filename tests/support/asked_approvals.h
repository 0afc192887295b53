#pragma once
// Pending approvals that a test asks and decides itself.

#include <map>
#include <string>
#include <vector>

#include "api/tools/pending_approvals.h"
#include "base/async/event_hub.h"
#include "base/async/notifier.h"
#include "tests/support/sample_approval.h"

namespace falconer::test {

class AskedApprovals final : public api::PendingApprovals {
 public:
  std::vector<model::ApprovalRequest> PendingFor(const std::string& call) const override {
    std::vector<model::ApprovalRequest> out;
    for (const auto& [id, record] : records) {
      if (record.request.call == call && !record.is_over()) out.push_back(record.request);
    }
    return out;
  }
  Subscription OnChange(std::function<void()> tell) override {
    return hub.Subscribe(std::move(tell));
  }
  Task<Result<model::ApprovalRecord>> DecideAtClient(std::string request_id,
                                                     model::ApprovalAnswer answer,
                                                     std::string reason) override {
    model::ApprovalDecision decision = SampleDecision(request_id, "mcp-client", answer);
    decision.reason = std::move(reason);
    End(decision);
    co_return records.at(request_id);
  }
  bool MayClientApprove(const model::ApprovalRequest& /*request*/) const override {
    return may_client_approve;
  }

  // A person decides.
  void End(const model::ApprovalDecision& decision) {
    model::ApprovalRecord& record = records.at(decision.request_id);
    record.decisions.push_back(decision);
    record.state = decision.answer == model::ApprovalAnswer::kApprove
                       ? model::ApprovalState::kApproved
                       : model::ApprovalState::kDenied;
    Tell();
  }
  // What a turn does: asks, and waits for the end.
  Task<Result<model::ApprovalState>> Ask(CallContext ctx) {
    model::ApprovalRequest request = SampleApproval(ctx.clock().WallNow());
    request.call = ctx.ids().call;
    last_id = request.request_id;
    records[last_id].request = request;
    Tell();
    model::ApprovalRecord* const record = &records[last_id];
    const auto ended = co_await changes.Until(
        std::move(ctx), [record] { return record->is_over(); }, "an approval");
    if (!ended) record->state = model::ApprovalState::kVoid;
    Tell();
    CO_TRY(ended);
    co_return record->state;
  }

  std::map<std::string, model::ApprovalRecord> records;
  std::string last_id;
  bool may_client_approve = true;
  EventHub<> hub;
  Notifier changes;

 private:
  void Tell() {
    hub.Emit();
    changes.NotifyAll();
  }
};

}  // namespace falconer::test
