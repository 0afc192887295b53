#include "browser/browser_pool.h"

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

// Makes fake browsers and remembers them, in the order they were started.
class Factory {
 public:
  BrowserFactory Function() {
    return [this](CallContext ctx) { return Make(std::move(ctx)); };
  }

  std::vector<FakeBrowser> made;
  // The next starts fail.
  int failures = 0;

 private:
  Task<Result<std::unique_ptr<Browser>>> Make(CallContext ctx) {
    co_await Settle(4);
    made.emplace_back(ctx.executor());
    if (failures-- > 0) co_return Fail(ErrorCode::kBrowserLaunchFailed, "no such browser");
    co_return co_await made.back().Attach(std::move(ctx));
  }
};

Task<void> OpenInto(BrowserPool* pool, CallContext ctx, std::vector<Result<PlacedSession>>* out) {
  auto opened = co_await pool->Open(std::move(ctx), SessionId("s"), {});
  out->push_back(std::move(opened));
}

// What every test begins with. Time moves only when told to.
struct Bench {
  explicit Bench(const CallContext& real, PoolConfig config = {})
      : ctx(real.executor(), clock),
        pool(real.executor(), clock, config, factory.Function()),
        tasks(real.executor()) {}

  Task<PlacedSession> Open() {
    auto opened = co_await pool.Open(ctx, SessionId("s"), {});
    EXPECT_TRUE(opened) << opened.error().message();
    co_return opened ? *std::move(opened) : PlacedSession{};
  }
  Task<void> Advance(Duration by) {
    clock.Advance(by);
    co_await Settle();
  }
  // Numbers of the browsers that live.
  std::vector<std::uint64_t> Numbers() const {
    std::vector<std::uint64_t> numbers;
    for (const BrowserStatus& status : pool.List()) numbers.push_back(status.number);
    return numbers;
  }

  // Nothing may run on when the test ends.
  Task<void> Finish() {
    co_await tasks.Stop();
    co_await pool.Stop(ctx);
  }

  FakeClock clock;
  Factory factory;
  CallContext ctx;
  BrowserPool pool;
  TaskScope tasks;
};

using Numbers = std::vector<std::uint64_t>;

CO_TEST(BrowserPoolTest, StartsNothingBeforeSomebodyAsks) {
  Bench bench(ctx);
  co_await Settle();
  EXPECT_TRUE(bench.factory.made.empty());
  co_await bench.Finish();
}

CO_TEST(BrowserPoolTest, StartsOneBrowserForManyWhoAskAtOnce) {
  Bench bench(ctx);
  std::vector<Result<PlacedSession>> opened;
  for (int i = 0; i < 5; ++i) bench.tasks.Spawn("open", OpenInto(&bench.pool, bench.ctx, &opened));
  co_await Settle(200);
  EXPECT_EQ(opened.size(), 5U);
  for (const auto& one : opened) EXPECT_TRUE(one) << one.error().message();
  EXPECT_EQ(bench.factory.made.size(), 1U);
  co_await bench.Finish();
}

CO_TEST(BrowserPoolTest, SpreadsSessionsBeforeItStacksThem) {
  Bench bench(ctx, {.max_browsers = 2});
  const auto a = co_await bench.Open();
  const auto b = co_await bench.Open();
  const auto c = co_await bench.Open();
  EXPECT_EQ(a.place.browser_number(), 1U);
  EXPECT_EQ(b.place.browser_number(), 2U);
  EXPECT_EQ(c.place.browser_number(), 1U);
  EXPECT_EQ(bench.factory.made.size(), 2U);
  co_await bench.Finish();
}

CO_TEST(BrowserPoolTest, PrefersAnEmptyBrowserToANewOne) {
  Bench bench(ctx, {.max_browsers = 2});
  auto a = co_await bench.Open();
  a = {};
  const auto b = co_await bench.Open();
  EXPECT_EQ(b.place.browser_number(), 1U);
  co_await bench.Finish();
}

