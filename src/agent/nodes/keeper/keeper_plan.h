#pragma once
// What Falconer and the keeper of a child tell each other. The keeper is a program of its own,
// because what has to be done between fork and exec is more than a process with threads may do
// there, and because a copy of Falconer would have its memory, with all that is secret in it.
//
// The keeper shuts itself in, starts the program, and ends when the program does; nothing that the
// program started outlives it. SIGTERM asks the program to end, kKillSignal ends it.

#include <csignal>
#include <cstdint>

namespace falconer::agent {

// The descriptors that a keeper is started with, beside the three of the program.
inline constexpr int kPlanFd = 3;    // read: the plan
inline constexpr int kStartFd = 4;   // written: StartReports; at its end the program runs
inline constexpr int kEndFd = 5;     // written: an EndReport, when the program has ended
inline constexpr int kCgroupFd = 6;  // cgroup.procs of the child's group, when there is one

inline constexpr int kKillSignal = SIGUSR2;
inline constexpr int kLongestFolder = 1024;

// What keeps a child apart; a bit of StartReport::bounds each.
enum class ChildBound : std::uint8_t {
  kRlimit,
  kNoNewPrivileges,
  kSeccomp,
  kProcessLimit,
  kOtherUser,
  kUserNamespace,
  kPidNamespace,
  kNetworkNamespace,
  kMountNamespace,
  kCgroup,
};

constexpr std::uint32_t BitOf(ChildBound bound) {
  return std::uint32_t{1} << static_cast<std::uint32_t>(bound);
}

struct KeeperPlan {
  std::int32_t parent = 0;
  // Who the child is to be; 0: who the keeper is.
  std::uint32_t user = 0;
  std::uint8_t uses_namespaces = 0;
  std::uint8_t has_network = 0;
  std::uint8_t has_cgroup = 0;
  std::uint8_t unused = 0;
  std::int64_t cpu_seconds = 0;  // 0: without limit
  std::int64_t memory_bytes = 0;
  std::int64_t address_space_bytes = 0;
  std::int64_t file_bytes = 0;
  std::int64_t processes = 0;
  std::int64_t open_files = 0;
  // The keeper's arguments: so many files to try as the program, so many folders to hide, and then
  // the program's words, its name first. The keeper's environment is the program's.
  std::int32_t candidates = 0;
  std::int32_t hidden = 0;
  char folder[kLongestFolder] = {};
};

enum class StartStep : std::int32_t {
  kReady,  // all that is wanted is in force; the program is about to be run
  kPlan,
  kUser,
  kNamespaces,
  kFolder,
  kLimits,
  kNetwork,
  kProcess,
  kProgram,
};

// What a process was before it became another one counts as its memory, and a keeper was Falconer:
// only the keeper knows what the program itself has used.
struct EndReport {
  std::int32_t status = 0;  // as wait() gives it
  std::int32_t unused = 0;
  std::int64_t peak_memory_bytes = 0;
};

struct StartReport {
  StartStep step = StartStep::kReady;
  std::int32_t error = 0;  // errno of the step that failed
  std::uint32_t bounds = 0;
};

}  // namespace falconer::agent
