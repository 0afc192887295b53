#include "agent/nodes/keeper/keeper_walls.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/mount.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/nodes/keeper/keeper_filter.h"

namespace falconer::agent {
namespace {

// The keeper itself and the first process of its space.
constexpr std::int64_t kOwnProcesses = 2;

bool WriteProcFile(const char* path, const char* text) {
  const int fd = ::open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const auto size = static_cast<ssize_t>(std::strlen(text));
  const bool is_written = ::write(fd, text, std::strlen(text)) == size;
  ::close(fd);
  return is_written;
}

void JoinCgroup(KeeperSite& site) {
  if (site.plan.has_cgroup == 0) return;
  if (::write(kCgroupFd, "0", 1) == 1) site.Add(ChildBound::kCgroup);
  ::close(kCgroupFd);
}

bool BecomeUser(KeeperSite& site) {
  const uid_t user = site.plan.user;
  if (user == 0) return true;
  if (::setgroups(0, nullptr) != 0 || ::setresgid(user, user, user) != 0) return false;
  if (::setresuid(user, user, user) != 0) return false;
  site.Add(ChildBound::kOtherUser);
  return true;
}

// The same numbers inside as outside, and no other ones.
bool MapSelf(uid_t user, gid_t group) {
  char users[64];
  char groups[64];
  std::snprintf(users, sizeof(users), "%u %u 1", user, user);
  std::snprintf(groups, sizeof(groups), "%u %u 1", group, group);
  return WriteProcFile("/proc/self/setgroups", "deny") &&
         WriteProcFile("/proc/self/uid_map", users) && WriteProcFile("/proc/self/gid_map", groups);
}

bool SetReadOnly(const char* path, unsigned flags, bool is_read_only) {
  mount_attr attributes{};
  (is_read_only ? attributes.attr_set : attributes.attr_clr) = MOUNT_ATTR_RDONLY;
  return ::syscall(SYS_mount_setattr, AT_FDCWD, path, flags, &attributes, sizeof(attributes)) == 0;
}

bool HideFolders(const KeeperSite& site) {
  for (int i = 0; i < site.plan.hidden; ++i) {
    const bool is_hidden =
        ::mount("tmpfs", site.hidden[i], "tmpfs", MS_NOSUID | MS_NODEV, "size=4k,mode=0500") == 0;
    if (!is_hidden && errno != ENOENT) return false;
  }
  return true;
}

// Everything can be read as before but what is hidden; written only the child's own folder.
StartStep FreezeFiles(KeeperSite& site) {
  const char* folder = site.plan.folder;
  const bool is_split = ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                        ::mount(folder, folder, nullptr, MS_BIND, nullptr) == 0;
  if (!is_split || !HideFolders(site) || !SetReadOnly("/", AT_RECURSIVE, true))
    return StartStep::kReady;
  if (!SetReadOnly(folder, 0, false)) return StartStep::kNamespaces;
  site.Add(ChildBound::kMountNamespace);
  return StartStep::kReady;
}

StartStep EnterNamespaces(KeeperSite& site) {
  if (site.plan.uses_namespaces == 0) return StartStep::kReady;
  const uid_t user = ::getuid();
  const gid_t group = ::getgid();
  const int network = site.plan.has_network != 0 ? 0 : CLONE_NEWNET;
  // A process that has changed its user may not look at its own files otherwise.
  ::prctl(PR_SET_DUMPABLE, 1);
  if (::unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | network) != 0)
    return StartStep::kReady;
  if (!MapSelf(user, group)) return StartStep::kNamespaces;
  site.Add(ChildBound::kUserNamespace);
  site.Add(ChildBound::kPidNamespace);
  if (network != 0) site.Add(ChildBound::kNetworkNamespace);
  return FreezeFiles(site);
}

bool SetRlimit(decltype(RLIMIT_CPU) what, std::int64_t soft, std::int64_t hard) {
  const rlimit limit{.rlim_cur = static_cast<rlim_t>(soft), .rlim_max = static_cast<rlim_t>(hard)};
  return ::setrlimit(what, &limit) == 0;
}

bool SetRlimitTo(decltype(RLIMIT_CPU) what, std::int64_t most) {
  return SetRlimit(what, most, most);
}

// How many tasks this user has, in all; 0 when that cannot be seen.
std::int64_t CountTasks(uid_t user) {
  DIR* all = ::opendir("/proc");
  if (all == nullptr) return 0;
  std::int64_t count = 0;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): a keeper has one thread
  while (const dirent* entry = ::readdir(all)) {
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
    char path[300];
    std::snprintf(path, sizeof(path), "/proc/%s/task", entry->d_name);
    struct stat facts{};
    // A folder has a link for itself, one from above, and one for each folder in it.
    if (::stat(path, &facts) == 0 && facts.st_uid == user)
      count += std::max<std::int64_t>(1, static_cast<std::int64_t>(facts.st_nlink) - 2);
  }
  ::closedir(all);
  return count;
}

// The kernel counts a user's processes together, but for each user namespace by itself; it does
// not count those of root at all.
bool LimitProcesses(KeeperSite& site) {
  if (::getuid() == 0) return true;
  const bool is_own_count = site.Has(ChildBound::kUserNamespace);
  const std::int64_t others = is_own_count ? kOwnProcesses : CountTasks(::getuid());
  if (others == 0) return true;
  if (!SetRlimitTo(RLIMIT_NPROC, site.plan.processes + others)) return false;
  site.Add(ChildBound::kProcessLimit);
  return true;
}

// The address space is wider than the memory: programs reserve what they never use.
bool SetChildLimits(KeeperSite& site) {
  const KeeperPlan& plan = site.plan;
  const bool is_cpu_free = plan.cpu_seconds == 0;
  const bool are_set =
      (is_cpu_free || SetRlimit(RLIMIT_CPU, plan.cpu_seconds, plan.cpu_seconds + 1)) &&
      SetRlimitTo(RLIMIT_DATA, plan.memory_bytes) &&
      SetRlimitTo(RLIMIT_AS, plan.address_space_bytes) &&
      SetRlimitTo(RLIMIT_FSIZE, plan.file_bytes) && SetRlimitTo(RLIMIT_NOFILE, plan.open_files) &&
      SetRlimitTo(RLIMIT_CORE, 0);
  if (!are_set || !LimitProcesses(site)) return false;
  site.Add(ChildBound::kRlimit);
  return true;
}

}  // namespace

StartStep EnterWalls(KeeperSite& site) {
  JoinCgroup(site);
  if (!BecomeUser(site)) return StartStep::kUser;
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) site.Add(ChildBound::kNoNewPrivileges);
  return EnterNamespaces(site);
}

void ShowOwnProcesses() {
  ::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr);
}

StartStep ConfineProgram(KeeperSite& site) {
  if (::chdir(site.plan.folder) != 0) return StartStep::kFolder;
  if (!SetChildLimits(site)) return StartStep::kLimits;
  const bool is_open = site.plan.has_network != 0;
  if (InstallFilter(is_open ? FilterNetwork::kOpen : FilterNetwork::kClosed))
    site.Add(ChildBound::kSeccomp);
  const bool is_closed = site.Has(ChildBound::kSeccomp) || site.Has(ChildBound::kNetworkNamespace);
  return is_open || is_closed ? StartStep::kReady : StartStep::kNetwork;
}

}  // namespace falconer::agent
