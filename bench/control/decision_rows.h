#pragma once
// What it takes to decide: whether a token is good, what a policy says, what of a text must go.

#include <vector>

#include "base/error.h"
#include "bench/report.h"

namespace falconer::bench {

// Checking a token beside checking its signature with the library alone.
Result<std::vector<Row>> MeasureTokens();
// One decision under 500 rules.
Result<std::vector<Row>> MeasurePolicy();
std::vector<Row> MeasureRedaction();

}  // namespace falconer::bench
