#pragma once
// Wiring: settings become what the rooms below are built from, and the program's frame (event loop,
// clock, log, signals) is put around a command that needs them. Read it from top to bottom.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include "app/command.h"
#include "base/async/call_context.h"
#include "base/async/task_scope.h"
#include "browser/browser.h"
#include "browser/driver.h"
#include "browser/state/structured_state_extractor.h"

namespace falconer::app {

// Settings, room by room.
browser::BrowserConfig BrowserConfigFrom(const Settings& settings);
browser::Browser::Limits BrowserLimitsFrom(const Settings& settings);
browser::SessionOptions SessionOptionsFrom(const Settings& settings);
browser::Driver::Limits DriverLimitsFrom(const Settings& settings);
browser::StateLimits StateLimitsFrom(const Settings& settings);
// Attaches to the browser at `attach_url`, or starts one when that is empty. A failure has details
// that choose the hint: the setting to look at, or the display.
Task<Result<std::unique_ptr<browser::Browser>>> OpenBrowser(CallContext ctx,
                                                            browser::BrowserConfig config,
                                                            std::string attach_url,
                                                            browser::Browser::Limits limits);
// artifacts.dir, or its place in data.dir.
std::filesystem::path ArtifactsFolder(const Settings& settings);

// Who reads the log while a command runs.
enum class LogReader {
  kOperator,  // log.level as set
  kPerson,    // the command says itself what matters: errors only, unless log.level was set
};

// The frame around a command that waits.
class Program {
 public:
  // Loads the settings and opens the log. kInvalidArgument, kInvalidSetting, kNotFound, kIoError.
  static Result<std::unique_ptr<Program>> Create(const Arguments& arguments, LogReader reader);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Runs the loop until the task has ended, and answers what it answered. The first SIGINT, SIGTERM
  // or SIGHUP cancels the contexts of NewCall(), so that the task ends by itself and in order; the
  // second breaks the task off where it stands (its destructors still kill the browser and remove
  // its folder); the third is the system's. Signals that were ignored at start stay ignored. Called
  // once.
  Result<void> Run(Task<Result<void>> task);

  // For work that a signal ends with kCancelled.
  CallContext NewCall();
  // For putting things away after that: has a little time, whatever happened.
  CallContext NewCleanup();

  const Settings& settings() const { return loaded_.values; }
  Clock& clock() { return clock_; }
  Executor executor() { return io_.get_executor(); }
  // What to answer the shell when the work failed: also says when a signal ended it.
  int FailureCode() const { return signal_ ? 128 + *signal_ : kExitFailed; }

 private:
  explicit Program(LoadedSettings loaded);

  Result<void> OpenLog(LogReader reader);
  void WatchSignals();
  void OnSignal(int number);
  Task<void> Finish(Task<Result<void>> task);

  // Before the loop: what the loop still holds when it goes looks at the clock.
  SystemClock clock_;
  boost::asio::io_context io_;
  LoadedSettings loaded_;
  CancelSource interrupted_;
  std::optional<int> signal_;
  TimePoint signalled_{};
  boost::asio::signal_set signals_;
  std::optional<TaskScope> tasks_;
  Result<void> outcome_;
};

}  // namespace falconer::app
