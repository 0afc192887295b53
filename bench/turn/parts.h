#pragma once
// The parts of a turn by themselves: naming a contract, comparing states, finding a duplicate,
// recording, and checking the record.

#include <filesystem>
#include <vector>

#include "base/async/call_context.h"
#include "bench/report.h"

namespace falconer::bench {

Result<std::vector<Row>> MeasureNaming();
// A delta between states of 48 elements.
Result<std::vector<Row>> MeasureDelta();
// A look-up among `records` actions. Writes them below `folder` first.
Task<Result<std::vector<Row>>> MeasureLookUp(CallContext ctx, std::filesystem::path folder,
                                             std::uint64_t records);
// Appending by 64 callers at once beside one after the other, and checking what was written.
Task<Result<std::vector<Row>>> MeasureLedger(CallContext ctx, std::filesystem::path folder);

}  // namespace falconer::bench
