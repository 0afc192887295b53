#include "kernel/leases/lease_owner.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include "base/file.h"

namespace falconer::kernel {
namespace {

// Fields of stat(5): the state, and when the process was started, in ticks since boot. The name in
// front may hold anything, so the fields are counted from its closing bracket.
constexpr int kStateField = 1;
constexpr int kStartField = 20;

std::string StatOf(const std::string& pid) {
  return ReadFile("/proc/" + pid + "/stat").value_or("");
}

std::string FieldIn(const std::string& stat, int number) {
  std::size_t at = stat.rfind(')');
  for (int field = 0; at != std::string::npos && field < number; ++field)
    at = stat.find(' ', at + 1);
  if (at == std::string::npos) return "";
  return stat.substr(at + 1, stat.find(' ', at + 1) - at - 1);
}

// What was killed stays listed until its parent has asked how it ended; it does nothing any more.
bool IsDead(const std::string& stat) {
  const std::string state = FieldIn(stat, kStateField);
  return state == "Z" || state == "X" || state == "x";
}

// Empty when it cannot be told; then nobody is ever taken for ended.
std::string Machine() {
  const std::string boot = ReadFile("/proc/sys/kernel/random/boot_id").value_or("");
  std::error_code failed;
  const auto numbers = std::filesystem::read_symlink("/proc/self/ns/pid", failed).string();
  if (boot.size() < 8 || failed) return "";
  return fmt::format(
      "{}.{}", boot.substr(0, 8),
      numbers.substr(numbers.find('[') + 1, numbers.find(']') - numbers.find('[') - 1));
}

}  // namespace

std::string OwnLeaseOwner() {
  const std::string pid = std::to_string(::getpid());
  return fmt::format("{}:{}:{}", Machine(), pid, FieldIn(StatOf(pid), kStartField));
}

bool HasEnded(const std::string& owner) {
  const std::size_t first = owner.find(':');
  const std::size_t second = owner.find(':', first + 1);
  if (first == std::string::npos || second == std::string::npos) return false;
  const std::string pid = owner.substr(first + 1, second - first - 1);
  const bool is_here = first > 0 && owner.substr(0, first) == Machine();
  const bool is_number = !pid.empty() && pid.find_first_not_of("0123456789") == std::string::npos;
  if (!is_here || !is_number) return false;
  const std::string stat = StatOf(pid);
  const std::string start = FieldIn(stat, kStartField);
  // A process that may not be looked at runs all the same.
  if (start.empty()) return ::kill(std::atoi(pid.c_str()), 0) != 0 && errno == ESRCH;
  return start != owner.substr(second + 1) || IsDead(stat);
}

}  // namespace falconer::kernel
