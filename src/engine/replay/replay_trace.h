#pragma once
// ReplayTrace: what a turn or a run went through, decision by decision, and whether each can be
// reproduced from the ledger, as one readable object. Only reads files; needs no runtime.

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/ids.h"
#include "base/json/json.h"
#include "engine/replay/evidence.h"
#include "engine/replay/replay_report.h"

namespace falconer::engine {

// Long runs are read in pages.
struct TracePage {
  std::uint64_t cursor = 1;  // the first record to look at
  std::size_t limit = 20;    // most turns and refusals
};

// One turn or refusal: whose it was, what the gates said, what came of it, and its replay.
json::object TraceOf(const TurnEvidence& evidence, const TurnReplay& replay);

// {"id", "found_by": "turn_id" | "run" | "workflow" | "action_id", "tenant",
//  "status": "reproduced" | "diverged" | "missing", "turns": [...], "next": cursor or null}
// kNotFound when the tenant's chain has nothing of that name, kInvalidArgument for an empty one,
// kLedgerDamaged when a record is not what was written, kIoError. Reads on the caller's thread.
Result<json::object> ReplayTrace(const std::filesystem::path& data_folder, const TenantId& tenant,
                                 const std::string& turn_or_run, TracePage page = {});

}  // namespace falconer::engine
