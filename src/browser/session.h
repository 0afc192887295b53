#pragma once
// Session: one isolated browser context with its tabs. Nothing of it survives it: the context is
// disposed, never cleaned and used again.

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "browser/context/downloads.h"
#include "browser/context/given_files.h"
#include "browser/context/storage.h"
#include "browser/network/request_holds.h"
#include "browser/session_options.h"
#include "browser/tabs/tab_manager.h"
#include "cdp/session.h"

namespace falconer::browser {

class Session {
 public:
  // `root` is the browser's own session; `context_id` an existing browser context that we own;
  // `backstop` that of the browser.
  Session(SessionId id, std::string context_id, std::shared_ptr<cdp::Session> root,
          SessionOptions options, std::shared_ptr<RequestBackstop> backstop);
  // Disposes the context without waiting. Prefer Close().
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Sends what the context needs and opens the first tab.
  Task<Result<void>> Open(CallContext ctx);
  // Closes every tab and disposes the context.
  Task<void> Close(CallContext ctx);

  // Gives a session that nobody has used yet its owner's folder, and what may be brought down into
  // it. kIoError.
  Result<void> MoveInto(std::filesystem::path artifacts, std::uint64_t max_download_bytes);

  const SessionId& id() const { return id_; }
  const std::string& context_id() const { return context_id_; }
  const SessionOptions& options() const { return options_; }
  TabManager& tabs() { return tabs_; }
  // The requests of all tabs and workers that wait for a decision.
  RequestHolds& holds() { return holds_; }
  Downloads& downloads() { return downloads_; }
  // What actions gave to pages.
  GivenFiles& given_files() { return given_files_; }
  Storage& storage() { return storage_; }
  const std::shared_ptr<cdp::Session>& root() const { return root_; }
  bool is_open() const { return !closed_; }
  // kSessionClosed, or why the browser is gone.
  Result<void> Alive() const;
  // From now on everything that acts on a page of the session asks this fence before it leaves;
  // null lets all through. What was given under an earlier fence still heeds that one.
  void SetFence(std::shared_ptr<const cdp::WriteFence> fence) { fence_->Set(std::move(fence)); }
  Subscription OnClosed(std::function<void(const Error&)> handler) {
    return on_closed_.Subscribe(std::move(handler));
  }

  // Notified when tabs open or close and when downloads move on.
  Notifier& changes() { return downloads_.changes(); }

  // A page appeared in the context: one we asked for, or a popup.
  void OnPage(const std::shared_ptr<cdp::Session>& page);
  // A worker of the context that belongs to no single tab.
  void OnWorker(const std::shared_ptr<cdp::Session>& worker, NetworkObserver::SourceKind kind);
  // The browser is gone.
  void OnGone(const Error& reason);

 private:
  void End(const Error& reason);

  SessionId id_;
  std::string context_id_;
  std::shared_ptr<cdp::Session> root_;
  // Shared with the protocol sessions of all tabs, frames and workers; they may outlive us.
  std::shared_ptr<cdp::FenceSlot> fence_ = std::make_shared<cdp::FenceSlot>();
  SessionOptions options_;
  RequestHolds holds_;
  Downloads downloads_;
  GivenFiles given_files_;
  TabManager tabs_;
  Storage storage_;
  // For workers that belong to no single tab.
  RequestGate worker_gate_;
  Subscription opened_watch_;
  Subscription tab_watch_;
  std::unordered_map<const cdp::Session*, std::vector<Subscription>> workers_;
  std::optional<Error> closed_;
  EventHub<const Error&> on_closed_;
};

}  // namespace falconer::browser
