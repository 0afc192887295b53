#include "agent/nodes/child_process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <boost/asio/posix/stream_descriptor.hpp>

#include "agent/nodes/child_cgroup.h"
#include "agent/nodes/child_command.h"
#include "agent/nodes/child_folder.h"
#include "agent/nodes/fd_reader.h"
#include "agent/nodes/keeper/keeper_plan.h"
#include "base/async/notifier.h"
#include "base/json/json_reader.h"

namespace falconer::agent {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kKeptErrors = 4096;
constexpr std::size_t kMostReports = 4096;
// A keeper that was told to kill does so at once; one that does not is killed itself.
constexpr auto kKeeperTime = std::chrono::seconds(5);

constexpr EnumName<ChildBound> kBoundNames[] = {
    {ChildBound::kRlimit, "rlimit"},
    {ChildBound::kNoNewPrivileges, "no_new_privs"},
    {ChildBound::kSeccomp, "seccomp"},
    {ChildBound::kProcessLimit, "process_limit"},
    {ChildBound::kOtherUser, "other_user"},
    {ChildBound::kUserNamespace, "user_namespace"},
    {ChildBound::kPidNamespace, "pid_namespace"},
    {ChildBound::kNetworkNamespace, "network_namespace"},
    {ChildBound::kMountNamespace, "mount_namespace"},
};

constexpr EnumName<StartStep> kStepNames[] = {
    {StartStep::kPlan, "its plan"},
    {StartStep::kUser, "its user"},
    {StartStep::kNamespaces, "its namespaces"},
    {StartStep::kFolder, "its folder"},
    {StartStep::kLimits, "its limits"},
    {StartStep::kNetwork, "nothing here can keep it off the network"},
    {StartStep::kProcess, "its process"},
    {StartStep::kProgram, "the program"},
};

// Some systems let a namespace be made and then nothing be done in it. Known after the first try.
bool namespaces_fail = false;

std::unexpected<Error> StartFailure(const ChildSpec& spec, StartStep step, int error) {
  return Fail(ErrorCode::kToolUnavailable, "cannot run " + spec.program.string() + ": " +
                                               std::string(NameIn(kStepNames, step)) + ": " +
                                               std::generic_category().message(error));
}

// The last report counts: the program may fail to run after everything was ready.
Result<StartReport> LastReport(const ChildSpec& spec, std::string_view bytes) {
  if (bytes.size() < sizeof(StartReport)) return StartFailure(spec, StartStep::kProcess, ECHILD);
  StartReport report;
  std::memcpy(&report, bytes.data() + bytes.size() - sizeof(report), sizeof(report));
  if (report.step == StartStep::kReady) return report;
  if (report.step == StartStep::kNamespaces) namespaces_fail = true;
  return StartFailure(spec, report.step, report.error);
}

std::chrono::milliseconds CpuTimeOf(const rusage& use) {
  const auto millis = [](const timeval& time) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec));
  };
  return millis(use.ru_utime) + millis(use.ru_stime);
}

// What a process before us left, once.
void CleanUpOnce() {
  [[maybe_unused]] static const bool is_clean =
      (RemoveAbandonedChildFolders(), ChildCgroup::RemoveAbandoned(), true);
}

}  // namespace

struct ChildProcess::State : std::enable_shared_from_this<ChildProcess::State> {
  State(const Executor& executor, ChildFolder dir, const ChildLimits& limits)
      : folder(std::move(dir)), cgroup(ChildCgroup::Create(limits)), exit_watch(executor) {}

  KeeperPlace place() const {
    return {.folder = folder->path(),
            .cgroup_door = cgroup ? cgroup->door().get() : -1,
            .namespaces = namespaces_fail ? UseNamespaces::kNo : UseNamespaces::kYes};
  }

  // Takes over the pipes of a keeper that was started.
  Result<void> Watch(const ChildSpec& spec, StartedKeeper keeper) {
    input = std::move(keeper.input);
    output = std::move(keeper.output);
    end = std::move(keeper.end);
    errors = std::make_unique<FdReader>(
        exit_watch.get_executor(), std::move(keeper.errors),
        FdReader::Limit{.most = kKeptErrors, .keep = FdReader::Keep::kLast});
    UniqueFd ended(static_cast<int>(::syscall(SYS_pidfd_open, keeper.pid, 0)));
    if (!ended) return StartFailure(spec, StartStep::kProcess, errno);
    exit_watch.assign(ended.Release());
    WatchExit();
    return {};
  }

  // The kernel makes the pidfd readable when the keeper has ended.
  void WatchExit() {
    exit_watch.async_wait(asio::posix::stream_descriptor::wait_read,
                          [self = shared_from_this()](const boost::system::error_code& ec) {
                            if (!ec) self->Reap(WNOHANG);
                          });
  }

  void Reap(int flags) {
    if (exit || pid == 0) return;
    int keeper_status = 0;
    rusage use{};
    pid_t ended = -1;
    while ((ended = ::wait4(pid, &keeper_status, flags, &use)) < 0 && errno == EINTR) {
    }
    if (ended == 0) return;
    exit.emplace(ExitOf(use));
    if (errors) errors->Drain();
    changed.NotifyAll();
    on_exit.Emit();
  }

  ChildExit ExitOf(const rusage& use) const {
    ChildExit out{.status = SIGKILL, .cpu_time = CpuTimeOf(use), .peak_memory_bytes = 0};
    EndReport report;
    if (::read(end.get(), &report, sizeof(report)) == sizeof(report)) {
      out.status = report.status;
      out.peak_memory_bytes = report.peak_memory_bytes;
    }
    if (!cgroup) return out;
    const ChildCgroup::Use group = cgroup->Read();
    out.cpu_time = std::max(out.cpu_time, group.cpu_time.value_or(out.cpu_time));
    out.peak_memory_bytes = group.peak_memory_bytes.value_or(out.peak_memory_bytes);
    out.is_out_of_memory = group.is_out_of_memory;
    return out;
  }

