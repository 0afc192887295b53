#pragma once
// Names of turns and events, and the key that recognises a contract sent twice.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/ids.h"

namespace falconer::model {

// "<session>.t000001": turn `number` of its session, counted from 1.
TurnId MakeTurnId(const SessionId& session, std::int64_t number);

// The parts of "evt/<session>/<turn>/000001". Events of the session itself have no turn, written
// as "-".
struct EventName {
  SessionId session;
  TurnId turn;
  std::int64_t number = 0;
  bool operator==(const EventName&) const = default;
};

// Six digits or more. The ids MUST NOT be empty (but for the turn) or hold a slash; CheckIdText()
// says so beforehand.
std::string FormatEventId(const EventName& name);
// Strict: fails with kInvalidArgument for anything FormatEventId() does not write.
Result<EventName> ParseEventId(std::string_view text);

// Letters, digits, '.', '_', ':' and '-', at most 128: what an id may be made of.
Result<void> CheckIdText(std::string_view what, std::string_view id);

// 64 hex digits: SHA-256 of the three parts, unmistakably joined.
std::string IdempotencyKey(const TenantId& tenant, const WorkflowId& workflow,
                           std::string_view action_id);

}  // namespace falconer::model
