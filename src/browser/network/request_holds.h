#pragma once
// RequestHolds: the requests of a session that wait for somebody's decision. The browser keeps each
// of them where it is: released, the very same request goes on, with no byte of it changed;
// refused, it fails in such a way that the page stays as it was. One per session, filled by the
// session's RequestGates. All of it lives on the session's event loop.
//
// A hold has no time limit of its own. It ends by itself when what it belongs to is gone, and the
// end says why; the request then never leaves (RequestBackstop). It never holds up another tab.
// While it waits it counts as a request under way: the network is not idle, and nothing that waits
// for its answer ends before its own deadline.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/async/event_hub.h"
#include "base/async/task_scope.h"
#include "browser/network/request_backstop.h"
#include "browser/network/request_rule.h"
#include "cdp/session.h"

namespace falconer::browser {

// Unique in its session, rising, never used again.
using HoldId = std::uint64_t;

struct HeldRequest {
  HoldId id = 0;
  // With headers and body, whatever the rule wanted.
  RequestFacts facts;
  // The rule's: why it is held.
  RequestVerdict verdict;
  // See request_digest.h.
  std::string digest;
  TimePoint since;

  // Is it to become the page of its tab? Then the tab's page answers nothing meanwhile; pictures of
  // it can be taken, and it can be closed.
  bool is_page() const;
};

// Why a hold ended.
enum class HoldEnding : std::uint8_t {
  kReleased,       // it left, as it was
  kRefused,        // somebody said no
  kCancelled,      // the page gave it up, or went elsewhere
  kFrameGone,      // the frame it belongs to was removed
  kTabGone,        // the tab it belongs to closed
  kWorkerGone,     // the worker it belongs to ended
  kPageCrashed,    // the page's process ended
  kSessionClosed,  // the session, or the browser
};

inline constexpr EnumName<HoldEnding> kHoldEndings[] = {
    {HoldEnding::kReleased, "released"},        {HoldEnding::kRefused, "refused"},
    {HoldEnding::kCancelled, "cancelled"},      {HoldEnding::kFrameGone, "frame_gone"},
    {HoldEnding::kTabGone, "tab_gone"},         {HoldEnding::kWorkerGone, "worker_gone"},
    {HoldEnding::kPageCrashed, "page_crashed"}, {HoldEnding::kSessionClosed, "session_closed"},
};

struct HoldEnd {
  HoldEnding why = HoldEnding::kReleased;
  // For people: what Refuse() was told, or what was observed.
  std::string detail;
  // Was the browser told to let it go? Without kReleased nobody knows whether it left.
  bool may_have_left = false;
  // The request, as it was held.
  std::shared_ptr<const HeldRequest> request;
};

class RequestHolds {
 public:
  struct Limits {
    std::size_t most = 32;
    // Of addresses, headers and bodies together.
    std::uint64_t bytes = 64ULL * 1024 * 1024;
  };
  // Reasons for which a request that was to be held is refused instead.
  static constexpr std::string_view kTooMany = "too_many_held_requests";
  static constexpr std::string_view kTooLarge = "held_request_too_large";
  static constexpr std::string_view kCannotHold = "cannot_be_held";

  // `clock` must outlive it.
  RequestHolds(Executor executor, Clock& clock, std::shared_ptr<RequestBackstop> backstop,
               Limits limits);
  ~RequestHolds();
  RequestHolds(const RequestHolds&) = delete;
  RequestHolds& operator=(const RequestHolds&) = delete;

  // Lets the very same request go on. What became of it is told by on_ended(): kReleased once the
  // browser has confirmed that it still had it. kNotFound for a hold that has ended or is being
  // released, kPreconditionFailed when the digest is not that of the request; the hold stays then.
  Result<void> Release(HoldId id, std::string_view digest);
  // Fails the request; `why` is the reason (a stable word) that the refusal is recorded with.
  // kNotFound for a hold that has ended or is being released.
  Result<void> Refuse(HoldId id, std::string why);

