// The first things anybody does with a page.

#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

BROWSER_TEST(SmokeTest, OpensAPageAndReadsItsState) {
  co_await t.Open("/form.html");
  const auto state = co_await t.State();
  EXPECT_TRUE(state) << Why(state);
  if (!state) co_return;
  EXPECT_EQ(state->url, t.site.Url("/form.html"));
  EXPECT_FALSE(state->elements.empty());
}

BROWSER_TEST(SmokeTest, ClicksAButtonAndThePageSeesIt) {
  t.site.Serve("/one", "<button id=b onclick=\"document.title='clicked'\">Go</button>");
  co_await t.Open("/one");
  const auto clicked = co_await t.Click("role=button[name=\"Go\"]");
  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("document.title"), "clicked");
}

BROWSER_TEST(SmokeTest, FillsAField) {
  t.site.Serve("/one", "<label>Name <input id=n></label>");
  co_await t.Open("/one");
  const auto filled = co_await t.Fill("label=Name", "Ada Lovelace");
  EXPECT_TRUE(filled) << Why(filled);
  EXPECT_EQ(co_await t.PageText("n.value"), "Ada Lovelace");
}

}  // namespace
}  // namespace falconer::test