CO_TEST(BrowserPoolTest, WaitsWhenEveryPlaceIsTaken) {
  Bench bench(ctx, {.max_browsers = 1, .max_sessions_per_browser = 1});
  auto first = co_await bench.Open();
  std::vector<Result<PlacedSession>> opened;
  bench.tasks.Spawn("open", OpenInto(&bench.pool, bench.ctx, &opened));
  co_await Settle();
  EXPECT_TRUE(opened.empty());
  EXPECT_TRUE(bench.pool.is_full());

  const auto refused =
      co_await bench.pool.Open(bench.ctx, SessionId("s"), {}, BrowserPool::WhenFull::kFail);
  EXPECT_FALSE(refused);
  if (!refused) EXPECT_EQ(refused.error().code(), ErrorCode::kGlobalSessionLimit);

  first = {};
  co_await Settle();
  EXPECT_EQ(opened.size(), 1U);
  co_await bench.Finish();
}

CO_TEST(BrowserPoolTest, TellsEveryoneWhyABrowserDidNotStartAndTriesAgainNextTime) {
  Bench bench(ctx);
  bench.factory.failures = 1;
  std::vector<Result<PlacedSession>> opened;
  for (int i = 0; i < 2; ++i) bench.tasks.Spawn("open", OpenInto(&bench.pool, bench.ctx, &opened));
  co_await Settle();
  EXPECT_EQ(opened.size(), 2U);
  for (const auto& one : opened) {
    EXPECT_FALSE(one);
    if (!one) EXPECT_EQ(one.error().code(), ErrorCode::kBrowserLaunchFailed);
  }
  const auto again = co_await bench.Open();
  EXPECT_EQ(again.place.browser_number(), 1U);
  co_await bench.Finish();
}

CO_TEST(BrowserPoolTest, UsesWhatRunsWhenAnotherBrowserCannotStart) {
  Bench bench(ctx, {.max_browsers = 2});
  const auto a = co_await bench.Open();
  bench.factory.failures = 1;
  const auto b = co_await bench.Open();
  EXPECT_EQ(b.place.browser_number(), 1U);
  co_await bench.Finish();
}

CO_TEST(BrowserPoolTest, EndsSessionsOfADeadBrowserAndReplacesIt) {
  Bench bench(ctx);
  const auto a = co_await bench.Open();
  bench.factory.made[0].peer().HangUp();
  EXPECT_FALSE(a.session->is_open());
  const auto alive = a.session->Alive();
  if (!alive) EXPECT_EQ(alive.error().code(), ErrorCode::kBrowserGone);
  co_await Settle();
  EXPECT_TRUE(bench.Numbers().empty());

  const auto b = co_await bench.Open();
  EXPECT_EQ(b.place.browser_number(), 2U);
  EXPECT_TRUE(b.session->is_open());
  co_await bench.Finish();
}

CO_TEST(BrowserPoolTest, TriesAnotherBrowserWhenOneDiesWhileASessionOpens) {
  Bench bench(ctx);
  auto a = co_await bench.Open();
  a = {};
  bench.factory.made[0].peer().On("Target.createTarget").Ignore();
  std::vector<Result<PlacedSession>> opened;
  bench.tasks.Spawn("open", OpenInto(&bench.pool, bench.ctx, &opened));
  co_await Settle();

  bench.factory.made[0].peer().HangUp();
  co_await Settle(200);

  EXPECT_EQ(opened.size(), 1U);
  if (!opened.empty()) EXPECT_TRUE(opened[0]) << opened[0].error().message();
  EXPECT_EQ(bench.Numbers(), Numbers{2});
  co_await bench.Finish();
}

CO_TEST(BrowserPoolTest, EndsABrowserThatLeavesThreeQuestionsUnanswered) {
  Bench bench(ctx, {.health_interval = 10s, .health_timeout = 5s});
  const auto a = co_await bench.Open();
  bench.factory.made[0].peer().On("Browser.getVersion").Ignore();

  for (int round = 0; round < 2; ++round) {
    co_await bench.Advance(10s);
    co_await bench.Advance(5s);
  }
  EXPECT_TRUE(a.session->is_open());
  EXPECT_EQ(bench.pool.List().at(0).failed_probes, 2);

  co_await bench.Advance(10s);
  co_await bench.Advance(5s);
  EXPECT_FALSE(a.session->is_open());
  EXPECT_TRUE(bench.factory.made[0].peer().is_closed());
  EXPECT_TRUE(bench.Numbers().empty());
  co_await bench.Finish();
}