  // Those that wait, oldest first.
  std::vector<std::shared_ptr<const HeldRequest>> all() const;
  // Null when it has ended or is being released.
  std::shared_ptr<const HeldRequest> Find(HoldId id) const;
  // The page that the tab is to show next, if it is held.
  std::shared_ptr<const HeldRequest> PageOf(const TabId& tab) const;

  // Told inside the browser's event; a listener may decide at once.
  EventHub<const HeldRequest&>& on_held() { return on_held_; }
  EventHub<const HoldEnd&>& on_ended() { return on_ended_; }

  // The following is for those who stop requests and close what they belong to.

  // A request that was stopped, and the part that whoever stopped it takes in its end.
  struct Stopped {
    std::shared_ptr<cdp::Session> session;
    // The browser's id of the stop.
    std::string request_id;
    // As the network observer knows it; "" when it does not.
    std::string network_id;
    // Who stopped it; see EndOf().
    const void* owner = nullptr;
    // Called before it is let go, and after it was refused.
    std::function<void()> on_release;
    std::function<void(const HeldRequest&, const RequestVerdict&)> on_refused;
  };
  // Why this request cannot be held, as a stable word; "" when it can.
  std::string_view Obstacle(const RequestFacts& facts) const;
  // Holds it. The facts are complete.
  void Keep(Stopped stopped, RequestFacts facts, RequestVerdict verdict);

  // Ends what the owner stopped, what waits in a tab, and everything. What is ended so fails; call
  // it before what it belongs to is closed.
  void EndOf(const void* owner, HoldEnding why, const std::string& detail);
  void EndTab(const TabId& tab, const std::string& detail);
  void EndAll(HoldEnding why, const std::string& detail);
  // Looks whether the browser still has them: a worker or frame that ended takes its requests along
  // without a word, a moment later.
  void Recheck(const void* owner);

  // The hops of a redirect share their fate. The digest of the held request that the browser was
  // redirected from, given the id of the stop before; "" when none was held.
  std::string RedirectOf(const cdp::Session& session, const std::string& request_id) const;
  // A stop that goes on: that of a held request that is let go, or of a hop of one.
  struct Hop {
    std::string session_id;
    std::string request_id;
    std::string network_id;
    std::string digest;
  };
  void NoteHop(Hop hop);
  // Was this very request let go in another session? A service worker that serves a tab is attached
  // to twice, and each of its requests is stopped twice. The facts are complete.
  bool HasLetGo(const cdp::Session& session, const std::string& network_id,
                const RequestFacts& facts) const;

  RequestBackstop& backstop() { return *backstop_; }

 private:
  struct Hold {
    std::shared_ptr<const HeldRequest> request;
    Stopped stopped;
    std::uint64_t bytes = 0;
    // The browser was told to let it go, and has not answered yet.
    bool is_leaving = false;
    // Counts the reasons to look whether it is still there; the newest looks.
    std::uint64_t rechecks = 0;
    std::vector<Subscription> watching;
  };

  Result<Hold*> Waiting(HoldId id);
  std::vector<Subscription> Watch(HoldId id, const Stopped& stopped);
  void End(HoldId id, HoldEnding why, std::string detail);
  void Abandon(const Hold& hold);
  // Ends those that the predicate picks.
  template <typename Which>
  void EndThose(Which which, HoldEnding why, const std::string& detail);
  void RecheckOne(HoldId id);
  // `alive` expires with this.
  static Task<void> FinishRelease(RequestHolds* self, std::weak_ptr<void> alive, HoldId id,
                                  cdp::PendingReply<cdp::FetchContinueRequest> pending,
                                  CallContext ctx);
  static Task<void> RunRecheck(RequestHolds* self, std::weak_ptr<void> alive, HoldId id,
                               std::uint64_t recheck);

  Clock& clock_;
  CallContext ctx_;
  std::shared_ptr<RequestBackstop> backstop_;
  Limits limits_;
  HoldId last_id_ = 0;
  std::uint64_t bytes_ = 0;
  std::map<HoldId, Hold> holds_;
  std::deque<Hop> hops_;
  EventHub<const HeldRequest&> on_held_;
  EventHub<const HoldEnd&> on_ended_;
  std::shared_ptr<void> alive_;
  TaskScope tasks_;
};

}  // namespace falconer::browser
