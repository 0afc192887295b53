#pragma once
// The answer that an action got before, from the record that has it.

#include <string>

#include "kernel/actions/action_registry.h"
#include "ledger/ledger.h"
#include "model/contract/result.h"

namespace falconer::engine {

struct RecordedAnswer {
  // With its place in the ledger; its bytes are the same every time.
  model::ActionExecutionResult result;
  // Where the action happened: "" when there was no page.
  std::string page_url;
};

// kRecordArchived when the segment is not at hand, kLedgerDamaged when the record is not that of
// the action named by `action_hash`.
Result<RecordedAnswer> FindAnswer(const ledger::Ledger& ledger, const TenantId& tenant,
                                  const kernel::KnownAction& known, const std::string& action_hash);

}  // namespace falconer::engine
