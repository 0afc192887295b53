#pragma once
// A child process that is spoken to over a pair of pipes and ends when they close. The browser, the
// Node peer and the held copy of the benchmark are all started here.

#include <chrono>
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

#include "bench/fd.h"
#include "bench/outcome.h"

namespace falconer::bench {

struct ChildSpec {
  std::vector<std::string> argv;
  std::vector<std::string> environment;  // NAME=value, before the inherited ones
  int reads_from = 0;                    // the descriptor on which the child hears us
  int writes_to = 1;                     // the descriptor on which the child answers
  std::string stderr_file = "/dev/null";
};

class ChildProcess {
 public:
  // Starts the program in a session of its own. Fails when it cannot be executed.
  static Outcome<std::unique_ptr<ChildProcess>> Start(const ChildSpec& spec);
  ChildProcess(pid_t pid, Fd to_child, Fd from_child);
  // Closes the pipes and waits; a child that is still there after five seconds is killed.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }
  int to_child() const { return to_child_.get(); }
  int from_child() const { return from_child_.get(); }

 private:
  pid_t pid_;
  Fd to_child_;
  Fd from_child_;
};

// Line by line over a child's pipes, blocking.
class LineChannel {
 public:
  explicit LineChannel(ChildProcess& child) : child_(child) {}
  Outcome<void> Write(const std::string& line);
  // Fails when the child is silent for `limit` or has ended.
  Outcome<std::string> Read(std::chrono::milliseconds limit);

 private:
  ChildProcess& child_;
  std::string buffer_;
};

}  // namespace falconer::bench
