#pragma once
// ApprovalSignals: tells who listens to a session that people are asked in it, and what they
// answered.

#include <functional>
#include <optional>

#include "base/async/subscription.h"
#include "engine/approvals/approval_desk.h"
#include "kernel/turn/event_stamper.h"
#include "kernel/turn/sinks.h"

namespace falconer::engine {

class ApprovalSignals {
 public:
  // The epoch under which the session acts now; nothing while it has no right to.
  using EpochNow = std::function<std::optional<std::int64_t>()>;

  // Of the questions of the desk those of the stamper's session. Stamper and sink must outlive
  // this.
  ApprovalSignals(ApprovalDesk& desk, kernel::EventStamper& stamper, kernel::EventSink& events,
                  EpochNow epoch);
  ApprovalSignals(const ApprovalSignals&) = delete;
  ApprovalSignals& operator=(const ApprovalSignals&) = delete;

 private:
  void Emit(model::SignalKind kind, const model::ApprovalRequest& request, std::string reason);
  void OnEnded(const model::ApprovalRecord& record);

  kernel::EventStamper& stamper_;
  kernel::EventSink& events_;
  EpochNow epoch_;
  Subscription asked_;
  Subscription ended_;
};

}  // namespace falconer::engine
