#include "agent/nodes/child_command.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <ranges>
#include <spawn.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "agent/nodes/keeper/keeper_plan.h"
#include "agent/nodes/keeper_program.h"
#include "base/file.h"

namespace falconer::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUsualPath = "/usr/local/bin:/usr/bin:/bin";
constexpr uid_t kNobody = 65534;
constexpr std::int64_t kMostOpenFiles = 256;
// Interpreters with threads and compilers reserve far more than they use.
constexpr std::int64_t kAddressSpaceFactor = 16;
// Our ends stay clear of the small numbers that the keeper's ends are moved to.
constexpr int kLowestKeptFd = 10;

// All that a child has of our environment.
constexpr const char* kInherited[] = {"PATH", "LANG", "LC_ALL", "LC_CTYPE"};

struct ChildPipe {
  UniqueFd read;
  UniqueFd write;
};

std::unexpected<Error> CannotStart(std::string_view what, int error) {
  return Fail(ErrorCode::kToolUnavailable, "cannot start a child: " + std::string(what) + ": " +
                                               std::generic_category().message(error));
}

Result<ChildPipe> MakeChildPipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return CannotStart("pipe", errno);
  const UniqueFd read(ends[0]);
  const UniqueFd write(ends[1]);
  ChildPipe moved{UniqueFd(::fcntl(ends[0], F_DUPFD_CLOEXEC, kLowestKeptFd)),
                  UniqueFd(::fcntl(ends[1], F_DUPFD_CLOEXEC, kLowestKeptFd))};
  if (!moved.read || !moved.write) return CannotStart("pipe", errno);
  return moved;
}

struct KeeperPipes {
  ChildPipe input;
  ChildPipe output;
  ChildPipe errors;
  ChildPipe plan;
  ChildPipe start;
  ChildPipe end;
};

Result<KeeperPipes> MakeKeeperPipes() {
  KeeperPipes pipes;
  for (ChildPipe* pipe :
       {&pipes.input, &pipes.output, &pipes.errors, &pipes.plan, &pipes.start, &pipes.end}) {
    TRY_ASSIGN(*pipe, MakeChildPipe());
  }
  return pipes;
}

std::string SearchPath(const ChildSpec& spec) {
  const auto named =
      std::ranges::find(spec.environment, "PATH", &std::pair<std::string, std::string>::first);
  if (named != spec.environment.end()) return named->second;
  const char* own = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nothing here sets it
  return own == nullptr || *own == '\0' ? std::string(kUsualPath) : own;
}

Result<std::vector<std::string>> FindIn(const fs::path& program, std::string_view places) {
  std::vector<std::string> found;
  for (const auto place : std::views::split(places, ':')) {
    // An empty place means the folder one stands in: what lies there is not what is meant.
    if (place.empty()) continue;
    const fs::path file = fs::path(place.begin(), place.end()) / program;
    if (file.is_absolute() && ::access(file.c_str(), X_OK) == 0) found.push_back(file.string());
  }
  if (!found.empty()) return found;
  return Fail(ErrorCode::kToolUnavailable, "there is no program " + program.string() + " in PATH");
}

std::vector<std::string> EnvironmentOf(const ChildSpec& spec, const fs::path& folder) {
  std::vector<std::pair<std::string, std::string>> all{{"HOME", folder.string()},
                                                       {"TMPDIR", folder.string()}};
  for (const char* name : kInherited) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here sets it
    if (value != nullptr) all.emplace_back(name, value);
  }
  for (const auto& [name, value] : spec.environment) {
    std::erase_if(all, [&](const auto& one) { return one.first == name; });
    all.emplace_back(name, value);
  }
  std::vector<std::string> variables;
  for (auto& [name, value] : all) variables.push_back(std::move(name.append("=").append(value)));
  return variables;
}

Result<KeeperPlan> PlanOf(const ChildSpec& spec, const KeeperPlace& place, std::size_t candidates) {
  const std::string folder = place.folder.string();
  if (folder.size() >= kLongestFolder) return CannotStart(folder, ENAMETOOLONG);
  const ChildLimits& limits = spec.limits;
  KeeperPlan plan{.parent = ::getpid(),
                  .user = ChildUser(),
                  .uses_namespaces = place.namespaces == UseNamespaces::kYes,
                  .has_network = spec.network == ChildNetwork::kAsParent,
                  .has_cgroup = place.cgroup_door >= 0,
                  .cpu_seconds = limits.cpu_seconds,
                  .memory_bytes = limits.memory_bytes,
                  .address_space_bytes = limits.address_space_bytes != 0
                                             ? limits.address_space_bytes
                                             : limits.memory_bytes * kAddressSpaceFactor,
                  .file_bytes = limits.output_bytes,
                  .processes = limits.processes,
                  .open_files = kMostOpenFiles,
                  .candidates = static_cast<std::int32_t>(candidates),
                  .hidden = static_cast<std::int32_t>(spec.hidden.size())};
  std::memcpy(plan.folder, folder.data(), folder.size());
  return plan;
}

