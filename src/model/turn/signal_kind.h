#pragma once
// The control signals: one row each, saying who may send it, which fields it needs, and whether it
// belongs to a turn or to the session.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "model/turn/emitter.h"
#include "model/turn/lane.h"

namespace falconer::model {

enum class SignalKind : std::uint8_t {
  kTurnOpenProposed,
  kTurnOpen,
  kCommit,
  kAbort,
  kClose,
  kBargeIn,
  kStop,
  kCancel,
  kWatermark,
  kBudgetWarning,
  kBudgetExhausted,
  kDegrade,
  kFallback,
  kDiscontinuity,
  kDropNotice,
  kFlowXoff,
  kFlowXon,
  kCreditGrant,
  kProviderError,
  kCircuitEvent,
  kProviderSwitch,
  kLeaseIssued,
  kLeaseRotated,
  kMigrationStart,
  kMigrationFinish,
  kSessionHandoff,
  kAdmit,
  kReject,
  kDefer,
  kShed,
  kStaleEpochReject,
  kDeauthorizedDrain,
  kConnected,
  kReconnecting,
  kDisconnected,
  kEnded,
  kSilence,
  kStall,
  kOutputAccepted,
  kPlaybackStarted,
  kPlaybackCompleted,
  kPlaybackCancelled,
  kRecordingLevelDowngraded,
  kApprovalRequested,
  kApprovalGranted,
  kApprovalDenied,
  kApprovalExpired,
  kDialogOpened,
  kDialogClosed,
  kTakeoverBegun,
  kTakeoverEnded,
};

// Fields that a signal may need beyond the header.
enum class SignalField : std::uint8_t {
  kReason,
  kEdge,
  kTargetLane,
  kSeqRange,
  kSyncDomain,
  kDiscontinuity,
  kAmount,
  kScope,
  kSubject,
};

using SignalFieldSet = EnumSet<SignalField>;

enum class SignalReach : std::uint8_t { kAny, kSession, kTurn };

struct SignalRow {
  SignalKind kind;
  std::string_view name;
  EmitterSet emitters;
  SignalFieldSet required;
  SignalReach reach;
  Lane lane;
};

// THE table, in the order of the enumeration.
std::span<const SignalRow> SignalRows();
const SignalRow& RowOf(SignalKind kind);
std::string_view SignalName(SignalKind kind);
std::optional<SignalKind> SignalNamed(std::string_view name);

}  // namespace falconer::model
