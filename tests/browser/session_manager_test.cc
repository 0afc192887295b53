// What one session keeps, no other session ever sees.

#include "browser/session_manager.h"

#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

using namespace std::chrono_literals;
using browser::SessionKey;

SessionKey Key(std::string tenant, std::string workflow) {
  return {.tenant = TenantId(std::move(tenant)), .workflow = WorkflowId(std::move(workflow))};
}

struct Bench {
  explicit Bench(BrowserFixture& fixture, browser::SessionManagerConfig config = {})
      : t(fixture),
        pool(t.ctx.executor(), t.ctx.clock(), {},
             [](CallContext ctx) {
               return browser::Browser::Launch(std::move(ctx), TestBrowserConfig(), {});
             }),
        manager(t.ctx.executor(), t.ctx.clock(), pool, std::move(config)) {}

  Task<std::unique_ptr<BrowserFixture>> Acquire(SessionKey key) {
    const auto session = co_await manager.Acquire(t.ctx.WithTimeout(kLongPatience), std::move(key));
    EXPECT_TRUE(session) << Why(session);
    if (!session) co_return nullptr;
    co_return std::make_unique<BrowserFixture>(t.ctx, t.browser, t.site, *session, t.artifacts);
  }
  Task<void> Stop() {
    co_await manager.Stop(t.ctx.WithTimeout(kLongPatience));
    co_await pool.Stop(t.ctx.WithTimeout(kLongPatience));
  }

  BrowserFixture& t;
  browser::BrowserPool pool;
  browser::SessionManager manager;
};

constexpr std::string_view kNothing =
    R"({"local":null,"session":null,"cookie":null,"indexed":null,"cache":null,"workers":0})";

BROWSER_TEST(SessionLeakTest, NothingThatASiteKeepsIsSeenByAnotherSession) {
  Bench bench(t, {.prewarmed = 1});
  bench.manager.Start();
  {
    const auto a = co_await bench.Acquire(Key("acme", "w"));
    co_await a->Open("/storage.html");
    co_await a->Page("writeAll('secret-of-acme')");
    EXPECT_TRUE(
        (co_await a->PageText("JSON.stringify(await readAll())")).contains("secret-of-acme"));

    const auto beside = co_await bench.Acquire(Key("globex", "w"));
    co_await beside->Open("/storage.html");
    EXPECT_EQ(co_await beside->PageText("JSON.stringify(await readAll())"), kNothing);

    const auto released =
        co_await bench.manager.Release(t.ctx.WithTimeout(kLongPatience), Key("acme", "w"));
    EXPECT_TRUE(released) << Why(released);
  }
  const auto after = co_await bench.Acquire(Key("acme", "w"));
  co_await after->Open("/storage.html");
  EXPECT_EQ(co_await after->PageText("JSON.stringify(await readAll())"), kNothing);
  const auto later = co_await bench.Acquire(Key("globex", "later"));
  co_await later->Open("/storage.html");
  EXPECT_EQ(co_await later->PageText("JSON.stringify(await readAll())"), kNothing);
  co_await bench.Stop();
}

BROWSER_TEST(SessionManagerBrowserTest, AReadySessionIsThereAtOnce) {
  Bench bench(t, {.prewarmed = 1});
  bench.manager.Start();
  const auto first = co_await bench.Acquire(Key("t", "first"));
  EXPECT_EQ(first->session->tabs().all().size(), 1U);
  co_await first->Open("/empty.html");
  EXPECT_EQ(first->tab()->url(), t.site.Url("/empty.html"));
  co_await bench.Stop();
}

}  // namespace
}  // namespace falconer::test
