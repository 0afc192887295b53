#include "tests/api/child_program.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"

namespace falconer::test {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kCeiling(60);
constexpr int kPollMs = 100;

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};

Pipe MakePipe() {
  int ends[2];
  CHECK(::pipe2(ends, O_CLOEXEC) == 0, "no pipe for the child");
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

std::vector<char*> Pointers(std::vector<std::string>& lines) {
  std::vector<char*> pointers;
  for (std::string& line : lines) pointers.push_back(line.data());
  pointers.push_back(nullptr);
  return pointers;
}

// False at the end of the stream.
bool ReadInto(int fd, std::string& text) {
  std::array<char, 4096> chunk;
  const ssize_t n = ::read(fd, chunk.data(), chunk.size());
  if (n > 0) text.append(chunk.data(), static_cast<std::size_t>(n));
  return n > 0;
}

std::string CommandLineOf(const std::filesystem::path& process) {
  std::string line = ReadFile(process / "cmdline").value_or("");
  std::ranges::replace(line, '\0', ' ');
  return line;
}

}  // namespace

json::object Ended::Answer() const {
  return ParseJsonObject(out).value_or(json::object());
}

ChildProgram::ChildProgram(std::vector<std::string> arguments, std::vector<std::string> environment,
                           std::vector<int> closed, std::string program)
    : home_(TempDir::Create("falconer-api-test-").value()) {
  for (const char* name : {"work", "tmp"}) std::filesystem::create_directory(home_.path() / name);
  arguments.insert(arguments.begin(), std::move(program));
  Start(std::move(arguments), std::move(environment), closed);
}

ChildProgram::~ChildProgram() {
  if (pid_ == 0) return;
  Signal(SIGKILL);
  Wait();
}

void ChildProgram::Start(std::vector<std::string> words, std::vector<std::string> environment,
                         const std::vector<int>& closed) {
  const std::string home = home_.path().string();
  for (const std::string& line :
       {"HOME=" + home, "TMPDIR=" + home + "/tmp", std::string("PATH=/usr/bin:/bin")}) {
    environment.push_back(line);
  }
  Pipe in = MakePipe();
  Pipe out = MakePipe();
  Pipe err = MakePipe();
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addchdir_np(&actions, folder().c_str());
  ::posix_spawn_file_actions_adddup2(&actions, in.read.get(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out.write.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err.write.get(), STDERR_FILENO);
  for (const int fd : closed) ::posix_spawn_file_actions_addclose(&actions, fd);
  const int failed = ::posix_spawn(&pid_, words.front().c_str(), &actions, nullptr,
                                   Pointers(words).data(), Pointers(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  CHECK(failed == 0, "the program does not start");
  in_ = std::move(in.write);
  out_ = std::move(out.read);
  err_ = std::move(err.read);
}

bool ChildProgram::ReadSome() {
  pollfd streams[] = {{out_.get(), POLLIN, 0}, {err_.get(), POLLIN, 0}};
  ::poll(streams, std::size(streams), kPollMs);
  if (streams[0].revents != 0 && !ReadInto(out_.get(), ended_.out)) out_ = UniqueFd();
  if (streams[1].revents != 0 && !ReadInto(err_.get(), ended_.err)) err_ = UniqueFd();
  return out_ || err_;
}

bool ChildProgram::WaitForOutput(std::string_view text) {
  const auto until = steady_clock::now() + kCeiling;
  while (!ended_.out.contains(text)) {
    if (!ReadSome() || steady_clock::now() > until) return ended_.out.contains(text);
  }
  return true;
}

void ChildProgram::PressEnter() {
  CHECK(::write(in_.get(), "\n", 1) == 1, "the program does not listen");
}

void ChildProgram::Send(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(in_.get(), text.data(), text.size());
    CHECK(n > 0, "the program does not listen");
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

void ChildProgram::CloseInput() {
  in_ = UniqueFd();
}

void ChildProgram::Feed(std::string_view text) {
  Send(text);
  CloseInput();
}

bool ChildProgram::WaitForMoreOutput() {
  const std::size_t before = ended_.out.size();
  const auto until = steady_clock::now() + kCeiling;
  while (ended_.out.size() == before) {
    if (!ReadSome() || steady_clock::now() > until) return ended_.out.size() > before;
  }
  return true;
}

void ChildProgram::Signal(int number) {
  ::kill(pid_, number);
}

Ended ChildProgram::Wait() {
  const auto until = steady_clock::now() + kCeiling;
  bool is_late = false;
  while (ReadSome()) {
    if (is_late || steady_clock::now() < until) continue;
    is_late = true;
    Signal(SIGKILL);
  }
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = 0;
  if (!is_late) ended_.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ended_;
}

std::vector<std::string> ChildProgram::Survivors() const {
  std::vector<std::string> found;
  std::error_code failed;
  for (const auto& process : std::filesystem::directory_iterator("/proc", failed)) {
    const std::string line = CommandLineOf(process.path());
    if (line.contains(home_.path().string()) && process.path().filename() != std::to_string(pid_)) {
      found.push_back(line);
    }
  }
  return found;
}

std::vector<std::string> ChildProgram::LeftBehind() const {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(home_.path() / "tmp")) {
    found.push_back(entry.path().filename().string());
  }
  return found;
}

Ended RunProgram(std::vector<std::string> arguments, std::vector<std::string> environment) {
  return ChildProgram(std::move(arguments), std::move(environment)).Wait();
}

Ended RunTool(std::string path, std::vector<std::string> arguments,
              std::vector<std::string> environment) {
  return ChildProgram(std::move(arguments), std::move(environment), {}, std::move(path)).Wait();
}

}  // namespace falconer::test
