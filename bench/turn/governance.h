#pragma once
// What a click costs when it is a turn: admitted, planned, announced, recorded and durable before
// it is answered, beside the same click done by the driver alone and by the engine without a
// kernel.

#include <vector>

#include "app/host/runtime_host.h"
#include "bench/report.h"

namespace falconer::bench {

// Clicks a counter of the page at `url` in turns. Everything passed must outlive the call.
Task<Result<std::vector<Row>>> MeasureGovernance(app::Program* program, app::RuntimeHost* host,
                                                 std::string url, int samples);

}  // namespace falconer::bench
