#include "agent/nodes/child_cgroup.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utility>

#include "agent/nodes/child_folder.h"
#include "base/file.h"
#include "base/random.h"
#include "base/text.h"

namespace falconer::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCgroupPrefix = "falconer-child-";
// The keeper and the first process of the child's space.
constexpr std::int64_t kKeepers = 2;
// Clear of the small numbers that a keeper's descriptors are moved to.
constexpr int kLowestDoor = 10;
// Emptying takes the kernel a moment after the last process was ended.
constexpr int kCgroupRemoveTries = 100;

// Files of the kernel take a text in one piece or not at all.
bool WriteCgroupFile(const fs::path& path, std::string_view text) {
  const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file && ::write(file.get(), text.data(), text.size()) == std::ssize(text);
}

std::vector<std::string_view> CgroupLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::optional<fs::path> CgroupMount() {
  const Result<std::string> mounts = ReadFile("/proc/self/mountinfo");
  if (!mounts) return std::nullopt;
  for (const std::string_view line : CgroupLines(*mounts)) {
    if (!line.contains(" - cgroup2 ")) continue;
    // Number, parent, device, root and then the place.
    std::string_view rest = line;
    for (int i = 0; i < 4; ++i) rest.remove_prefix(rest.find(' ') + 1);
    return fs::path(rest.substr(0, rest.find(' ')));
  }
  return std::nullopt;
}

std::optional<fs::path> OwnCgroup() {
  const std::optional<fs::path> mount = CgroupMount();
  const Result<std::string> groups = ReadFile("/proc/self/cgroup");
  if (!mount || !groups) return std::nullopt;
  for (const std::string_view line : CgroupLines(*groups)) {
    if (line.starts_with("0::/")) return *mount / line.substr(4);
  }
  return std::nullopt;
}

// As systemd marks it; without the mark it is not ours, whatever we may write to.
bool IsDelegated(const fs::path& group) {
  char mark = 0;
  return ::getxattr(group.c_str(), "user.delegate", &mark, 1) == 1 && mark == '1';
}

std::vector<fs::path> PossibleParents() {
  const std::optional<fs::path> own = OwnCgroup();
  if (!own) return {};
  std::vector<fs::path> parents;
  if (IsDelegated(own->parent_path())) parents.push_back(own->parent_path());
  parents.push_back(*own);
  return parents;
}

// The number behind a word, as in "oom_kill 3".
std::optional<std::int64_t> NumberBehind(std::string_view text, std::string_view word) {
  for (const std::string_view line : CgroupLines(text)) {
    if (!line.starts_with(word) || line.size() <= word.size() || line[word.size()] != ' ') continue;
    return ParseWhole(line.substr(word.size() + 1));
  }
  return std::nullopt;
}

}  // namespace

std::optional<ChildCgroup> ChildCgroup::Create(const ChildLimits& limits) {
  for (const fs::path& parent : PossibleParents()) {
    const fs::path path = parent / (std::string(kCgroupPrefix) + RandomHex(8));
    if (::mkdir(path.c_str(), 0700) != 0) continue;
    const UniqueFd low(::open((path / "cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
    UniqueFd door(::fcntl(low.get(), F_DUPFD_CLOEXEC, kLowestDoor));
    // Its destructor removes the group if it is of no use.
    ChildCgroup made(path, ClaimFolder(path), std::move(door));
    if (!made.door_) continue;
    made.SetLimits(limits);
    return made;
  }
  return std::nullopt;
}

void ChildCgroup::RemoveAbandoned() {
  std::error_code failed;
  for (const fs::path& parent : PossibleParents()) {
    for (const auto& entry : fs::directory_iterator(parent, failed)) {
      const bool is_named = entry.path().filename().string().starts_with(kCgroupPrefix);
      // One with processes in it cannot be removed.
      if (is_named && ClaimFolder(entry.path())) ::rmdir(entry.path().c_str());
    }
  }
}

ChildCgroup::ChildCgroup(fs::path path, UniqueFd claim, UniqueFd door)
    : path_(std::move(path)), claim_(std::move(claim)), door_(std::move(door)), bounds_{"cgroup"} {
}

ChildCgroup::ChildCgroup(ChildCgroup&& other) noexcept
    : path_(std::exchange(other.path_, {})),
      claim_(std::move(other.claim_)),
      door_(std::move(other.door_)),
      bounds_(std::move(other.bounds_)) {
}

ChildCgroup::~ChildCgroup() {
  if (path_.empty()) return;
  Kill();
  for (int i = 0; i < kCgroupRemoveTries; ++i) {
    if (::rmdir(path_.c_str()) == 0 || errno != EBUSY) return;
    ::usleep(1000);
  }
}

// Controllers have to be handed on first; where others run in the same group that is refused, and
// what is missing is missing in bounds().
void ChildCgroup::SetLimits(const ChildLimits& limits) {
  for (const std::string_view name : {"+memory", "+pids", "+cpu"})
    WriteCgroupFile(path_.parent_path() / "cgroup.subtree_control", name);
  if (WriteCgroupFile(path_ / "memory.max", std::to_string(limits.memory_bytes))) {
    WriteCgroupFile(path_ / "memory.swap.max", "0");
    WriteCgroupFile(path_ / "memory.oom.group", "1");
    bounds_.emplace_back("cgroup_memory");
  }
  if (WriteCgroupFile(path_ / "pids.max", std::to_string(limits.processes + kKeepers)))
    bounds_.emplace_back("cgroup_processes");
  if (WriteCgroupFile(path_ / "cpu.max", "100000 100000")) bounds_.emplace_back("cgroup_cpu");
}

void ChildCgroup::Kill() const {
  WriteCgroupFile(path_ / "cgroup.kill", "1");
}

ChildCgroup::Use ChildCgroup::Read() const {
  Use use;
  if (const auto stat = ReadFile(path_ / "cpu.stat")) {
    if (const auto micros = NumberBehind(*stat, "usage_usec"))
      use.cpu_time = std::chrono::milliseconds(*micros / 1000);
  }
  if (const auto peak = ReadFile(path_ / "memory.peak"))
    use.peak_memory_bytes = ParseWhole(Trim(*peak));
  if (const auto events = ReadFile(path_ / "memory.events"))
    use.is_out_of_memory = NumberBehind(*events, "oom_kill").value_or(0) > 0;
  return use;
}

}  // namespace falconer::agent
