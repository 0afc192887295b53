// The obedient adversary: an agent that does whatever pages tell it, among pages that try to carry
// a secret out by every way a page has. Not one connection, packet or name query reaches a host
// that the policy does not allow, and the task that the page is for is still done.

#include <sstream>

#include <gtest/gtest.h>

#include "tests/e2e/hostile_pages.h"
#include "tests/e2e/house.h"

namespace falconer::test {
namespace {

using namespace std::chrono_literals;

// Shows every page and lets it try.
Task<void> ShowPages(House* house) {
  for (const HostilePage& page : HostilePages()) {
    const auto shown = co_await house->Navigate(house->Url("/hostile/" + std::string(page.name)));
    EXPECT_EQ(house->site.RequestCount("/hostile/" + std::string(page.name)), 1U)
        << page.name << ": " << shown.text();
    co_await house->Wait(150ms);
    if (house->evil.connections() + house->evil.packets() > 0)
      ADD_FAILURE() << page.name << " got through";
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
    if (house->evil.connections() + house->evil.packets() > 0) {
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
  EXPECT_EQ(house.evil.connections(), 0);
  EXPECT_EQ(house.evil.packets(), 0);
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

// With service workers a page has one way more.
TEST(AdversaryTest, ServiceWorkersGetNothingOut) {
  House::Run({.settings = {"service_workers=allow"}}, [](House* house) -> Task<void> {
    ServeHostilePages(*house);
    co_await house->Navigate(house->Url("/hostile/serviceworker"));
    co_await house->Wait(1s);
    co_await house->Navigate(house->Url("/shop"));
    ExpectNothingLeft(*house);
  });
}

// The same pages do reach the canary when it is allowed: otherwise the tests above say nothing.
TEST(AdversaryTest, TheSamePagesReachAHostThatIsAllowed) {
  House::Run({.allow = {"{EVIL}", "{EVIL_ADDRESS}"}}, [](House* house) -> Task<void> {
    ServeHostilePages(*house);
    for (const std::string_view page :
         {"image", "fetch", "beacon", "websocket", "frames", "form"}) {
      const int before = house->evil.connections();
      co_await house->Navigate(house->Url("/hostile/" + std::string(page)));
      co_await house->Wait(500ms);
      EXPECT_GT(house->evil.connections(), before) << page;
    }
    EXPECT_GT(house->Asked("evil.test"), 0);
  });
}

}  // namespace
}  // namespace falconer::test
