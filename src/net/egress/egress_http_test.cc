#include <gtest/gtest.h>

#include "net/egress/egress_proxy.h"
#include "tests/support/co_test.h"
#include "tests/support/egress_site.h"

namespace falconer::net {
namespace {

using std::chrono::milliseconds;
using test::EgressBench;
using test::kOk;
using test::Once;
using test::RawClient;
using test::RawHost;
using test::RawPeer;
using test::Site;
using test::Url;

CO_TEST(EgressHttpTest, PassesARequestOnWithoutWhatWasMeantForTheProxy) {
  EgressBench bench(ctx);
  Site site;
  RawHost host(ctx, site.Script());
  RawClient client(ctx, bench.proxy.port());

  co_await client.Send(bench.Get(Url(host, "/a?b"),
                                 "Accept: */*\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\n"
                                 "Keep-Alive: 5\r\nProxy-Connection: x\r\nTE: trailers\r\n"
                                 "Upgrade: h2c\r\nX-End: kept\r\nX-Falconer-Refused: fake\r\n"));
  const auto reply = co_await client.ReadUntil("ok");

  EXPECT_TRUE(reply.starts_with("HTTP/1.1 200 OK\r\n")) << reply;
  EXPECT_EQ(site.heads.size(), 1U);
  EXPECT_EQ(site.heads.at(0),
            "GET /a?b HTTP/1.1\r\nHost: site.test:" + std::to_string(host.port()) +
                "\r\nAccept: */*\r\nX-End: kept\r\n\r\n");
  co_await bench.proxy.Stop();
}

CO_TEST(EgressHttpTest, TellsWhatHappened) {
  EgressBench bench(ctx);
  Site site;
  RawHost host(ctx, site.Script());
  RawClient client(ctx, bench.proxy.port());

  co_await client.Send(bench.Get(Url(host)));
  co_await client.ReadUntil("ok");

  co_await bench.observer.UntilEnded(ctx, 1);
  const EgressEvent& event = bench.observer.ended.at(0);
  EXPECT_EQ(event.ask.session.value(), "s1");
  EXPECT_EQ(event.ask.host, "site.test");
  EXPECT_EQ(event.ask.port, host.port());
  EXPECT_EQ(event.ask.method, "GET");
  EXPECT_EQ(event.address->to_string(), "127.0.0.2");
  EXPECT_EQ(event.outcome, EgressOutcome::kDone);
  EXPECT_EQ(event.status, 200);
  EXPECT_EQ(event.bytes_up, site.heads.at(0).size());
  EXPECT_EQ(event.bytes_down, kOk.size());
  EXPECT_EQ(bench.observer.opened.at(0).number, event.number);
  const auto counts = bench.proxy.CountsOf(SessionId("s1"));
  EXPECT_EQ(counts->bytes_down, kOk.size());
  EXPECT_EQ(counts->requests, 1U);
  EXPECT_EQ(counts->connections, 1U);
  co_await bench.proxy.Stop();
}

CO_TEST(EgressHttpTest, KeepsBothConnectionsForTheNextRequest) {
  EgressBench bench(ctx);
  Site site;
  RawHost host(ctx, site.Script());
  RawClient client(ctx, bench.proxy.port());

  co_await client.Send(bench.Get(Url(host, "/1")) + bench.Get(Url(host, "/2")));
  co_await client.ReadUntil("ok");
  co_await client.ReadUntil("ok");
  co_await client.Send(bench.Request("POST", Url(host, "/3"), "Content-Length: 0\r\n"));
  co_await client.ReadUntil("ok");

  EXPECT_EQ(site.heads.size(), 3U);
  // What may have an effect never goes over a connection that could be closed already.
  EXPECT_EQ(host.accepted(), 2);
  // The name is looked up once per connection, the address put to the rule for every request.
  EXPECT_EQ(bench.resolver.asked, 2);
  EXPECT_EQ(bench.rule.addresses.size(), 3U);
  co_await bench.proxy.Stop();
}

CO_TEST(EgressHttpTest, AKeptConnectionThatTheHostClosedIsReplaced) {
  EgressBench bench(ctx);
  RawHost host(ctx, Once(std::string(kOk)));
  RawClient client(ctx, bench.proxy.port());

  for (int i = 0; i < 3; ++i) {
    co_await client.Send(bench.Get(Url(host)));
    const auto reply = co_await client.ReadUntil("ok");
    EXPECT_TRUE(reply.starts_with("HTTP/1.1 200")) << reply;
  }

  EXPECT_EQ(host.accepted(), 3);
  co_await bench.proxy.Stop();
}

CO_TEST(EgressHttpTest, NobodyGetsOutWithoutTheRightSecret) {
  EgressBench bench(ctx);
  const auto basic = [](const std::string& text) {
    return "Proxy-Authorization: Basic " + EncodeBase64(text) + "\r\n";
  };
  const std::string secret = bench.credentials.password;
  const std::string cases[] = {
      "",
      "Proxy-Authorization: \r\n",
      "Proxy-Authorization: Basic\r\n",
      "Proxy-Authorization: Basic ???\r\n",
      "Proxy-Authorization: Bearer " + EncodeBase64("s1:" + secret) + "\r\n",
      basic("s1"),
      basic("s1:"),
      basic("s1:wrong"),
      basic("s2:" + secret),
      basic(":" + secret),
      basic("s1:" + secret + "x"),
      basic("s1:" + secret.substr(1)),
      basic("s2:"),
      bench.Field() + bench.Field()};
  for (const std::string& field : cases) {
    RawClient client(ctx, bench.proxy.port());
    co_await client.Send("GET http://site.test/ HTTP/1.1\r\nHost: x\r\n" + field + "\r\n");
    const auto reply = co_await client.ReadUntil("\r\n\r\n");
    EXPECT_TRUE(reply.starts_with("HTTP/1.1 407 ")) << field << reply;
    EXPECT_NE(reply.find("Proxy-Authenticate: Basic realm="), std::string::npos) << reply;
    client.Close();
  }
  EXPECT_TRUE(bench.rule.hosts.empty());
  EXPECT_EQ(bench.resolver.asked, 0);
  co_await bench.proxy.Stop();
}

CO_TEST(EgressHttpTest, AChallengedClientMayAnswerOnTheSameConnection) {
  EgressBench bench(ctx);
  Site site;
  RawHost host(ctx, site.Script());
  RawClient client(ctx, bench.proxy.port());

  co_await client.Send("GET " + Url(host) + " HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto challenge = co_await client.ReadUntil("needed\n");
  co_await client.Send(bench.Get(Url(host)));
  const auto reply = co_await client.ReadUntil("ok");

  EXPECT_TRUE(challenge.starts_with("HTTP/1.1 407 ")) << challenge;
  EXPECT_TRUE(reply.starts_with("HTTP/1.1 200 ")) << reply;
  co_await bench.proxy.Stop();
}

CO_TEST(EgressHttpTest, AConnectionBelongsToOneSession) {
  EgressBench bench(ctx);
  const auto other = bench.proxy.Admit(SessionId("s2"));
  Site site;
  RawHost host(ctx, site.Script());
  RawClient client(ctx, bench.proxy.port());

  co_await client.Send(bench.Get(Url(host)));
  co_await client.ReadUntil("ok");
  co_await client.Send("GET " + Url(host) + " HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic " +
                       EncodeBase64("s2:" + other->password) + "\r\n\r\n");
  const auto reply = co_await client.ReadUntil("\r\n\r\n");

  EXPECT_TRUE(reply.starts_with("HTTP/1.1 407 ")) << reply;
  EXPECT_FALSE(bench.proxy.Admit(SessionId("s2")));
  EXPECT_FALSE(bench.proxy.Admit(SessionId("a:b")));
  EXPECT_FALSE(bench.proxy.Admit(SessionId("")));
  co_await bench.proxy.Stop();
}

CO_TEST(EgressHttpTest, ARefusedHostIsNotEvenLookedUp) {
  EgressBench bench(ctx);
  bench.rule.refused_hosts = {"data.evil.test"};
  RawClient client(ctx, bench.proxy.port());

  co_await client.Send(bench.Get("http://data.evil.test/"));
  const auto reply = co_await client.ReadUntil("(decision dec_1)\n");

  EXPECT_TRUE(reply.starts_with("HTTP/1.1 403 Forbidden\r\n")) << reply;
  EXPECT_NE(reply.find("X-Falconer-Refused: no_allow_rule\r\n"), std::string::npos) << reply;
  EXPECT_NE(reply.find("X-Falconer-Decision: dec_1\r\n"), std::string::npos) << reply;
  EXPECT_NE(reply.find("Content-Security-Policy: sandbox"), std::string::npos) << reply;
  EXPECT_NE(reply.find("Cache-Control: no-store"), std::string::npos) << reply;
  EXPECT_EQ(bench.resolver.asked, 0);
  co_await bench.observer.UntilEnded(ctx, 1);
  EXPECT_EQ(bench.observer.ended.at(0).outcome, EgressOutcome::kRefused);
  EXPECT_EQ(bench.observer.ended.at(0).rule, "test");
  EXPECT_EQ(bench.observer.ended.at(0).decision, "dec_1");
  EXPECT_TRUE(bench.observer.opened.empty());
  EXPECT_EQ(bench.proxy.CountsOf(SessionId("s1"))->refused, 1U);
  co_await bench.proxy.Stop();
}

CO_TEST(EgressHttpTest, OneAddressInsideRefusesTheWholeHost) {
  EgressBench bench(ctx);
  Site site;
  RawHost inside(ctx, site.Script(), "127.0.0.1");
  RawHost outside(ctx, site.Script(), "127.0.0.2", inside.port());
  for (const char* name : {"inside.test", "mixed.test", "127.0.0.1", "[::1]"}) {
    RawClient client(ctx, bench.proxy.port());
    co_await client.Send(bench.Get(Url(inside, "/", name)));
    const auto reply = co_await client.ReadUntil("\r\n\r\n");
    EXPECT_TRUE(reply.starts_with("HTTP/1.1 403 ")) << name << reply;
    EXPECT_NE(reply.find("X-Falconer-Refused: address_not_public"), std::string::npos) << reply;
    client.Close();
  }
  EXPECT_EQ(inside.accepted(), 0);
  EXPECT_EQ(outside.accepted(), 0);
  co_await bench.proxy.Stop();
}

struct Bad {
  std::string sent;
  std::string status;
  std::string reason;
};

CO_TEST(EgressHttpTest, RefusesWhatIsNoProperRequest) {
  EgressBench bench(ctx, {.max_header_bytes = 2048});
  const std::string field = bench.Field();
  const std::string post = "POST http://site.test/ HTTP/1.1\r\nHost: x\r\n" + field;
  const std::string get = "GET http://site.test/ HTTP/1.1\r\nHost: x\r\n" + field;
  const Bad cases[] = {
      {"GARBAGE\r\n\r\n", "400", "malformed_request"},
      {"\r\n\r\n", "400", "no_request"},
      {"GET http://site.test/ HTTP/2.0\r\nHost: x\r\n\r\n", "400", "malformed_request"},
      {get + "X: a\r\n b\r\n\r\n", "400", "folded_header"},
      {get + "X : a\r\n\r\n", "400", "bad_header_name"},
      {get + "X: a\nY: b\r\n\r\n", "400", "control_character"},
      {get + "X: " + std::string(3000, 'a') + "\r\n\r\n", "431", "header_too_long"},
      {post + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", "400", ""},
      {post + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n", "400", ""},
      {post + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc", "400", "ambiguous_body_length"},
      {post + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc", "400", ""},
      {post + "Content-Length: 3, 3\r\n\r\nabc", "400", ""},
      {post + "Content-Length: +3\r\n\r\nabc", "400", ""},
      {post + "Content-Length: -1\r\n\r\nabc", "400", ""},
      {post + "Content-Length: 0x3\r\n\r\nabc", "400", ""},
      {post + "Content-Length: 99999999999999999999\r\n\r\nabc", "400", ""},
      {post + "Transfer-Encoding: gzip, chunked\r\n\r\n", "501", "transfer_coding_not_supported"},
      {post + "Transfer-Encoding: identity\r\n\r\n", "501", "transfer_coding_not_supported"},
      {post + "Transfer-Encoding: xchunked\r\n\r\n", "501", "transfer_coding_not_supported"},
      {post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", "400", ""},
      {"POST http://site.test/ HTTP/1.0\r\n" + field + "Transfer-Encoding: chunked\r\n\r\n", "400",
       "ambiguous_body_length"},
      {"GET http://site.test/ HTTP/1.1\r\n" + field + "\r\n", "400", "one_host_header_needed"},
      {get + "Host: y\r\n\r\n", "400", "one_host_header_needed"},
      {post + "Content-Length: 1\r\nExpect: magic\r\n\r\n", "417", "expectation_not_supported"},
      {"GET / HTTP/1.1\r\nHost: site.test\r\n" + field + "\r\n", "400", "invalid_target"},
      {"GET http://0x7f.1/ HTTP/1.1\r\nHost: x\r\n" + field + "\r\n", "400", "invalid_target"},
      {"GET http://a@site.test/ HTTP/1.1\r\nHost: x\r\n" + field + "\r\n", "400", "invalid_target"},
      {"GET ftp://site.test/ HTTP/1.1\r\nHost: x\r\n" + field + "\r\n", "403",
       "scheme_not_allowed"},
      {"GET http://site.test:25/ HTTP/1.1\r\nHost: x\r\n" + field + "\r\n", "403",
       "port_not_allowed"},
      {"CONNECT site.test HTTP/1.1\r\nHost: x\r\n" + field + "\r\n", "400", "invalid_target"},
      {"CONNECT site.test:22 HTTP/1.1\r\nHost: x\r\n" + field + "\r\n", "403", "port_not_allowed"},
      {"CONNECT site.test:443 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n" + field + "\r\n", "400",
       "tunnel_with_body"},
  };
  for (const Bad& bad : cases) {
    RawClient client(ctx, bench.proxy.port());
    co_await client.Send(bad.sent);
    const auto reply = co_await client.ReadUntil("\r\n\r\n");
    EXPECT_TRUE(reply.starts_with("HTTP/1.1 " + bad.status)) << bad.sent << "\n" << reply;
    EXPECT_NE(reply.find("X-Falconer-Refused: " + bad.reason), std::string::npos)
        << bad.sent << "\n"
        << reply;
    client.Close();
  }
  EXPECT_EQ(bench.resolver.asked, 0);
  co_await bench.proxy.Stop();
}

CO_TEST(EgressHttpTest, SaysWhyAHostIsNotReached) {
  EgressBench bench(ctx, {.dial_timeout = milliseconds(50), .quiet_timeout = milliseconds(50)});
  RawHost gone(ctx, Once(""));
  const auto port = gone.port();
  Site site{.heads = {}, .answer = ""};
  RawHost silent(ctx, site.Script());
  bench.resolver.names["free.test"] = {"127.0.0.3"};
  const Bad cases[] = {
      {"http://nowhere.test/", "502", "name_not_resolved"},
      {"http://hangs.test/", "504", "name_not_resolved_timeout"},
      {"http://free.test:" + std::to_string(port) + "/", "502", "host_not_reached"},
      {Url(silent), "504", "host_timeout"},
  };
  for (const Bad& bad : cases) {
    RawClient client(ctx, bench.proxy.port());
    co_await client.Send(bench.Get(bad.sent));
    const auto reply = co_await client.ReadUntil("\r\n\r\n");
    EXPECT_TRUE(reply.starts_with("HTTP/1.1 " + bad.status)) << bad.sent << "\n" << reply;
    EXPECT_NE(reply.find("X-Falconer-Refused: " + bad.reason + "\r\n"), std::string::npos) << reply;
    client.Close();
  }
  co_await bench.proxy.Stop();
}

}  // namespace
}  // namespace falconer::net
