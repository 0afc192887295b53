#include "bench/temp_root.h"

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>

#include "bench/environment.h"

namespace falconer::bench {
namespace {

constexpr int kQuietMs = 500;
constexpr int kMostRemovals = 100;

// A browser that is just ending may write its profile once more, so one removal is not enough: the
// folder must stay away for half a second.
void RemoveForGood(const std::filesystem::path& path) {
  const Fd watch(inotify_init1(IN_CLOEXEC));
  inotify_add_watch(watch.get(), path.parent_path().c_str(), IN_CREATE);
  for (int round = 0; round < kMostRemovals; ++round) {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
    pollfd made{watch.get(), POLLIN, 0};
    const bool is_quiet = poll(&made, 1, kQuietMs) == 0;
    if (is_quiet && !std::filesystem::exists(path, ignored)) return;
    std::array<char, 4096> events;
    if (!is_quiet && read(watch.get(), events.data(), events.size()) < 0) return;
  }
}

[[noreturn]] void Watch(Fd alive, const std::string& path) {
  // Its own session and nobody's child: an interrupt from the terminal must not reach the one who
  // cleans up, it must not count as part of the browser, and its standard streams must not keep a
  // reader of the benchmark's output waiting.
  setsid();
  if (fork() != 0) _exit(0);
  const int nowhere = open("/dev/null", O_RDWR);
  for (int stream = 0; stream < 3; ++stream) dup2(nowhere, stream);
  char byte = 0;
  while (read(alive.get(), &byte, 1) < 0) {
  }
  RemoveForGood(path);
  _exit(0);
}

}  // namespace

Outcome<std::unique_ptr<TempRoot>> TempRoot::Create() {
  std::string path = FromEnvironment("TMPDIR", "/tmp") + "/falconer-bench-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) return Fail("cannot create " + path);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Fail("cannot create a pipe");
  Fd watched(ends[0]);
  Fd alive(ends[1]);
  const pid_t child = fork();
  if (child < 0) return Fail("cannot start the watcher of " + path);
  if (child == 0) {
    alive.Reset();
    Watch(std::move(watched), path);
  }
  waitpid(child, nullptr, 0);
  return std::make_unique<TempRoot>(std::move(path), std::move(alive));
}

TempRoot::~TempRoot() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TempRoot::MakeFolder(std::string_view label) {
  std::string folder = path_ + "/" + std::string(label) + std::to_string(folders_++);
  mkdir(folder.c_str(), 0700);
  return folder;
}

}  // namespace falconer::bench
