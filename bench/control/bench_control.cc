// The control benchmark: what the limits cost. One run, in one process, on the release build.

#include "bench/control/decision_rows.h"
#include "bench/control/page_rows.h"
#include "bench/control/proxy_rows.h"
#include "bench/program_bench.h"

namespace falconer::bench {
namespace {

constexpr int kPageSamples = 200;

Task<Result<void>> MeasureBrowser(const ProgramBench* bench) {
  CO_TRY_ASSIGN(auto pages, co_await MeasurePages(&bench->program, bench->site.App("control").url,
                                                  kPageSamples));
  bench->Add(std::move(pages));
  co_return Result<void>();
}

Result<void> MeasureAll(const ProgramBench& bench) {
  TRY_ASSIGN(auto tokens, MeasureTokens());
  bench.Add(std::move(tokens));
  TRY_ASSIGN(auto policy, MeasurePolicy());
  bench.Add(std::move(policy));
  bench.Add(MeasureRedaction());
  TRY_ASSIGN(auto proxy, MeasureProxy());
  bench.Add(std::move(proxy));
  return bench.program.Run(MeasureBrowser(&bench));
}

}  // namespace
}  // namespace falconer::bench

int main() {
  return falconer::bench::RunProgramBench("control", {}, falconer::bench::MeasureAll);
}
