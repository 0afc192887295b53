#pragma once
// How a turn ends, from what came of its contract: the runtime and a replay ask the same table.

#include "kernel/turn/turn_machine.h"
#include "model/contract/result.h"

namespace falconer::engine {

kernel::TurnCause CauseOf(const model::ActionExecutionResult& result);
// What the cause is noted with: the stable name of the failure.
std::string DetailOf(const model::ActionExecutionResult& result);

// {"outcome": "commit" | "abort", "reason"?}, as a turn's last record has it when nothing else
// speaks against it.
json::object EndJson(const kernel::TurnEnd& end);
kernel::TurnEnd EndOf(const model::ActionExecutionResult& result);

}  // namespace falconer::engine
