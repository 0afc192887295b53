#pragma once
// HoldKeeper: what becomes of the requests of a session that are held: people are asked where they
// must be, what may be used once is used up, and then the very same request goes on, or fails. One
// per session; the turn's time stands still while people decide. Requests that a page sends after
// its turn are put down to that turn. On the session's event loop.

#include <map>
#include <memory>

#include "base/async/notifier.h"
#include "base/async/stopped_time.h"
#include "base/async/task_scope.h"
#include "browser/session.h"
#include "engine/approvals/approval_desk.h"
#include "engine/control/control_rule.h"
#include "policy/tokens/token_guard.h"

namespace falconer::engine {

// Who is asked. All must outlive the keeper.
struct ControlDesks {
  policy::TokenGuard& tokens;
  ApprovalDesk& approvals;
  const policy::Redactor& redactor;
};

class HoldKeeper {
 public:
  HoldKeeper(const Executor& executor, Clock& clock, ControlDesks desks,
             std::shared_ptr<ControlRule> rule);
  ~HoldKeeper();
  HoldKeeper(const HoldKeeper&) = delete;
  HoldKeeper& operator=(const HoldKeeper&) = delete;

  // The browser session whose requests are kept; the one before is let go.
  void Follow(std::shared_ptr<browser::Session> session);
  // A turn begins: what is held from now on ends with it when it is called off.
  void Begin(std::shared_ptr<TurnControl> control, CancelToken wanted);
  // Returns when nothing is held any more. Fails like ctx.
  Task<Result<void>> Settled(CallContext ctx);
  // Nobody decides about what is held any more: all of it is refused when this returns, and what
  // comes before the next turn is refused at once.
  Task<void> CallOff(Error why);

  // Stands still while people decide.
  const std::shared_ptr<StoppedTime>& stops() const { return stops_; }
  const ControlDesks& desks() const { return desks_; }

 private:
  using Held = std::shared_ptr<const browser::HeldRequest>;

  // One that is open.
  struct Hold {
    Held held;
    std::shared_ptr<TurnControl> control;
    // Cancelled when there is nothing left to decide about.
    LinkedCancelSource wanted;
    // How it ended in the browser.
    std::optional<browser::HoldEnd> end;
  };

  void OnHeld(const browser::HeldRequest& request);
  void OnEnded(const browser::HoldEnd& end);
  // Nobody decides about what is open any more.
  void RefuseAll();
  static Task<void> Keep(HoldKeeper* self, std::shared_ptr<Hold> hold);
  // Lets it go, and waits until the browser says that it did.
  Task<Result<void>> LetGo(std::shared_ptr<browser::Session> session, std::shared_ptr<Hold> hold);
  Task<Result<void>> Decide(CallContext ctx, const TurnControl* control, const Ruling* ruling,
                            Held held);
  Task<Result<void>> Ask(CallContext ctx, const TurnControl* control, const Ruling* ruling,
                         Held held);

  Executor executor_;
  Clock& clock_;
  ControlDesks desks_;
  std::shared_ptr<ControlRule> rule_;
  std::shared_ptr<StoppedTime> stops_;
  std::shared_ptr<browser::Session> session_;
  CancelToken wanted_;
  std::map<browser::HoldId, std::shared_ptr<Hold>> open_;
  Notifier changes_;
  Subscription held_;
  Subscription ended_;
  TaskScope tasks_;
};

}  // namespace falconer::engine
