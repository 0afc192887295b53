#pragma once
// What is done without a turn is governed all the same. CheckLook: may a caller read a page now?
// What governs an action that only reads governs a look too (pause, token, hosts, policy).
// CheckCall: may a caller use what is about no page? Only a refusal is worth a record.

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

// The same about what was read of a page before, and is shown without the page.
Task<Result<void>> CheckKeptPage(CallContext ctx, Runtime* runtime, Caller caller,
                                 std::string page_url);

// Asks the gates about the caller, who must have been granted `needs`. Fails as CheckLook does.
struct CallQuestion {
  WorkflowId workflow;
  std::string tool;
  model::CapabilitySet needs;
};
Task<Result<void>> CheckCall(CallContext ctx, Runtime* runtime, Caller caller,
                             CallQuestion question);

}  // namespace falconer::engine
