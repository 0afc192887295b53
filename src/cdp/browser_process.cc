#include "cdp/browser_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <deque>
#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <boost/asio/posix/stream_descriptor.hpp>

#include "base/async/alarm.h"
#include "base/async/event_hub.h"
#include "base/log.h"
#include "base/unique_fd.h"
#include "cdp/browser_folder.h"
#include "cdp/pipe_transport.h"

namespace falconer::cdp {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kKeptLines = 40;
constexpr std::size_t kLongestLine = 500;
// The browser reads commands from this descriptor and writes to the next one.
constexpr int kBrowserReads = 3;
constexpr int kBrowserWrites = 4;
// Our ends stay clear of the small numbers that the child's ends are moved to.
constexpr int kLowestOwnFd = 10;

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};

Result<Pipe> MakePipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return Fail(ErrorCode::kBrowserLaunchFailed, "pipe: " + std::generic_category().message(errno));
  }
  const UniqueFd read(ends[0]);
  const UniqueFd write(ends[1]);
  Pipe moved{UniqueFd(::fcntl(ends[0], F_DUPFD_CLOEXEC, kLowestOwnFd)),
             UniqueFd(::fcntl(ends[1], F_DUPFD_CLOEXEC, kLowestOwnFd))};
  if (!moved.read || !moved.write) {
    return Fail(ErrorCode::kBrowserLaunchFailed, "pipe: " + std::generic_category().message(errno));
  }
  return moved;
}

// posix_spawn's two option objects with the right destructors.
struct SpawnOptions {
  SpawnOptions() {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    // Own group: one kill reaches zygote, GPU and renderers. Default signals: ours may be blocked.
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t none;
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigmask(&attributes, &none);
  }
  ~SpawnOptions() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
  SpawnOptions(const SpawnOptions&) = delete;
  SpawnOptions& operator=(const SpawnOptions&) = delete;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

// Our environment with TMPDIR moved: killed browsers leave sockets in the temporary folder. What is
// ours stays here: secrets may be in it.
std::vector<std::string> Environment(const std::filesystem::path& temp) {
  std::vector<std::string> variables{"TMPDIR=" + temp.string()};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable(*entry);
    const bool is_ours = variable.starts_with("TMPDIR=") || variable.starts_with("FALCONER_");
    if (!is_ours) variables.emplace_back(variable);
  }
  return variables;
}

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (std::string& s : strings) pointers.push_back(s.data());
  pointers.push_back(nullptr);
  return pointers;
}

int ExitStatus(const siginfo_t& info) {
  return info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
}

}  // namespace

struct BrowserProcess::State : std::enable_shared_from_this<BrowserProcess::State> {
  State(const Executor& executor, BrowserFolder dir)
      : folder(std::move(dir)), errors(executor), exit_watch(executor) {}

  void ReadErrors() {
    errors.async_read_some(
        asio::buffer(chunk),
        [self = shared_from_this()](const boost::system::error_code& ec, std::size_t n) {
          if (ec) return;
          self->KeepLines(std::string_view(self->chunk.data(), n));
          self->ReadErrors();
        });
  }

  void KeepLines(std::string_view text) {
    for (const char c : text) {
      if (c != '\n' && line.size() < kLongestLine) line.push_back(c);
      if (c != '\n') continue;
      lines.push_back(std::exchange(line, {}));
      if (lines.size() > kKeptLines) lines.pop_front();
    }
  }

  // The kernel makes the pidfd readable when the process has ended.
  void WatchExit() {
    exit_watch.async_wait(asio::posix::stream_descriptor::wait_read,
                          [self = shared_from_this()](const boost::system::error_code& ec) {
                            if (!ec) self->Reap(WNOHANG);
                          });
  }

  void Reap(int flags) {
    if (status) return;
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | flags) != 0 || info.si_pid == 0)
      return;
    status = ExitStatus(info);
    on_exit.Emit();
  }

  // Once only: afterwards the number may belong to someone else's group.
  void Kill() {
    if (std::exchange(is_over, true)) return;
    ::kill(-pid, SIGKILL);
    Reap(0);
  }

  pid_t pid = 0;
  bool is_over = false;
  // Removed with the browser, before the last handlers have let go of this state.
  std::optional<BrowserFolder> folder;
  std::unique_ptr<Transport> transport;
  asio::posix::stream_descriptor errors;
  asio::posix::stream_descriptor exit_watch;
  std::array<char, 4096> chunk;
  std::string line;
  std::deque<std::string> lines;
  std::optional<int> status;
  EventHub<> on_exit;
};

