// Going to an address: what counts as arrived, what is reported, and what is left behind on
// failure.

#include <boost/asio/ip/tcp.hpp>

#include "base/json/json.h"
#include "tests/support/running_action.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

Task<Result<model::ActionOutcome>> Navigate(BrowserFixture& t, std::string url,
                                            json::object more = {}) {
  more["action_type"] = "navigate";
  more["url"] = std::string_view(url);
  return t.Do(json::serialize(more));
}

// A port of this machine on which nobody listens.
std::string ClosedPort(BrowserFixture& t) {
  using boost::asio::ip::tcp;
  const tcp::acceptor held(t.ctx.executor(), {boost::asio::ip::address_v4::loopback(), 0});
  return std::to_string(held.local_endpoint().port());
}

std::string NetError(const Result<model::ActionOutcome>& result) {
  if (result) return "";
  const json::value* net_error = result.error().details().if_contains("net_error");
  return net_error != nullptr && net_error->is_string() ? std::string(net_error->get_string()) : "";
}

BROWSER_TEST(NavigateTest, ReportsAddressStatusAndDocument) {
  const auto done = co_await Navigate(t, t.site.Url("/form.html"));

  EXPECT_TRUE(done && done->navigation) << Why(done);
  if (!done || !done->navigation) co_return;
  EXPECT_TRUE(done->navigation->committed);
  EXPECT_EQ(done->navigation->url, t.site.Url("/form.html"));
  EXPECT_EQ(done->navigation->status, 200);
  EXPECT_FALSE(done->navigation->loader.empty());
  EXPECT_EQ(co_await t.PageText("document.readyState"), "complete");
}

BROWSER_TEST(NavigateTest, ErrorStatusesAreReportedNotFailed) {
  for (const int status : {404, 500, 503, 401}) {
    const auto done = co_await Navigate(t, t.site.Url("/status/" + std::to_string(status)));

    EXPECT_TRUE(done && done->navigation) << Why(done);
    if (done && done->navigation) EXPECT_EQ(done->navigation->status, status);
  }
}

BROWSER_TEST(NavigateTest, FollowsAChainOfRedirects) {
  const auto done =
      co_await Navigate(t, t.site.Url("/redirect/chain?codes=301,302,303,307,308&to=/form.html"));

  EXPECT_TRUE(done && done->navigation) << Why(done);
  if (!done || !done->navigation) co_return;
  EXPECT_EQ(done->navigation->url, t.site.Url("/form.html"));
  EXPECT_EQ(done->navigation->status, 200);
  EXPECT_EQ(t.site.RequestCount("/redirect/chain"), 5u);
}

BROWSER_TEST(NavigateTest, FollowsRedirectsToAnotherSite) {
  const auto done = co_await Navigate(
      t, t.site.Url("/redirect/chain?codes=302&to=" + t.site.CrossSiteUrl("/status/404")));

  EXPECT_TRUE(done && done->navigation) << Why(done);
  if (!done || !done->navigation) co_return;
  EXPECT_EQ(done->navigation->url, t.site.CrossSiteUrl("/status/404"));
  EXPECT_EQ(done->navigation->status, 404);
}

BROWSER_TEST(NavigateTest, EndsWhereScriptsAndMetaTagsLead) {
  for (const std::string kind : {"meta", "script"}) {
    co_await Navigate(t, t.site.Url("/redirect/" + kind + "?to=/form.html"));
    const auto there = co_await t.WaitFor(R"({"kind": "url", "url_pattern": "**/form.html"})");

    EXPECT_TRUE(there && there->satisfied) << kind << ": " << Why(there);
    const auto filled = co_await t.Fill("#name", "x");
    EXPECT_TRUE(filled) << kind << ": " << Why(filled);
  }
}

BROWSER_TEST(NavigateTest, NamesTheNetworkErrorAndTheTabStaysUsable) {
  const std::pair<std::string, std::string> cases[] = {
      {"http://127.0.0.1:" + ClosedPort(t) + "/", "net::ERR_CONNECTION_REFUSED"},
      {"http://127.0.0.1:1/", "net::ERR_UNSAFE_PORT"},
      {"http://no-such-host.invalid/", "net::ERR_"},
      {t.site.Url("/redirect/loop"), "net::ERR_TOO_MANY_REDIRECTS"},
  };
  for (const auto& [url, expected] : cases) {
    const auto done = co_await Navigate(t, url);
    EXPECT_EQ(CodeOf(done), ErrorCode::kNavigationFailed) << url << ": " << Why(done);
    EXPECT_TRUE(NetError(done).starts_with(expected)) << url << ": " << Why(done);

    const auto next = co_await Navigate(t, t.site.Url("/form.html"));
    EXPECT_TRUE(next) << "after " << url << ": " << Why(next);
  }
}

