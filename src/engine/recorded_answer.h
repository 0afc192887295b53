#pragma once
// The answer that an action got before, from the record that has it.

#include <string>

#include "kernel/actions/action_registry.h"
#include "ledger/ledger.h"
#include "model/contract/result.h"

namespace falconer::engine {

// With its place in the ledger; its bytes are the same every time. kRecordArchived when the segment
// is not at hand, kLedgerDamaged when the record is not that of the action named by `action_hash`.
Result<model::ActionExecutionResult> RecordedAnswer(const ledger::Ledger& ledger,
                                                    const TenantId& tenant,
                                                    const kernel::KnownAction& known,
                                                    const std::string& action_hash);

}  // namespace falconer::engine
