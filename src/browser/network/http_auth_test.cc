#include "browser/network/http_auth.h"

#include "cdp/connection.h"
#include "tests/support/co_test.h"
#include "tests/support/fake_cdp_peer.h"
#include "tests/support/settle.h"

namespace falconer::browser {
namespace {

using test::FakeCdpPeer;

struct AuthBench {
  explicit AuthBench(const CallContext& ctx, std::string origin = "")
      : peer(ctx.executor()), connection(ctx.executor(), ctx.clock(), peer.MakeTransport(), {}) {
    options.http_credentials =
        Credentials{.username = "falcon", .password = "hood", .origin = std::move(origin)};
    peer.Attach("page");
  }
  void Challenge(std::string_view request, std::string_view origin,
                 std::string_view source = "Server", std::string_view session = "page") const {
    peer.Event(
        session, "Fetch.authRequired",
        json::serialize(json::object{
            {"requestId", request},
            {"request", {{"url", origin}, {"method", "GET"}, {"headers", json::object()}}},
            {"frameId", "f"},
            {"resourceType", "Document"},
            {"authChallenge",
             {{"source", source}, {"origin", origin}, {"scheme", "basic"}, {"realm", "mews"}}}}));
  }
  std::string Answer() const {
    return json::serialize(
        peer.LastOf("Fetch.continueWithAuth").params.at("authChallengeResponse"));
  }

  SessionOptions options;
  FakeCdpPeer peer;
  cdp::Connection connection;
};

constexpr std::string_view kGiven =
    R"({"response":"ProvideCredentials","username":"falcon","password":"hood"})";
constexpr std::string_view kRefused = R"({"response":"CancelAuth"})";

CO_TEST(HttpAuthTest, DoesNothingWithoutCredentials) {
  AuthBench bench(ctx);
  bench.options.http_credentials.reset();
  HttpAuth auth(bench.options);
  auth.Follow(bench.connection.FindSession("page"));
  bench.Challenge("r1", "https://example.com");
  EXPECT_EQ(bench.peer.CountOf("Fetch.continueWithAuth"), 0U);
  co_return;
}

CO_TEST(HttpAuthTest, AnswersEachRequestOnce) {
  AuthBench bench(ctx);
  HttpAuth auth(bench.options);
  auth.Follow(bench.connection.FindSession("page"));
  bench.Challenge("r1", "https://example.com");
  EXPECT_EQ(bench.Answer(), kGiven);
  bench.Challenge("r1", "https://example.com");
  EXPECT_EQ(bench.Answer(), kRefused);
  bench.Challenge("r2", "https://example.com");
  EXPECT_EQ(bench.Answer(), kGiven);
  co_return;
}

CO_TEST(HttpAuthTest, ServersAndTheProxyGetTheirOwnCredentials) {
  AuthBench bench(ctx);
  bench.options.proxy_credentials = ProxyCredentials{.username = "s1", .password = "way"};
  HttpAuth auth(bench.options);
  auth.Follow(bench.connection.FindSession("page"));
  constexpr std::string_view kForProxy =
      R"({"response":"ProvideCredentials","username":"s1","password":"way"})";
  bench.Challenge("r1", "http://127.0.0.1:1", "Proxy");
  EXPECT_EQ(bench.Answer(), kForProxy);
  bench.Challenge("r1", "https://example.com");
  EXPECT_EQ(bench.Answer(), kGiven) << "one request may meet both";
  bench.Challenge("r1", "http://127.0.0.1:1", "Proxy");
  EXPECT_EQ(bench.Answer(), kRefused) << "it has refused them";
  co_return;
}

CO_TEST(HttpAuthTest, TheProxysCredentialsAreForNoServer) {
  AuthBench bench(ctx);
  bench.options.http_credentials.reset();
  bench.options.proxy_credentials = ProxyCredentials{.username = "s1", .password = "way"};
  HttpAuth auth(bench.options);
  auth.Follow(bench.connection.FindSession("page"));
  bench.Challenge("r1", "https://evil.test");
  EXPECT_EQ(bench.Answer(), kRefused);
  co_return;
}

CO_TEST(HttpAuthTest, GivesProxiesNothing) {
  AuthBench bench(ctx);
  HttpAuth auth(bench.options);
  auth.Follow(bench.connection.FindSession("page"));
  bench.Challenge("r1", "http://proxy.test:3128", "Proxy");
  EXPECT_EQ(bench.Answer(), kRefused);
  co_return;
}

CO_TEST(HttpAuthTest, GivesOtherOriginsNothingWhenOneIsNamed) {
  AuthBench bench(ctx, "https://example.com");
  HttpAuth auth(bench.options);
  auth.Follow(bench.connection.FindSession("page"));
  bench.Challenge("r1", "https://evil.test");
  EXPECT_EQ(bench.Answer(), kRefused);
  bench.Challenge("r2", "http://example.com");
  EXPECT_EQ(bench.Answer(), kRefused);
  bench.Challenge("r3", "https://example.com/");
  EXPECT_EQ(bench.Answer(), kGiven);
  co_return;
}

CO_TEST(HttpAuthTest, RequestsOfTwoTargetsAreNotMistakenForEachOther) {
  AuthBench bench(ctx);
  bench.peer.Attach("frame", "iframe", "page");
  HttpAuth auth(bench.options);
  auth.Follow(bench.connection.FindSession("page"));
  auth.Follow(bench.connection.FindSession("frame"));
  bench.Challenge("r1", "https://example.com");
  bench.Challenge("r1", "https://example.com", "Server", "frame");
  EXPECT_EQ(bench.Answer(), kGiven);
  co_return;
}

}  // namespace
}  // namespace falconer::browser
