#include "kernel/flow/pause_watch.h"

#include "base/async/fake_clock.h"
#include "base/file.h"
#include "base/json/json.h"
#include "store/sqlite_store.h"
#include "tests/support/captured_log.h"
#include "tests/support/co_test.h"
#include "tests/support/settle.h"

namespace falconer::kernel {
namespace {

using namespace std::chrono_literals;
using store::Pause;

// Pauses in memory, and how often they were looked at.
class FakePauses final : public store::PauseStore {
 public:
  Task<Result<Pause>> OrderPause(store::PauseOrder order) override {
    pauses.push_back({order.tenant, order.reason, order.by, {}});
    co_return pauses.back();
  }
  Task<Result<std::optional<Pause>>> EndPause(TenantId) override {
    co_return std::optional<Pause>();
  }
  Task<Result<std::optional<Pause>>> FindPause(TenantId) override {
    co_return std::optional<Pause>();
  }
  Task<Result<std::vector<Pause>>> ListPauses() override {
    ++looked;
    if (is_broken) co_return Fail(ErrorCode::kIoError, "the disk is gone");
    co_return pauses;
  }
  std::vector<Pause> pauses;
  int looked = 0;
  bool is_broken = false;
};

struct WatchBench {
  explicit WatchBench(const CallContext& ctx) : watch(ctx.executor(), clock, store) {}
  // The time until the watch has looked once more.
  Task<void> Look() {
    clock.Advance(PauseWatch::kInterval);
    co_await test::Settle();
  }
  FakeClock clock;
  FakePauses store;
  PauseWatch watch;
};

CO_TEST(PauseWatchTest, APauseOfEverybodyCancelsWhatIsUnderWay) {
  WatchBench bench(ctx);
  const PauseWard one = bench.watch.Begin(TenantId("acme"));
  const PauseWard two = bench.watch.Begin(TenantId("other"));
  co_await bench.Look();
  EXPECT_FALSE(one.token().is_cancelled());

  bench.store.pauses.push_back({TenantId(), "incident", "ann", {}});
  co_await bench.Look();

  EXPECT_TRUE(one.token().is_cancelled());
  EXPECT_TRUE(two.token().is_cancelled());
  const auto why = one.token().Check();
  EXPECT_FALSE(why);
  if (!why) {
    EXPECT_EQ(why.error().code(), ErrorCode::kRuntimePaused);
    EXPECT_EQ(why.error().message(), "everything is paused: incident");
    EXPECT_EQ(TextAt(why.error().details(), "by"), "ann");
  }
  co_await bench.watch.Stop();
}

CO_TEST(PauseWatchTest, APauseOfOneTenantCancelsNobodyElse) {
  WatchBench bench(ctx);
  const PauseWard one = bench.watch.Begin(TenantId("acme"));
  const PauseWard two = bench.watch.Begin(TenantId("other"));
  bench.store.pauses.push_back({TenantId("acme"), "too much", "ann", {}});
  co_await bench.Look();
  EXPECT_TRUE(one.token().is_cancelled());
  EXPECT_FALSE(two.token().is_cancelled());
  co_await bench.watch.Stop();
}

CO_TEST(PauseWatchTest, LogsEachPauseOnce) {
  const test::CapturedLog log;
  WatchBench bench(ctx);
  const PauseWard ward = bench.watch.Begin(TenantId("acme"));
  bench.store.pauses.push_back({TenantId("other"), "one", "ann", {}});
  co_await bench.Look();
  co_await bench.Look();
  bench.store.pauses.push_back({TenantId("acme"), "two", "ann", {}});
  co_await bench.Look();
  EXPECT_EQ(log.CountOf({"pause.noticed"}), 2U);
  co_await bench.watch.Stop();
}

CO_TEST(PauseWatchTest, LooksOnlyWhileSomethingIsUnderWay) {
  WatchBench bench(ctx);
  co_await bench.Look();
  EXPECT_EQ(bench.store.looked, 0);
  {
    const PauseWard ward = bench.watch.Begin(TenantId("acme"));
    co_await bench.Look();
    co_await bench.Look();
    EXPECT_EQ(bench.store.looked, 2);
  }
  co_await bench.Look();
  co_await bench.Look();
  EXPECT_EQ(bench.store.looked, 2);
  PauseWard again = bench.watch.Begin(TenantId("acme"));
  co_await bench.Look();
  EXPECT_EQ(bench.store.looked, 3) << "and again when there is something";
  again = PauseWard();
  co_await bench.watch.Stop();
}

CO_TEST(PauseWatchTest, AStoreThatFailsIsAskedAgain) {
  WatchBench bench(ctx);
  const PauseWard ward = bench.watch.Begin(TenantId("acme"));
  bench.store.is_broken = true;
  bench.store.pauses.push_back({TenantId(), "incident", "ann", {}});
  co_await bench.Look();
  EXPECT_FALSE(ward.token().is_cancelled());
  bench.store.is_broken = false;
  co_await bench.Look();
  EXPECT_TRUE(ward.token().is_cancelled());
  co_await bench.watch.Stop();
}

// On a real store, ordered through another connection as another process would.
CO_TEST(PauseWatchTest, NoticesWhatAnotherProcessOrdered) {
  const TempDir folder = TempDir::Create("falconer-pause-test-").value();
  const auto own = store::SqliteStore::Open(folder.path() / "control.db", ctx.clock()).value();
  const auto other = store::SqliteStore::Open(folder.path() / "control.db", ctx.clock()).value();
  PauseWatch watch(ctx.executor(), ctx.clock(), *own, 5ms);
  const PauseWard ward = watch.Begin(TenantId("acme"));
  Alarm cancelled(ctx.executor(), ctx.clock());
  const auto on_cancel = ward.token().OnCancel([&] { cancelled.Signal(); });

  const auto ordered = co_await other->OrderPause({TenantId(), "incident", "ann"});
  EXPECT_TRUE(ordered);
  const auto noticed = co_await ctx.WithTimeout(10s).Wait(&cancelled, "the pause");

  EXPECT_TRUE(noticed) << noticed.error().message();
  co_await watch.Stop();
}

CO_TEST(PauseWatchTest, AWardMayOutliveItsWatchAndLetGoOfOthersWhenCancelled) {
  PauseWard left;
  {
    WatchBench bench(ctx);
    left = bench.watch.Begin(TenantId("acme"));
    PauseWard other = bench.watch.Begin(TenantId("acme"));
    const auto on_cancel = left.token().OnCancel([&] { other = PauseWard(); });
    bench.store.pauses.push_back({TenantId(), "incident", "ann", {}});
    co_await bench.Look();
    co_await bench.watch.Stop();
  }
  EXPECT_TRUE(left.token().is_cancelled());
}

}  // namespace
}  // namespace falconer::kernel
