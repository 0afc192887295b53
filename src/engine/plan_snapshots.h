#pragma once
// The world as a plan is made from it: what is configured, what this program is, who drives.

#include "kernel/plan/plan_resolver.h"

namespace falconer::engine {

struct RuntimeConfig;

// Fills in all snapshots of `inputs`, whose epoch MUST be set. kInvalidArgument for a configuration
// that has no canonical form.
Result<void> TakeSnapshots(const RuntimeConfig& config, kernel::PlanInputs& inputs);

}  // namespace falconer::engine
