#pragma once
// Waiting for a person at the keyboard without holding up the event loop.

#include "base/async/call_context.h"

namespace falconer::app {

// Returns when a line, or the end, comes in on standard input. kCancelled, kTimeout.
Task<Result<void>> WaitForEnter(CallContext ctx);

}  // namespace falconer::app
