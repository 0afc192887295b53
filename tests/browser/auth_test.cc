// Servers that want a name and a password.

#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

browser::SessionOptions With(std::string password, std::string origin = "") {
  browser::SessionOptions options;
  options.http_credentials = browser::Credentials{
      .username = "falcon", .password = std::move(password), .origin = std::move(origin)};
  return options;
}

std::string OriginOfSite(BrowserFixture& t) {
  const std::string url = t.site.Url("/");
  return url.substr(0, url.size() - 1);
}

BROWSER_TEST(AuthTest, GetsInWithTheSessionsCredentials) {
  const auto a = co_await OpenFixture(t, With("hood"));
  co_await a->Open("/auth/basic");
  EXPECT_EQ(co_await a->PageText("document.title"), "Inside");
}

BROWSER_TEST(AuthTest, AsksOnceWithWrongCredentials) {
  const auto a = co_await OpenFixture(t, With("wrong"));
  co_await a->Do(R"({"action_type": "navigate", "url": ")" + t.site.Url("/auth/basic") + "\"}");
  EXPECT_NE(co_await a->PageText("document.title"), "Inside");
  EXPECT_EQ(t.site.RequestCount("/auth/basic"), 2U);
}

BROWSER_TEST(AuthTest, AServerThatAsksInVainIsNotWaitedFor) {
  const auto went =
      co_await t.Do(R"({"action_type": "navigate", "url": ")" + t.site.Url("/auth/basic") + "\"}");
  EXPECT_EQ(t.site.RequestCount("/auth/basic"), 1U);
  EXPECT_NE(CodeOf(went), ErrorCode::kTimeout);
}

BROWSER_TEST(AuthTest, OnlyTheNamedOriginGetsThem) {
  const auto a = co_await OpenFixture(t, With("hood", OriginOfSite(t)));
  co_await a->Do(R"({"action_type": "navigate", "url": ")" + t.site.CrossSiteUrl("/auth/basic") +
                 "\"}");
  for (const auto& request : t.site.Requests("/auth/basic"))
    EXPECT_FALSE(request.headers.Has("Authorization"));
  co_await a->Open("/auth/basic");
  EXPECT_EQ(co_await a->PageText("document.title"), "Inside");
}

constexpr std::string_view kFetchInWorker = R"js(await new Promise(done => {
  const code = `fetch('${location.origin}/auth/basic').then(r => postMessage(r.status), e => postMessage(e.message))`;
  const worker = new Worker(URL.createObjectURL(new Blob([code])));
  worker.onmessage = (event) => done(event.data);
}))js";

constexpr std::string_view kFrameThe = R"js(await new Promise(done => {
  const frame = document.createElement('iframe');
  frame.onload = () => done('loaded');
  frame.src = )js";

BROWSER_TEST(AuthTest, WorksForRequestsFramesAndWorkers) {
  const auto a = co_await OpenFixture(t, With("hood"));
  co_await a->Open("/empty.html");
  EXPECT_EQ(co_await a->PageText("(await fetch('/auth/basic')).status"), "200");
  EXPECT_EQ(co_await a->PageText(std::string(kFetchInWorker)), "200");

  // Full Chromium lets no frame of another site authenticate, as it gives it no cookies.
  co_await a->PageText(std::string(kFrameThe) + "'" + t.site.OtherOriginUrl("/auth/basic") +
                       "'; document.body.append(frame); })");
  const auto framed = t.site.Requests("/auth/basic");
  EXPECT_TRUE(!framed.empty() && framed.back().headers.Has("Authorization"));
}

BROWSER_TEST(AuthTest, OtherRequestsAreNotDisturbed) {
  const auto a = co_await OpenFixture(t, With("hood"));
  co_await a->Open("/form.html");
  EXPECT_EQ(co_await a->PageText(
                "(await (await fetch('/echo', {method: 'POST', body: 'x=1'})).json()).body"),
            "x=1");
  co_await a->Open("/redirect/chain?codes=301,302&to=/empty.html");
  EXPECT_EQ(a->tab()->url(), t.site.Url("/empty.html"));
}

}  // namespace
}  // namespace falconer::test
