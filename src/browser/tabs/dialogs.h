#pragma once
// Dialogs: the JavaScript dialog that a tab shows, if it shows one. While it is open the page's
// process answers nothing, so every call that waits for it, and every further one, is failed with
// kDialogOpen.

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "base/async/notifier.h"
#include "browser/session_options.h"
#include "cdp/session.h"

namespace falconer::browser {

struct Dialog {
  // "alert", "confirm", "prompt" or "beforeunload".
  std::string type;
  std::string message;
  std::string default_prompt;
  std::string url;
  // Counts the dialogs of the tab, so that "a dialog opened since" can be asked.
  std::uint64_t seq = 0;
};

enum class DialogAnswer { kAccept, kDismiss };

class Dialogs {
 public:
  Dialogs(const SessionOptions& options, Notifier& changes);
  Dialogs(const Dialogs&) = delete;
  Dialogs& operator=(const Dialogs&) = delete;

  // Watches one session of the tab. The page's own session comes first and answers the dialogs.
  void Follow(const std::shared_ptr<cdp::Session>& session);
  void Unfollow(const cdp::Session& session);

  // The dialog that waits for the caller's answer; one that a policy answers never does.
  const std::optional<Dialog>& open() const { return open_; }
  std::uint64_t last_seq() const { return last_seq_; }
  // The newest dialogs that were opened, the newest last; a policy may have answered them.
  const std::deque<Dialog>& recent() const { return recent_; }

  // Answers the open dialog; kNoDialog when there is none.
  Task<Result<Dialog>> Answer(CallContext ctx, DialogAnswer answer,
                              std::optional<std::string> prompt_text);

  // kDialogOpen with the dialog in its details, while one is open.
  Result<void> NoneOpen() const;
  Subscription OnOpened(std::function<void(const Dialog&)> handler) {
    return on_opened_.Subscribe(std::move(handler));
  }
  // Told when the page was asked whether it may be left and the answer was no.
  EventHub<>& on_stayed() { return on_stayed_; }

 private:
  struct Followed {
    std::shared_ptr<cdp::Session> session;
    std::vector<Subscription> subscriptions;
  };

  void OnOpening(const cdp::PageJavascriptDialogOpening& event);
  void OnClosed(const cdp::PageJavascriptDialogClosed& event);
  void Surface(const Dialog& dialog);
  cdp::PendingReply<cdp::PageHandleJavaScriptDialog> PostAnswer(
      const Dialog& dialog, DialogAnswer answer, std::optional<std::string> prompt_text);
  Error OpenError() const;

  const SessionOptions& options_;
  Notifier& changes_;
  std::vector<Followed> followed_;
  std::optional<Dialog> open_;
  std::deque<Dialog> recent_;
  std::uint64_t last_seq_ = 0;
  EventHub<const Dialog&> on_opened_;
  EventHub<> on_stayed_;
};

}  // namespace falconer::browser
