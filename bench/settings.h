#pragma once
// What the driver benchmark was asked to do: command line and environment, checked once.

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/outcome.h"

namespace falconer::bench {

// What --only may name.
inline constexpr std::string_view kFigureNames[] = {
    "session_create", "navigate",    "click",      "fill",   "state_form", "state_table",
    "state_app",      "delta_table", "screenshot", "launch", "memory",     "throughput_16",
};

// Started by the benchmark itself: hold sessions open in a process of their own, to be measured.
struct HoldRequest {
  std::size_t sessions = 1;
  std::string contestant;
  std::string origin;
};

struct Settings {
  std::size_t samples = 100;               // $BENCH_SAMPLES
  std::size_t block = 20;                  // samples of one contestant before the next one's turn
  std::chrono::milliseconds cycles{8000};  // $BENCH_SECONDS
  std::string out = "build/bench/driver.json";
  std::string subject;            // whose figures the rows are about; empty: the first contestant
  std::vector<std::string> only;  // figures to measure; empty: all
  std::optional<HoldRequest> hold;
  bool wants_help = false;

  bool Wants(std::string_view figure) const;
};

std::string Usage();

// Fails on an unknown or incomplete option and on a number out of range, naming it.
Outcome<Settings> ParseSettings(const std::vector<std::string>& arguments);

}  // namespace falconer::bench
