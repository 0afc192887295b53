#pragma once
// Memory of other processes, from /proc.

#include <sys/types.h>
#include <vector>

#include "bench/outcome.h"

namespace falconer::bench {

// Every process that descends from `root`, without `root` itself.
std::vector<pid_t> Descendants(pid_t root);

// The proportional set size in MiB. What `pid` shares with the calling process counts in full, as
// the caller is only there to measure: the same driver alone would bear those pages itself. Fails
// when the process is gone.
Outcome<double> OwnMemory(pid_t pid);

// The summed proportional set size in MiB; processes that ended meanwhile count nothing.
double TreeMemory(const std::vector<pid_t>& processes);

}  // namespace falconer::bench
