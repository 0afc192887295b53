#pragma once
// WorkflowSession: what of one workflow lives between its turns: its events, its one place for a
// turn, and, once something was done, its browser session.

#include <memory>
#include <optional>

#include "base/unique_fd.h"
#include "browser/session_manager.h"
#include "engine/approvals/approval_signals.h"
#include "engine/control/hold_keeper.h"
#include "engine/drive_kit.h"
#include "kernel/fences/cancel_fence.h"
#include "kernel/flow/event_bus.h"
#include "kernel/flow/pause_watch.h"
#include "kernel/turn/session_turns.h"

namespace falconer::engine {

// Decisions in the order they were made, as the ledger has them.
class DecisionLog final : public kernel::DecisionSink {
 public:
  void Record(const model::DecisionOutcome& decision) override {
    decisions_.push_back(decision.ToJson());
    last_id_ = decision.event_id;
  }
  const json::array& all() const { return decisions_; }
  // The id of the newest, by which it is found on record; "" before there is one.
  const std::string& last_id() const { return last_id_; }

 private:
  json::array decisions_;
  std::string last_id_;
};

// A person drives a session instead of its agents.
struct Takeover {
  std::string person;
  std::string reason;
  WallTime since;
  // Of the lease before, by which agents are stale until it is handed back, and since.
  std::int64_t agents_epoch = 0;
  std::int64_t epoch = 0;
};

// Whose turn acts in a session.
struct ActingNow {
  bool has_turn = false;
  std::string person = {};  // "" for an agent
};

class PageRecording;

struct WorkflowSession {
  WorkflowSession(browser::SessionKey session_key, SessionId session_id, const Clock& clock);

  browser::SessionKey key;
  SessionId id;
  WallTime began;
  kernel::EventStamper stamper;
  // Of the session itself; those about a contract are kept with the contract.
  DecisionLog decisions;
  kernel::EventBus bus;
  kernel::SessionTurns turns;
  // What may leave its browser, and what becomes of what is held. Set when the session is made.
  std::shared_ptr<ControlRule> rule;
  std::unique_ptr<HoldKeeper> holds;
  std::unique_ptr<ApprovalSignals> approvals;
  // Shared with who acts or reads in it: a browser that was lost is replaced by another kit.
  std::shared_ptr<DriveKit> kit;
  // One caller opens the browser, others wait for him.
  bool is_opening = false;
  // Being put away; who wants the workflow waits until that is done.
  bool is_closing = false;
  // Calls that have it in hand (Runtime::SessionFor, KitOf): what somebody uses is not put away.
  std::size_t users = 0;
  // How often it was taken in hand.
  std::uint64_t uses = 0;
  // Where an action in this tab (the active one when it is empty) would happen; "" when there is no
  // page yet.
  std::string PageUrl(const TabId& tab) const;
  // The epoch of its lease; nothing without one.
  std::optional<std::int64_t> Epoch() const {
    return lease && *lease ? std::optional(**lease) : std::nullopt;
  }
  // What the dialog that this tab shows asks; "" when it shows none.
  std::string OpenQuestion(const TabId& tab) const;
  // Held while the session uses its folder.
  UniqueFd folder_claim;
  kernel::CancelFence fence;
  // Decided once; callers that come while the lease is asked for wait for it.
  std::optional<Result<std::int64_t>> lease;
  Notifier changes;
  // Nobody uses it, and there is no page that anybody could come back to.
  bool is_of_no_use() const { return lease && users == 0 && !kit && !is_closing; }
  // Cancelled by a pause, which also ends the session.
  kernel::PauseWard ward;
  Subscription paused;
  // Nothing while agents drive it.
  std::optional<Takeover> takeover;
  // Cancelled, and replaced, when somebody else begins to drive: turns end with the one they began
  // under.
  CancelSource driving;
  ActingNow acting;
  // Owned by who records.
  std::weak_ptr<PageRecording> recording;
  // One change of who drives at a time.
  bool is_changing_driver = false;
  // Cancelled when the lease is lost: nothing of this session counts any more.
  CancelSource authority;
};

}  // namespace falconer::engine
