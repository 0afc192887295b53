// The keeper of one child. See keeper_plan.h for what it is told and what it tells.

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/nodes/keeper/keeper_walls.h"

namespace falconer::agent {
namespace {

constexpr int kCannotRun = 127;
constexpr std::int64_t kBytesPerKibibyte = 1024;

// Whom signals are passed on to: a process, or a group by its negative number.
volatile pid_t asked = 0;
volatile pid_t killed = 0;

void PassOn(int signal) {
  const int kept = errno;
  if (signal == SIGTERM && asked != 0) ::kill(asked, SIGTERM);
  if (signal == kKillSignal && killed != 0) ::kill(killed, SIGKILL);
  // The leader of a group can go over to another one.
  if (signal == kKillSignal && killed < 0) ::kill(-killed, SIGKILL);
  errno = kept;
}

sigset_t OwnSignals() {
  sigset_t own;
  ::sigemptyset(&own);
  ::sigaddset(&own, SIGTERM);
  ::sigaddset(&own, kKillSignal);
  return own;
}

// Held back until it is known whom they are for.
void HoldSignals() {
  const sigset_t own = OwnSignals();
  ::pthread_sigmask(SIG_BLOCK, &own, nullptr);
  struct sigaction pass{};
  pass.sa_handler = PassOn;
  pass.sa_flags = SA_RESTART;
  ::sigaction(SIGTERM, &pass, nullptr);
  ::sigaction(kKillSignal, &pass, nullptr);
}

void TakeSignals(pid_t ask, pid_t kill) {
  asked = ask;
  killed = kill;
  const sigset_t own = OwnSignals();
  ::pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
}

void ReleaseSignals() {
  ::signal(SIGTERM, SIG_DFL);
  ::signal(kKillSignal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void GiveUp(const KeeperSite& site, StartStep step) {
  const StartReport report{.step = step, .error = errno, .bounds = site.bounds};
  [[maybe_unused]] const auto told = ::write(kStartFd, &report, sizeof(report));
  ::_exit(kCannotRun);
}

// Its parent may have ended already: then nobody would send the signal.
void DieWith(pid_t parent, int signal) {
  ::prctl(PR_SET_PDEATHSIG, signal);
  if (::getppid() != parent) ::_exit(kCannotRun);
}

// The first of the files that can be run.
[[noreturn]] void RunProgram(KeeperSite& site, char** candidates, char** words) {
  ::setpgid(0, 0);
  ReleaseSignals();
  const StartStep step = ConfineProgram(site);
  if (step != StartStep::kReady) GiveUp(site, step);
  const StartReport report{.step = StartStep::kReady, .error = 0, .bounds = site.bounds};
  if (::write(kStartFd, &report, sizeof(report)) != sizeof(report)) ::_exit(kCannotRun);
  int why = ENOENT;
  for (int i = 0; i < site.plan.candidates; ++i) {
    ::execv(candidates[i], words);
    if (errno != ENOENT && errno != ENOTDIR) why = errno;
  }
  errno = why;
  GiveUp(site, StartStep::kProgram);
}

// Until this one has ended; whatever else ends meanwhile is an orphan of it.
int WaitFor(pid_t child) {
  int status = 0;
  while (true) {
    const pid_t ended = ::waitpid(-1, &status, 0);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR) return SIGKILL;
  }
}

// One child of this process, 0 when there is none.
pid_t AnyChild() {
  std::FILE* list = std::fopen("/proc/thread-self/children", "re");
  if (list == nullptr) return 0;
  int child = 0;
  const bool is_read = std::fscanf(list, "%d", &child) == 1;
  std::fclose(list);
  return is_read ? child : 0;
}

// Orphans come to us, each when its parent ends: until no more come.
void EndOrphans() {
  for (pid_t child = AnyChild(); child != 0; child = AnyChild()) {
    int status = 0;
    ::kill(child, SIGKILL);
    if (::waitpid(child, &status, 0) < 0 && errno != EINTR) return;
  }
}

[[noreturn]] void Supervise(const KeeperSite& site, pid_t program) {
  ::setpgid(program, program);
  ::close(kStartFd);
  TakeSignals(-program, -program);
  const int status = WaitFor(program);
  killed = 0;
  asked = 0;
  // The kernel does it in a space of processes that has lost its first.
  if (!site.Has(ChildBound::kPidNamespace)) EndOrphans();
  rusage use{};
  ::getrusage(RUSAGE_CHILDREN, &use);
  const EndReport report{.status = status,
                         .peak_memory_bytes = std::int64_t{use.ru_maxrss} * kBytesPerKibibyte};
  [[maybe_unused]] const auto told = ::write(kEndFd, &report, sizeof(report));
  ::_exit(0);
}

[[noreturn]] void StartProgram(KeeperSite& site, char** candidates, char** words) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  // What runs with the same rights shall not look into a keeper.
  ::prctl(PR_SET_DUMPABLE, 0);
  const pid_t self = ::getpid();
  const pid_t program = ::fork();
  if (program < 0) GiveUp(site, StartStep::kProcess);
  if (program > 0) Supervise(site, program);
  DieWith(self, SIGKILL);
  RunProgram(site, candidates, words);
}

// The first process of the new space: when it ends, the kernel ends all others there.
[[noreturn]] void StartSpace(KeeperSite& site, char** candidates, char** words) {
  const pid_t first = ::fork();
  if (first < 0) GiveUp(site, StartStep::kProcess);
  if (first == 0) {
    // Its parent has no number here.
    DieWith(0, SIGKILL);
    ShowOwnProcesses();
    StartProgram(site, candidates, words);
  }
  ::prctl(PR_SET_DUMPABLE, 0);
  ::close(kStartFd);
  ::close(kEndFd);
  TakeSignals(first, first);
  WaitFor(first);
  ::_exit(0);
}

bool ReadPlan(KeeperPlan& plan) {
  const bool is_whole = ::read(kPlanFd, &plan, sizeof(plan)) == sizeof(plan);
  ::close(kPlanFd);
  ::fcntl(kStartFd, F_SETFD, FD_CLOEXEC);
  ::fcntl(kEndFd, F_SETFD, FD_CLOEXEC);
  if (plan.has_cgroup != 0) ::fcntl(kCgroupFd, F_SETFD, FD_CLOEXEC);
  return is_whole;
}

int Keep(int count, char** arguments) {
  KeeperSite site{};
  if (!ReadPlan(site.plan)) GiveUp(site, StartStep::kPlan);
  if (count <= 1 + site.plan.candidates + site.plan.hidden) GiveUp(site, StartStep::kPlan);
  char** candidates = arguments + 1;
  site.hidden = candidates + site.plan.candidates;
  char** words = site.hidden + site.plan.hidden;
  HoldSignals();
  const StartStep step = EnterWalls(site);
  if (step != StartStep::kReady) GiveUp(site, step);
  // After the user was changed, which would undo it.
  DieWith(site.plan.parent, kKillSignal);
  if (site.Has(ChildBound::kPidNamespace)) StartSpace(site, candidates, words);
  StartProgram(site, candidates, words);
}

}  // namespace
}  // namespace falconer::agent

int main(int count, char** arguments) {
  return falconer::agent::Keep(count, arguments);
}
