#pragma once
// From numbers to the report of the driver benchmark: one table says which figure is held against
// whom, and what it must reach.

#include <string>
#include <string_view>
#include <vector>

#include "bench/report.h"
#include "bench/results.h"
#include "bench/settings.h"

namespace falconer::bench {

// The rows about `subject`, of the figures that were asked for.
std::vector<Row> DriverRows(const Results& results, const Settings& settings,
                            std::string_view subject);

// Every number of every contestant, side by side.
std::string SideBySide(const Results& results, const std::vector<std::string>& contestants);

}  // namespace falconer::bench
