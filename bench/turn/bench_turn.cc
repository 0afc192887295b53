// The turn benchmark: what control costs. One run, in one process, on the release build.

#include <cstdlib>
#include <iostream>

#include "bench/page_server.h"
#include "bench/temp_root.h"
#include "bench/turn/governance.h"
#include "bench/turn/parts.h"

namespace falconer::bench {
namespace {

constexpr int kSamples = 400;
constexpr std::uint64_t kRecords = 1'000'000;
constexpr std::string_view kOut = "build/bench/turn.json";

void Add(std::vector<Row>& rows, std::vector<Row> more) {
  rows.insert(rows.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
}

Task<Result<void>> MeasureAll(app::Program* program, std::filesystem::path folder, std::string url,
                              std::vector<Row>* rows) {
  CO_TRY_ASSIGN(auto naming, MeasureNaming());
  Add(*rows, std::move(naming));
  CO_TRY_ASSIGN(auto delta, MeasureDelta());
  Add(*rows, std::move(delta));
  CO_TRY_ASSIGN(auto ledger, co_await MeasureLedger(program->NewCall(), folder));
  Add(*rows, std::move(ledger));
  CO_TRY_ASSIGN(auto look_up, co_await MeasureLookUp(program->NewCall(), folder, kRecords));
  Add(*rows, std::move(look_up));
  CO_TRY_ASSIGN(const auto host, app::RuntimeHost::Open(*program));
  auto governed = co_await MeasureGovernance(program, host.get(), std::move(url), kSamples);
  co_await host->Stop(program->NewCleanup());
  CO_TRY(governed);
  Add(*rows, *std::move(governed));
  co_return Result<void>();
}

Outcome<void> RunAll() {
  BENCH_TRY_ASSIGN(const auto temp, TempRoot::Create());
  BENCH_TRY_ASSIGN(const auto server, PageServer::Start());
  const std::filesystem::path folder = temp->MakeFolder("turn");
  app::Arguments arguments;
  arguments.settings = {"data.dir=" + temp->MakeFolder("data"), "policy.allow_domains=127.0.0.1",
                        // What is measured is the gate, not what it refuses.
                        "quota.actions_per_minute=0", "log.level=error"};
  const auto program = app::Program::Create(arguments, app::LogReader::kPerson);
  if (!program) return Fail(Describe(program.error()));
  std::vector<Row> rows;
  const auto done =
      (*program)->Run(MeasureAll(program->get(), folder, server->site().Form("turn").url, &rows));
  std::cout << FormatTable(rows);
  BENCH_TRY(WriteJson(std::string(kOut), rows));
  if (!done) return Fail(Describe(done.error()));
  return {};
}

}  // namespace
}  // namespace falconer::bench

int main() {
  const auto done = falconer::bench::RunAll();
  if (done) return EXIT_SUCCESS;
  std::cerr << done.error() << "\n";
  return EXIT_FAILURE;
}
