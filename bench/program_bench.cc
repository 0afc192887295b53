#include "bench/program_bench.h"

#include <cstdlib>
#include <iostream>
#include <iterator>
#include <utility>

#include "bench/page_server.h"

namespace falconer::bench {
namespace {

Outcome<void> RunAll(std::string_view name, std::vector<std::string> settings,
                     const std::function<Result<void>(const ProgramBench&)>& measure) {
  BENCH_TRY_ASSIGN(const auto temp, TempRoot::Create());
  BENCH_TRY_ASSIGN(const auto server, PageServer::Start());
  app::Arguments arguments;
  arguments.settings = std::move(settings);
  arguments.settings.push_back("data.dir=" + temp->MakeFolder("data"));
  arguments.settings.emplace_back("log.level=error");
  const auto program = app::Program::Create(arguments, app::LogReader::kPerson);
  if (!program) return Fail(Describe(program.error()));
  std::vector<Row> rows;
  const auto done = measure({**program, server->site(), *temp, rows});
  std::cout << FormatTable(rows);
  BENCH_TRY(WriteJson("build/bench/" + std::string(name) + ".json", rows));
  if (!done) return Fail(Describe(done.error()));
  return {};
}

}  // namespace

void ProgramBench::Add(std::vector<Row> more) const {
  rows.insert(rows.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
}

int RunProgramBench(std::string_view name, std::vector<std::string> settings,
                    const std::function<Result<void>(const ProgramBench&)>& measure) {
  const auto done = RunAll(name, std::move(settings), measure);
  if (done) return EXIT_SUCCESS;
  std::cerr << done.error() << "\n";
  return EXIT_FAILURE;
}

}  // namespace falconer::bench
