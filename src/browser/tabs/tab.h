#pragma once
// Tab: one page and everything that is observed of it: frames, dialogs, network, console, crashes.
// All of it lives on the session's event loop.

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/async/notifier.h"
#include "base/async/task_scope.h"
#include "base/ids.h"
#include "browser/frames/frame_tree.h"
#include "browser/network/network_observer.h"
#include "browser/network/request_gate.h"
#include "browser/session_options.h"
#include "browser/tabs/console_log.h"
#include "browser/tabs/dialogs.h"
#include "cdp/session.h"

namespace falconer::browser {

enum class TabPhase { kOpening, kLive, kCrashed, kClosed };

// A page asked for a file; nobody has answered yet.
struct FileChooser {
  // "selectSingle" or "selectMultiple".
  std::string mode;
  // The input it is for; absent when the page used an interface that cannot be answered.
  std::optional<std::int64_t> backend_node_id;
  // The browser's id of the frame that asked; "" when it does not tell.
  std::string frame_id;
  // Answers for that frame.
  std::shared_ptr<cdp::Session> session;
};

class Tab {
 public:
  struct Setup {
    TabId id;
    std::shared_ptr<cdp::Session> session;
    // The tab that opened this one, if a page did.
    std::optional<TabId> opener;
    // Where its requests wait that are held. It must outlive the tab; null refuses them.
    RequestHolds* holds = nullptr;
  };

  // Sends the set-up commands at once, so that the page starts as early as it can. `options` and
  // `documents` must outlive the tab.
  Tab(Setup setup, const SessionOptions& options, DocumentCommons& documents);
  ~Tab();
  Tab(const Tab&) = delete;
  Tab& operator=(const Tab&) = delete;

  // Waits until the tab has opened. A crashed tab counts as open: navigating revives it.
  Task<Result<void>> Ready(CallContext ctx);

  const TabId& id() const { return id_; }
  const std::optional<TabId>& opener() const { return opener_; }
  const std::string& target_id() const { return session_->target().target_id; }
  TabPhase phase() const { return phase_; }
  // kTabClosed or kTabCrashed when the tab cannot be driven.
  Result<void> Alive() const;
  // kPageHeld while the request for its next page is held: the browser keeps everything that is
  // asked of the page back until that has loaded or failed.
  Result<void> Answers() const;
  std::string url() const;

  // The page's own session: input, navigation, capture.
  const std::shared_ptr<cdp::Session>& session() const { return session_; }
  FrameTree& frames() { return frames_; }
  Dialogs& dialogs() { return dialogs_; }
  NetworkObserver& network() { return network_; }
  ConsoleLog& console() { return console_; }
  // Holds the tab's requests until the session's rule has decided on them.
  RequestGate& gate() { return gate_; }
  const SessionOptions& options() const { return options_; }
  // Notified after every change of anything above.
  Notifier& changes() { return changes_; }

  // Told once when the tab is closed, by whomever.
  Subscription OnClosed(std::function<void()> handler) {
    return on_closed_.Subscribe(std::move(handler));
  }
  Subscription OnCrashed(std::function<void()> handler) {
    return on_crashed_.Subscribe(std::move(handler));
  }

  // A crashed tab becomes usable again by loading something.
  void OnRevived();
  void Close(const Error& reason);

  // The newest unanswered request for a file, and how many there have been.
  const std::optional<FileChooser>& file_chooser() const { return file_chooser_; }
  std::uint64_t file_choosers_seen() const { return file_choosers_seen_; }
  void ForgetFileChooser() { file_chooser_.reset(); }

  // Observes a worker that serves this tab.
  void AdoptWorker(const std::shared_ptr<cdp::Session>& child, NetworkObserver::SourceKind kind);

  // The current emulation; later documents and frames get the same.
  void SetViewport(const Viewport& viewport);
  const Viewport& viewport() const { return viewport_; }

 private:
  struct Child {
    std::shared_ptr<cdp::Session> session;
    std::vector<Subscription> subscriptions;
  };

  RequestGate::Place GatePlace();
  // While the page that is to come is held, time stands still.
  std::vector<Subscription> StopWhileHeld(const std::shared_ptr<StoppedTime>& time) const;
  void SendSetup();
  void SendCommon(cdp::Session& session);
  void FollowPage();
  Subscription FollowFileChoosers(const std::shared_ptr<cdp::Session>& session);
  void FollowNetwork();
  void OnChildAttached(const cdp::TargetAttachedToTarget& event);
  void AdoptFrame(const std::shared_ptr<cdp::Session>& child);
  void WatchChild(const std::shared_ptr<cdp::Session>& child);
  void OnChildGone(const cdp::Session& child);
  // Takes the frames once the page's setup is in force: opening ends here, whoever waits for it.
  // `alive` expires with the tab, here and below.
  static Task<void> FinishOpening(Tab* self, std::weak_ptr<void> alive,
                                  cdp::PendingReply<cdp::PageGetFrameTree> pending);
  static Task<void> RemoveUnlessMoved(Tab* self, std::weak_ptr<void> alive,
                                      std::shared_ptr<Frame> frame);
  void OnCrash();
  void OnTree(Result<cdp::PageGetFrameTree::Reply> reply);

  TabId id_;
  std::optional<TabId> opener_;
  std::shared_ptr<cdp::Session> session_;
  RequestHolds* holds_;
  const SessionOptions& options_;
  DocumentCommons& documents_;
  Viewport viewport_;
  Notifier changes_;
  FrameTree frames_;
  Dialogs dialogs_;
  NetworkObserver network_;
  ConsoleLog console_;
  RequestGate gate_;
  TabPhase phase_ = TabPhase::kOpening;
  std::optional<Error> end_;
  std::optional<FileChooser> file_chooser_;
  std::uint64_t file_choosers_seen_ = 0;
  std::vector<Subscription> subscriptions_;
  std::unordered_map<const cdp::Session*, Child> children_;
  EventHub<> on_closed_;
  EventHub<> on_crashed_;
  std::shared_ptr<void> alive_;
  TaskScope tasks_;
};

}  // namespace falconer::browser