  void Signal(int signal) const {
    if (!exit && pid != 0) ::kill(pid, signal);
  }

  // The keeper's own group: what the program starts is in others, and ends with the keeper where it
  // has a space of its own.
  void KillKeeper() const {
    if (cgroup) cgroup->Kill();
    if (!exit && pid != 0) ::kill(-pid, SIGKILL);
  }

  void KillAndWait() {
    Signal(kKillSignal);
    pollfd watched{.fd = exit_watch.native_handle(), .events = POLLIN, .revents = 0};
    const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(kKeeperTime);
    const int ready =
        exit_watch.is_open() ? ::poll(&watched, 1, static_cast<int>(millis.count())) : 0;
    if (ready != 1) KillKeeper();
    Reap(0);
  }

  void SetBounds(std::uint32_t bits) {
    for (const auto& [bound, name] : kBoundNames) {
      if ((bits & BitOf(bound)) != 0) bounds.emplace_back(name);
    }
    if (cgroup && (bits & BitOf(ChildBound::kCgroup)) != 0)
      bounds.insert(bounds.end(), cgroup->bounds().begin(), cgroup->bounds().end());
  }

  pid_t pid = 0;
  // Both go before the last handlers have let go of this state.
  std::optional<ChildFolder> folder;
  std::optional<ChildCgroup> cgroup;
  UniqueFd input;
  UniqueFd output;
  UniqueFd end;
  std::unique_ptr<FdReader> errors;
  asio::posix::stream_descriptor exit_watch;
  std::optional<ChildExit> exit;
  std::vector<std::string> bounds;
  Notifier changed;
  EventHub<> on_exit;
};

Task<Result<std::unique_ptr<ChildProcess>>> ChildProcess::Start(CallContext ctx,
                                                                const ChildSpec* spec) {
  const bool could_fail = !namespaces_fail;
  auto started = co_await TryStart(ctx, spec);
  const bool is_retried = could_fail && namespaces_fail && !started;
  if (is_retried) co_return co_await TryStart(ctx, spec);
  co_return started;
}

Task<Result<std::unique_ptr<ChildProcess>>> ChildProcess::TryStart(CallContext ctx,
                                                                   const ChildSpec* spec) {
  CO_TRY(ctx.StillWanted("a child"));
  CleanUpOnce();
  CO_TRY_ASSIGN(ChildFolder folder, ChildFolder::Create());
  auto state = std::make_shared<State>(ctx.executor(), std::move(folder), spec->limits);
  CO_TRY_ASSIGN(StartedKeeper keeper, StartKeeper(*spec, state->place()));
  state->pid = keeper.pid;
  // From here on it is ended whatever happens.
  std::unique_ptr<ChildProcess> child(new ChildProcess(state));
  const FdReader reports(ctx.executor(), std::move(keeper.start),
                         {.most = kMostReports, .keep = FdReader::Keep::kFirst},
                         [state] { state->changed.NotifyAll(); });
  CO_TRY(state->Watch(*spec, std::move(keeper)));
  CO_TRY(co_await state->changed.Until(
      ctx, [&reports] { return reports.is_ended(); }, "a child to start"));
  CO_TRY_ASSIGN(const StartReport report, LastReport(*spec, reports.text()));
  state->SetBounds(report.bounds);
  co_return child;
}

ChildProcess::ChildProcess(std::shared_ptr<State> state) : state_(std::move(state)) {
}

ChildProcess::~ChildProcess() {
  if (!state_->exit) state_->KillAndWait();
  boost::system::error_code ignored;
  state_->exit_watch.close(ignored);
  state_->errors.reset();
  state_->cgroup.reset();
  state_->folder.reset();
}

UniqueFd ChildProcess::TakeInput() {
  return std::move(state_->input);
}

UniqueFd ChildProcess::TakeOutput() {
  return std::move(state_->output);
}

void ChildProcess::AskToEnd() {
  state_->Signal(SIGTERM);
}

void ChildProcess::Kill() {
  state_->Signal(kKillSignal);
}

Task<void> ChildProcess::End(CallContext ctx, std::chrono::milliseconds grace) {
  const CallContext plain(ctx.executor(), ctx.clock());
  AskToEnd();
  const bool has_ended = (co_await WaitForExit(plain.WithTimeout(grace))).has_value();
  if (has_ended) co_return;
  Kill();
  const bool is_killed = (co_await WaitForExit(plain.WithTimeout(kKeeperTime))).has_value();
  if (!is_killed) state_->KillAndWait();
}

Task<Result<void>> ChildProcess::WaitForExit(CallContext ctx) {
  const auto state = state_;
  co_return co_await state->changed.Until(
      std::move(ctx), [state] { return state->exit.has_value(); }, "a child to end");
}

Subscription ChildProcess::OnExit(std::function<void()> tell) {
  return state_->on_exit.Subscribe(std::move(tell));
}

ChildUse ChildProcess::use() const {
  if (state_->exit) return {state_->exit->cpu_time, state_->exit->peak_memory_bytes};
  return UseOfProcess(state_->pid);
}

const std::optional<ChildExit>& ChildProcess::exit() const {
  return state_->exit;
}

std::string ChildProcess::last_errors() const {
  if (!state_->errors) return {};
  state_->errors->Pull();
  return state_->errors->text();
}

const std::vector<std::string>& ChildProcess::bounds() const {
  return state_->bounds;
}

}  // namespace falconer::agent
