#pragma once
// ChildProcess: a program that runs as an isolated child, with its three pipes. It ends with this
// object, and so does everything that it started.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/nodes/child_spec.h"
#include "agent/nodes/child_use.h"
#include "base/async/call_context.h"
#include "base/unique_fd.h"

namespace falconer::agent {

// How a child ended, and what it used.
struct ChildExit {
  int status = 0;  // as wait() gives it
  std::chrono::milliseconds cpu_time{0};
  std::int64_t peak_memory_bytes = 0;
  bool is_out_of_memory = false;  // the kernel ended it for that
};

class ChildProcess {
 public:
  // Returns when the program runs. kToolUnavailable when it cannot be run, and the reason of ctx.
  // spec.input, and limits of time, are nothing to this.
  static Task<Result<std::unique_ptr<ChildProcess>>> Start(CallContext ctx, const ChildSpec* spec);
  // Kills what still runs, and waits for its end.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Our ends of its standard input and output; each can be taken once.
  UniqueFd TakeInput();
  UniqueFd TakeOutput();

  // Tells the program to end, as a terminal would.
  void AskToEnd();
  // Ends it and everything it started.
  void Kill();
  // Asks, and kills it when it has not ended after `grace`. Heeds no cancel: it has ended then.
  Task<void> End(CallContext ctx, std::chrono::milliseconds grace);
  // Fails only with the reason of ctx.
  Task<Result<void>> WaitForExit(CallContext ctx);
  // Calls `tell` when it has ended.
  Subscription OnExit(std::function<void()> tell);

  // What it has used so far, all that runs together.
  ChildUse use() const;
  // Set once it, and everything it started, has ended.
  const std::optional<ChildExit>& exit() const;
  // The end of what it has written to standard error.
  std::string last_errors() const;
  // Which walls are around it, and nothing that is not in force: "rlimit", "no_new_privs",
  // "seccomp", "process_limit", "other_user", "user_namespace", "pid_namespace",
  // "network_namespace", "mount_namespace", and those of ChildCgroup.
  const std::vector<std::string>& bounds() const;

 private:
  struct State;
  explicit ChildProcess(std::shared_ptr<State> state);
  static Task<Result<std::unique_ptr<ChildProcess>>> TryStart(CallContext ctx,
                                                              const ChildSpec* spec);
  std::shared_ptr<State> state_;
};

}  // namespace falconer::agent
