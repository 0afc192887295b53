#pragma once
// RunChild: another program, run once as an isolated child, with what it may use bounded by the
// system and not by its good will.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/async/call_context.h"

namespace falconer::agent {

struct ChildLimits {
  std::chrono::milliseconds timeout = std::chrono::milliseconds(500);
  std::chrono::milliseconds grace = std::chrono::milliseconds(200);  // from TERM to KILL
  std::int64_t cpu_seconds = 1;
  std::int64_t memory_bytes = std::int64_t{256} << 20;
  std::int64_t output_bytes = std::int64_t{1} << 20;  // of standard output; also of files it writes
  std::int64_t processes = 16;
};

enum class ChildNetwork : std::uint8_t { kNone, kAsParent };

struct ChildSpec {
  std::filesystem::path program;  // absolute, or looked up in PATH
  std::vector<std::string> arguments = {};
  std::string input = {};  // given on standard input, which is closed then
  // All of it: nothing is inherited but PATH, HOME (an empty folder) and the locale.
  std::vector<std::pair<std::string, std::string>> environment = {};
  ChildNetwork network = ChildNetwork::kNone;
  ChildLimits limits = {};
};

struct ChildEnd {
  int exit_code = 0;
  std::string output;
  std::string errors;  // the end of standard error
  std::chrono::milliseconds cpu_time{0};
  std::int64_t peak_memory_bytes = 0;
  // How it was kept apart, for the record: "cgroup", "rlimit", "seccomp", "user_namespace", ...
  std::vector<std::string> bounds = {};
};

// What the child said and how it ended, whatever its exit code. kToolUnavailable when there is no
// such program, kToolTimeout when it took too long, kBudgetExceeded when it used more memory, time
// of the processor or output than it may, kExecutionError when a signal ended it, and the reason of
// ctx. Nothing of it runs any more when this returns.
Task<Result<ChildEnd>> RunChild(CallContext ctx, ChildSpec spec);

}  // namespace falconer::agent