std::vector<std::string> KeeperWords(const ChildSpec& spec, std::vector<std::string> candidates) {
  std::vector<std::string> words{"falconer-keeper"};
  std::ranges::move(candidates, std::back_inserter(words));
  for (const fs::path& folder : spec.hidden) words.push_back(folder.string());
  words.push_back(spec.program.string());
  words.insert(words.end(), spec.arguments.begin(), spec.arguments.end());
  return words;
}

std::vector<char*> WordPointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// posix_spawn's two option objects with the right destructors.
struct KeeperSpawn {
  KeeperSpawn() {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    // A session of its own: no terminal, and one kill reaches all of it. Signals as they are by
    // default: ours are ignored or blocked.
    ::posix_spawnattr_setflags(&attributes,
                               POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
  }
  ~KeeperSpawn() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
  KeeperSpawn(const KeeperSpawn&) = delete;
  KeeperSpawn& operator=(const KeeperSpawn&) = delete;

  void Give(int fd, int as) { ::posix_spawn_file_actions_adddup2(&actions, fd, as); }

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

void GivePipes(KeeperSpawn& spawn, const KeeperPipes& pipes, int cgroup_door) {
  spawn.Give(pipes.input.read.get(), STDIN_FILENO);
  spawn.Give(pipes.output.write.get(), STDOUT_FILENO);
  spawn.Give(pipes.errors.write.get(), STDERR_FILENO);
  spawn.Give(pipes.plan.read.get(), kPlanFd);
  spawn.Give(pipes.start.write.get(), kStartFd);
  spawn.Give(pipes.end.write.get(), kEndFd);
  if (cgroup_door >= 0) spawn.Give(cgroup_door, kCgroupFd);
  const int first_closed = cgroup_door >= 0 ? kCgroupFd + 1 : kCgroupFd;
  ::posix_spawn_file_actions_addclosefrom_np(&spawn.actions, first_closed);
}

}  // namespace

uid_t ChildUser() {
  return ::geteuid() == 0 ? kNobody : 0;
}

Result<std::vector<std::string>> FindProgram(const ChildSpec& spec) {
  const fs::path& program = spec.program;
  if (!program.string().contains('/')) return FindIn(program, SearchPath(spec));
  if (::access(program.c_str(), F_OK) != 0)
    return Fail(ErrorCode::kToolUnavailable, "there is no program " + program.string());
  return std::vector<std::string>{fs::absolute(program).string()};
}

Result<StartedKeeper> StartKeeper(const ChildSpec& spec, const KeeperPlace& place) {
  TRY_ASSIGN(std::vector<std::string> candidates, FindProgram(spec));
  TRY_ASSIGN(const std::string keeper, KeeperPath());
  TRY_ASSIGN(const KeeperPlan plan, PlanOf(spec, place, candidates.size()));
  TRY_ASSIGN(KeeperPipes pipes, MakeKeeperPipes());
  const std::string_view bytes(reinterpret_cast<const char*>(&plan), sizeof(plan));
  TRY(WriteAll(pipes.plan.write.get(), "the plan of a child", bytes));
  std::vector<std::string> words = KeeperWords(spec, std::move(candidates));
  std::vector<std::string> environment = EnvironmentOf(spec, place.folder);
  KeeperSpawn spawn;
  GivePipes(spawn, pipes, place.cgroup_door);
  pid_t pid = 0;
  const int error = ::posix_spawn(&pid, keeper.c_str(), &spawn.actions, &spawn.attributes,
                                  WordPointers(words).data(), WordPointers(environment).data());
  if (error != 0) return CannotStart("its keeper", error);
  return StartedKeeper{.pid = pid,
                       .input = std::move(pipes.input.write),
                       .output = std::move(pipes.output.read),
                       .errors = std::move(pipes.errors.read),
                       .start = std::move(pipes.start.read),
                       .end = std::move(pipes.end.read)};
}

}  // namespace falconer::agent
