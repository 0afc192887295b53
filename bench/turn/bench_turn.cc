// The turn benchmark: what control costs. One run, in one process, on the release build.

#include "bench/program_bench.h"
#include "bench/turn/governance.h"
#include "bench/turn/parts.h"

namespace falconer::bench {
namespace {

constexpr int kSamples = 400;
constexpr std::uint64_t kRecords = 1'000'000;

Task<Result<void>> MeasureAll(const ProgramBench* bench) {
  app::Program& program = bench->program;
  const std::filesystem::path folder = bench->temp.MakeFolder("turn");
  CO_TRY_ASSIGN(auto naming, MeasureNaming());
  bench->Add(std::move(naming));
  CO_TRY_ASSIGN(auto delta, MeasureDelta());
  bench->Add(std::move(delta));
  CO_TRY_ASSIGN(auto ledger, co_await MeasureLedger(program.NewCall(), folder));
  bench->Add(std::move(ledger));
  CO_TRY_ASSIGN(auto look_up, co_await MeasureLookUp(program.NewCall(), folder, kRecords));
  bench->Add(std::move(look_up));
  CO_TRY_ASSIGN(const auto host, app::RuntimeHost::Open(program));
  auto governed =
      co_await MeasureGovernance(&program, host.get(), bench->site.Form("turn").url, kSamples);
  co_await host->Stop(program.NewCleanup());
  CO_TRY(governed);
  bench->Add(*std::move(governed));
  co_return Result<void>();
}

Result<void> RunMeasures(const ProgramBench& bench) {
  return bench.program.Run(MeasureAll(&bench));
}

}  // namespace
}  // namespace falconer::bench

int main() {
  // What is measured is the gate, not what it refuses.
  return falconer::bench::RunProgramBench(
      "turn", {"policy.allow_domains=127.0.0.1", "quota.actions_per_minute=0"},
      falconer::bench::RunMeasures);
}
