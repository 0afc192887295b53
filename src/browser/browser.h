#pragma once
// Browser: one Chromium, started by us or attached to, and the sessions in it.

#include <memory>
#include <string>
#include <unordered_map>

#include "base/async/task_scope.h"
#include "browser/launch_arguments.h"
#include "browser/session.h"
#include "cdp/browser_process.h"
#include "cdp/connection.h"

namespace falconer::browser {

class Browser {
 public:
  struct Limits {
    Duration launch_timeout = std::chrono::seconds(30);
    Duration command_timeout = std::chrono::seconds(30);
  };

  // Starts a browser and waits until it answers. A start that fails for a passing reason is tried
  // again once. kBrowserLaunchFailed says what the browser complained of.
  static Task<Result<std::unique_ptr<Browser>>> Launch(CallContext ctx, BrowserConfig config,
                                                       Limits limits);
  // Takes over a browser that is running already. It is left running when we go.
  static Task<Result<std::unique_ptr<Browser>>> Attach(CallContext ctx,
                                                       std::unique_ptr<cdp::Transport> transport,
                                                       Limits limits);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  // Opens an isolated session with one tab.
  Task<Result<std::shared_ptr<Session>>> NewSession(CallContext ctx, SessionId id,
                                                    SessionOptions options);

  // Asks the browser process for a sign of life.
  Task<Result<void>> Probe(CallContext ctx);
  // Closes every session and ends the browser if it is ours.
  Task<void> Close(CallContext ctx);
  // Ends a browser that no longer answers, without asking it; its sessions end with `reason`. One
  // that is not ours is only let go.
  void Kill(const Error& reason);

  bool is_alive() const { return connection_->is_open(); }
  std::size_t session_count() const;
  // "HeadlessChrome/156.0..." as the browser says.
  const std::string& product() const { return product_; }
  // 0 when attached.
  int pid() const { return process_ ? process_->pid() : 0; }
  // Why it is gone, with its last words.
  Subscription OnGone(std::function<void(const Error&)> handler) {
    return on_gone_.Subscribe(std::move(handler));
  }

 private:
  Browser(Executor executor, Clock& clock, std::unique_ptr<cdp::BrowserProcess> process,
          std::unique_ptr<cdp::Transport> transport, const Limits& limits);

  static Task<Result<std::unique_ptr<Browser>>> LaunchOnce(CallContext ctx, BrowserConfig config,
                                                           Limits limits);
  Task<Result<void>> Start(CallContext ctx);
  void OnAttached(const cdp::TargetAttachedToTarget& event);
  void OnClosed(const Error& reason);
  std::shared_ptr<Session> Owner(const cdp::TargetInfo& target) const;
  void ForgetClosedSessions();
  void Release(const std::shared_ptr<cdp::Session>& session);

  std::unique_ptr<cdp::BrowserProcess> process_;
  std::unique_ptr<cdp::Connection> connection_;
  // Shared with the sessions, which may outlive us.
  std::shared_ptr<RequestBackstop> backstop_;
  std::string product_;
  std::vector<Subscription> subscriptions_;
  // Open sessions by browser context id. Their callers share them.
  std::unordered_map<std::string, std::weak_ptr<Session>> sessions_;
  EventHub<const Error&> on_gone_;
};

}  // namespace falconer::browser
