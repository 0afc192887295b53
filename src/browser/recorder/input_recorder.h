#pragma once
// InputRecorder: what is done in the pages of a session, as it happens: in all tabs, popups and
// frames, and in every document that comes. Only what the browser itself trusts counts, and nothing
// that an agent's turn sent. On the session's event loop.

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async/notifier.h"
#include "base/async/task_scope.h"
#include "browser/recorder/navigation_watch.h"
#include "browser/recorder/page_input.h"

namespace falconer::browser {

class InputRecorder {
 public:
  // Begins at once. The sink must not wait, nor end the recorder.
  InputRecorder(Executor executor, Clock& clock, std::shared_ptr<Session> session,
                PageInputSink sink);
  // Ends it, as End() does.
  ~InputRecorder();
  InputRecorder(const InputRecorder&) = delete;
  InputRecorder& operator=(const InputRecorder&) = delete;

  // Waits until the pages that are there are heard. Fails like ctx, and as the session ends.
  Task<Result<void>> Begun(CallContext ctx);
  // Has the pages tell what was typed and is not told yet; those that do not answer soon are left.
  Task<void> Flush(CallContext ctx);
  // From now on somebody else acts.
  void HandOver(int to);
  // Nothing more is told after this, but for the press that was told last: it is waited for whether
  // another one makes a double press of it.
  void End();

 private:
  struct Heard {
    std::shared_ptr<cdp::Session> session;
    std::vector<Subscription> subscriptions;
    // By which the script is taken back; "" until the browser has answered.
    std::string script;
    bool is_in_force = false;
  };
  struct Watched {
    std::unique_ptr<NavigationWatch> navigation;
    Subscription documents;
  };

  void Hear(const std::shared_ptr<cdp::Session>& session);
  // A task that was woken goes on also where its scope has gone: it looks at `alive` first.
  static Task<void> AwaitScript(InputRecorder* self, std::weak_ptr<void> alive,
                                const cdp::Session* session,
                                cdp::PendingReply<cdp::PageAddScriptToEvaluateOnNewDocument> added);
  void Watch(Tab& tab);
  bool HasJustActed() const;
  void Renew(Tab& tab, const Frame& frame);
  void OnTold(const cdp::Session& session, const cdp::RuntimeBindingCalled& event);
  void Introduce(const cdp::Session& session, std::int64_t context, const std::string& document);
  void Tell(const ToldFrom& from, const json::object& message);
  void TellNavigation(const TabId& tab, int hand, const OwnNavigation& navigation);
  // In order; a press waits for the next one.
  void Pass(PageInput input);
  void LetGo();
  static Task<void> LetGoLater(InputRecorder* self, std::weak_ptr<void> alive,
                               std::uint64_t number);
  // Calls the script in every document.
  std::vector<cdp::PendingReply<cdp::RuntimeEvaluate>> Call(const std::string& call);

  Executor executor_;
  Clock& clock_;
  std::shared_ptr<Session> session_;
  PageInputSink sink_;
  std::map<const cdp::Session*, Heard> heard_;
  std::map<TabId, Watched> watched_;
  // Documents by the name that they give themselves; the oldest are forgotten.
  std::map<std::string, ToldFrom> documents_;
  std::deque<std::string> oldest_;
  int hand_ = kWindowHand;
  // When something was done last, and whether that was in a frame that another process shows.
  std::optional<TimePoint> last_input_;
  bool is_last_elsewhere_ = false;
  std::optional<PageInput> press_;
  std::uint64_t presses_ = 0;
  bool is_over_ = false;
  Notifier changes_;
  std::vector<Subscription> subscriptions_;
  std::shared_ptr<void> alive_ = std::make_shared<char>();
  TaskScope tasks_;
};

}  // namespace falconer::browser
