#pragma once
// A step that is done by prediction, beside the same step with a model that takes a second to say
// what to do: both as contracts, with their ledger, on the same page, in turns.

#include "app/host/runtime_host.h"
#include "bench/report.h"

namespace falconer::bench {

// Opens the page at `url`, which has a button "Increment".
Task<Result<std::vector<Row>>> MeasurePredictedStep(app::Program* program, app::RuntimeHost* host,
                                                    std::string url);

}  // namespace falconer::bench
