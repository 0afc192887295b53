#include "app/wiring.h"

#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <utility>

#include <boost/system/system_error.hpp>

#include "app/attach.h"
#include "base/log.h"
#include "net/egress/server_address.h"

namespace falconer::app {
namespace {

constexpr std::chrono::seconds kCleanupTime(5);
constexpr std::chrono::seconds kEndingTime(2);

browser::SandboxMode SandboxFrom(SandboxSetting setting) {
  switch (setting) {
    case SandboxSetting::kAuto:
      return browser::SandboxMode::kAuto;
    case SandboxSetting::kOn:
      return browser::SandboxMode::kOn;
    case SandboxSetting::kOff:
      return browser::SandboxMode::kOff;
  }
  return browser::SandboxMode::kAuto;
}

constexpr auto kSameSignal = std::chrono::seconds(1);

std::string_view SignalName(int number) {
  return number == SIGINT ? "SIGINT" : number == SIGHUP ? "SIGHUP" : "SIGTERM";
}

// Whoever started us may want a signal ignored: nohup does so with SIGHUP.
bool IsIgnored(int number) {
  struct sigaction now{};
  return ::sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

// The browser does not say which display it tried.
Error NameDisplay(const Error& error, const browser::BrowserConfig& config) {
  const bool lacks_display = config.visibility == browser::Visibility::kVisible &&
                             error.message().contains("needs a display");
  if (!lacks_display) return error;
  const char* name = std::getenv("DISPLAY");  // NOLINT(concurrency-mt-unsafe): nothing sets it
  const std::string display = name == nullptr ? "" : name;
  std::string message = display.empty()
                            ? "a visible window needs a display, and DISPLAY is not set"
                            : fmt::format("the display {} (DISPLAY) cannot be reached", display);
  return WithDetail(Error(error.code(), std::move(message)), kDisplayDetail, display);
}

// The loop ends with the task, however that ends.
struct StopAtEnd {
  boost::asio::io_context& io;
  ~StopAtEnd() { io.stop(); }
};

// The browser takes the proxy's address and its credentials apart from each other.
void UseProxy(const std::string& server, browser::SessionOptions& options) {
  if (server.empty()) return;
  options.proxy_server = server;
  const auto parsed = net::ParseUpstreamProxy(server);
  if (!parsed || parsed->user.empty()) return;
  options.proxy_server = "http://" + server.substr(server.rfind('@') + 1);
  options.proxy_credentials =
      browser::ProxyCredentials{.username = parsed->user, .password = parsed->password};
}

std::size_t Size(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

}  // namespace

browser::BrowserConfig BrowserConfigFrom(const Settings& settings) {
  using enum browser::Visibility;
  const auto& from = settings.browser;
  return {.kind = from.full ? browser::BrowserKind::kFull : browser::BrowserKind::kShell,
          .executable = from.path,
          .sandbox = SandboxFrom(from.sandbox),
          .visibility = from.headless ? kHeadless : kVisible,
          .page_width = static_cast<int>(settings.viewport.width),
          .page_height = static_cast<int>(settings.viewport.height),
          .extra_arguments = from.extra_args};
}

browser::Browser::Limits BrowserLimitsFrom(const Settings& settings) {
  return {.launch_timeout = settings.browser.launch_timeout,
          .command_timeout = settings.timeouts.command};
}

browser::SessionOptions SessionOptionsFrom(const Settings& settings) {
  browser::SessionOptions options;
  options.viewport.width = static_cast<int>(settings.viewport.width);
  options.viewport.height = static_cast<int>(settings.viewport.height);
  UseProxy(settings.proxy.server, options);
  options.service_workers = settings.service_workers == ServiceWorkerSetting::kAllow
                                ? browser::ServiceWorkers::kAllow
                                : browser::ServiceWorkers::kBlock;
  options.artifacts = ArtifactsFolder(settings);
  options.network_ring = Size(settings.network.ring);
  options.console_ring = Size(settings.console.ring);
  options.max_download_bytes = static_cast<std::uint64_t>(settings.downloads.max_bytes);
  return options;
}

browser::Driver::Limits DriverLimitsFrom(const Settings& settings) {
  return {.action_timeout = settings.timeouts.general,
          .navigation_timeout = settings.timeouts.navigation};
}

browser::StateLimits StateLimitsFrom(const Settings& settings) {
  return {.frames = Size(settings.state.max_frames),
          .elements = Size(settings.state.max_elements),
          .texts = Size(settings.state.max_texts),
          .forms = Size(settings.state.max_forms),
          .errors = Size(settings.state.max_errors)};
}

Task<Result<std::unique_ptr<browser::Browser>>> OpenBrowser(CallContext ctx,
                                                            browser::BrowserConfig config,
                                                            std::string attach_url,
                                                            browser::Browser::Limits limits) {
  if (!attach_url.empty()) {
    auto attached = co_await AttachToBrowser(ctx, std::move(attach_url), limits);
    if (attached) co_return attached;
    co_return Fail(WithDetail(attached.error(), kSettingDetail, "browser.attach_url"));
  }
  const TimePoint started = ctx.clock().Now();
  auto launched = co_await browser::Browser::Launch(ctx, config, limits);
  if (launched) co_return launched;
  const bool is_late = ctx.clock().Now() - started >= limits.launch_timeout;
  co_return Fail(is_late ? WithDetail(launched.error(), kSettingDetail, "browser.launch_timeout")
                         : NameDisplay(launched.error(), config));
}

std::filesystem::path ArtifactsFolder(const Settings& settings) {
  return settings.artifacts.dir.empty() ? settings.data.dir / "artifacts" : settings.artifacts.dir;
}

Program::Program(LoadedSettings loaded)
    : loaded_(std::move(loaded)), signals_(io_), tasks_(executor()) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    if (!IsIgnored(number)) signals_.add(number);
  }
}

Program::~Program() = default;

Result<std::unique_ptr<Program>> Program::Create(const Arguments& arguments, LogReader reader) {
  TRY_ASSIGN(const SettingsInput input, SettingsInputFrom(arguments));
  TRY_ASSIGN(LoadedSettings loaded, LoadSettings(input));
  std::unique_ptr<Program> program;
  // The event loop needs a few files of its own, and throws when it may not have them.
  try {
    program.reset(new Program(std::move(loaded)));
  } catch (const boost::system::system_error& failure) {
    const Error error(ErrorCode::kIoError, std::string("cannot begin: ") + failure.what());
    return Fail(WithDetail(error, kLimitDetail, "ulimit -n 4096"));
  }
  TRY(program->OpenLog(reader));
  return program;
}

Result<void> Program::OpenLog(LogReader reader) {
  const bool is_quiet = reader == LogReader::kPerson && !loaded_.sources.contains("log.level") &&
                        settings().log.file.empty();
  SetLogLevel(is_quiet ? LogLevel::kError : settings().log.level);
  if (settings().log.file.empty()) return {};
  TRY_ASSIGN(LogSink sink, OpenLogFile(settings().log.file));
  SetLogSink(std::move(sink));
  return {};
}

CallContext Program::NewCall() {
  return CallContext(executor(), clock_).WithCancel(interrupted_.token());
}

CallContext Program::NewCleanup() {
  return CallContext(executor(), clock_).WithTimeout(kCleanupTime);
}

void Program::WatchSignals() {
  signals_.async_wait([this](const boost::system::error_code& stopped, int number) {
    if (!stopped) OnSignal(number);
  });
}

void Program::OnSignal(int number) {
  if (!signal_) {
    signal_ = number;
    signalled_ = clock().Now();
    interrupted_.Cancel(
        Error(ErrorCode::kCancelled, fmt::format("interrupted by {}", SignalName(number))));
    return WatchSignals();
  }
  // Who ends a process and then its group says the same thing twice.
  if (number == *signal_ && clock().Now() - signalled_ < kSameSignal) return WatchSignals();
  // From here on the system's own handling counts.
  signals_.clear();
  tasks_.reset();
}

Task<void> Program::Finish(Task<Result<void>> task) {
  const StopAtEnd stop{io_};
  outcome_ = co_await std::move(task);
}

Result<void> Program::Run(Task<Result<void>> task) {
  outcome_ = Fail(ErrorCode::kInternalError, "the command broke off; the log says why");
  WatchSignals();
  tasks_->Spawn("command", Finish(std::move(task)));
  io_.run();
  // What the command leaves behind may still use what it opened.
  EndAllTasks(io_, kEndingTime);
  // Whatever the signal happened to interrupt: the signal is the reason.
  if (!outcome_ || !tasks_) TRY(interrupted_.token().Check());
  return outcome_;
}

}  // namespace falconer::app
