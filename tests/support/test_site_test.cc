#include "tests/support/test_site.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/sha256.h"
#include "net/http_client.h"
#include "net/websocket.h"
#include "net/websocket_client.h"
#include "tests/support/co_test.h"

namespace falconer::test {
namespace {

using net::HttpReply;
using net::SendHttp;
using std::chrono::milliseconds;

Task<HttpReply> Get(CallContext ctx, std::string url) {
  auto reply = co_await SendHttp(ctx, {.url = std::move(url)});
  EXPECT_TRUE(reply) << Describe(reply.error());
  co_return reply ? *std::move(reply) : HttpReply();
}

CO_TEST(TestSiteTest, ServesEveryPageUnderEveryName) {
  TestSite site;
  for (const auto& entry : std::filesystem::directory_iterator(FALCONER_TEST_PAGES)) {
    const std::string path = "/" + entry.path().filename().string();
    const auto reply = co_await Get(ctx, site.Url(path));

    EXPECT_EQ(reply.status, 200) << path;
    EXPECT_EQ(reply.body.find("{{"), std::string::npos) << path;
    EXPECT_EQ(reply.body.find("src=\"effects.js\""), std::string::npos) << path;
  }
  for (const auto& url : {site.OtherOriginUrl("/empty.html"), site.CrossSiteUrl("/empty.html"),
                          site.ThirdSiteUrl("/empty.html")}) {
    const auto reply = co_await Get(ctx, url);
    EXPECT_EQ(reply.status, 200) << url;
  }
}

TEST(TestSiteTest, TheReadmeNamesEveryPage) {
  const std::filesystem::path folder = FALCONER_TEST_PAGES;
  const auto readme = ReadFile(folder / "README.md");
  ASSERT_TRUE(readme);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto name = entry.path().filename().string();
    const auto row = "| " + name + " |";
    EXPECT_TRUE(name == "README.md" || readme->find(row) != std::string::npos)
        << name << " is not in tests/site/README.md";
  }
}

CO_TEST(TestSiteTest, StaysInsideItsFolder) {
  TestSite site;
  for (const std::string path :
       {"/../CMakeLists.txt", "/%2e%2e/CMakeLists.txt", "/.hidden", "/no"}) {
    const auto reply = co_await Get(ctx, site.Url(path));
    EXPECT_EQ(reply.status, 404) << path;
  }
}

CO_TEST(TestSiteTest, RecordsRequestsAndEffects) {
  TestSite site;
  const auto posted = co_await SendHttp(
      ctx, {.url = site.Url("/effect?x=1"),
            .method = "POST",
            .body = R"({"page": "/form.html", "name": "saved", "detail": {"n": 2}})"});
  const auto bad =
      co_await SendHttp(ctx, {.url = site.Url("/effect"), .method = "POST", .body = "no JSON"});

  EXPECT_TRUE(posted && bad);
  if (bad) EXPECT_EQ(bad->status, 400);
  EXPECT_EQ(site.EffectCount("saved"), 1U);
  EXPECT_EQ(site.Effects("saved").front().detail, (json::object{{"n", 2}}));
  EXPECT_EQ(site.RequestCount("/effect"), 2U);
  EXPECT_EQ(site.Requests("/effect").front().method, "POST");
  EXPECT_EQ(site.Requests("/effect").front().query, "x=1");

  site.Reset();
  EXPECT_EQ(site.RequestCount(""), 0U);
  EXPECT_EQ(site.EffectCount(""), 0U);
}

CO_TEST(TestSiteTest, AnswersInTheTestsOwnWay) {
  TestSite site;
  site.Serve("/empty.html", "<p>mine</p>");
  site.On("/count", [](const net::HttpRequest& request) {
    return net::TextResponse(201, "text/plain", request.query);
  });

  const auto page = co_await Get(ctx, site.Url("/empty.html"));
  const auto count = co_await Get(ctx, site.Url("/count?7"));
  site.Reset();
  const auto again = co_await Get(ctx, site.Url("/count?7"));

  EXPECT_EQ(page.body, "<p>mine</p>");
  EXPECT_EQ(count.status, 201);
  EXPECT_EQ(count.body, "7");
  EXPECT_EQ(again.status, 404);
}

CO_TEST(TestSiteTest, HoldsARequestUntilReleased) {
  TestSite site;
  site.Hold("/json");
  const auto held =
      co_await SendHttp(ctx.WithTimeout(milliseconds(50)), {.url = site.Url("/json")});
  const auto seen = co_await site.UntilRequests(ctx.WithTimeout(milliseconds(5000)), "/json", 1);
  site.Release("/json");
  const auto reply = co_await Get(ctx, site.Url("/json"));

  EXPECT_FALSE(held);
  EXPECT_TRUE(seen);
  EXPECT_EQ(reply.status, 200);
}

CO_TEST(TestSiteTest, WaitingForWhatNeverComesTimesOut) {
  TestSite site;
  const auto waited = co_await site.UntilEffects(ctx.WithTimeout(milliseconds(10)), "none", 1);

  EXPECT_FALSE(waited);
  if (!waited) EXPECT_EQ(waited.error().code(), ErrorCode::kTimeout);
}

Task<std::string> FlakyPattern(CallContext ctx, TestSite* site, std::uint32_t seed) {
  site->MakeFlaky(seed, 0.5);
  std::string pattern;
  for (int i = 0; i < 20; ++i) {
    const auto reply = co_await Get(ctx, site->Url("/json"));
    pattern += reply.status == 503 ? 'x' : '.';
  }
  co_return pattern;
}

CO_TEST(TestSiteTest, FailsTheSameWayForTheSameSeed) {
  TestSite site;
  const auto first = co_await FlakyPattern(ctx, &site, 7);
  const auto second = co_await FlakyPattern(ctx, &site, 7);
  const auto page = co_await Get(ctx, site.Url("/empty.html"));

  EXPECT_EQ(first, second);
  EXPECT_NE(first.find('x'), std::string::npos) << first;
  EXPECT_NE(first.find('.'), std::string::npos) << first;
  EXPECT_EQ(page.status, 200);
}

CO_TEST(SiteRoutesTest, UploadTellsWhatArrived) {
  TestSite site;
  const std::string body =
      "--b\r\nContent-Disposition: form-data; name=\"album\"\r\n\r\nbirds\r\n"
      "--b\r\nContent-Disposition: form-data; name=\"one\"; filename=\"a.txt\"\r\n"
      "Content-Type: text/plain\r\n\r\nhello\r\n--b--\r\n";
  const auto reply =
      co_await SendHttp(ctx, {.url = site.Url("/upload"),
                              .method = "POST",
                              .headers = {{"Content-Type", "multipart/form-data; boundary=b"}},
                              .body = body});

  EXPECT_TRUE(reply);
  const auto stored = ParseJson(reply ? reply->body : "");
  EXPECT_TRUE(stored);
  const json::value expected{
      {"files",
       {{{"field", "one"}, {"name", "a.txt"}, {"size", 5}, {"sha256", Sha256Hex("hello")}}}},
      {"fields", {{"album", "birds"}}}};
  if (stored) EXPECT_EQ(*stored, expected) << json::serialize(*stored);
  EXPECT_EQ(site.EffectCount("upload"), 1U);
}

CO_TEST(SiteRoutesTest, RedirectsGoStepByStep) {
  TestSite site;
  const auto first = co_await Get(ctx, site.Url("/redirect/chain?codes=301,307&to=/empty.html"));
  const auto second = co_await Get(ctx, std::string(first.headers.Find("Location").value_or("")));

  EXPECT_EQ(first.status, 301);
  EXPECT_EQ(second.status, 307);
  EXPECT_EQ(second.headers.Find("Location"), "/empty.html");
  EXPECT_EQ((co_await Get(ctx, site.Url("/redirect/chain?codes=200"))).status, 400);
}

struct RouteCase {
  std::string path;
  int status;
  std::string contains;
};

CO_TEST(SiteRoutesTest, EveryPlainRouteAnswers) {
  TestSite site;
  const RouteCase cases[] = {
      {"/auth/basic", 401, "password"},
      {"/status/404", 404, "Status 404"},
      {"/status/500", 500, "Status 500"},
      {"/cookies/set?a=1", 200, "set"},
      {"/cookies/read", 200, "cookie"},
      {"/echo?x", 200, "/echo?x"},
      {"/cors/echo", 200, "GET"},
      {"/delay?ms=1&body=late%20one", 200, "late one"},
      {"/items?from=10&count=2", 200, "Item 12"},
      {"/cities?country=ch", 200, "Zug"},
      {"/json", 200, "falcon"},
      {"/json/malformed", 200, "price"},
      {"/json/silent", 200, "out of stock"},
      {"/json/big?mb=1", 200, "kestrel"},
      {"/slow/headers?ms=1", 200, "arrived"},
      {"/slow/body?ms=1", 200, "Second half"},
      {"/big?mb=1", 200, "Last"},
      {"/elements?n=40", 200, "Pick 9"},
      {"/spa/anything", 200, "Single page"},
      {"/favicon.ico", 204, ""},
      {"/download/plain", 200, "the content of plain"},
      {"/download/slow?chunks=2&ms=1", 200, "xxx"},
      {"/download/nothing", 404, "no such"},
      {"/redirect/meta", 200, "refresh"},
      {"/redirect/script", 200, "location.replace"},
  };
  for (const RouteCase& c : cases) {
    const auto reply = co_await Get(ctx, site.Url(c.path));
    EXPECT_EQ(reply.status, c.status) << c.path;
    EXPECT_NE(reply.body.find(c.contains), std::string::npos) << c.path << ": " << reply.body;
  }
}

CO_TEST(SiteRoutesTest, SomeAnswersNeverEnd) {
  TestSite site;
  for (const std::string path : {"/hang", "/never", "/sse", "/download/endless"}) {
    const auto reply =
        co_await SendHttp(ctx.WithTimeout(milliseconds(100)), {.url = site.Url(path)});
    EXPECT_FALSE(reply) << path;
    if (!reply) EXPECT_EQ(reply.error().code(), ErrorCode::kTimeout) << path;
  }
  const auto broken = co_await SendHttp(ctx, {.url = site.Url("/download/broken")});
  EXPECT_FALSE(broken);
}

CO_TEST(SiteRoutesTest, TheWebSocketEchoes) {
  TestSite site;
  const auto url = "ws" + site.Url("/ws").substr(4);
  const auto socket = co_await net::ConnectWebSocket(ctx, url);
  EXPECT_TRUE(socket);
  co_await (*socket)->Send(ctx, {.data = "hello"});
  const auto message = co_await (*socket)->Receive();

  EXPECT_TRUE(message);
  if (message) EXPECT_EQ(message->data, "echo hello");
  co_await (*socket)->Close();
}

}  // namespace
}  // namespace falconer::test
