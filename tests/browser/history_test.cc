// Back, forward and reload.

#include "base/json/json.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

Task<Result<model::ActionOutcome>> Go(BrowserFixture& t, std::string_view type) {
  return t.Do(json::serialize(json::object{{"action_type", type}}));
}

BROWSER_TEST(HistoryTest, GoesBackAndForward) {
  co_await t.Open("/form.html");
  co_await t.Open("/keyboard.html");

  const auto back = co_await Go(t, "go_back");
  EXPECT_TRUE(back && back->navigation) << Why(back);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/form.html"));
  if (back && back->navigation) EXPECT_EQ(back->navigation->url, t.site.Url("/form.html"));

  const auto forward = co_await Go(t, "go_forward");
  EXPECT_TRUE(forward) << Why(forward);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/keyboard.html"));
}

BROWSER_TEST(HistoryTest, CrossesSites) {
  co_await t.Open("/form.html");
  co_await t.Open(t.site.CrossSiteUrl("/form.html"));

  const auto back = co_await Go(t, "go_back");
  const auto filled = co_await t.Fill("#name", "x");

  EXPECT_TRUE(back && filled) << Why(back) << Why(filled);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/form.html"));
}

BROWSER_TEST(HistoryTest, StepsThroughAddressesOfOneDocument) {
  co_await t.Open("/empty.html");
  t.site.Serve("/page", "<p>one</p>");
  co_await t.Open("/page");
  co_await t.Page("history.pushState({}, '', '/page?2')");
  co_await t.Page("location.hash = 'three'");

  const auto one = co_await Go(t, "go_back");
  EXPECT_TRUE(one) << Why(one);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/page?2"));

  const auto two = co_await Go(t, "go_back");
  EXPECT_TRUE(two) << Why(two);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/page"));

  const auto forward = co_await Go(t, "go_forward");
  EXPECT_TRUE(forward) << Why(forward);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/page?2"));
}

BROWSER_TEST(HistoryTest, StepsBetweenEntriesWithTheSameAddress) {
  t.site.Serve(
      "/page",
      "<script>addEventListener('popstate', e => window.popped = String(e.state))</script>");
  co_await t.Open("/page");
  co_await t.Page("history.pushState({n: 1}, '', location.href)");

  const auto back = co_await t.Do(R"({"action_type": "go_back", "timeout_ms": 3000})");

  EXPECT_TRUE(back) << Why(back);
  EXPECT_EQ(co_await t.PageText("window.popped"), "null");
}

BROWSER_TEST(HistoryTest, SaysWhenThereIsNoFurtherPage) {
  co_await t.Open("/form.html");

  const auto forward = co_await Go(t, "go_forward");
  EXPECT_EQ(CodeOf(forward), ErrorCode::kNavigationFailed) << Why(forward);

  const auto start = co_await Go(t, "go_back");
  const auto before = co_await Go(t, "go_back");
  EXPECT_TRUE(start) << "about:blank is where the tab began: " << Why(start);
  EXPECT_EQ(CodeOf(before), ErrorCode::kNavigationFailed) << Why(before);
}

BROWSER_TEST(HistoryTest, ReloadMakesANewDocument) {
  t.site.Serve("/page", "<button id=b>Go</button>");
  co_await t.Open("/page");
  co_await t.Page("window.mark = 1");

  const auto reloaded = co_await Go(t, "reload");

  EXPECT_TRUE(reloaded && reloaded->navigation) << Why(reloaded);
  if (reloaded && reloaded->navigation) EXPECT_EQ(reloaded->navigation->status, 200);
  EXPECT_EQ(co_await t.PageText("window.mark"), "undefined");
  EXPECT_EQ(t.site.RequestCount("/page"), 2u);
}

BROWSER_TEST(HistoryTest, ReloadSendsAFormAgain) {
  t.site.Serve(
      "/page",
      "<form action='/submit' method=post><input name=q value=1><button id=b>Send</button></form>");
  co_await t.Open("/page");
  const auto sent = co_await t.Click("#b");
  EXPECT_TRUE(sent) << Why(sent);

  const auto reloaded = co_await Go(t, "reload");

  EXPECT_TRUE(reloaded) << Why(reloaded);
  EXPECT_EQ(t.site.RequestCount("/submit"), 2u);
}

BROWSER_TEST(HistoryTest, ReloadReportsAFailure) {
  t.site.Serve("/page", "<p>fine</p>");
  co_await t.Open("/page");
  t.site.On("/page", [](const net::HttpRequest&) {
    net::HttpResponse response{.status = 302};
    response.headers.Set("Location", "/redirect/loop");
    return response;
  });

  const auto reloaded = co_await t.Do(R"({"action_type": "reload", "timeout_ms": 5000})");

  EXPECT_EQ(CodeOf(reloaded), ErrorCode::kNavigationFailed) << Why(reloaded);
  const auto next = co_await t.Do(json::serialize(
      json::object{{"action_type", "navigate"}, {"url", t.site.Url("/form.html")}}));
  EXPECT_TRUE(next) << Why(next);
}

BROWSER_TEST(HistoryTest, BackTakesAsLongAsThePageAskedFor) {
  co_await t.Open("/load_order.html");
  co_await t.Open("/empty.html");
  t.site.Hold("/delay");

  const auto back =
      co_await t.Do(R"({"action_type": "go_back", "wait_until": "domcontentloaded"})");

  EXPECT_TRUE(back) << Why(back);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/load_order.html"));
}

BROWSER_TEST(HistoryTest, ATimeoutStopsTheStep) {
  t.site.On("/page", [](const net::HttpRequest&) {
    auto response = net::TextResponse(200, "text/html", "<p>first</p>");
    response.headers.Set("Cache-Control", "no-store");
    return response;
  });
  co_await t.Open("/page");
  co_await t.Open("/form.html");
  t.site.Hold("/page");

  const auto back = co_await t.Do(R"({"action_type": "go_back", "timeout_ms": 300})");
  const auto filled = co_await t.Do(
      R"({"action_type": "fill", "selector": "#name", "text": "x", "timeout_ms": 2000})");

  EXPECT_EQ(CodeOf(back), ErrorCode::kTimeout) << Why(back);
  EXPECT_TRUE(filled) << Why(filled);
}

}  // namespace
}  // namespace falconer::test
