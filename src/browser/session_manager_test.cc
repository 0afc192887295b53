#include "browser/session_manager.h"

#include <vector>

#include "base/async/fake_clock.h"
#include "tests/support/co_test.h"
#include "tests/support/fake_browser.h"
#include "tests/support/settle.h"

namespace falconer::browser {
namespace {

using namespace std::chrono_literals;
using test::FakeBrowser;
using test::Settle;

SessionKey Key(std::string tenant, std::string workflow) {
  return {.tenant = TenantId(std::move(tenant)), .workflow = WorkflowId(std::move(workflow))};
}

using Acquired = Result<std::shared_ptr<Session>>;

struct ManagerBench {
  explicit ManagerBench(const CallContext& real, SessionManagerConfig config = {},
                        PoolConfig pool_config = {})
      : ctx(real.executor(), clock),
        pool(real.executor(), clock, pool_config,
             [this](CallContext c) { return Make(std::move(c)); }),
        manager(real.executor(), clock, pool, std::move(config)),
        tasks(real.executor()) {}

  Task<Result<std::unique_ptr<Browser>>> Make(CallContext c) {
    made.emplace_back(c.executor());
    return made.back().Attach(std::move(c));
  }
  Task<std::shared_ptr<Session>> Acquire(SessionKey key,
                                         std::optional<SessionOptions> options = std::nullopt) {
    auto session = co_await manager.Acquire(ctx, std::move(key), std::move(options));
    EXPECT_TRUE(session) << session.error().message();
    co_return session ? *session : nullptr;
  }
  Task<void> AcquireInto(SessionKey key, std::vector<Acquired>* out) {
    auto session = co_await manager.Acquire(ctx, std::move(key));
    out->push_back(std::move(session));
  }
  std::size_t open_contexts() const {
    std::size_t open = 0;
    for (const FakeBrowser& one : made) open += one.open_contexts();
    return open;
  }

  // Nothing may run on when the test ends.
  Task<void> Finish() {
    co_await tasks.Stop();
    co_await manager.Stop(ctx);
    co_await pool.Stop(ctx);
  }

