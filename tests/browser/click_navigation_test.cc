// Clicks that lead elsewhere: the click is over when the new page is there.

#include "base/json/json.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

BROWSER_TEST(ClickNavigationTest, ALinkIsFollowedToTheCommit) {
  for (const std::string& url :
       {t.site.Url("/empty.html?there"), t.site.CrossSiteUrl("/empty.html?there")}) {
    t.site.Serve("/page", "<a id=a href='" + url + "'>There</a>");
    co_await t.Open("/page");

    const auto clicked = co_await t.Click("#a");

    EXPECT_TRUE(clicked && clicked->navigation) << Why(clicked);
    EXPECT_EQ(t.tab()->url(), url);
    if (!clicked || !clicked->navigation) continue;
    EXPECT_TRUE(clicked->navigation->committed);
    EXPECT_EQ(clicked->navigation->url, url);
    EXPECT_EQ(clicked->navigation->status, 200);
  }
}

BROWSER_TEST(ClickNavigationTest, WaitsForASlowServer) {
  t.site.Serve("/page", "<a id=a href='/slow/headers?ms=300'>Slow</a>");
  co_await t.Open("/page");

  const auto clicked = co_await t.Click("#a");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/slow/headers?ms=300"));
}

BROWSER_TEST(ClickNavigationTest, FormsAreSentAndFollowed) {
  for (const std::string method : {"get", "post"}) {
    t.site.Serve("/page", "<form action='/submit' method=" + method +
                              "><input name=q value=1><button id=b>Send</button></form>");
    co_await t.Open("/page");

    const auto clicked = co_await t.Click("#b");

    EXPECT_TRUE(clicked) << Why(clicked);
    EXPECT_EQ(t.tab()->url(), t.site.Url(method == "get" ? "/submit?q=1" : "/submit"));
  }
}

BROWSER_TEST(ClickNavigationTest, ARedirectedLinkEndsAtItsEnd) {
  co_await t.Open("/redirects.html");

  const auto clicked = co_await t.Click("#chain");

  EXPECT_TRUE(clicked && clicked->navigation) << Why(clicked);
  if (!clicked || !clicked->navigation) co_return;
  EXPECT_EQ(clicked->navigation->url, t.site.Url("/empty.html"));
  EXPECT_EQ(clicked->navigation->status, 200);
}

