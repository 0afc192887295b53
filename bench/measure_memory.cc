#include <chrono>
#include <iostream>
#include <poll.h>
#include <sstream>
#include <unistd.h>

#include "bench/child_process.h"
#include "bench/measure.h"
#include "bench/process_memory.h"

namespace falconer::bench {
namespace {

constexpr std::size_t kFew = 1;
constexpr std::size_t kMany = 9;
constexpr int kRounds = 3;
constexpr auto kPatience = std::chrono::minutes(1);
// A browser still frees and touches memory for a while after its pages are loaded.
constexpr auto kSettle = std::chrono::milliseconds(1500);

struct Footprint {
  double own = 0;
  double browser = 0;
};

struct Footprints {
  std::vector<double> own;
  std::vector<double> browser;
  std::vector<double> own_slope;
  std::vector<double> browser_slope;
};

Outcome<pid_t> ReadReady(LineChannel& lines) {
  BENCH_TRY_ASSIGN(const auto line, lines.Read(kPatience));
  std::istringstream words(line);
  std::string word;
  pid_t pid = 0;
  words >> word >> pid;
  if (word != "ready" || pid <= 0) return Fail(line);
  return pid;
}

// The one who holds says no more: a word or the end of its output while it settles is its failure.
Outcome<void> LetSettle(const ChildProcess& holder) {
  pollfd spoken{holder.from_child(), POLLIN, 0};
  if (poll(&spoken, 1, static_cast<int>(kSettle.count())) == 0) return {};
  return Fail("the sessions were not held");
}

Outcome<Footprint> MeasureHeld(const Arena& arena, std::string_view name, std::size_t sessions) {
  BENCH_TRY_ASSIGN(auto child,
                   ChildProcess::Start({
                       .argv = {"/proc/self/exe", "--hold", std::to_string(sessions), "--with",
                                std::string(name), "--site", arena.site.origin},
                       .environment = {},
                   }));
  LineChannel lines(*child);
  BENCH_TRY_ASSIGN(const pid_t driver, ReadReady(lines));
  BENCH_TRY(LetSettle(*child));
  BENCH_TRY_ASSIGN(const double own, OwnMemory(driver));
  return Footprint{own, TreeMemory(Descendants(driver))};
}

Outcome<void> MeasureRound(const Arena& arena, std::string_view name, Footprints& into) {
  BENCH_TRY_ASSIGN(const auto few, MeasureHeld(arena, name, kFew));
  BENCH_TRY_ASSIGN(const auto many, MeasureHeld(arena, name, kMany));
  into.own.push_back(few.own);
  into.browser.push_back(few.browser);
  into.own_slope.push_back((many.own - few.own) / (kMany - kFew));
  into.browser_slope.push_back((many.browser - few.browser) / (kMany - kFew));
  return {};
}

}  // namespace

void MeasureMemory(Arena& arena) {
  if (!arena.settings.Wants("memory")) return;
  std::cerr << "measuring memory\n";
  std::vector<Footprints> footprints(arena.contestants.size());
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < footprints.size(); ++i) {
      const auto name = arena.contestants[i]->name();
      const auto done = MeasureRound(arena, name, footprints[i]);
      if (!done) arena.results.Trouble("memory", name, done.error());
    }
  }
  for (std::size_t i = 0; i < footprints.size(); ++i) {
    const auto name = arena.contestants[i]->name();
    Footprints& each = footprints[i];
    arena.results.Set("own_memory", name, PercentileOf(each.own, 0.5));
    arena.results.Set("browser_memory", name, PercentileOf(each.browser, 0.5));
    arena.results.Set("own_memory_per_session", name, PercentileOf(each.own_slope, 0.5));
    arena.results.Set("browser_memory_per_session", name, PercentileOf(each.browser_slope, 0.5));
  }
}

Outcome<void> Hold(Contestant& contestant, const HoldRequest& request) {
  const Site site{request.origin};
  const Visit first = site.Form("held");
  BENCH_TRY(contestant.Launch(first));
  while (contestant.sessions() < request.sessions) {
    BENCH_TRY(contestant.OpenSession());
    BENCH_TRY(contestant.Navigate(contestant.sessions() - 1, first));
  }
  for (std::size_t i = 0; i < contestant.sessions(); ++i) {
    BENCH_TRY(contestant.ReadState(i, first.marks));
  }
  std::cout << "ready " << contestant.driver_pid() << "\n" << std::flush;
  char byte = 0;
  while (read(STDIN_FILENO, &byte, 1) > 0) {
  }
  return {};
}

}  // namespace falconer::bench
