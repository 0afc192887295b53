#pragma once
// ChildSpec: which program is run as a child, and what it may have and use.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace falconer::agent {

struct ChildLimits {
  std::chrono::milliseconds timeout = std::chrono::milliseconds(500);
  std::chrono::milliseconds grace = std::chrono::milliseconds(200);  // from TERM to KILL
  std::int64_t cpu_seconds = 1;                                      // of a process; 0: no limit
  // Of each process, and of all together where there is a cgroup.
  std::int64_t memory_bytes = std::int64_t{256} << 20;
  // What a process may reserve, which is far more than it uses; 0: sixteen times its memory.
  std::int64_t address_space_bytes = 0;
  std::int64_t output_bytes = std::int64_t{1} << 20;  // of standard output; also of each file
  std::int64_t processes = 16;
};

enum class ChildNetwork : std::uint8_t { kNone, kAsParent };

struct ChildSpec {
  std::filesystem::path program;  // a path, or a name that is looked up in PATH
  std::vector<std::string> arguments = {};
  std::string input = {};  // given on standard input, which is closed then
  // All of it: nothing is inherited but PATH and the locale. HOME and TMPDIR are a folder of the
  // child's own, which is empty, where it begins, and removed afterwards.
  std::vector<std::pair<std::string, std::string>> environment = {};
  ChildNetwork network = ChildNetwork::kNone;
  ChildLimits limits = {};
  // Folders that it finds empty, where the kernel lets us.
  std::vector<std::filesystem::path> hidden = {};
};

}  // namespace falconer::agent
