#pragma once
// EgressRefusal: why a request does not get what it asked for, and how the client is told.

#include <expected>
#include <string>
#include <string_view>

#include "base/error.h"
#include "net/egress/egress_observer.h"

namespace falconer::net {

struct EgressRefusal {
  int status = 403;
  std::string reason;  // for the X-Falconer-Refused header and the event: a stable word
  std::string rule = {};
  std::string decision = {};
  EgressOutcome outcome = EgressOutcome::kRefused;
};

// For functions that return something or a refusal.
std::unexpected<EgressRefusal> Refuse(int status, std::string_view reason);
EgressRefusal RefusalBy(const EgressVerdict& verdict);
// What went wrong on the way to the host: 504 for a timeout, otherwise 502.
EgressRefusal FailureBecause(const Error& error, std::string reason);

enum class RefusalBody : std::uint8_t { kSend, kOmit };
enum class RefusalEnd : std::uint8_t { kKeepConnection, kCloseConnection };

// The whole answer. A browser shows the body of an answer to a plain request under the refused
// address, so it is inert: plain text, sandboxed, not kept.
std::string RefusalText(const EgressRefusal& refusal, RefusalBody body, RefusalEnd end);

}  // namespace falconer::net
