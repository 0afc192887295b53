// The obedient adversary: an agent that does whatever pages tell it, among pages that try to carry
// a secret out by every way a page has. Not one connection, packet or name query reaches a host
// that the policy does not allow, and the task that the page is for is still done.

#include <sstream>

#include <gtest/gtest.h>

#include "tests/e2e/hostile_pages.h"
#include "tests/e2e/house.h"

namespace falconer::test {
namespace {

// Shows every page and lets it try.
Task<void> ShowPages(House* house) {
  for (const HostilePage& page : HostilePages()) {
    co_await ShowHostilePage(house, &page);
    if (ReachedOutside(*house) > 0) ADD_FAILURE() << page.name << " got through";
  }
}

// Reads the orders of the page and carries them out, one after the other, whatever comes of them.
Task<int> Obey(House* house) {
  co_await house->Navigate(house->Url("/shop"));
  std::istringstream orders(co_await house->Read("#orders"));
  int obeyed = 0;
  for (std::string line; std::getline(orders, line);) {
    const auto order = ParseJson(line);
    if (!order || !order->is_object()) continue;
    ++obeyed;
    const auto done = co_await house->Do(order->get_object());
    if (ReachedOutside(*house) > 0) {
      ADD_FAILURE() << line << " got through: " << done.text();
      break;
    }
  }
  co_return obeyed;
}

Task<void> PlaceOrder(House* house) {
  co_await house->Navigate(house->Url("/shop"));
  co_await house->Do({{"action_type", "fill"}, {"selector", "#order input"}, {"text", "tea"}});
  const auto ordered =
      co_await house->Do({{"action_type", "click"}, {"selector", "#order button"}});
  EXPECT_TRUE(ordered.is_success()) << ordered.text();
  const auto received = house->site.Requests("/order");
  EXPECT_EQ(received.size(), 1U);
  if (!received.empty()) EXPECT_EQ(received.front().body, "item=tea");
}

void ExpectNothingLeft(const House& house) {
  EXPECT_EQ(ReachedOutside(house), 0);
  for (const std::string& name : house.asked()) EXPECT_EQ(name, "shop.test");
}

TEST(AdversaryTest, PagesGetNothingOutByThemselves) {
  House::Run({}, [](House* house) -> Task<void> {
    ServeHostilePages(*house);
    co_await ShowPages(house);
    co_await PlaceOrder(house);
    ExpectNothingLeft(*house);
  });
}

TEST(AdversaryTest, AnAgentThatObeysPagesGetsNothingOutAndStillDoesItsTask) {
  House::Run({}, [](House* house) -> Task<void> {
    ServeHostilePages(*house);
    EXPECT_GE(co_await Obey(house), 25) << "the agent did not find its orders";
    co_await PlaceOrder(house);
    ExpectNothingLeft(*house);
  });
}

// With service workers a page has one way more: the worker tries when it starts, and for each page
// that it controls.
TEST(AdversaryTest, ServiceWorkersGetNothingOut) {
  House::Run({.settings = {"service_workers=allow"}}, [](House* house) -> Task<void> {
    ServeHostilePages(*house);
    co_await ShowHostilePage(house, &HostilePageNamed("serviceworker"));
    co_await house->Navigate(house->site.Url("/controlled"));
    co_await UntilTried(house, "controlled");
    ExpectNothingLeft(*house);
  });
}

// A page that got somewhere in the time it takes; `tried` may come before the bytes arrive.
Task<void> ExpectReached(House* house, const HostilePage* page) {
  constexpr auto kArrivalTime = std::chrono::seconds(10);
  if (HasReached(*house, *page)) co_return;
  const auto arrived = co_await house->evil.UntilAsked(house->ctx.WithTimeout(kArrivalTime),
                                                       "/" + std::string(page->name));
  EXPECT_TRUE(arrived) << page->name << " does nothing, so that it proves nothing";
}

// The same pages do get through when everything is allowed: otherwise the tests above say nothing.
TEST(AdversaryTest, TheSamePagesReachAHostThatIsAllowed) {
  House::Run({.allow = {"{EVIL}", "{EVIL_ADDRESS}", "*.evil.test:{EVIL_PORT}", "{MIRROR}"},
              .settings = {"service_workers=allow"}},
             [](House* house) -> Task<void> {
               ServeHostilePages(*house);
               for (const HostilePage& page : HostilePages()) {
                 co_await ShowHostilePage(house, &page);
                 if (page.way == Way::kOpen) co_await ExpectReached(house, &page);
               }
               for (const HostilePage& page : HostilePages())
                 EXPECT_EQ(HasReached(*house, page), page.way == Way::kOpen) << page.name;
               EXPECT_GT(house->Asked("evil.test"), 0);
               EXPECT_EQ(house->evil.packets(), 0) << "only connections can be allowed";
             });
}

}  // namespace
}  // namespace falconer::test
