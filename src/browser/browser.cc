#include "browser/browser.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/log.h"
#include "browser/network/egress_door.h"

namespace falconer::browser {
namespace {

cdp::TargetSetAutoAttach AttachEverything() {
  return {.auto_attach = true, .wait_for_debugger_on_start = true, .flatten = true};
}

// Without this the browser would go to loopback and link-local addresses by itself.
constexpr std::string_view kBypassNothing = "<-loopback>";

void LeaveBy(EgressPass pass, SessionOptions& options) {
  options.proxy_server = std::move(pass.proxy_server);
  options.proxy_bypass = std::string(kBypassNothing);
  options.proxy_credentials =
      ProxyCredentials{.username = std::move(pass.user), .password = std::move(pass.password)};
}

}  // namespace

Browser::Browser(Executor executor, Clock& clock, std::unique_ptr<cdp::BrowserProcess> process,
                 std::unique_ptr<cdp::Transport> transport, const Limits& limits)
    : process_(std::move(process)),
      connection_(std::make_unique<cdp::Connection>(
          std::move(executor), clock, std::move(transport),
          cdp::Connection::Options{.command_timeout = limits.command_timeout})),
      backstop_(std::make_shared<RequestBackstop>(connection_->root())) {
  cdp::Session& root = *connection_->root();
  subscriptions_.push_back(
      root.On<cdp::TargetAttachedToTarget>([this](const auto& event) { OnAttached(event); }));
  subscriptions_.push_back(root.OnClosed([this](const Error& reason) { OnClosed(reason); }));
}

Browser::~Browser() {
  subscriptions_.clear();
  OnClosed(Error(ErrorCode::kBrowserGone, "the browser was closed"));
}

Task<Result<std::unique_ptr<Browser>>> Browser::Launch(CallContext ctx, BrowserConfig config,
                                                       Limits limits) {
  auto launched = co_await LaunchOnce(ctx, config, limits);
  if (launched || launched.error().code() != ErrorCode::kBrowserGone) co_return launched;
  // Start-up can fail for a passing reason (the dynamic linker's race, a busy machine).
  LOG(warn, "browser.relaunch", {"why", launched.error().message()});
  launched = co_await LaunchOnce(ctx, config, limits);
  if (launched || launched.error().code() != ErrorCode::kBrowserGone) co_return launched;
  co_return Fail(ErrorCode::kBrowserLaunchFailed, launched.error().message());
}

Task<Result<std::unique_ptr<Browser>>> Browser::LaunchOnce(CallContext ctx, BrowserConfig config,
                                                           Limits limits) {
  CO_TRY_ASSIGN(auto executable, FindExecutable(config));
  CO_TRY_ASSIGN(auto process, cdp::BrowserProcess::Launch(ctx.executor(),
                                                          {.executable = std::move(executable),
                                                           .arguments = LaunchArguments(config)}));
  if (RunsWithoutSandbox(config)) {
    LOG(warn, "browser.sandbox_off",
        {"why", config.sandbox == SandboxMode::kOff ? "browser.sandbox=off" : "running as root"});
  }
  auto transport = process->TakeTransport();
  std::unique_ptr<Browser> browser(
      new Browser(ctx.executor(), ctx.clock(), std::move(process), std::move(transport), limits));
  const auto started = co_await browser->Start(ctx.WithTimeout(limits.launch_timeout));
  if (started) co_return browser;
  CO_TRY(ctx.cancel().Check());
  if (started.error().code() == ErrorCode::kTimeout) {
    co_return Fail(ErrorCode::kBrowserLaunchFailed,
                   fmt::format("the browser did not answer within {} ms (browser.launch_timeout)",
                               limits.launch_timeout / std::chrono::milliseconds(1)));
  }
  const std::string words = browser->process_->LastWords();
  co_return Fail(started.error().code(),
                 "the browser did not start: " + cdp::ExplainLaunchFailure(words));
}

Task<Result<std::unique_ptr<Browser>>> Browser::Attach(CallContext ctx,
                                                       std::unique_ptr<cdp::Transport> transport,
                                                       Limits limits) {
  std::unique_ptr<Browser> browser(
      new Browser(ctx.executor(), ctx.clock(), nullptr, std::move(transport), limits));
  CO_TRY(co_await browser->Start(ctx.WithTimeout(limits.launch_timeout)));
  co_return browser;
}

Task<Result<void>> Browser::Start(CallContext ctx) {
  cdp::Session& root = *connection_->root();
  auto version = root.Post(cdp::BrowserGetVersion{});
  auto attached = root.Post(AttachEverything());
  CO_TRY_ASSIGN(const auto answer, co_await version.Wait(ctx));
  CO_TRY(co_await attached.Wait(ctx));
  product_ = answer.product;
  co_return Result<void>();
}

Task<Result<std::shared_ptr<Session>>> Browser::NewSession(CallContext ctx, SessionId id,
                                                           SessionOptions options) {
  const auto& root = connection_->root();
  if (options.egress) LeaveBy(options.egress->Admit(id), options);
  const auto created = co_await root->Send(
      ctx, cdp::TargetCreateBrowserContext{.dispose_on_detach = true,
                                           .proxy_server = options.proxy_server,
                                           .proxy_bypass_list = options.proxy_bypass});
  if (!created) {
    if (options.egress) options.egress->Dismiss(id);
    co_return std::unexpected(created.error());
  }
  ForgetClosedSessions();
  auto session = std::make_shared<Session>(std::move(id), created->browser_context_id, root,
                                           std::move(options), backstop_);
  sessions_[created->browser_context_id] = session;
  if (const auto opened = co_await session->Open(ctx); !opened) {
    sessions_.erase(created->browser_context_id);
    co_return std::unexpected(Error(opened.error()).In("opening a session"));
  }
  co_return session;
}

Task<Result<void>> Browser::Probe(CallContext ctx) {
  CO_TRY(co_await connection_->root()->Send(std::move(ctx), cdp::BrowserGetVersion{}));
  co_return Result<void>();
}

Task<void> Browser::Close(CallContext ctx) {
  const auto sessions = std::exchange(sessions_, {});
  for (const auto& [context, weak] : sessions) {
    if (const auto session = weak.lock()) co_await session->Close(ctx);
  }
  if (!process_) co_return;
  // A browser that is asked flushes and exits; its pipe closing is the answer.
  connection_->root()->Post(cdp::BrowserClose{});
  co_await process_->WaitForExit(ctx);
}

void Browser::Kill(const Error& reason) {
  if (process_) process_->Kill();
  connection_->Close(reason);
}

std::size_t Browser::session_count() const {
  return static_cast<std::size_t>(std::ranges::count_if(sessions_, [](const auto& entry) {
    const auto session = entry.second.lock();
    return session && session->is_open();
  }));
}

// Targets of a closed session may still be announced while the browser takes it apart, so its
// entry outlives it; the next session clears up.
void Browser::ForgetClosedSessions() {
  std::erase_if(sessions_, [](const auto& entry) {
    const auto session = entry.second.lock();
    return !session || !session->is_open();
  });
}

std::shared_ptr<Session> Browser::Owner(const cdp::TargetInfo& target) const {
  const auto found = sessions_.find(target.browser_context_id.value_or(""));
  return found == sessions_.end() ? nullptr : found->second.lock();
}

void Browser::OnAttached(const cdp::TargetAttachedToTarget& event) {
  const auto session = connection_->FindSession(event.session_id);
  if (!session) return;
  using enum NetworkObserver::SourceKind;
  const auto owner = Owner(event.target_info);
  const std::string& type = event.target_info.type;
  if (!owner) return Release(session);
  if (type == "page") return owner->OnPage(session);
  if (type == "service_worker") return owner->OnWorker(session, kServiceWorker);
  if (type == "shared_worker") return owner->OnWorker(session, kSharedWorker);
  Release(session);
}

// Not ours to drive. It must run on before it is let go, or it would wait for ever.
void Browser::Release(const std::shared_ptr<cdp::Session>& session) {
  session->Post(cdp::RuntimeRunIfWaitingForDebugger{});
  connection_->root()->Post(cdp::TargetDetachFromTarget{.session_id = session->id()});
}

void Browser::OnClosed(const Error& reason) {
  Error why = reason;
  if (process_ && process_->exit_status()) {
    why = Error(ErrorCode::kBrowserGone,
                reason.message() + "; exit status " + std::to_string(*process_->exit_status()));
  }
  const auto sessions = std::exchange(sessions_, {});
  for (const auto& [context, weak] : sessions) {
    if (const auto session = weak.lock()) session->OnGone(why);
  }
  on_gone_.Emit(why);
}

}  // namespace falconer::browser
