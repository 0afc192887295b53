#include "policy/secrets/run_command.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "base/unique_fd.h"

namespace falconer::policy {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

struct CommandPipe {
  UniqueFd read;
  UniqueFd write;
};

std::string ErrnoText(int number) {
  return std::generic_category().message(number);
}

// A pair of sockets: either end can be read and written.
Result<CommandPipe> MakeCommandPipe() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return Fail(ErrorCode::kToolUnavailable, "socketpair: " + ErrnoText(errno));
  }
  return CommandPipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

struct CommandSpawn {
  CommandSpawn() {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    // Own group: one kill reaches its children. Default signals: ours may be blocked or ignored.
    ::posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t none;
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    sigset_t pipe;
    ::sigemptyset(&pipe);
    ::sigaddset(&pipe, SIGPIPE);
    ::posix_spawnattr_setsigdefault(&attributes, &pipe);
  }
  ~CommandSpawn() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
  CommandSpawn(const CommandSpawn&) = delete;
  CommandSpawn& operator=(const CommandSpawn&) = delete;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

// A program that was started; ends with this object.
class RunningCommand {
 public:
  explicit RunningCommand(pid_t pid) : pid_(pid) {}
  ~RunningCommand() {
    if (pid_ == 0) return;
    ::kill(-pid_, SIGKILL);
    Wait();
  }
  RunningCommand(const RunningCommand&) = delete;
  RunningCommand& operator=(const RunningCommand&) = delete;

  // Its wait status, or nothing when it still runs at the deadline.
  std::optional<int> StatusBy(SteadyTime deadline) {
    const UniqueFd ended(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd watch{ended.get(), POLLIN, 0};
    const int wait = static_cast<int>(std::max<std::int64_t>(left.count(), 0));
    if (ended && ::poll(&watch, 1, wait) == 0) return std::nullopt;
    return Wait();
  }

 private:
  int Wait() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
    return status;
  }

  pid_t pid_;
};

Result<pid_t> SpawnCommand(std::vector<std::string> words, int input, int output) {
  CommandSpawn spawn;
  ::posix_spawn_file_actions_adddup2(&spawn.actions, input, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&spawn.actions, output, STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&spawn.actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t pid = 0;
  const int error = ::posix_spawnp(&pid, pointers[0], &spawn.actions, &spawn.attributes,
                                   pointers.data(), environ);
  if (error == 0) return pid;
  return Fail(ErrorCode::kToolUnavailable, "cannot start " + words[0] + ": " + ErrnoText(error));
}

// Feeds and reads the program until it closes its output.
class CommandTalk {
 public:
  CommandTalk(UniqueFd to, UniqueFd from, const SecretText& input, CommandLimits limits)
      : to_(std::move(to)),
        from_(std::move(from)),
        left_(input.Reveal()),
        output_(SecretText::OfSize(limits.output_bytes + 1)),
        deadline_(std::chrono::steady_clock::now() + limits.timeout) {
    if (left_.empty()) to_.Reset();
  }

  // kToolTimeout or kExecutionError.
  Result<void> Run() {
    while (true) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(
          deadline_ - std::chrono::steady_clock::now());
      if (left.count() <= 0) return Fail(ErrorCode::kToolTimeout, "took too long");
      pollfd ends[] = {{from_.get(), POLLIN, 0}, {to_.get(), POLLOUT, 0}};
      const int ready = ::poll(ends, to_ ? 2 : 1, static_cast<int>(left.count()));
      if (ready < 0 && errno != EINTR) return Fail(ErrorCode::kIoError, ErrnoText(errno));
      if (ready <= 0) continue;
      if (to_ && ends[1].revents != 0) Feed();
      if (ends[0].revents == 0) continue;
      TRY_ASSIGN(const bool is_over, Read());
      if (is_over) return {};
    }
  }
  SecretText TakeOutput() {
    output_.Shrink(size_);
    return std::move(output_);
  }
  SteadyTime deadline() const { return deadline_; }

 private:
  void Feed() {
    // Without a signal: a program that does not read its input must not end us.
    const ssize_t n = ::send(to_.get(), left_.data(), left_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) left_.remove_prefix(static_cast<std::size_t>(n));
    const bool is_closed = n < 0 && errno != EAGAIN && errno != EINTR;
    if (left_.empty() || is_closed) to_.Reset();
  }
  Result<bool> Read() {
    const auto room = output_.Writable().subspan(size_);
    const ssize_t n = ::read(from_.get(), room.data(), room.size());
    if (n < 0) return errno == EINTR ? Result<bool>(false) : Fail(ErrorCode::kIoError, "read");
    size_ += static_cast<std::size_t>(n);
    if (size_ == output_.size()) return Fail(ErrorCode::kExecutionError, "wrote too much");
    return n == 0;
  }

  UniqueFd to_;
  UniqueFd from_;
  std::string_view left_;
  SecretText output_;
  std::size_t size_ = 0;
  SteadyTime deadline_;
};

}  // namespace

Result<SecretText> RunCommand(const std::vector<std::string>& words, const SecretText& input,
                              CommandLimits limits) {
  if (words.empty() || words[0].empty()) {
    return Fail(ErrorCode::kInvalidArgument, "a command without words");
  }
  TRY_ASSIGN(CommandPipe to, MakeCommandPipe());
  TRY_ASSIGN(CommandPipe from, MakeCommandPipe());
  TRY_ASSIGN(const pid_t pid, SpawnCommand(words, to.read.get(), from.write.get()));
  RunningCommand command(pid);
  to.read.Reset();
  from.write.Reset();
  CommandTalk talk(std::move(to.write), std::move(from.read), input, limits);
  if (auto talked = talk.Run(); !talked) return Fail(std::move(talked).error().In(words[0]));
  const auto status = command.StatusBy(talk.deadline());
  if (!status) return Fail(ErrorCode::kToolTimeout, words[0] + ": took too long");
  if (*status == 0) return talk.TakeOutput();
  return Fail(
      ErrorCode::kExecutionError,
      words[0] + (WIFEXITED(*status) ? ": exit code " + std::to_string(WEXITSTATUS(*status))
                                     : ": ended by signal " + std::to_string(WTERMSIG(*status))));
}

}  // namespace falconer::policy
