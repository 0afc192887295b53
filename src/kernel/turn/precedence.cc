#include "kernel/turn/precedence.h"

namespace falconer::kernel {
namespace {

using enum TurnCause;
using model::TurnTrigger;

constexpr CauseRow kCauses[] = {
    // Whoever lost the lease may not even report a cancel as its own doing.
    {kAuthorityLost, TurnTrigger::kAbort, "authority_loss"},
    {kCancelled, TurnTrigger::kAbort, "cancelled"},
    {kProviderFailed, TurnTrigger::kAbort, "provider_failure"},
    {kNodeTimedOut, TurnTrigger::kAbort, "node_timeout_or_failure"},
    {kLinkLost, TurnTrigger::kAbort, "transport_disconnect_or_stall"},
    {kEvidenceLost, TurnTrigger::kAbort, "recording_evidence_unavailable"},
    {kNoWayOn, TurnTrigger::kAbort, "deterministic_reason"},
    // Success only when nothing speaks against it.
    {kCompleted, TurnTrigger::kCommit, ""},
};

}  // namespace

std::span<const CauseRow> Precedence() {
  return kCauses;
}

const CauseRow* Strongest(CauseSet pending) {
  for (const CauseRow& row : kCauses) {
    if (pending.Contains(row.cause)) return &row;
  }
  return nullptr;
}

}  // namespace falconer::kernel
