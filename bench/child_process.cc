#include "bench/child_process.h"

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>

namespace falconer::bench {
namespace {

constexpr int kGraceMillis = 5000;
// Above every descriptor a child wants for itself, so that moving one end never overwrites the
// other.
constexpr int kHighFd = 32;

struct Pipe {
  Fd read_end;
  Fd write_end;
};

Outcome<Pipe> MakePipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Fail("cannot create a pipe");
  const Fd low_read(ends[0]);
  const Fd low_write(ends[1]);
  Pipe pipe{Fd(fcntl(ends[0], F_DUPFD_CLOEXEC, kHighFd)),
            Fd(fcntl(ends[1], F_DUPFD_CLOEXEC, kHighFd))};
  if (!pipe.read_end.is_open() || !pipe.write_end.is_open()) return Fail("out of file descriptors");
  // A page read is hundreds of KiB: with the default 64 KiB both sides would wake for every piece.
  fcntl(pipe.read_end.get(), F_SETPIPE_SZ, 1 << 20);
  return pipe;
}

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size());
  for (const auto& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  return out;
}

// The POSIX objects that describe a start, released together.
struct SpawnPlan {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;

  SpawnPlan() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF);
    // We ignore SIGPIPE to see a dead child as an error; the child itself must not inherit that.
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  void Open(int fd, const char* path, int flags) {
    posix_spawn_file_actions_addopen(&actions, fd, path, flags, 0600);
  }
  void Move(const Fd& from, int to) { posix_spawn_file_actions_adddup2(&actions, from.get(), to); }
};

}  // namespace

Outcome<std::unique_ptr<ChildProcess>> ChildProcess::Start(const ChildSpec& spec) {
  BENCH_TRY_ASSIGN(Pipe down, MakePipe());
  BENCH_TRY_ASSIGN(Pipe up, MakePipe());
  SpawnPlan plan;
  plan.Open(0, "/dev/null", O_RDONLY);
  plan.Open(1, "/dev/null", O_WRONLY);
  plan.Open(2, spec.stderr_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
  plan.Move(down.read_end, spec.reads_from);
  plan.Move(up.write_end, spec.writes_to);

  auto argv = Pointers(spec.argv);
  argv.push_back(nullptr);
  auto environment = Pointers(spec.environment);
  for (char** entry = environ; *entry != nullptr; ++entry) environment.push_back(*entry);
  environment.push_back(nullptr);
  pid_t pid = 0;
  const int failed =
      posix_spawnp(&pid, argv[0], &plan.actions, &plan.attributes, argv.data(), environment.data());
  if (failed != 0)
    return Fail("cannot start " + spec.argv[0] + ": " + std::generic_category().message(failed));
  return std::make_unique<ChildProcess>(pid, std::move(down.write_end), std::move(up.read_end));
}

ChildProcess::ChildProcess(pid_t pid, Fd to_child, Fd from_child)
    : pid_(pid), to_child_(std::move(to_child)), from_child_(std::move(from_child)) {
}

ChildProcess::~ChildProcess() {
  to_child_.Reset();
  from_child_.Reset();
  const Fd watched(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  pollfd ended{watched.get(), POLLIN, 0};
  // The end of its pipe tells a child to go; the signal is for one that does not listen, and
  // reaches its whole session because the browser is a tree of processes.
  if (poll(&ended, 1, kGraceMillis) <= 0) kill(-pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

Outcome<void> LineChannel::Write(const std::string& line) {
  const std::string text = line + "\n";
  std::size_t done = 0;
  while (done < text.size()) {
    const auto sent = write(child_.to_child(), text.data() + done, text.size() - done);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return Fail("the child process has ended");
    done += static_cast<std::size_t>(sent);
  }
  return {};
}

Outcome<std::string> LineChannel::Read(std::chrono::milliseconds limit) {
  std::size_t end = 0;
  while ((end = buffer_.find('\n')) == std::string::npos) {
    pollfd ready{child_.from_child(), POLLIN, 0};
    const int count = poll(&ready, 1, static_cast<int>(limit.count()));
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) return Fail("the child process did not answer in time");
    char bytes[65536];
    const auto got = read(child_.from_child(), bytes, sizeof bytes);
    if (got <= 0) return Fail("the child process has ended");
    buffer_.append(bytes, static_cast<std::size_t>(got));
  }
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  return line;
}

}  // namespace falconer::bench
