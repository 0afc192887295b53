#pragma once
// What a process and everything that it started have used so far.

#include <chrono>
#include <cstdint>
#include <sys/types.h>

namespace falconer::agent {

struct ChildUse {
  std::chrono::milliseconds cpu_time{0};
  std::int64_t peak_memory_bytes = 0;
};

// As the kernel tells it of those that run now; nothing of those that it does not show us.
ChildUse UseOfProcess(pid_t pid);

}  // namespace falconer::agent