  FakeClock clock;
  std::vector<FakeBrowser> made;
  CallContext ctx;
  BrowserPool pool;
  SessionManager manager;
  TaskScope tasks;
};

CO_TEST(SessionManagerTest, KeepsOneSessionPerTenantAndWorkflow) {
  ManagerBench bench(ctx);
  const auto a = co_await bench.Acquire(Key("acme", "w1"));
  const auto same = co_await bench.Acquire(Key("acme", "w1"));
  const auto other_workflow = co_await bench.Acquire(Key("acme", "w2"));
  const auto other_tenant = co_await bench.Acquire(Key("globex", "w1"));
  EXPECT_EQ(a, same);
  EXPECT_NE(a, other_workflow);
  EXPECT_NE(a, other_tenant);
  EXPECT_NE(a->context_id(), other_tenant->context_id());
  EXPECT_EQ(bench.manager.List().size(), 3U);
  co_await bench.Finish();
}

CO_TEST(SessionManagerTest, RefusesAKeyWithAnEmptyPart) {
  ManagerBench bench(ctx);
  for (const auto& key : {Key("", "w"), Key("t", "")}) {
    const auto refused = co_await bench.manager.Acquire(bench.ctx, key);
    EXPECT_FALSE(refused);
    if (!refused) EXPECT_EQ(refused.error().code(), ErrorCode::kInvalidArgument);
  }
  co_await bench.Finish();
}

CO_TEST(SessionManagerTest, TwoWhoAskAtOnceGetTheSameSession) {
  ManagerBench bench(ctx);
  std::vector<Acquired> got;
  for (int i = 0; i < 3; ++i) bench.tasks.Spawn("acquire", bench.AcquireInto(Key("t", "w"), &got));
  co_await Settle(200);
  EXPECT_EQ(got.size(), 3U);
  for (const auto& one : got) {
    EXPECT_TRUE(one);
    if (one) EXPECT_EQ(*one, *got[0]);
  }
  EXPECT_EQ(bench.open_contexts(), 1U);
  co_await bench.Finish();
}

CO_TEST(SessionManagerTest, OtherOptionsReplaceTheSession) {
  ManagerBench bench(ctx);
  SessionOptions dark;
  dark.color_scheme = "dark";
  const auto a = co_await bench.Acquire(Key("t", "w"));
  const auto same = co_await bench.Acquire(Key("t", "w"), SessionOptions{});
  EXPECT_EQ(a, same);
  const auto b = co_await bench.Acquire(Key("t", "w"), dark);
  EXPECT_NE(a, b);
  EXPECT_FALSE(a->is_open());
  EXPECT_EQ(bench.open_contexts(), 1U);
  co_await bench.Finish();
}

CO_TEST(SessionManagerTest, ReleaseDisposesTheContext) {
  ManagerBench bench(ctx);
  const auto a = co_await bench.Acquire(Key("t", "w"));
  const auto released = co_await bench.manager.Release(bench.ctx, Key("t", "w"));
  EXPECT_TRUE(released);
  EXPECT_FALSE(a->is_open());
  EXPECT_EQ(bench.open_contexts(), 0U);
  EXPECT_EQ(bench.manager.Find(Key("t", "w")), nullptr);
  const auto again = co_await bench.manager.Release(bench.ctx, Key("t", "w"));
  EXPECT_FALSE(again);
  if (!again) EXPECT_EQ(again.error().code(), ErrorCode::kNotFound);

  const auto b = co_await bench.Acquire(Key("t", "w"));
  EXPECT_NE(a->context_id(), b->context_id());
  co_await bench.Finish();
}

CO_TEST(SessionManagerTest, WaitersGetFreedSessionsInTheirOrder) {
  ManagerBench bench(ctx, {.max_sessions = 1});
  const auto first = co_await bench.Acquire(Key("t", "first"));
  std::vector<Acquired> got;
  for (const char* name : {"z", "a"})
    bench.tasks.Spawn("acquire", bench.AcquireInto(Key("t", name), &got));
  co_await Settle();
  EXPECT_EQ(bench.manager.waiting(), 2U);
  EXPECT_TRUE(got.empty());

  const auto released = co_await bench.manager.Release(bench.ctx, Key("t", "first"));
  co_await Settle();
  EXPECT_EQ(got.size(), 1U);
  EXPECT_NE(bench.manager.Find(Key("t", "z")), nullptr);
  EXPECT_EQ(bench.manager.Find(Key("t", "a")), nullptr);
  co_await bench.Finish();
}

CO_TEST(SessionManagerTest, SaysSoWhenNoSessionIsFreedInTime) {
  ManagerBench bench(ctx, {.max_sessions = 1, .acquire_timeout = 5min});
  const auto first = co_await bench.Acquire(Key("t", "first"));
  std::vector<Acquired> got;
  bench.tasks.Spawn("acquire", bench.AcquireInto(Key("t", "late"), &got));
  co_await Settle();
  bench.clock.Advance(5min);
  co_await Settle();
  EXPECT_EQ(got.size(), 1U);
  if (got.empty()) co_return co_await bench.Finish();
  EXPECT_FALSE(got[0]);
  if (!got[0]) EXPECT_EQ(got[0].error().code(), ErrorCode::kGlobalSessionLimit);
  EXPECT_TRUE(first->is_open());
  co_await bench.Finish();
}

CO_TEST(SessionManagerTest, ASessionLostWithItsBrowserIsReportedOnceAndThenReplaced) {
  ManagerBench bench(ctx, {.max_sessions = 1});
  const auto a = co_await bench.Acquire(Key("t", "w"));
  bench.made[0].peer().HangUp();
  EXPECT_TRUE(bench.manager.List().empty());

  const auto told = co_await bench.manager.Acquire(bench.ctx, Key("t", "w"));
  EXPECT_FALSE(told);
  if (!told) EXPECT_EQ(told.error().code(), ErrorCode::kBrowserGone);

  const auto b = co_await bench.Acquire(Key("t", "w"));
  EXPECT_TRUE(b && b->is_open());
  EXPECT_NE(a, b);
  co_await bench.Finish();
}

CO_TEST(SessionManagerTest, ALostSessionDoesNotKeepItsPlace) {
  ManagerBench bench(ctx, {.max_sessions = 1});
  const auto a = co_await bench.Acquire(Key("t", "w"));
  bench.made[0].peer().HangUp();
  const auto other = co_await bench.Acquire(Key("t", "other"));
  EXPECT_TRUE(other && other->is_open());
  co_await bench.Finish();
}

CO_TEST(SessionManagerTest, OfTooManyLossesTheOldestIsForgotten) {
  ManagerBench bench(ctx, {.most_lost = 2});
  for (const std::string workflow : {"c", "a", "b"}) {
    const auto session = co_await bench.Acquire(Key("t", workflow));
    bench.made.back().peer().HangUp();
  }

  const auto oldest = co_await bench.manager.Acquire(bench.ctx, Key("t", "c"));
  const auto smallest = co_await bench.manager.Acquire(bench.ctx, Key("t", "a"));
  const auto newest = co_await bench.manager.Acquire(bench.ctx, Key("t", "b"));

  EXPECT_TRUE(oldest) << "its loss was forgotten for a newer one";
  EXPECT_FALSE(smallest) << "its loss is to be told";
  EXPECT_FALSE(newest) << "its loss is to be told";
  co_await bench.Finish();
}

CO_TEST(SessionManagerTest, AFailedOpeningLeavesNothingBehind) {
  ManagerBench bench(ctx, {.max_sessions = 1});
  const auto warm_up = co_await bench.Acquire(Key("t", "w"));
  const auto released = co_await bench.manager.Release(bench.ctx, Key("t", "w"));
  bench.made[0].peer().On("Target.createTarget").Fail("no");
  const auto failed = co_await bench.manager.Acquire(bench.ctx, Key("t", "w"));
  EXPECT_FALSE(failed);
  EXPECT_EQ(bench.open_contexts(), 0U);

  bench.made[0].peer().HangUp();
  const auto b = co_await bench.Acquire(Key("t", "w"));
  EXPECT_TRUE(b && b->is_open());
  co_await bench.Finish();
}

CO_TEST(SessionManagerTest, KeepsSessionsReadyAndRefillsThem) {
  ManagerBench bench(ctx, {.prewarmed = 2});
  bench.manager.Start();
  co_await Settle(200);
  EXPECT_EQ(bench.manager.prewarmed(), 2U);
  EXPECT_EQ(bench.open_contexts(), 2U);

  const auto a = co_await bench.Acquire(Key("t", "w"));
  EXPECT_EQ(a->context_id(), "context1");
  co_await Settle(200);
  EXPECT_EQ(bench.manager.prewarmed(), 2U);

  // Used once means used: it does not come back.
  const auto released = co_await bench.manager.Release(bench.ctx, Key("t", "w"));
  const auto b = co_await bench.Acquire(Key("t", "w"));
  EXPECT_EQ(b->context_id(), "context2");
  EXPECT_EQ(bench.manager.meter().warm, 2U);
  EXPECT_EQ(bench.manager.meter().opened, 0U);
  EXPECT_EQ(bench.manager.meter().took.count(), 2U);
  co_await bench.Finish();
}

CO_TEST(SessionManagerTest, ReadySessionsAreNotForOtherOptions) {
  ManagerBench bench(ctx, {.prewarmed = 1});
  bench.manager.Start();
  co_await Settle(200);
  SessionOptions dark;
  dark.color_scheme = "dark";
  const auto a = co_await bench.Acquire(Key("t", "w"), dark);
  EXPECT_NE(a->context_id(), "context1");
  EXPECT_EQ(a->options().color_scheme, "dark");
  EXPECT_EQ(bench.manager.meter().warm, 0U);
  EXPECT_EQ(bench.manager.meter().opened, 1U);
  co_await bench.Finish();
}

CO_TEST(SessionManagerTest, ReadySessionsGiveWayToRequestedOnes) {
  ManagerBench bench(ctx, {.max_sessions = 2, .prewarmed = 2});
  bench.manager.Start();
  co_await Settle(200);
  SessionOptions dark;
  dark.color_scheme = "dark";
  const auto a = co_await bench.Acquire(Key("t", "a"), dark);
  const auto b = co_await bench.Acquire(Key("t", "b"), dark);
  EXPECT_TRUE(a && b);
  EXPECT_EQ(bench.manager.prewarmed(), 0U);
  EXPECT_EQ(bench.open_contexts(), 2U);
  co_await bench.Finish();
}

CO_TEST(SessionManagerTest, ReadySessionsMoveOutOfAnOldBrowser) {
  ManagerBench bench(ctx, {.prewarmed = 1}, {.max_age = 30min, .idle_shutdown = 0s});
  bench.manager.Start();
  co_await Settle(200);
  bench.clock.Advance(30min);
  co_await Settle(200);
  EXPECT_EQ(bench.made.size(), 2U);
  EXPECT_TRUE(bench.made[0].peer().is_closed()) << "the old browser ends with its last session";
  EXPECT_EQ(bench.manager.prewarmed(), 1U);
  co_await bench.Finish();
}

CO_TEST(SessionManagerTest, ABrowserForOneSessionEachCanBeKeptReady) {
  ManagerBench bench(ctx, {.prewarmed = 2}, {.recycle_after_sessions = 1});
  bench.manager.Start();
  co_await Settle(300);
  EXPECT_EQ(bench.manager.prewarmed(), 2U);
  EXPECT_EQ(bench.made.size(), 2U);
  co_await bench.Finish();
}

CO_TEST(SessionManagerTest, GivesEachSessionItsOwnFolder) {
  ManagerBench bench(ctx, {.artifacts = "/tmp/falconer-session-manager-test"});
  const auto a = co_await bench.Acquire(Key("t", "a"));
  const auto b = co_await bench.Acquire(
      Key("t", "b"), SessionOptions{.artifacts = "/tmp/falconer-session-manager-test/own"});
  EXPECT_EQ(a->options().artifacts, "/tmp/falconer-session-manager-test/" + a->id().value());
  EXPECT_EQ(b->options().artifacts, "/tmp/falconer-session-manager-test/own");
  std::filesystem::remove_all("/tmp/falconer-session-manager-test");
  co_await bench.Finish();
}

CO_TEST(SessionManagerTest, CloseAllClosesWhatIsHeldAndGoesOn) {
  ManagerBench bench(ctx);
  const auto a = co_await bench.Acquire(Key("t", "a"));
  const auto b = co_await bench.Acquire(Key("t", "b"));
  co_await bench.manager.CloseAll(bench.ctx);
  EXPECT_FALSE(a->is_open() || b->is_open());
  EXPECT_EQ(bench.open_contexts(), 0U);
  const auto c = co_await bench.Acquire(Key("t", "a"));
  EXPECT_TRUE(c && c->is_open());
  co_await bench.Finish();
}

CO_TEST(SessionManagerTest, StopRefusesThoseWhoWait) {
  ManagerBench bench(ctx, {.max_sessions = 1, .prewarmed = 1});
  bench.manager.Start();
  const auto a = co_await bench.Acquire(Key("t", "a"));
  std::vector<Acquired> got;
  bench.tasks.Spawn("acquire", bench.AcquireInto(Key("t", "b"), &got));
  co_await Settle();
  co_await bench.manager.Stop(bench.ctx);
  co_await Settle();
  EXPECT_EQ(got.size(), 1U);
  if (got.empty()) co_return co_await bench.Finish();
  EXPECT_FALSE(got[0]);
  if (!got[0]) EXPECT_EQ(got[0].error().code(), ErrorCode::kSessionInitFailed);
  EXPECT_EQ(bench.open_contexts(), 0U);
  co_await bench.Finish();
}

}  // namespace
}  // namespace falconer::browser
