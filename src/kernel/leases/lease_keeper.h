#pragma once
// LeaseKeeper: the leases this node holds. Each is renewed in the background, long before it runs
// out, however long an action takes; one that is lost is told at once, so that its session can be
// closed. Answers the kernel's questions about leases from memory.

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "base/async/cancel.h"
#include "base/async/event_hub.h"
#include "base/async/task_scope.h"
#include "kernel/fences/lease_view.h"
#include "store/control_store.h"

namespace falconer::kernel {

struct LeaseKeeperOptions {
  // Names this incarnation of the program; see OwnLeaseOwner().
  std::string owner;
  std::chrono::milliseconds ttl = std::chrono::minutes(5);
  // A third of the time to live: two renewals may fail before the lease is in danger.
  std::chrono::milliseconds heartbeat = std::chrono::seconds(100);
};

struct HeldLease {
  SessionId session;
  store::Lease lease;
};

class LeaseKeeper final : public LeaseView {
 public:
  // Both must outlive the keeper.
  LeaseKeeper(Executor executor, Clock& clock, store::ControlStore& store,
              LeaseKeeperOptions options);
  ~LeaseKeeper() override;
  LeaseKeeper(const LeaseKeeper&) = delete;
  LeaseKeeper& operator=(const LeaseKeeper&) = delete;

  // Takes the lease of a workflow for a session, also from a process of this machine that ended
  // without letting go. kSessionLeaseNotAcquired with owner and retry_after_ms in the details, or
  // as the store fails.
  Task<Result<std::int64_t>> Acquire(store::LeaseKey key, SessionId session);
  // The same lease under a new epoch: what was begun under the one before is stale from then on.
  // kSessionLeaseNotAcquired when it is not held, or as the store fails.
  Task<Result<std::int64_t>> Raise(SessionId session);
  // Lets go of it. A lease that is not held is none.
  Task<void> Release(SessionId session);
  // Stops renewing, and lets go of everything.
  Task<void> Stop();

  std::optional<LeaseStatus> LeaseOf(const SessionId& session) const override;
  std::size_t held() const { return held_.size(); }
  // How many were lost since the start.
  std::uint64_t lost() const { return lost_; }
  // Those that are held and not lost.
  std::vector<HeldLease> List() const;
  // The session, and why.
  EventHub<const SessionId&, const Error&>& on_lost() { return on_lost_; }

 private:
  struct Held {
    store::Lease lease;
    // By the clock that never jumps: when the lease ends unless it is renewed.
    TimePoint expires;
    bool is_granted = true;
  };

  static Task<void> KeepAlive(LeaseKeeper* self);
  Task<void> RenewAll();
  Task<void> Renew(SessionId session);
  void Lose(const SessionId& session, const Error& why);

  Executor executor_;
  Clock& clock_;
  store::ControlStore& store_;
  LeaseKeeperOptions options_;
  std::map<SessionId, Held> held_;
  std::uint64_t lost_ = 0;
  EventHub<const SessionId&, const Error&> on_lost_;
  CancelSource stopped_;
  TaskScope tasks_;
};

}  // namespace falconer::kernel
