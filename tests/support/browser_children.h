#pragma once
// The processes that a browser has started.

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/file.h"

namespace falconer::test {

// The text of a file in /proc of a process, or nothing.
inline std::string ProcText(int pid, const char* file) {
  return ReadFile("/proc/" + std::to_string(pid) + "/" + file).value_or("");
}

inline int ParentOf(int pid) {
  const std::string stat = ProcText(pid, "stat");
  const auto behind_name = stat.rfind(')');
  int parent = 0;
  char state = 0;
  if (behind_name != std::string::npos)
    std::sscanf(stat.c_str() + behind_name + 1, " %c %d", &state, &parent);
  return parent;
}

// The process of this browser that does its networking; 0 when it is not found.
inline int NetworkProcessOf(int browser) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const int pid = std::atoi(entry.path().filename().c_str());
    if (pid == 0 || !ProcText(pid, "cmdline").contains("network.mojom.NetworkService")) continue;
    for (int up = pid; up > 1; up = ParentOf(up)) {
      if (up == browser) return pid;
    }
  }
  return 0;
}

}  // namespace falconer::test
