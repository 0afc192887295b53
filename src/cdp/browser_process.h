#pragma once
// BrowserProcess: one Chromium started by us, in its own process group with its own profile and
// temporary folder. It talks over a pipe, dies with us, and leaves nothing behind.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async/call_context.h"
#include "cdp/transport.h"

namespace falconer::cdp {

struct LaunchOptions {
  std::filesystem::path executable;
  std::vector<std::string> arguments;
};

class BrowserProcess {
 public:
  // Starts the browser. Fails with kBrowserLaunchFailed when the executable cannot be started;
  // a browser that starts and dies shows as the transport closing.
  static Result<std::unique_ptr<BrowserProcess>> Launch(const Executor& executor,
                                                        const LaunchOptions& options);
  // Kills the whole process group if it still runs, and removes the folders.
  ~BrowserProcess();
  BrowserProcess(const BrowserProcess&) = delete;
  BrowserProcess& operator=(const BrowserProcess&) = delete;

  // The pipe to the browser; can be taken once.
  std::unique_ptr<Transport> TakeTransport();

  // Waits for the browser to exit by itself after it was told to; kills it at the deadline.
  Task<void> WaitForExit(CallContext ctx);
  void Kill();

  int pid() const;
  bool is_running() const;
  // Exit code, or 128 + signal, once it has ended.
  std::optional<int> exit_status() const;
  // The last lines the browser wrote to stderr: what to show when it failed.
  std::string LastWords() const;

 private:
  struct State;
  explicit BrowserProcess(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

// What the last words of a browser that did not start mean, for people.
std::string ExplainLaunchFailure(std::string_view last_words);

}  // namespace falconer::cdp
