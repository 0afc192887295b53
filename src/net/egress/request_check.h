#pragma once
// What is asked of a request to the egress proxy before anybody decides about it.

#include <expected>

#include "net/egress/egress_refusal.h"
#include "net/egress/egress_target.h"
#include "net/egress/forward_head.h"

namespace falconer::net {

// Whether where its body ends is open to one reading only, and everything it expects can be met.
std::expected<void, EgressRefusal> CheckFraming(const RequestHeader& head);
// Where it wants to go; no port that other services use.
std::expected<EgressTarget, EgressRefusal> TargetOf(const RequestHeader& head);
EgressKind KindOf(const RequestHeader& head);
// Whether it can be sent again when a kept connection turns out to be closed.
bool IsRepeatable(const RequestHeader& head);

}  // namespace falconer::net
