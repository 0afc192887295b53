// The driver benchmark: the raw-protocol floor, Falconer and Playwright on the same browser and
// pages.

#include <algorithm>
#include <csignal>
#include <iostream>

#include "bench/contestants.h"
#include "bench/driver_rows.h"
#include "bench/measure.h"
#include "bench/page_server.h"
#include "bench/temp_root.h"

namespace falconer::bench {
namespace {

constexpr int kMeasured = 0;
constexpr int kIncomplete = 1;
constexpr int kBadUsage = 2;

// Both runs answer how many troubles there were.
Outcome<std::size_t> RunHold(const HoldRequest& request) {
  BENCH_TRY_ASSIGN(const auto temp, TempRoot::Create());
  BENCH_TRY_ASSIGN(const auto contestant, MakeContestant(request.contestant, *temp));
  BENCH_TRY(Hold(*contestant, request));
  return 0;
}

Outcome<std::size_t> RunAll(const Settings& settings) {
  BENCH_TRY_ASSIGN(const auto temp, TempRoot::Create());
  BENCH_TRY_ASSIGN(const auto server, PageServer::Start());
  auto contestants = MakeContestants(*temp);
  std::vector<std::string> names;
  names.reserve(contestants.size());
  for (const auto& each : contestants) names.emplace_back(each->name());
  const auto subject = settings.subject.empty() ? names.front() : settings.subject;
  if (std::ranges::find(names, subject) == names.end()) return Fail("no contestant " + subject);

  Results results;
  Arena arena{settings, server->site(), contestants, results};
  MeasureLaunch(arena);
  MeasureMemory(arena);
  MeasureLatency(arena);
  MeasureThroughput(arena);

  const auto rows = DriverRows(results, settings, subject);
  std::cout << SideBySide(results, names) << "\nSubject: " << subject << "\n" << FormatTable(rows);
  for (const auto& trouble : results.troubles()) std::cout << "trouble: " << trouble << "\n";
  BENCH_TRY(WriteJson(settings.out, rows));
  return results.troubles().size();
}

int Main(const std::vector<std::string>& arguments) {
  // A browser that died is an error to report, not a signal to die of.
  std::signal(SIGPIPE, SIG_IGN);
  const auto settings = ParseSettings(arguments);
  if (!settings) {
    std::cerr << settings.error() << "\n\n" << Usage();
    return kBadUsage;
  }
  if (settings->wants_help) {
    std::cout << Usage();
    return kMeasured;
  }
  const auto& hold = settings->hold;
  const auto done = hold ? RunHold(*hold) : RunAll(*settings);
  // Whoever holds a copy of us reads only its stdout.
  if (!done) (hold ? std::cout : std::cerr) << done.error() << "\n";
  return done && *done == 0 ? kMeasured : kIncomplete;
}

}  // namespace
}  // namespace falconer::bench

int main(int argc, char** argv) {
  return falconer::bench::Main({argv + 1, argv + argc});
}
