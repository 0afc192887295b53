#pragma once
// A benchmark inside one program, as `falconer` itself runs it: with settings, a folder of its own
// and the pages of the page server.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/wiring.h"
#include "bench/report.h"
#include "bench/site.h"
#include "bench/temp_root.h"

namespace falconer::bench {

struct ProgramBench {
  app::Program& program;
  const Site& site;
  TempRoot& temp;
  std::vector<Row>& rows;

  void Add(std::vector<Row> more) const;
};

// Runs it, prints the rows and writes them to build/bench/<name>.json, also those that came before
// a failure. Returns what the process exits with.
int RunProgramBench(std::string_view name, std::vector<std::string> settings,
                    const std::function<Result<void>(const ProgramBench&)>& measure);

}  // namespace falconer::bench
