#include "engine/approvals/approval_signals.h"

#include <algorithm>
#include <utility>

namespace falconer::engine {
namespace {

using model::ApprovalRecord;
using model::ApprovalRequest;
using model::ApprovalState;
using model::SignalKind;

struct EndSignal {
  ApprovalState state;
  SignalKind kind;
};

// What nobody waits for any more was not granted.
constexpr EndSignal kEndSignals[] = {
    {ApprovalState::kApproved, SignalKind::kApprovalGranted},
    {ApprovalState::kDenied, SignalKind::kApprovalDenied},
    {ApprovalState::kExpired, SignalKind::kApprovalExpired},
    {ApprovalState::kVoid, SignalKind::kApprovalDenied},
};

}  // namespace

ApprovalSignals::ApprovalSignals(ApprovalDesk& desk, kernel::EventStamper& stamper,
                                 kernel::EventSink& events, EpochNow epoch)
    : stamper_(stamper), events_(events), epoch_(std::move(epoch)) {
  asked_ = desk.on_asked().Subscribe([this](const ApprovalRequest& request) {
    Emit(SignalKind::kApprovalRequested, request,
         std::string(NameIn(model::kApprovalKinds, request.action_type)));
  });
  ended_ = desk.on_ended().Subscribe([this](const ApprovalRecord& record) { OnEnded(record); });
}

void ApprovalSignals::OnEnded(const ApprovalRecord& record) {
  const auto* row = std::ranges::find(kEndSignals, record.state, &EndSignal::state);
  if (row == std::end(kEndSignals)) return;
  Emit(row->kind, record.request, std::string(NameIn(model::kApprovalStates, record.state)));
}

void ApprovalSignals::Emit(SignalKind kind, const ApprovalRequest& request, std::string reason) {
  if (request.session != stamper_.session()) return;
  model::ControlSignal signal =
      stamper_.TurnSignal(kind, model::Emitter::kApprovals,
                          {.turn = request.turn, .epoch = epoch_(), .trace = TraceId()});
  signal.subject = request.request_id;
  signal.reason = std::move(reason);
  events_.Emit(signal);
}

}  // namespace falconer::engine
