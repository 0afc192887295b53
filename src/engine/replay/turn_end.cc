#include "engine/replay/turn_end.h"

#include "base/check.h"

namespace falconer::engine {
namespace {

using kernel::TurnCause;

struct CauseOfCode {
  ErrorCode code;
  TurnCause cause;
};

// Everything else leaves no way on.
constexpr CauseOfCode kCauses[] = {
    {ErrorCode::kStaleEpoch, TurnCause::kAuthorityLost},
    {ErrorCode::kCancelled, TurnCause::kCancelled},
    {ErrorCode::kSessionClosed, TurnCause::kCancelled},
    {ErrorCode::kRuntimePaused, TurnCause::kCancelled},
    {ErrorCode::kProviderError, TurnCause::kProviderFailed},
    {ErrorCode::kTimeout, TurnCause::kNodeTimedOut},
    {ErrorCode::kBrowserGone, TurnCause::kLinkLost},
    {ErrorCode::kTabCrashed, TurnCause::kLinkLost},
    {ErrorCode::kIoError, TurnCause::kEvidenceLost},
    {ErrorCode::kLedgerDamaged, TurnCause::kEvidenceLost},
};

}  // namespace

kernel::TurnCause CauseOf(const model::ActionExecutionResult& result) {
  if (result.success || !result.failure) return TurnCause::kCompleted;
  for (const CauseOfCode& row : kCauses) {
    if (row.code == result.failure->code) return row.cause;
  }
  return TurnCause::kNoWayOn;
}

std::string DetailOf(const model::ActionExecutionResult& result) {
  return result.failure ? std::string(TraitsOf(result.failure->code).name) : "";
}

json::object EndJson(const kernel::TurnEnd& end) {
  json::object out{{"outcome", NameIn(model::kTurnTriggers, end.outcome)}};
  if (!end.reason.empty()) out["reason"] = end.reason;
  return out;
}

kernel::TurnEnd EndOf(const model::ActionExecutionResult& result) {
  const TurnCause cause = CauseOf(result);
  const kernel::CauseRow* row = kernel::Strongest({cause});
  CHECK(row != nullptr, "every cause has a row");
  // Only where the table has no reason of its own is it the failure itself.
  const std::string reason =
      cause == TurnCause::kNoWayOn ? DetailOf(result) : std::string(row->reason);
  return {.outcome = row->trigger, .cause = cause, .reason = reason};
}

}  // namespace falconer::engine
