#pragma once
// How much the egress proxy holds, on one core.

#include <vector>

#include "base/error.h"
#include "bench/report.h"

namespace falconer::bench {

// Small requests over kept connections, through the rules and the book that the program has.
Result<std::vector<Row>> MeasureProxy();

}  // namespace falconer::bench