BROWSER_TEST(NavigateTest, AnAnswerWithoutContentLeavesThePage) {
  t.site.On("/none", [](const net::HttpRequest&) { return net::HttpResponse{.status = 204}; });
  co_await t.Open("/form.html");

  const auto done = co_await Navigate(t, t.site.Url("/none"));

  EXPECT_EQ(CodeOf(done), ErrorCode::kNavigationFailed) << Why(done);
  EXPECT_EQ(NetError(done), "net::ERR_ABORTED");
  EXPECT_EQ(t.tab()->url(), t.site.Url("/form.html"));
  const auto filled = co_await t.Fill("#name", "still here");
  EXPECT_TRUE(filled) << Why(filled);
}

BROWSER_TEST(NavigateTest, AnotherPartOfTheSameDocumentIsNoNewDocument) {
  t.site.Serve("/page", "<h1 id=there>There</h1><script>window.mark = 7</script>");
  co_await t.Open("/page");

  const auto done = co_await Navigate(t, t.site.Url("/page#there"));

  EXPECT_TRUE(done && done->navigation) << Why(done);
  if (!done || !done->navigation) co_return;
  EXPECT_EQ(done->navigation->url, t.site.Url("/page#there"));
  EXPECT_EQ(done->navigation->status, 0) << "no request was made";
  EXPECT_EQ(co_await t.PageText("mark"), "7");
}

BROWSER_TEST(NavigateTest, TheSameAddressIsLoadedAgain) {
  t.site.Serve("/page", "<script>window.mark = (window.mark || 0) + 1</script>");
  co_await t.Open("/page");
  co_await t.Page("window.mark = 9");

  const auto done = co_await Navigate(t, t.site.Url("/page"));

  EXPECT_TRUE(done) << Why(done);
  EXPECT_EQ(co_await t.PageText("mark"), "1");
}

BROWSER_TEST(NavigateTest, WaitsNoLongerThanTheStateAskedFor) {
  t.site.Hold("/delay");
  co_await t.Open("/empty.html");
  for (const std::string state : {"commit", "domcontentloaded"}) {
    const auto done = co_await Navigate(t, t.site.Url("/load_order.html"), {{"wait_until", state}});
    EXPECT_TRUE(done) << state << ": " << Why(done);
  }
  EXPECT_EQ(co_await t.PageText("document.readyState"), "interactive");
  const auto load = co_await Navigate(t, t.site.Url("/load_order.html"),
                                      {{"wait_until", "load"}, {"timeout_ms", 500}});
  EXPECT_EQ(CodeOf(load), ErrorCode::kTimeout) << "the picture is held back: " << Why(load);
}

BROWSER_TEST(NavigateTest, WaitsForTheStateAskedFor) {
  const std::pair<const char*, const char*> cases[] = {
      {"domcontentloaded", "domcontentloaded"}, {"load", "load"}, {"networkidle", "quiet"}};
  for (const auto& [state, effect] : cases) {
    const auto done = co_await Navigate(t, t.site.Url("/load_order.html"), {{"wait_until", state}});

    EXPECT_TRUE(done) << state << ": " << Why(done);
    const std::string log = co_await t.PageText("__log.map(e => e.name)");
    EXPECT_TRUE(log.contains(effect)) << state << " came after " << log;
  }
}