BROWSER_TEST(ClickNavigationTest, APostKeepsItsBodyThroughARedirect) {
  co_await t.Open("/redirects.html");

  const auto clicked = co_await t.Click("#post");

  EXPECT_TRUE(clicked) << Why(clicked);
  const auto received = co_await t.Do(R"({"action_type": "extract", "selector": "#received"})");
  EXPECT_TRUE(received) << Why(received);
  if (received) EXPECT_EQ(received->extracted->at("text"), "amount=12");
}

// Whatever a click sets off must end in its own time, also when no page comes of it.
BROWSER_TEST(ClickNavigationTest, DoesNotHangOnWhatDoesNotCommit) {
  t.site.On("/none", [](const net::HttpRequest&) { return net::HttpResponse{.status = 204}; });
  const char* cases[] = {
      "href='javascript:void(0)'",
      "href='#part'",
      "href='/none'",
      "href='/download/plain'",
      "href='mailto:a@b.ch'",
      "href='#' onclick=\"location = '/none'\"",
      "href='/hang' onclick='setTimeout(() => stop(), 50)'",
      "href='#' onclick=\"location = '/hang'; stop()\"",
      "href='#' onclick=\"location = 'about:blank'\"",
      "href='#' onclick='window.open(\"about:blank\").close()'",
  };
  for (const std::string attributes : cases) {
    t.site.Serve("/page", "<a id=a " + attributes + ">Go</a>");
    co_await t.Open("/page");

    const auto clicked =
        co_await t.Do(R"({"action_type": "click", "selector": "#a", "timeout_ms": 4000})");

    EXPECT_TRUE(clicked) << attributes << ": " << Why(clicked);
  }
}

BROWSER_TEST(ClickNavigationTest, ALinkToPartOfThePageIsReportedWithItsAddress) {
  t.site.Serve("/page", "<a id=a href='#part'>Go</a>");
  co_await t.Open("/page");

  const auto clicked = co_await t.Click("#a");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/page#part"));
}

BROWSER_TEST(ClickNavigationTest, TheNextActionWorksOnTheNewPage) {
  t.site.Serve("/one", "<a id=a href='/two'>Next</a>");
  t.site.Serve("/two", "<a id=a href='/three'>Next</a>");
  t.site.Serve("/three", "<h1 id=end>End</h1>");
  co_await t.Open("/one");

  const auto first = co_await t.Click("#a");
  const auto second = co_await t.Click("#a");

  EXPECT_TRUE(first && second) << Why(first) << Why(second);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/three"));
  EXPECT_EQ(t.site.RequestCount("/two"), 1u);
}

BROWSER_TEST(ClickNavigationTest, AClickDuringAnotherNavigationGoesToTheNewPage) {
  t.site.Serve("/page", "<button id=b onclick='window.old = 1'>Old</button>");
  t.site.OnAsync("/new", [](net::HttpRequest) -> Task<net::HttpResponse> {
    co_return net::TextResponse(200, "text/html",
                                "<button id=b onclick='window.fresh = 1'>New</button>");
  });
  co_await t.Open("/page");
  t.site.Hold("/new");
  co_await t.Page("location = '/new', 0");
  const auto asked =
      co_await t.site.UntilRequests(t.ctx.WithTimeout(std::chrono::seconds(5)), "/new", 1);
  EXPECT_TRUE(asked) << Why(asked);
  t.site.Release("/new");

  const auto clicked = co_await t.Click("#b");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("window.fresh"), "1");
}

BROWSER_TEST(ClickNavigationTest, APageThatNavigatesUnderThePointerDoesNotBreakTheClick) {
  t.site.Serve("/page", "<button id=b onmousedown=\"location = '/empty.html?gone'\">Go</button>");
  co_await t.Open("/page");

  const auto clicked = co_await t.Click("#b");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/empty.html?gone"));
}

BROWSER_TEST(ClickNavigationTest, RetriesOnThePageThatReplacedTheFirst) {
  t.site.Serve("/page",
               "<button id=b disabled>Go</button><script>setTimeout(() => location = '/next', "
               "100)</script>");
  t.site.Serve("/next", "<button id=b onclick='window.n = 1'>Go</button>");
  co_await t.Open("/page");

  const auto clicked = co_await t.Click("#b");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("window.n"), "1");
}

BROWSER_TEST(ClickNavigationTest, AnApplicationThatChangesItsAddressKeepsItsDocument) {
  t.site.Serve("/page",
               "<button id=b onclick=\"history.pushState({}, '', '/page/deep')\">Go</button>");
  co_await t.Open("/page");
  const auto before = t.tab()->frames().main()->document;

  const auto clicked = co_await t.Click("#b");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/page/deep"));
  EXPECT_EQ(t.tab()->frames().main()->document, before);
}

BROWSER_TEST(ClickNavigationTest, ALinkInterceptedByThePageStaysInTheDocument) {
  t.site.Serve("/page",
               "<a id=a href='/elsewhere'>Go</a><script>navigation.addEventListener('navigate', e "
               "=> e.intercept({handler: async () => { window.handled = 1 }}))</script>");
  co_await t.Open("/page");

  const auto clicked =
      co_await t.Do(R"({"action_type": "click", "selector": "#a", "timeout_ms": 4000})");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/elsewhere"));
  EXPECT_EQ(co_await t.PageText("handled"), "1");
}

BROWSER_TEST(ClickNavigationTest, AClickThatClosesItsOwnTabIsASuccess) {
  co_await t.Open("/popup.html");
  const auto opened = co_await t.Click("#open");
  EXPECT_TRUE(opened && opened->popups.size() == 1) << Why(opened);
  if (!opened || opened->popups.empty()) co_return;

  const auto closed = co_await t.Do(
      json::serialize(json::object{{"action_type", "click"},
                                   {"selector", "#close"},
                                   {"tab_id", std::string_view(opened->popups[0].value())}}));

  EXPECT_TRUE(closed) << Why(closed);
}

}  // namespace
}  // namespace falconer::test
