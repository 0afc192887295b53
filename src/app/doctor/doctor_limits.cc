#include "app/doctor/doctor_limits.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <sys/resource.h>
#include <unistd.h>

#include "app/doctor/doctor_facts.h"
#include "base/file.h"
#include "base/text.h"

namespace falconer::app {
namespace {

// The rows of kLimits.
enum LimitIndex : std::size_t { kOpenFiles, kProcesses, kAddressSpace };

// Measured: a page opens with 200 files, 150 processes (threads count too) and 190 GiB of address
// space, and fails with 100, 60 and 57 GiB.
constexpr LimitRow kLimits[] = {
    {RLIMIT_NOFILE, 1024, 256,
     [](std::uint64_t limit) { return fmt::format("{} files may be open at once", limit); },
     "ulimit -n 4096",
     "LimitNOFILE=4096 in a systemd unit, nofile in /etc/security/limits.conf, or for Docker "
     "--ulimit nofile=4096"},
    {RLIMIT_NPROC, 512, 128,
     [](std::uint64_t limit) {
       return fmt::format("{} processes and threads of this user may run at once", limit);
     },
     "ulimit -u 4096",
     "LimitNPROC=4096 in a systemd unit, nproc in /etc/security/limits.conf, or for Docker "
     "--ulimit nproc=4096"},
    {RLIMIT_AS, 128 * kGiB, 128 * kGiB,
     [](std::uint64_t limit) {
       return fmt::format(
           "the address space is limited to {}; Chromium reserves far more than it uses",
           Amount(limit));
     },
     "ulimit -v unlimited",
     "LimitAS=infinity in a systemd unit, or no \"as\" in /etc/security/limits.conf"},
};

constexpr std::uint64_t kLittleMemory = 512 * kMiB;
constexpr std::uint64_t kNoMemory = 128 * kMiB;

Health HealthOf(std::uint64_t amount, std::uint64_t enough, std::uint64_t least) {
  return amount < least ? Health::kFail : amount < enough ? Health::kWarn : Health::kOk;
}

Finding Examine(LimitIndex index) {
  rlimit limit{};
  const LimitRow& row = kLimits[index];
  if (::getrlimit(static_cast<__rlimit_resource>(row.resource), &limit) != 0)
    return {Health::kWarn, "the limit cannot be read"};
  return JudgeLimit(row, {.soft = limit.rlim_cur, .hard = limit.rlim_max});
}

// What the kernel says in "MemAvailable:   123 kB".
std::optional<std::uint64_t> MachineMemory() {
  constexpr std::string_view kLabel = "MemAvailable:";
  const std::string text = ReadFile("/proc/meminfo").value_or("");
  const std::size_t label = text.find(kLabel);
  if (label == std::string::npos) return std::nullopt;
  std::string_view rest = std::string_view(text).substr(label + kLabel.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const auto kib = ParseWhole(rest.substr(0, rest.find(' ')));
  if (!kib) return std::nullopt;
  return static_cast<std::uint64_t>(*kib) * 1024;
}

// What a container may still take; nothing when it has no limit.
std::optional<std::uint64_t> ContainerMemory() {
  const auto most = KernelNumber("/sys/fs/cgroup/memory.max");
  if (!most) return std::nullopt;
  const auto used = KernelNumber("/sys/fs/cgroup/memory.current").value_or(0);
  return static_cast<std::uint64_t>(std::max<std::int64_t>(*most - used, 0));
}

}  // namespace

std::span<const LimitRow> AllLimits() {
  return kLimits;
}

Finding JudgeLimit(const LimitRow& row, const Limit& limit) {
  if (limit.soft == RLIM_INFINITY) return {Health::kOk, "no limit"};
  const Health health = HealthOf(limit.soft, row.enough, row.least);
  if (health == Health::kOk) return {health, row.say(limit.soft)};
  const bool is_ours_to_raise = limit.hard >= row.enough;
  return {health, row.say(limit.soft),
          is_ours_to_raise ? fmt::format("in the shell that starts Falconer: {}", row.in_shell)
                           : fmt::format("as root, before Falconer starts: {}", row.as_root)};
}

Finding JudgeMemory(std::uint64_t available) {
  return {HealthOf(available, kLittleMemory, kNoMemory), Amount(available) + " available",
          "end other programs, or give the machine or container more memory, for Docker: "
          "--memory=2g"};
}

Finding ExamineOpenFiles() {
  return Examine(kOpenFiles);
}

Finding ExamineProcesses() {
  // The kernel does not count root's.
  if (::geteuid() == 0) return {Health::kOk, "no limit for root"};
  return Examine(kProcesses);
}

Finding ExamineMemory() {
  if (Finding space = Examine(kAddressSpace); space.health != Health::kOk) return space;
  const auto machine = MachineMemory();
  const auto container = ContainerMemory();
  if (!machine && !container) return {Health::kOk, "the system does not say how much is available"};
  constexpr auto kAll = std::numeric_limits<std::uint64_t>::max();
  return JudgeMemory(std::min(machine.value_or(kAll), container.value_or(kAll)));
}

Task<Finding> CheckOpenFiles(CallContext /*ctx*/, Visit* /*visit*/) {
  co_return ExamineOpenFiles();
}

Task<Finding> CheckProcesses(CallContext /*ctx*/, Visit* /*visit*/) {
  co_return ExamineProcesses();
}

Task<Finding> CheckMemory(CallContext /*ctx*/, Visit* /*visit*/) {
  co_return ExamineMemory();
}

}  // namespace falconer::app
