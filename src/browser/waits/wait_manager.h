#pragma once
// WaitManager: waits for what an action is expected to bring about. A wait is armed before the
// action, so that a response or dialog that comes at once is not missed, and awaited after it.
//
// Things that happen (responses, requests, dialogs, downloads, console lines, popups, WebSocket
// frames) count from the arming on. Things that are so (selectors, texts, address, load states) are
// looked at once the waiting begins. `not` holds when its child did not come true in the time it
// was given; with no time given it looks once.

#include <memory>
#include <vector>

#include "browser/frames/navigator.h"
#include "browser/session.h"
#include "browser/state/page_reading.h"
#include "model/action/wait.h"
#include "model/action/wait_outcome.h"

namespace falconer::browser {

class ArmedWait {
 public:
  ~ArmedWait();
  ArmedWait(const ArmedWait&) = delete;
  ArmedWait& operator=(const ArmedWait&) = delete;

  // Waits until the condition is decided. An unsatisfied outcome says why, branch by branch; a
  // failure (kCancelled, kTabClosed, ...) means that nobody can know. Called once.
  Task<Result<model::WaitOutcome>> Wait(CallContext ctx);
  // Before waiting: the page as it has been found to have changed, which need not be asked then.
  void Notice(PageReading changed);
  // The page as a change of its state was seen, when one was waited for and came. Called once,
  // after Wait.
  std::optional<PageReading> TakeReading();

 private:
  friend class WaitManager;
  struct Impl;
  explicit ArmedWait(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

class WaitManager {
 public:
  // Both must outlive the manager and its waits.
  WaitManager(Session& session, Navigator& navigator) : session_(session), navigator_(navigator) {}

  // Begins to listen. Changes count from the moment when the page was `seen`; it is read now when
  // nobody did before. kInvalidWaitCondition for a condition that makes no sense.
  Task<Result<std::unique_ptr<ArmedWait>>> Arm(CallContext ctx, std::shared_ptr<Tab> tab,
                                               model::WaitCondition condition, PageMark seen = {});

 private:
  Session& session_;
  Navigator& navigator_;
};

}  // namespace falconer::browser
