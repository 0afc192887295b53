#include "model/turn/signal_kind.h"

#include <utility>

namespace falconer::model {
namespace {

using enum SignalKind;
using enum SignalReach;

constexpr auto kReason = SignalField::kReason;
constexpr auto kEdge = SignalField::kEdge;
constexpr auto kTargetLane = SignalField::kTargetLane;
constexpr auto kSubject = SignalField::kSubject;

constexpr EmitterSet kGates = {Emitter::kAdmission, Emitter::kClusterAdmission};
constexpr EmitterSet kInterrupts = {Emitter::kInterruption, Emitter::kCancel};
constexpr EmitterSet kPressure = {Emitter::kBuffer, Emitter::kBudget};
constexpr EmitterSet kOwners = {Emitter::kLeases, Emitter::kMigration};
constexpr EmitterSet kOutputs = {Emitter::kOutput, Emitter::kLink};

// clang-format off
constexpr SignalRow kRows[] = {
    {kTurnOpenProposed, "turn_open_proposed", {Emitter::kIntake}, {}, kSession, Lane::kControl},
    {kTurnOpen, "turn_open", {Emitter::kTurn}, {}, kTurn, Lane::kControl},
    {kCommit, "commit", {Emitter::kTurn}, {}, kTurn, Lane::kControl},
    {kAbort, "abort", {Emitter::kTurn}, {kReason}, kTurn, Lane::kControl},
    {kClose, "close", {Emitter::kTurn}, {}, kTurn, Lane::kControl},
    {kBargeIn, "barge_in", kInterrupts, {}, kAny, Lane::kControl},
    {kStop, "stop", kInterrupts, {}, kAny, Lane::kControl},
    {kCancel, "cancel", kInterrupts, {SignalField::kScope}, kAny, Lane::kControl},
    {kWatermark, "watermark", {Emitter::kBuffer}, {kEdge, kTargetLane, kReason}, kAny, Lane::kControl},
    {kBudgetWarning, "budget_warning", {Emitter::kBudget}, {kReason}, kAny, Lane::kControl},
    {kBudgetExhausted, "budget_exhausted", {Emitter::kBudget}, {kReason}, kAny, Lane::kControl},
    {kDegrade, "degrade", kPressure, {kReason}, kAny, Lane::kControl},
    {kFallback, "fallback", kPressure, {kReason}, kAny, Lane::kControl},
    {kDiscontinuity, "discontinuity", {Emitter::kSync},
     {SignalField::kSyncDomain, SignalField::kDiscontinuity, kReason}, kAny, Lane::kControl},
    {kDropNotice, "drop_notice", {Emitter::kMerge, Emitter::kBuffer},
     {kEdge, kTargetLane, kReason, SignalField::kSeqRange}, kAny, Lane::kControl},
    {kFlowXoff, "flow_xoff", {Emitter::kFlow}, {kEdge, kTargetLane, kReason}, kAny, Lane::kControl},
    {kFlowXon, "flow_xon", {Emitter::kFlow}, {kEdge, kTargetLane}, kAny, Lane::kControl},
    {kCreditGrant, "credit_grant", {Emitter::kFlow}, {kEdge, kTargetLane, SignalField::kAmount}, kAny, Lane::kControl},
    {kProviderError, "provider_error", {Emitter::kProvider}, {kReason}, kAny, Lane::kControl},
    {kCircuitEvent, "circuit_event", {Emitter::kProvider}, {kReason}, kAny, Lane::kControl},
    {kProviderSwitch, "provider_switch", {Emitter::kProvider}, {kReason}, kAny, Lane::kControl},
    {kLeaseIssued, "lease_issued", kOwners, {}, kAny, Lane::kControl},
    {kLeaseRotated, "lease_rotated", kOwners, {}, kAny, Lane::kControl},
    {kMigrationStart, "migration_start", kOwners, {}, kAny, Lane::kControl},
    {kMigrationFinish, "migration_finish", kOwners, {}, kAny, Lane::kControl},
    {kSessionHandoff, "session_handoff", kOwners, {}, kAny, Lane::kControl},
    // Nothing was opened yet, so what gates say belongs to the session.
    {kAdmit, "admit", kGates, {kReason}, kSession, Lane::kControl},
    {kReject, "reject", kGates, {kReason}, kSession, Lane::kControl},
    {kDefer, "defer", kGates, {kReason}, kSession, Lane::kControl},
    {kShed, "shed", {Emitter::kAdmission}, {kReason}, kAny, Lane::kControl},
    {kStaleEpochReject, "stale_epoch_reject", {Emitter::kAuthority}, {kReason}, kAny, Lane::kControl},
    {kDeauthorizedDrain, "deauthorized_drain", {Emitter::kAuthority}, {kReason}, kAny, Lane::kControl},
    {kConnected, "connected", {Emitter::kLink}, {}, kAny, Lane::kControl},
    {kReconnecting, "reconnecting", {Emitter::kLink}, {}, kAny, Lane::kControl},
    {kDisconnected, "disconnected", {Emitter::kLink}, {}, kAny, Lane::kControl},
    {kEnded, "ended", {Emitter::kLink}, {}, kAny, Lane::kControl},
    {kSilence, "silence", {Emitter::kLink}, {}, kAny, Lane::kControl},
    {kStall, "stall", {Emitter::kLink}, {}, kAny, Lane::kControl},
    {kOutputAccepted, "output_accepted", kOutputs, {}, kTurn, Lane::kControl},
    {kPlaybackStarted, "playback_started", kOutputs, {}, kTurn, Lane::kControl},
    {kPlaybackCompleted, "playback_completed", kOutputs, {}, kTurn, Lane::kControl},
    {kPlaybackCancelled, "playback_cancelled", kOutputs, {}, kTurn, Lane::kControl},
    {kRecordingLevelDowngraded, "recording_level_downgraded", {Emitter::kRecorder}, {kReason}, kAny, Lane::kControl},
    {kApprovalRequested, "approval_requested", {Emitter::kApprovals}, {kSubject, kReason}, kTurn, Lane::kControl},
    {kApprovalGranted, "approval_granted", {Emitter::kApprovals}, {kSubject}, kTurn, Lane::kControl},
    {kApprovalDenied, "approval_denied", {Emitter::kApprovals}, {kSubject, kReason}, kTurn, Lane::kControl},
    {kApprovalExpired, "approval_expired", {Emitter::kApprovals}, {kSubject}, kTurn, Lane::kControl},
    {kDialogOpened, "dialog_opened", {Emitter::kDialogs}, {kSubject}, kAny, Lane::kControl},
    {kDialogClosed, "dialog_closed", {Emitter::kDialogs}, {kSubject}, kAny, Lane::kControl},
    {kTakeoverBegun, "takeover_begun", {Emitter::kTakeover}, {kSubject}, kSession, Lane::kControl},
    {kTakeoverEnded, "takeover_ended", {Emitter::kTakeover}, {kSubject}, kSession, Lane::kControl},
};
// clang-format on

}  // namespace

std::span<const SignalRow> SignalRows() {
  return kRows;
}

const SignalRow& RowOf(SignalKind kind) {
  return kRows[std::to_underlying(kind)];
}

std::string_view SignalName(SignalKind kind) {
  return RowOf(kind).name;
}

std::optional<SignalKind> SignalNamed(std::string_view name) {
  for (const SignalRow& row : kRows) {
    if (row.name == name) return row.kind;
  }
  return std::nullopt;
}

}  // namespace falconer::model