namespace {

// The three pipes of a browser.
struct Pipes {
  Pipe commands;
  Pipe answers;
  Pipe errors;
};

Result<Pipes> MakePipes() {
  TRY_ASSIGN(Pipe commands, MakePipe());
  TRY_ASSIGN(Pipe answers, MakePipe());
  TRY_ASSIGN(Pipe errors, MakePipe());
  return Pipes{std::move(commands), std::move(answers), std::move(errors)};
}

std::vector<std::string> CommandLine(const LaunchOptions& options, const BrowserFolder& folder) {
  std::vector<std::string> words{options.executable.string()};
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  words.push_back("--user-data-dir=" + folder.profile().string());
  words.emplace_back("--remote-debugging-pipe");
  return words;
}

Result<pid_t> Spawn(const LaunchOptions& options, const BrowserFolder& folder, const Pipes& pipes) {
  std::vector<std::string> arguments = CommandLine(options, folder);
  std::vector<std::string> environment = Environment(folder.temp());
  SpawnOptions spawn;
  ::posix_spawn_file_actions_addopen(&spawn.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&spawn.actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_adddup2(&spawn.actions, pipes.errors.write.get(), STDERR_FILENO);
  ::posix_spawn_file_actions_adddup2(&spawn.actions, pipes.commands.read.get(), kBrowserReads);
  ::posix_spawn_file_actions_adddup2(&spawn.actions, pipes.answers.write.get(), kBrowserWrites);
  // Not every library opens its files so that they stay here: a connection that the browser holds
  // as well would not end with ours.
  ::posix_spawn_file_actions_addclosefrom_np(&spawn.actions, kBrowserWrites + 1);
  pid_t pid = 0;
  const int error =
      ::posix_spawn(&pid, options.executable.c_str(), &spawn.actions, &spawn.attributes,
                    Pointers(arguments).data(), Pointers(environment).data());
  if (error == 0) return pid;
  return Fail(ErrorCode::kBrowserLaunchFailed, "cannot start " + options.executable.string() +
                                                   ": " + std::generic_category().message(error));
}

}  // namespace

Result<std::unique_ptr<BrowserProcess>> BrowserProcess::Launch(const Executor& executor,
                                                               const LaunchOptions& options) {
  RemoveAbandonedFolders();
  TRY_ASSIGN(BrowserFolder folder, BrowserFolder::Create());
  TRY_ASSIGN(Pipes pipes, MakePipes());
  TRY_ASSIGN(const pid_t pid, Spawn(options, folder, pipes));
  auto state = std::make_shared<State>(executor, std::move(folder));
  state->pid = pid;
  state->transport = std::make_unique<PipeTransport>(executor, std::move(pipes.answers.read),
                                                     std::move(pipes.commands.write));
  state->errors.assign(pipes.errors.read.Release());
  UniqueFd ended(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!ended) {
    const int why = errno;
    state->Kill();
    return Fail(ErrorCode::kBrowserLaunchFailed,
                "cannot watch the browser's process: " + std::generic_category().message(why));
  }
  state->exit_watch.assign(ended.Release());
  state->ReadErrors();
  state->WatchExit();
  return std::unique_ptr<BrowserProcess>(new BrowserProcess(std::move(state)));
}

BrowserProcess::BrowserProcess(std::shared_ptr<State> state) : state_(std::move(state)) {
}

BrowserProcess::~BrowserProcess() {
  Kill();
  boost::system::error_code ignored;
  state_->errors.close(ignored);
  state_->exit_watch.close(ignored);
  state_->folder.reset();
}

std::unique_ptr<Transport> BrowserProcess::TakeTransport() {
  return std::move(state_->transport);
}

Task<void> BrowserProcess::WaitForExit(CallContext ctx) {
  Alarm ended(ctx.executor(), ctx.clock());
  const auto subscription = state_->on_exit.Subscribe([&] { ended.Signal(); });
  if (is_running()) co_await ended.Wait(ctx.deadline());
  Kill();
}

// Children may outlive the leader for a moment: the group is signalled in any case.
void BrowserProcess::Kill() {
  state_->Kill();
}

int BrowserProcess::pid() const {
  return state_->pid;
}

bool BrowserProcess::is_running() const {
  state_->Reap(WNOHANG);
  return !state_->status;
}

std::optional<int> BrowserProcess::exit_status() const {
  return state_->status;
}

std::string BrowserProcess::LastWords() const {
  std::string words;
  for (const std::string& line : state_->lines) words += line + "\n";
  return words + state_->line;
}

namespace {

struct KnownFailure {
  std::string_view text;
  std::string_view meaning;
};

constexpr KnownFailure kKnownFailures[] = {
    {"No usable sandbox!",
     "the kernel offers Chromium no sandbox: enable unprivileged user "
     "namespaces or install chromium-sandbox; browser.sandbox=off is the last resort"},
    {"crbug.com/357670", "the setuid sandbox helper is not usable: check chromium-sandbox"},
    {"Running as root without --no-sandbox",
     "Chromium refuses to run as root with its sandbox: run "
     "as an ordinary user, or set browser.sandbox=off"},
    {"Failed to create a ProcessSingleton", "another browser uses this profile folder"},
    {"Opening in existing browser session", "another browser uses this profile folder"},
    {"Missing X server", "a visible window needs a display: set DISPLAY or browser.headless=true"},
    {"error while loading shared libraries",
     "a library of the browser is missing: reinstall chromium"},
    {"Inconsistency detected by ld.so", "the dynamic linker failed; this is transient, try again"},
    {"No space left on device", "the disk is full"},
};

}  // namespace

std::string ExplainLaunchFailure(std::string_view last_words) {
  for (const KnownFailure& known : kKnownFailures) {
    if (last_words.contains(known.text)) return std::string(known.meaning);
  }
  const auto last = last_words.find_last_not_of('\n');
  if (last == std::string_view::npos) return "the browser ended without a word";
  const auto start = last_words.rfind('\n', last);
  return "the browser said: " + std::string(last_words.substr(
                                    start == std::string_view::npos ? 0 : start + 1, last - start));
}

}  // namespace falconer::cdp
