// The egress proxy without the driver's rules: pages of a session that intercepts nothing try every
// way they have, with service workers allowed. Where the driver fails, the proxy still holds.

#include <gtest/gtest.h>

#include "app/egress/egress_host.h"
#include "browser/driver.h"
#include "tests/e2e/hostile_pages.h"
#include "tests/e2e/house.h"

namespace falconer::test {
namespace {

using namespace std::chrono_literals;

// How the browser was started.
enum class Started {
  kShell,
  kFull,
  kElsewhere,  // without the switches for the proxy, as one that is attached to
};

Result<std::unique_ptr<app::EgressHost>> ProxyFor(const House& house) {
  const std::string port = std::to_string(house.port());
  TRY_ASSIGN(auto rules,
             policy::DomainRules::Create(
                 {.navigate = {.allow = {"shop.test:" + port, "127.0.0.1:" + port}, .deny = {}}}));
  app::EgressConfig config;
  config.name_servers = {house.name_server()};
  return app::EgressHost::Start(std::move(config), std::move(rules));
}

Task<Result<void>> TryEverything(House* house, Started started) {
  CO_TRY_ASSIGN(const auto proxy, ProxyFor(*house));
  browser::BrowserConfig config;
  if (started == Started::kFull) config.kind = browser::BrowserKind::kFull;
  if (started != Started::kElsewhere) config.egress_proxy = proxy->address();
  CO_TRY_ASSIGN(const auto chromium, co_await browser::Browser::Launch(house->ctx, config, {}));
  browser::SessionOptions options;
  options.egress = proxy->door();
  options.service_workers = browser::ServiceWorkers::kAllow;
  CO_TRY_ASSIGN(const auto session,
                co_await chromium->NewSession(house->ctx, SessionId("s1"), std::move(options)));
  browser::Driver driver(*session, {.action_timeout = 3s, .navigation_timeout = 3s});
  for (const HostilePage& page : HostilePages()) {
    // One that leaves at once is not shown to the end.
    (void)co_await driver.Perform(
        house->ctx, {.type = model::ActionType::kNavigate, .url = HostileUrl(*house, page)});
    co_await UntilTried(house, std::string(page.name));
    if (ReachedOutside(*house) > 0) ADD_FAILURE() << page.name << " got through";
  }
  EXPECT_GT(proxy->door()->Mark(SessionId("s1")).refused, 20U) << "nothing was tried";
  co_await chromium->Close(house->program.NewCleanup());
  co_return Result<void>();
}

Task<void> ExpectNothingGetsThrough(House* house, Started started) {
  ServeHostilePages(*house);
  const auto tried = co_await TryEverything(house, started);
  EXPECT_TRUE(tried) << Describe(tried.error());
  EXPECT_EQ(ReachedOutside(*house), 0);
  for (const std::string& name : house->asked()) EXPECT_EQ(name, "shop.test");
}

void ExpectTheProxyHolds(Started started) {
  House::Run({}, [started](House* house) { return ExpectNothingGetsThrough(house, started); });
}

TEST(ProxyAloneTest, HoldsTheShell) {
  ExpectTheProxyHolds(Started::kShell);
}

TEST(ProxyAloneTest, HoldsTheFullBrowser) {
  ExpectTheProxyHolds(Started::kFull);
}

TEST(ProxyAloneTest, HoldsABrowserThatSomebodyElseStarted) {
  ExpectTheProxyHolds(Started::kElsewhere);
}

}  // namespace
}  // namespace falconer::test
