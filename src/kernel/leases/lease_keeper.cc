#include "kernel/leases/lease_keeper.h"

#include <utility>
#include <vector>

#include "base/async/call_context.h"
#include "base/json/json.h"
#include "base/log.h"
#include "kernel/leases/lease_owner.h"

namespace falconer::kernel {

LeaseKeeper::LeaseKeeper(Executor executor, Clock& clock, store::ControlStore& store,
                         LeaseKeeperOptions options)
    : executor_(std::move(executor)),
      clock_(clock),
      store_(store),
      options_(std::move(options)),
      tasks_(executor_) {
  tasks_.Spawn("leases.keep", KeepAlive(this));
}

LeaseKeeper::~LeaseKeeper() = default;

Task<Result<std::int64_t>> LeaseKeeper::Acquire(store::LeaseKey key, SessionId session) {
  const TimePoint asked = clock_.Now();
  store::LeaseRequest request{
      .key = std::move(key), .owner = options_.owner, .ttl = options_.ttl, .gone_owner = {}};
  auto granted = co_await store_.AcquireLease(request);
  if (!granted) {
    const std::string holder = TextAt(granted.error().details(), "owner");
    if (HasEnded(holder)) {
      LOG(info, "lease.taken_over", {"workflow", request.key.workflow.value()}, {"from", holder});
      request.gone_owner = holder;
      granted = co_await store_.AcquireLease(request);
    }
  }
  CO_TRY_ASSIGN(auto lease, std::move(granted));
  const auto epoch = static_cast<std::int64_t>(lease.epoch);
  held_.insert_or_assign(session, Held{.lease = std::move(lease), .expires = asked + options_.ttl});
  co_return epoch;
}

Task<Result<std::int64_t>> LeaseKeeper::Raise(SessionId session) {
  const auto held = held_.find(session);
  if (held == held_.end() || !held->second.is_granted)
    co_return Fail(ErrorCode::kSessionLeaseNotAcquired, "the session's lease is not held");
  const TimePoint asked = clock_.Now();
  CO_TRY_ASSIGN(auto lease, co_await store_.AcquireLease({.key = held->second.lease.key,
                                                          .owner = options_.owner,
                                                          .ttl = options_.ttl,
                                                          .gone_owner = {},
                                                          .again = store::LeaseEpoch::kNew}));
  const auto found = held_.find(session);
  if (found == held_.end()) {
    static_cast<void>(co_await store_.ReleaseLease(lease));
    co_return Fail(ErrorCode::kSessionLeaseNotAcquired, "the session was closed meanwhile");
  }
  found->second.lease = std::move(lease);
  found->second.expires = asked + options_.ttl;
  co_return static_cast<std::int64_t>(found->second.lease.epoch);
}

Task<void> LeaseKeeper::Release(SessionId session) {
  const auto node = held_.extract(session);
  if (node.empty()) co_return;
  const auto released = co_await store_.ReleaseLease(node.mapped().lease);
  if (!released) {
    LOG(warn, "lease.not_released", {"session", session.value()},
        {"why", released.error().message()});
  }
}

Task<void> LeaseKeeper::Stop() {
  stopped_.Cancel(Error(ErrorCode::kSessionClosed, "the node stops"));
  co_await tasks_.Join();
  while (!held_.empty()) co_await Release(held_.begin()->first);
}

std::vector<HeldLease> LeaseKeeper::List() const {
  std::vector<HeldLease> list;
  for (const auto& [session, held] : held_) {
    if (held.is_granted) list.push_back({.session = session, .lease = held.lease});
  }
  return list;
}

std::optional<LeaseStatus> LeaseKeeper::LeaseOf(const SessionId& session) const {
  const auto found = held_.find(session);
  if (found == held_.end()) return std::nullopt;
  const Held& held = found->second;
  return LeaseStatus{.epoch = static_cast<std::int64_t>(held.lease.epoch),
                     .is_granted = held.is_granted,
                     .expires = held.expires,
                     .token_id = ""};
}

Task<void> LeaseKeeper::KeepAlive(LeaseKeeper* self) {
  const CallContext ctx =
      CallContext(self->executor_, self->clock_).WithCancel(self->stopped_.token());
  while (!ctx.cancel().is_cancelled()) {
    Alarm never(self->executor_, self->clock_);
    const auto rested = co_await ctx.WithTimeout(self->options_.heartbeat).Wait(&never, "a pause");
    if (!rested && rested.error().code() != ErrorCode::kTimeout) co_return;
    co_await self->RenewAll();
  }
}

Task<void> LeaseKeeper::RenewAll() {
  std::vector<SessionId> sessions;
  for (const auto& [session, held] : held_) {
    if (held.is_granted) sessions.push_back(session);
  }
  for (SessionId& session : sessions) co_await Renew(std::move(session));
}

// A store that cannot be reached is no loss yet: the lease is ours until it runs out.
Task<void> LeaseKeeper::Renew(SessionId session) {
  const auto before = held_.find(session);
  if (before == held_.end()) co_return;
  const TimePoint asked = clock_.Now();
  const std::uint64_t epoch = before->second.lease.epoch;
  auto renewed = co_await store_.RenewLease(before->second.lease, options_.ttl);
  const auto found = held_.find(session);
  // Raised meanwhile: what the store says is about an epoch that nobody has any more.
  if (found == held_.end() || found->second.lease.epoch != epoch) co_return;
  if (renewed) {
    found->second.lease = *std::move(renewed);
    found->second.expires = asked + options_.ttl;
    co_return;
  }
  const bool is_over =
      renewed.error().code() == ErrorCode::kStaleEpoch || clock_.Now() >= found->second.expires;
  if (is_over) co_return Lose(session, renewed.error());
  LOG(warn, "lease.not_renewed", {"session", session.value()}, {"why", renewed.error().message()});
}

void LeaseKeeper::Lose(const SessionId& session, const Error& why) {
  held_.at(session).is_granted = false;
  ++lost_;
  LOG(warn, "lease.lost", {"session", session.value()}, {"why", why.message()});
  on_lost_.Emit(session, why);
}

}  // namespace falconer::kernel
