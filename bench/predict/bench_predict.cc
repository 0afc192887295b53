// The prediction benchmark: what it costs to learn and to foretell. One run, in one process, on the
// release build. What else is to be measured is one file and one line in MeasureAll.

#include "bench/predict/predicted_step.h"
#include "bench/predict/predictor_rows.h"
#include "bench/program_bench.h"

namespace falconer::bench {
namespace {

Task<Result<void>> MeasureAll(const ProgramBench* bench) {
  CO_TRY_ASSIGN(auto predictor, co_await MeasurePredictor(bench->temp.MakeFolder("predict")));
  bench->Add(std::move(predictor));
  app::Program& program = bench->program;
  CO_TRY_ASSIGN(const auto host, app::RuntimeHost::Open(program));
  auto step = co_await MeasurePredictedStep(&program, host.get(), bench->site.Form("predict").url);
  co_await host->Stop(program.NewCleanup());
  CO_TRY(step);
  bench->Add(*std::move(step));
  co_return Result<void>();
}

Result<void> RunMeasures(const ProgramBench& bench) {
  return bench.program.Run(MeasureAll(&bench));
}

}  // namespace
}  // namespace falconer::bench

int main() {
  return falconer::bench::RunProgramBench(
      "predict", {"policy.allow_domains=127.0.0.1", "quota.actions_per_minute=0"},
      falconer::bench::RunMeasures);
}
