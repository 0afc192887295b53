#pragma once
// CheckLook: may a caller read a page now? What governs an action that only reads governs a look
// too (pause, token, hosts, policy), but for the record: only a refusal is worth one.

#include <string>

#include "engine/runtime.h"
#include "kernel/gates/gate_list.h"

namespace falconer::engine {

// Asks the gates of this reach about a look at a page of the session. Fails as they do, with the id
// under which the refusal is on record, or as the ledger does. What they took is given back, but
// for what a session that is opened counts for. Everything passed must outlive the call.
Task<Result<void>> CheckLook(CallContext ctx, Runtime* runtime, const Caller* caller,
                             WorkflowSession* session, std::string page_url,
                             kernel::GateReach reach);

}  // namespace falconer::engine
