#include "agent/nodes/child_use.h"

#include <filesystem>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include "base/file.h"

namespace falconer::agent {
namespace {

namespace fs = std::filesystem;

// No child has so many; a tree that grows while it is walked ends too.
constexpr std::size_t kMostSeen = 4096;

fs::path ProcessFolder(pid_t pid) {
  return fs::path("/proc") / std::to_string(pid);
}

// In ticks: its own time and that of those it has waited for. The name before them may have
// anything in it, but ends with the last bracket.
std::int64_t TicksOf(pid_t pid) {
  const auto stat = ReadFile(ProcessFolder(pid) / "stat");
  if (!stat) return 0;
  std::istringstream fields(stat->substr(stat->rfind(')') + 1));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  std::int64_t sum = 0;
  for (std::int64_t ticks = 0, i = 0; i < 4 && fields >> ticks; ++i) sum += ticks;
  return sum;
}

std::int64_t PeakOf(pid_t pid) {
  constexpr std::string_view kPeak = "VmHWM:";
  const auto status = ReadFile(ProcessFolder(pid) / "status");
  const std::size_t at = status ? status->find(kPeak) : std::string::npos;
  if (at == std::string::npos) return 0;
  return std::strtoll(status->c_str() + at + kPeak.size(), nullptr, 10) * 1024;
}

void AddChildren(pid_t pid, std::vector<pid_t>& out) {
  std::error_code failed;
  for (const auto& task : fs::directory_iterator(ProcessFolder(pid) / "task", failed)) {
    const auto children = ReadFile(task.path() / "children");
    std::istringstream numbers(children.value_or(""));
    for (pid_t child = 0; numbers >> child;) out.push_back(child);
  }
}

}  // namespace

ChildUse UseOfProcess(pid_t pid) {
  std::vector<pid_t> all{pid};
  ChildUse use;
  std::int64_t ticks = 0;
  for (std::size_t i = 0; i < all.size() && i < kMostSeen; ++i) {
    ticks += TicksOf(all[i]);
    use.peak_memory_bytes += PeakOf(all[i]);
    AddChildren(all[i], all);
  }
  use.cpu_time = std::chrono::milliseconds(ticks * 1000 / ::sysconf(_SC_CLK_TCK));
  return use;
}

}  // namespace falconer::agent
