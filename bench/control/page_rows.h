#pragma once
// What the egress proxy adds to the load of a page.

#include <string>
#include <vector>

#include "app/wiring.h"
#include "bench/report.h"

namespace falconer::bench {

// Loads the page at `url` with and without the proxy in turns, in one browser. Everything passed
// must outlive the call.
Task<Result<std::vector<Row>>> MeasurePages(app::Program* program, std::string url, int samples);

}  // namespace falconer::bench
