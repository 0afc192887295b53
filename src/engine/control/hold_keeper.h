#pragma once
// HoldKeeper: what becomes of the requests of a session that are held: people are asked where they
// must be, what may be used once is used up, and then the very same request goes on, or fails. One
// per session; the turn's time stands still while people decide. Requests that a page sends after
// its turn are put down to that turn, for as long as its token is in force; a token that is revoked
// lets nothing go. On the session's event loop.

#include <map>
#include <memory>
#include <vector>

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
  kernel::RateBook& rates;
  const policy::Redactor& redactor;
};

class HoldKeeper {
 public:
  HoldKeeper(const Executor& executor, Clock& clock, ControlDesks desks,
             std::shared_ptr<ControlRule> rule);
  ~HoldKeeper();
  HoldKeeper(const HoldKeeper&) = delete;
  HoldKeeper& operator=(const HoldKeeper&) = delete;

  // What is held ends with these too, whichever turn it belongs to.
  void EndWith(std::vector<CancelToken> ends) { ends_ = std::move(ends); }
  // The browser session whose requests are kept; the one before is let go.
  void Follow(std::shared_ptr<browser::Session> session);
  // A turn begins: what is held from now on ends with it when it is called off.
  void Begin(std::shared_ptr<TurnControl> control, CancelToken wanted);
  // Returns when nothing is held any more. Fails like ctx.
  Task<Result<void>> Settled(CallContext ctx);
  // Nobody decides about what is held any more: all of it is refused when this returns, and what
  // comes before the next turn is refused at once.
  Task<void> CallOff(Error why);

  // Puts a question of a turn to people and waits for their yes. kApprovalDenied, kApprovalTimeout;
  // fails as ApprovalDesk::Ask.
  Task<Result<model::ApprovalRecord>> AskPeople(CallContext ctx, model::ApprovalRequest request);
  // Whether what people approved may still happen: the token was not revoked meanwhile, and these
  // files are as they were shown. When it may not, that goes on record with the approval. The
  // control must outlive the call.
  Task<Result<void>> CheckApproved(CallContext ctx, const TurnControl* control,
                                   model::ApprovalRecord approval, std::vector<FileMark> files);

  // Null before the first Follow().
  const std::shared_ptr<browser::Session>& session() const { return session_; }
  // Stands still while people decide.
  const std::shared_ptr<StoppedTime>& stops() const { return stops_; }
  const ControlDesks& desks() const { return desks_; }

 private:
  using Held = std::shared_ptr<const browser::HeldRequest>;

  // One that is open.
  struct Hold {
    Held held;
    std::shared_ptr<TurnControl> control;
    // Under which its ruling is on record.
    std::string ruling_id;
    // Cancelled when there is nothing left to decide about.
    LinkedCancelSource wanted;
    // When it was made, and whether its turn was over then.
    WallTime since;
    bool is_late = false;
    // What its body has gaps for; known once people are asked.
    std::vector<FileMark> files;
    // How it ended in the browser.
    std::optional<browser::HoldEnd> end;
  };

  void OnHeld(const browser::HeldRequest& request);
  void OnEnded(const browser::HoldEnd& end);
  // Nobody decides about what is open any more.
  void RefuseAll();
  static Task<void> Keep(HoldKeeper* self, std::shared_ptr<Hold> hold);
  // The request ends, unless it has already, and the turn with it.
  static void Refuse(browser::Session& session, const Hold& hold, const Ruling& ruling,
                     const Error& why);
  // Lets it go, and waits until the browser says that it did.
  Task<Result<void>> LetGo(std::shared_ptr<browser::Session> session, std::shared_ptr<Hold> hold);
  Task<Result<void>> Decide(CallContext ctx, std::shared_ptr<Hold> hold, const Ruling* ruling);
  Task<Result<model::ApprovalRecord>> Ask(CallContext ctx, std::shared_ptr<Hold> hold,
                                          const Ruling* ruling);
  // All that must be so right before it goes on, and is used up by that.
  Task<Result<void>> Spend(CallContext ctx, std::shared_ptr<Hold> hold, const Ruling* ruling);

  Executor executor_;
  Clock& clock_;
  ControlDesks desks_;
  std::shared_ptr<ControlRule> rule_;
  std::shared_ptr<StoppedTime> stops_;
  std::shared_ptr<browser::Session> session_;
  CancelToken wanted_;
  std::vector<CancelToken> ends_;
  std::map<browser::HoldId, std::shared_ptr<Hold>> open_;
  Notifier changes_;
  Subscription held_;
  Subscription ended_;
  TaskScope tasks_;
};

}  // namespace falconer::engine
