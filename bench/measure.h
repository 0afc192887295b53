#pragma once
// The four kinds of measurement of the driver benchmark. Contestants take turns in blocks, so that
// a slow minute of the machine falls on all of them.

#include <memory>
#include <string>
#include <vector>

#include "bench/contestant.h"
#include "bench/results.h"
#include "bench/settings.h"
#include "bench/site.h"

namespace falconer::bench {

struct Arena {
  const Settings& settings;
  const Site& site;
  std::vector<std::unique_ptr<Contestant>>& contestants;
  Results& results;
  int nonces = 0;

  // Never repeats within a run and has a fixed length, so that no nonce contains another.
  std::string NextNonce();
};

// launch: process start to first page loaded, every browser alone on the machine.
void MeasureLaunch(Arena& arena);

// memory: own_memory, own_memory_per_session, browser_memory, browser_memory_per_session. The
// driver is held in a process of its own so that nothing of the benchmark counts.
void MeasureMemory(Arena& arena);

// Every figure that is one operation, with all browsers up and only one of them busy.
void MeasureLatency(Arena& arena);
std::vector<std::string> LatencyFigures();

// throughput_16, failed_cycles_16, lost_events_16.
void MeasureThroughput(Arena& arena);

// The held side of MeasureMemory: opens the sessions, prints "ready PID" and stays until stdin
// ends.
Outcome<void> Hold(Contestant& contestant, const HoldRequest& request);

}  // namespace falconer::bench
