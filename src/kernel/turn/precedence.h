#pragma once
// Why a running turn ends, and which cause wins when several are pending at one scheduling point:
// one table, strongest first.

#include <cstdint>
#include <span>
#include <string_view>

#include "model/enum_set.h"
#include "model/turn/turn_state.h"

namespace falconer::kernel {

enum class TurnCause : std::uint8_t {
  kAuthorityLost,   // the lease is gone: nothing this turn says counts any more
  kCancelled,       // somebody who may asked for it
  kProviderFailed,  // a service the turn needs gave up
  kNodeTimedOut,    // a step failed or took too long
  kLinkLost,        // the browser is gone or does not answer
  kEvidenceLost,    // what happened cannot be written down
  kNoWayOn,         // no legal continuation is left; the detail says why
  kCompleted,       // everything held, and the evidence is durable
};

using CauseSet = model::EnumSet<TurnCause>;

struct CauseRow {
  TurnCause cause;
  model::TurnTrigger trigger;
  std::string_view reason;  // of the abort
};

// THE order.
std::span<const CauseRow> Precedence();

// The row of the strongest cause, null when none is pending.
const CauseRow* Strongest(CauseSet pending);

}  // namespace falconer::kernel
