#include <algorithm>
#include <iostream>

#include "bench/measure.h"

namespace falconer::bench {
namespace {

constexpr std::size_t kFewestLaunches = 5;
constexpr std::size_t kLaunchDivisor = 10;
constexpr std::size_t kSessions = 16;
constexpr int kRounds = 2;

void LaunchOnce(Arena& arena, Contestant& contestant, Samples& samples) {
  auto launched = contestant.Launch(arena.site.Form(arena.NextNonce()));
  contestant.Shut();
  if (launched) {
    samples.Add(launched->took, launched->bytes);
  } else {
    samples.Miss(std::move(launched).error());
  }
}

void AddTo(CycleTotals& sum, const CycleTotals& part) {
  sum.actions += part.actions;
  sum.failed += part.failed;
  sum.lost_events += part.lost_events;
  sum.took += part.took;
  if (sum.first_failure.empty()) sum.first_failure = part.first_failure;
}

Outcome<CycleTotals> RunRound(Arena& arena, Contestant& contestant) {
  BENCH_TRY(contestant.Launch(arena.site.Form(arena.NextNonce())));
  const CyclePlan plan{.sessions = kSessions,
                       .length = arena.settings.cycles / kRounds,
                       .site = arena.site,
                       .label = arena.NextNonce()};
  return contestant.RunCycles(plan);
}

void FileTotals(Results& results, std::string_view name, const CycleTotals& totals) {
  const double seconds = std::chrono::duration<double>(totals.took).count();
  if (seconds == 0) return;
  results.Set("throughput_16", name, static_cast<double>(totals.actions) / seconds);
  results.Set("failed_cycles_16", name, static_cast<double>(totals.failed));
  results.Set("lost_events_16", name, static_cast<double>(totals.lost_events));
  if (totals.failed > 0) results.Trouble("throughput_16", name, totals.first_failure);
}

}  // namespace

void MeasureLaunch(Arena& arena) {
  if (!arena.settings.Wants("launch")) return;
  std::cerr << "measuring launch\n";
  std::vector<Samples> samples(arena.contestants.size());
  std::vector<Samples> warm_ups(arena.contestants.size());
  const auto rounds = std::max(kFewestLaunches, arena.settings.samples / kLaunchDivisor);
  for (std::size_t round = 0; round <= rounds; ++round) {
    // The first round brings the browser's files into memory.
    auto& into = round == 0 ? warm_ups : samples;
    for (std::size_t i = 0; i < arena.contestants.size(); ++i) {
      LaunchOnce(arena, *arena.contestants[i], into[i]);
    }
  }
  for (std::size_t i = 0; i < samples.size(); ++i) {
    arena.results.SetSamples("launch", arena.contestants[i]->name(), samples[i]);
  }
}

void MeasureThroughput(Arena& arena) {
  if (!arena.settings.Wants("throughput_16")) return;
  std::cerr << "measuring throughput_16\n";
  std::vector<CycleTotals> totals(arena.contestants.size());
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < totals.size(); ++i) {
      Contestant& contestant = *arena.contestants[i];
      const auto part = RunRound(arena, contestant);
      contestant.Shut();
      if (part) {
        AddTo(totals[i], *part);
      } else {
        arena.results.Trouble("throughput_16", contestant.name(), part.error());
      }
    }
  }
  for (std::size_t i = 0; i < totals.size(); ++i) {
    FileTotals(arena.results, arena.contestants[i]->name(), totals[i]);
  }
}

}  // namespace falconer::bench
