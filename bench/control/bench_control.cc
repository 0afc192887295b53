// The control benchmark: what the limits cost. One run, in one process, on the release build.

#include <cstdlib>
#include <iostream>

#include "app/wiring.h"
#include "bench/control/decision_rows.h"
#include "bench/control/page_rows.h"
#include "bench/control/proxy_rows.h"
#include "bench/page_server.h"
#include "bench/temp_root.h"

namespace falconer::bench {
namespace {

constexpr int kPageSamples = 200;
constexpr std::string_view kOut = "build/bench/control.json";

void Add(std::vector<Row>& rows, std::vector<Row> more) {
  rows.insert(rows.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
}

Task<Result<void>> MeasureBrowser(app::Program* program, std::string url, std::vector<Row>* rows) {
  CO_TRY_ASSIGN(auto pages, co_await MeasurePages(program, std::move(url), kPageSamples));
  Add(*rows, std::move(pages));
  co_return Result<void>();
}

Result<void> MeasureAll(app::Program& program, const std::string& url, std::vector<Row>& rows) {
  TRY_ASSIGN(auto tokens, MeasureTokens());
  Add(rows, std::move(tokens));
  TRY_ASSIGN(auto policy, MeasurePolicy());
  Add(rows, std::move(policy));
  Add(rows, MeasureRedaction());
  TRY_ASSIGN(auto proxy, MeasureProxy());
  Add(rows, std::move(proxy));
  return program.Run(MeasureBrowser(&program, url, &rows));
}

Outcome<void> RunAll() {
  BENCH_TRY_ASSIGN(const auto temp, TempRoot::Create());
  BENCH_TRY_ASSIGN(const auto server, PageServer::Start());
  app::Arguments arguments;
  arguments.settings = {"data.dir=" + temp->MakeFolder("data"), "log.level=error"};
  const auto program = app::Program::Create(arguments, app::LogReader::kPerson);
  if (!program) return Fail(Describe(program.error()));
  std::vector<Row> rows;
  const auto done = MeasureAll(**program, server->site().App("control").url, rows);
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
