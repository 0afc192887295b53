#pragma once
// The doctor's checks of the machine itself. Facts are gathered by the checks and judged by plain
// functions.

#include <cstdint>
#include <optional>
#include <string_view>

#include "app/doctor/doctor.h"
#include "base/async/clock.h"

namespace falconer::app {

Task<Finding> CheckSandbox(CallContext ctx, Visit* visit);
Task<Finding> CheckSharedMemory(CallContext ctx, Visit* visit);
Task<Finding> CheckClock(CallContext ctx, Visit* visit);
Task<Finding> CheckFonts(CallContext ctx, Visit* visit);
Task<Finding> CheckBuildTools(CallContext ctx, Visit* visit);

struct SandboxFacts {
  browser::SandboxMode mode = browser::SandboxMode::kAuto;
  bool is_root = false;
  bool has_namespaces = false;
  bool has_setuid_helper = false;
};

Finding JudgeSandbox(const SandboxFacts& facts);
// Nothing when there is no /dev/shm.
Finding JudgeSharedMemory(std::optional<std::uint64_t> bytes);
enum class ClockSync { kSynchronised, kFree, kUnknown };
Finding JudgeClock(WallTime now, ClockSync sync);
Finding JudgeFonts(std::size_t files);

}  // namespace falconer::app