BROWSER_TEST(NavigateTest, CommitIsEnoughForAPageThatNeverEnds) {
  const auto done = co_await Navigate(t, t.site.Url("/never"), {{"wait_until", "commit"}});

  EXPECT_TRUE(done) << Why(done);
  if (done && done->navigation) EXPECT_EQ(done->navigation->status, 200);
  const auto text = co_await t.Do(R"({"action_type": "extract", "selector": "#first"})");
  EXPECT_TRUE(text) << Why(text);
}

BROWSER_TEST(NavigateTest, ATimeoutLeavesTheOldPageUsable) {
  t.site.Serve("/page", "<button id=b onclick='window.n = 1'>Go</button>");
  co_await t.Open("/page");

  const auto done = co_await Navigate(t, t.site.Url("/hang"), {{"timeout_ms", 300}});
  EXPECT_EQ(CodeOf(done), ErrorCode::kTimeout) << Why(done);

  const auto clicked =
      co_await t.Do(R"({"action_type": "click", "selector": "#b", "timeout_ms": 2000})");
  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("n"), "1");
}

BROWSER_TEST(NavigateTest, APageThatComesAfterItsTimeIsNotShown) {
  t.site.Hold("/slow/headers");
  co_await t.Open("/form.html");
  const auto done = co_await Navigate(t, t.site.Url("/slow/headers?ms=0"), {{"timeout_ms", 300}});
  EXPECT_EQ(CodeOf(done), ErrorCode::kTimeout) << Why(done);

  t.site.Release("/slow/headers");
  const auto filled = co_await t.Fill("#name", "x");

  EXPECT_TRUE(filled) << Why(filled);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/form.html"));
}

BROWSER_TEST(NavigateTest, ACallOffStopsTheNavigation) {
  t.site.Hold("/slow/headers");
  co_await t.Open("/form.html");
  RunningAction going(t, json::serialize(json::object{{"action_type", "navigate"},
                                                      {"url", t.site.Url("/slow/headers?ms=0")}}));
  const auto asked =
      co_await t.site.UntilRequests(t.ctx.WithTimeout(std::chrono::seconds(5)), "/slow/headers", 1);
  EXPECT_TRUE(asked) << Why(asked);

  going.Cancel();
  const auto done = co_await going.Outcome();
  t.site.Release("/slow/headers");
  const auto filled = co_await t.Fill("#name", "x");

  EXPECT_EQ(CodeOf(done), ErrorCode::kCancelled) << Why(done);
  EXPECT_TRUE(filled) << Why(filled);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/form.html"));
}

BROWSER_TEST(NavigateTest, AnotherNavigationInterrupts) {
  t.site.Hold("/slow/headers");
  co_await t.Open("/empty.html");
  RunningAction first(t, json::serialize(json::object{{"action_type", "navigate"},
                                                      {"url", t.site.Url("/slow/headers")}}));
  const auto asked =
      co_await t.site.UntilRequests(t.ctx.WithTimeout(std::chrono::seconds(5)), "/slow/headers", 1);
  EXPECT_TRUE(asked) << Why(asked);

  const auto second = co_await Navigate(t, t.site.Url("/form.html"));
  const auto interrupted = co_await first.Outcome();

  EXPECT_TRUE(second) << Why(second);
  EXPECT_EQ(CodeOf(interrupted), ErrorCode::kNavigationInterrupted) << Why(interrupted);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/form.html"));
}

BROWSER_TEST(NavigateTest, ManyNavigationsInARowAllArrive) {
  for (int i = 0; i < 10; ++i) {
    const std::string url =
        i % 2 == 0 ? t.site.Url("/form.html") : t.site.CrossSiteUrl("/form.html");
    const auto done = co_await Navigate(t, url, {{"wait_until", "commit"}});
    EXPECT_TRUE(done) << i << ": " << Why(done);
    const auto filled = co_await t.Fill("#name", "x");
    EXPECT_TRUE(filled) << i << ": " << Why(filled);
  }
}

BROWSER_TEST(NavigateTest, SendsTheReferrer) {
  const auto done = co_await Navigate(t, t.site.Url("/echo"), {{"referrer", t.site.Url("/from")}});

  EXPECT_TRUE(done) << Why(done);
  const auto requests = t.site.Requests("/echo");
  EXPECT_EQ(requests.empty() ? "" : requests[0].headers.Find("Referer").value_or(""),
            t.site.Url("/from"));
}

BROWSER_TEST(NavigateTest, RefusesAddressesThatAreNotTheWeb) {
  for (const std::string url : {"file:///etc/passwd", "javascript:alert(1)", "chrome://settings",
                                "data:text/html,x", "view-source:http://a.b/", "", "nonsense"}) {
    const auto done = co_await Navigate(t, url);
    EXPECT_EQ(CodeOf(done), ErrorCode::kInvalidActionSpec) << url << ": " << Why(done);
  }
}

BROWSER_TEST(NavigateTest, AnAddressThatIsAFileComesDownAndThePageStays) {
  co_await t.Open("/form.html");

  const auto done = co_await Navigate(t, t.site.Url("/download/plain"));

  EXPECT_TRUE(done) << Why(done);
  if (done) EXPECT_EQ(done->downloads.size(), 1u);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/form.html"));
  const auto filled = co_await t.Fill("#name", "x");
  EXPECT_TRUE(filled) << Why(filled);
}

}  // namespace
}  // namespace falconer::test
