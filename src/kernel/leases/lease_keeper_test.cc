#include "kernel/leases/lease_keeper.h"

#include "base/async/notifier.h"
#include "base/async/task_scope.h"
#include "base/file.h"
#include "store/sqlite_store.h"
#include "tests/support/co_test.h"
#include "tests/support/settle.h"

namespace falconer::kernel {
namespace {

using std::chrono::milliseconds;

const SessionId kLeased("s1");

store::LeaseKey LeaseKey(std::string workflow = "w1") {
  return {.tenant = TenantId("acme"), .workflow = WorkflowId(std::move(workflow))};
}

LeaseKeeperOptions Quick(std::string owner) {
  return {
      .owner = std::move(owner), .ttl = std::chrono::seconds(10), .heartbeat = milliseconds(20)};
}

struct LeaseBench {
  explicit LeaseBench(const CallContext& ctx)
      : store(*store::SqliteStore::Open(folder.path() / "control.db", ctx.clock())) {}
  TempDir folder = TempDir::Create("falconer-kernel-test-").value();
  std::unique_ptr<store::SqliteStore> store;
};

CO_TEST(LeaseKeeperTest, AnswersFromMemoryWhatItHolds) {
  LeaseBench bench(ctx);
  LeaseKeeper keeper(ctx.executor(), ctx.clock(), *bench.store, {.owner = "a"});
  EXPECT_FALSE(keeper.LeaseOf(kLeased));

  const auto epoch = co_await keeper.Acquire(LeaseKey(), kLeased);

  EXPECT_TRUE(epoch);
  const auto status = keeper.LeaseOf(kLeased);
  const auto listed = keeper.List();
  EXPECT_EQ(listed.size(), 1U);
  if (!listed.empty()) {
    EXPECT_EQ(listed[0].session, kLeased);
    EXPECT_EQ(listed[0].lease.key, LeaseKey());
    EXPECT_EQ(static_cast<std::int64_t>(listed[0].lease.epoch), epoch.value_or(-1));
  }
  EXPECT_TRUE(status && status->is_granted);
  if (status && epoch) EXPECT_EQ(status->epoch, *epoch);
  co_await keeper.Stop();
  EXPECT_TRUE(keeper.List().empty());
  EXPECT_FALSE(keeper.LeaseOf(kLeased));
}

CO_TEST(LeaseKeeperTest, RaisesTheEpochOfWhatItHoldsAndKeepsIt) {
  LeaseBench bench(ctx);
  LeaseKeeper keeper(ctx.executor(), ctx.clock(), *bench.store, Quick("a"));
  std::size_t lost = 0;
  const auto losing =
      keeper.on_lost().Subscribe([&lost](const SessionId&, const Error&) { ++lost; });
  const auto first = co_await keeper.Acquire(LeaseKey(), kLeased);
  EXPECT_TRUE(first);

  std::int64_t last = first.value_or(0);
  // Renewed every 20 ms meanwhile: neither takes the other for somebody else.
  for (int i = 0; i < 50; ++i) {
    const auto raised = co_await keeper.Raise(kLeased);
    EXPECT_TRUE(raised && *raised > last);
    last = raised.value_or(0);
  }

  EXPECT_EQ(lost, 0u);
  EXPECT_EQ(keeper.LeaseOf(kLeased)->epoch, last);
  EXPECT_TRUE(keeper.LeaseOf(kLeased)->is_granted);
  LeaseKeeper other(ctx.executor(), ctx.clock(), *bench.store, {.owner = "b"});
  EXPECT_FALSE(co_await other.Acquire(LeaseKey(), kLeased)) << "it is still held";
  const auto none = co_await keeper.Raise(SessionId("s2"));
  EXPECT_FALSE(none);
  if (!none) EXPECT_EQ(none.error().code(), ErrorCode::kSessionLeaseNotAcquired);
  co_await other.Stop();
  co_await keeper.Stop();
}

CO_TEST(LeaseKeeperTest, ASecondOwnerIsRefusedUntilTheFirstLetsGo) {
  LeaseBench bench(ctx);
  LeaseKeeper first(ctx.executor(), ctx.clock(), *bench.store, {.owner = "a"});
  LeaseKeeper second(ctx.executor(), ctx.clock(), *bench.store, {.owner = "b"});
  const auto epoch = co_await first.Acquire(LeaseKey(), kLeased);
  EXPECT_TRUE(epoch);

  const auto refused = co_await second.Acquire(LeaseKey(), kLeased);
  EXPECT_FALSE(refused);
  if (!refused) EXPECT_EQ(refused.error().code(), ErrorCode::kSessionLeaseNotAcquired);

  co_await first.Release(kLeased);
  const auto granted = co_await second.Acquire(LeaseKey(), kLeased);
  EXPECT_TRUE(granted);
  if (granted && epoch) EXPECT_GT(*granted, *epoch);
  co_await first.Stop();
  co_await second.Stop();
}

CO_TEST(LeaseKeeperTest, RenewsWhatItHolds) {
  LeaseBench bench(ctx);
  LeaseKeeper keeper(ctx.executor(), ctx.clock(), *bench.store, Quick("a"));
  const auto epoch = co_await keeper.Acquire(LeaseKey(), kLeased);
  EXPECT_TRUE(epoch);
  const TimePoint first = keeper.LeaseOf(kLeased)->expires;
  // Renewals are nobody's business, so they are not told: looked for again and again.
  Notifier never;
  for (int i = 0; i < 500 && keeper.LeaseOf(kLeased)->expires == first; ++i) {
    const auto later =
        co_await never.Until(ctx.WithTimeout(milliseconds(10)), [] { return false; }, "a moment");
    EXPECT_FALSE(later);
  }

  EXPECT_TRUE(keeper.LeaseOf(kLeased)->is_granted);
  EXPECT_GT(keeper.LeaseOf(kLeased)->expires, first);
  co_await keeper.Stop();
}

CO_TEST(LeaseKeeperTest, TellsWhenALeaseIsLost) {
  LeaseBench bench(ctx);
  LeaseKeeper keeper(ctx.executor(), ctx.clock(), *bench.store, Quick("a"));
  const auto epoch = co_await keeper.Acquire(LeaseKey(), kLeased);
  EXPECT_TRUE(epoch);
  Notifier changes;
  std::vector<SessionId> lost;
  const auto watch = keeper.on_lost().Subscribe([&](const SessionId& session, const Error&) {
    lost.push_back(session);
    changes.NotifyAll();
  });

  // Somebody else ends it behind our back.
  const auto released =
      co_await bench.store->ReleaseLease({.key = LeaseKey(),
                                          .owner = "a",
                                          .epoch = static_cast<std::uint64_t>(*epoch),
                                          .expires = {}});
  EXPECT_TRUE(released);
  const auto told = co_await changes.Until(
      ctx.WithTimeout(std::chrono::seconds(5)), [&] { return !lost.empty(); }, "the loss");

  EXPECT_TRUE(told);
  EXPECT_FALSE(keeper.LeaseOf(kLeased)->is_granted);
  co_await keeper.Stop();
}

}  // namespace
}  // namespace falconer::kernel