CO_TEST(BrowserPoolTest, OneAnswerIsEnoughToStartCountingAgain) {
  Bench bench(ctx, {.health_interval = 10s, .health_timeout = 5s});
  const auto a = co_await bench.Open();
  auto& peer = bench.factory.made[0].peer();
  peer.On("Browser.getVersion").Ignore();
  co_await bench.Advance(10s);
  co_await bench.Advance(5s);
  EXPECT_EQ(bench.pool.List().at(0).failed_probes, 1);

  peer.On("Browser.getVersion")
      .Reply(
          R"({"protocolVersion": "", "product": "", "revision": "", "userAgent": "", "jsVersion": ""})");
  co_await bench.Advance(10s);
  EXPECT_EQ(bench.pool.List().at(0).failed_probes, 0);
  co_await bench.Finish();
}

CO_TEST(BrowserPoolTest, RetiresABrowserThatHasServedEnough) {
  Bench bench(ctx, {.recycle_after_sessions = 2});
  auto a = co_await bench.Open();
  auto b = co_await bench.Open();
  const auto c = co_await bench.Open();
  EXPECT_EQ(b.place.browser_number(), 1U);
  EXPECT_EQ(c.place.browser_number(), 2U);
  EXPECT_TRUE(a.place.is_retired());
  EXPECT_EQ(bench.Numbers(), (Numbers{1, 2}));

  a = {};
  co_await Settle();
  EXPECT_EQ(bench.Numbers(), (Numbers{1, 2})) << "a session is still open there";
  b = {};
  co_await Settle();
  EXPECT_EQ(bench.Numbers(), Numbers{2});
  co_await bench.Finish();
}

CO_TEST(BrowserPoolTest, RetiresAnOldBrowser) {
  Bench bench(ctx, {.max_age = 30min, .idle_shutdown = 0s});
  auto a = co_await bench.Open();
  int told = 0;
  const auto subscription = bench.pool.OnAged([&] { ++told; });
  co_await bench.Advance(30min);
  EXPECT_TRUE(a.place.is_retired());
  EXPECT_TRUE(a.place.is_old());
  EXPECT_EQ(told, 1);
  EXPECT_TRUE(a.session->is_open());

  a = {};
  co_await Settle();
  EXPECT_TRUE(bench.Numbers().empty());
  co_await bench.Finish();
}

CO_TEST(BrowserPoolTest, EndsABrowserThatNobodyUses) {
  Bench bench(ctx, {.idle_shutdown = 2min});
  auto a = co_await bench.Open();
  co_await bench.Advance(10min);
  EXPECT_EQ(bench.Numbers(), Numbers{1});

  a = {};
  co_await Settle();
  co_await bench.Advance(119s);
  EXPECT_EQ(bench.Numbers(), Numbers{1});
  co_await bench.Advance(1s);
  EXPECT_TRUE(bench.Numbers().empty());
  EXPECT_TRUE(bench.factory.made[0].peer().is_closed());
  co_await bench.Finish();
}

CO_TEST(BrowserPoolTest, StopEndsEverythingAndRefusesMore) {
  Bench bench(ctx);
  const auto a = co_await bench.Open();
  co_await bench.pool.Stop(bench.ctx);
  EXPECT_FALSE(a.session->is_open());
  EXPECT_TRUE(bench.factory.made[0].peer().is_closed());
  const auto refused = co_await bench.pool.Open(bench.ctx, SessionId("s"), {});
  EXPECT_FALSE(refused);
  if (!refused) EXPECT_EQ(refused.error().code(), ErrorCode::kSessionInitFailed);
  co_await bench.Finish();
}

CO_TEST(BrowserPoolTest, StopWakesThoseWhoWaitForABrowser) {
  Bench bench(ctx);
  std::vector<Result<PlacedSession>> opened;
  bench.tasks.Spawn("open", OpenInto(&bench.pool, bench.ctx, &opened));
  co_await bench.pool.Stop(bench.ctx);
  co_await Settle();
  EXPECT_EQ(opened.size(), 1U);
  if (!opened.empty()) EXPECT_FALSE(opened[0]);
  co_await bench.Finish();
}

}  // namespace
}  // namespace falconer::browser
