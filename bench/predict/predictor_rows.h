#pragma once
// What the predictor costs with a million transitions in memory, beside the plain way to do the
// same: first and second order counts in SQLite, a query for each prediction and an upsert for each
// step.

#include <filesystem>
#include <vector>

#include "base/async/task.h"
#include "base/error.h"
#include "bench/report.h"

namespace falconer::bench {

// Files go below `folder`.
Task<Result<std::vector<Row>>> MeasurePredictor(std::filesystem::path folder);

}  // namespace falconer::bench
