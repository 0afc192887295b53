#include "net/egress/egress_tunnel.h"

#include <gtest/gtest.h>

#include "net/egress/dns_resolver.h"
#include "net/egress/egress_proxy.h"
#include "tests/support/co_test.h"
#include "tests/support/dns_server.h"
#include "tests/support/egress_bench.h"

namespace falconer::net {
namespace {

using std::chrono::milliseconds;
using test::EgressBench;
using test::RawClient;
using test::RawHost;
using test::RawPeer;

constexpr std::string_view kOpen = "HTTP/1.1 200 Connection Established\r\n\r\n";

// Sends back every line.
Task<void> EchoLines(RawPeer* peer) {
  while (true) {
    const auto line = co_await peer->ReadUntil("\n");
    if (!line.ends_with("\n")) break;
    co_await peer->Send("echo " + line);
  }
  co_await peer->Send("bye");
}

std::string Authority(const RawHost& host, const std::string& name = "site.test") {
  return name + ":" + std::to_string(host.port());
}

CO_TEST(EgressTunnelTest, BytesPassBothWays) {
  EgressBench bench(ctx);
  RawHost host(ctx, &EchoLines);
  RawClient client(ctx, bench.proxy.port());

  co_await client.Send(bench.Connect(Authority(host)) + "early\n");
  const auto opened = co_await client.ReadUntil("\r\n\r\n");
  const auto early = co_await client.ReadUntil("\n");
  co_await client.Send("late\n");
  const auto late = co_await client.ReadUntil("\n");
  client.Close();

  EXPECT_EQ(opened, kOpen);
  EXPECT_EQ(early, "echo early\n");
  EXPECT_EQ(late, "echo late\n");
  co_await bench.observer.UntilEnded(ctx, 1);
  const EgressEvent& event = bench.observer.ended.at(0);
  EXPECT_EQ(event.ask.kind, EgressKind::kConnect);
  EXPECT_EQ(event.outcome, EgressOutcome::kDone);
  EXPECT_EQ(event.bytes_up, 11U);
  EXPECT_GE(event.bytes_down, 21U);
  EXPECT_EQ(bench.proxy.connections(), 0U);
  co_await bench.proxy.Stop();
}

CO_TEST(EgressTunnelTest, ASideThatClosedMayStillListen) {
  EgressBench bench(ctx);
  RawHost host(ctx, &EchoLines);
  boost::asio::ip::tcp::socket socket(ctx.executor());
  socket.connect({boost::asio::ip::address_v4::loopback(), bench.proxy.port()});
  RawPeer client(std::move(socket));

  co_await client.Send(bench.Connect(Authority(host)));
  co_await client.ReadUntil("\r\n\r\n");
  co_await client.Send("last\n");
  client.CloseSending();
  const auto rest = co_await client.ReadToEnd();

  EXPECT_EQ(rest, "echo last\nbye");
  co_await bench.observer.UntilEnded(ctx, 1);
  EXPECT_EQ(bench.observer.ended.at(0).outcome, EgressOutcome::kDone);
  co_await bench.proxy.Stop();
}

CO_TEST(EgressTunnelTest, RefusedTunnelsSayWhy) {
  EgressBench bench(ctx);
  bench.rule.refused_hosts = {"evil.test"};
  for (const char* authority :
       {"evil.test:443", "inside.test:443", "mixed.test:443", "127.0.0.1:443", "[::1]:443"}) {
    RawClient client(ctx, bench.proxy.port());
    co_await client.Send(bench.Connect(authority));
    const auto reply = co_await client.ReadUntil("\r\n\r\n");
    EXPECT_TRUE(reply.starts_with("HTTP/1.1 403 ")) << authority << reply;
    EXPECT_NE(reply.find("X-Falconer-Refused: "), std::string::npos) << reply;
    client.Close();
  }
  EXPECT_TRUE(bench.observer.opened.empty());
  co_await bench.proxy.Stop();
}

// A TLS greeting that asks for `name`.
std::string Greeting(const std::string& name) {
  const auto sized = [](std::size_t width, const std::string& bytes) {
    std::string out;
    for (std::size_t i = width; i-- > 0;) {
      out.push_back(static_cast<char>(bytes.size() >> (8 * i) & 0xff));
    }
    return out + bytes;
  };
  const std::string names = std::string(1, '\0') + sized(2, name);
  const std::string extension = std::string(2, '\0') + sized(2, sized(2, names));
  const std::string hello = "\x03\x03" + std::string(32, 'r') + sized(1, "") + sized(2, "ab") +
                            sized(1, std::string(1, '\0')) + sized(2, extension);
  return "\x16\x03\x01" + sized(2, "\x01" + sized(3, hello));
}

Task<void> Remember(std::string* seen, RawPeer* peer) {
  *seen = co_await peer->ReadUntil("end");
}

CO_TEST(EgressTunnelTest, TheNameInTheGreetingMustBeTheTunnels) {
  EgressBench bench(ctx);
  std::string seen;
  RawHost host(ctx, [&](RawPeer* peer) { return Remember(&seen, peer); });

  RawClient other(ctx, bench.proxy.port());
  co_await other.Send(bench.Connect(Authority(host)));
  co_await other.ReadUntil("\r\n\r\n");
  const std::string forbidden = Greeting("evil.test");
  co_await other.Send(forbidden.substr(0, 20));
  co_await other.Send(forbidden.substr(20) + "end");
  const auto nothing = co_await other.ReadToEnd();
  co_await bench.observer.UntilEnded(ctx, 1);
  EXPECT_EQ(nothing, "");
  EXPECT_EQ(seen, "");
  EXPECT_EQ(bench.observer.ended.at(0).reason, "server_name_mismatch");
  EXPECT_EQ(bench.observer.ended.at(0).bytes_up, 0U);

  RawClient same(ctx, bench.proxy.port());
  co_await same.Send(bench.Connect(Authority(host)));
  co_await same.ReadUntil("\r\n\r\n");
  co_await same.Send(Greeting("site.test") + "end");
  co_await same.ReadToEnd();
  EXPECT_EQ(seen, Greeting("site.test") + "end");
  co_await bench.proxy.Stop();
}

CO_TEST(EgressTunnelTest, AGreetingThatIsNeverWholeGoesNowhere) {
  EgressBench bench(ctx);
  std::string seen;
  RawHost host(ctx, [&](RawPeer* peer) { return Remember(&seen, peer); });

  RawClient cut(ctx, bench.proxy.port());
  co_await cut.Send(bench.Connect(Authority(host)));
  co_await cut.ReadUntil("\r\n\r\n");
  co_await cut.Send(Greeting("evil.test").substr(0, 60));
  cut.Close();
  co_await bench.observer.UntilEnded(ctx, 1);
  EXPECT_EQ(bench.observer.ended.at(0).reason, "greeting_cut_off");
  EXPECT_EQ(bench.observer.ended.at(0).bytes_up, 0U);

  RawClient endless(ctx, bench.proxy.port());
  co_await endless.Send(bench.Connect(Authority(host)));
  co_await endless.ReadUntil("\r\n\r\n");
  const std::string record =
      "\x16\x03\x01\x10" + std::string(1, '\0') + "\x01\xff\xff\xff" + std::string(4092, 'r');
  for (int i = 0; i < 8; ++i) co_await endless.Send(record);
  co_await endless.ReadToEnd();
  co_await bench.observer.UntilEnded(ctx, 2);
  EXPECT_EQ(bench.observer.ended.at(1).reason, "greeting_too_long");
  EXPECT_EQ(bench.observer.ended.at(1).bytes_up, 0U);
  EXPECT_EQ(seen, "");
  co_await bench.proxy.Stop();
}

CO_TEST(EgressTunnelTest, AWebSocketPassesAsAPlainRequest) {
  EgressBench bench(ctx);
  std::string head;
  const auto accept = [](std::string* seen, RawPeer* peer) -> Task<void> {
    *seen = co_await peer->ReadUntil("\r\n\r\n");
    co_await peer->Send(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Accept: x\r\n\r\n");
    co_await EchoLines(peer);
  };
  RawHost host(ctx, [&](RawPeer* peer) { return accept(&head, peer); });
  RawClient client(ctx, bench.proxy.port());

  co_await client.Send(bench.Get("http://" + Authority(host) + "/socket",
                                 "Connection: Upgrade\r\nUpgrade: websocket\r\n"
                                 "Sec-WebSocket-Key: k\r\nSec-WebSocket-Version: 13\r\n"));
  const auto reply = co_await client.ReadUntil("\r\n\r\n");
  co_await client.Send("frame\n");
  const auto echoed = co_await client.ReadUntil("\n");
  client.Close();

  EXPECT_NE(head.find("\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"), std::string::npos)
      << head;
  EXPECT_NE(head.find("Sec-WebSocket-Key: k\r\n"), std::string::npos) << head;
  EXPECT_TRUE(reply.starts_with("HTTP/1.1 101 ")) << reply;
  EXPECT_NE(reply.find("Sec-WebSocket-Accept: x\r\n"), std::string::npos) << reply;
  EXPECT_EQ(echoed, "echo frame\n");
  EXPECT_EQ(bench.rule.kinds.at(0), EgressKind::kWebSocket);
  co_await bench.proxy.Stop();
}

CO_TEST(EgressTunnelTest, AHostMayDeclineAWebSocket) {
  EgressBench bench(ctx);
  const auto decline = [](RawPeer* peer) -> Task<void> {
    co_await peer->ReadUntil("\r\n\r\n");
    co_await peer->Send("HTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\nno");
  };
  RawHost host(ctx, decline);
  RawClient client(ctx, bench.proxy.port());

  co_await client.Send(bench.Get("http://" + Authority(host) + "/",
                                 "Connection: Upgrade\r\nUpgrade: websocket\r\n"));
  const auto reply = co_await client.ReadUntil("no");

  EXPECT_TRUE(reply.starts_with("HTTP/1.1 403 No")) << reply;
  co_await bench.proxy.Stop();
}

// An upstream proxy: remembers what it was asked, then is the host itself.
Task<void> ActAsProxy(std::vector<std::string>* asked, std::string answer, RawPeer* peer) {
  asked->push_back(co_await peer->ReadUntil("\r\n\r\n"));
  co_await peer->Send(answer);
  co_await EchoLines(peer);
}

CO_TEST(EgressTunnelTest, AnotherProxyIsToldTheAddressThatWasChecked) {
  std::vector<std::string> asked;
  RawHost upstream(ctx,
                   [&](RawPeer* peer) { return ActAsProxy(&asked, std::string(kOpen), peer); });
  EgressBench bench(
      ctx, {.upstream = UpstreamProxy{
                .host = "127.0.0.2", .port = upstream.port(), .user = "u", .password = "p"}});
  RawClient client(ctx, bench.proxy.port());

  co_await client.Send(bench.Connect("site.test:443"));
  const auto opened = co_await client.ReadUntil("\r\n\r\n");
  co_await client.Send("x\n");
  const auto echoed = co_await client.ReadUntil("\n");
  RawClient inside(ctx, bench.proxy.port());
  co_await inside.Send(bench.Connect("inside.test:443"));
  const auto refused = co_await inside.ReadUntil("\r\n\r\n");

  EXPECT_EQ(opened, kOpen);
  EXPECT_EQ(echoed, "echo x\n");
  EXPECT_EQ(asked.size(), 1U);
  EXPECT_TRUE(asked.at(0).starts_with("CONNECT 127.0.0.2:443 HTTP/1.1\r\n")) << asked.at(0);
  EXPECT_NE(asked.at(0).find("Proxy-Authorization: Basic " + EncodeBase64("u:p")),
            std::string::npos)
      << asked.at(0);
  EXPECT_TRUE(refused.starts_with("HTTP/1.1 403 ")) << refused;
  client.Close();
  co_await bench.proxy.Stop();
}

CO_TEST(EgressTunnelTest, AnotherProxyMayResolveNamesWhenToldSo) {
  std::vector<std::string> asked;
  RawHost upstream(
      ctx, [&](RawPeer* peer) { return ActAsProxy(&asked, "HTTP/1.1 503 No\r\n\r\n", peer); });
  EgressBench bench(ctx,
                    {.upstream = UpstreamProxy{.host = "127.0.0.2",
                                               .port = upstream.port(),
                                               .names = UpstreamProxy::Names::kResolvedThere}});
  bench.rule.refused_hosts = {"evil.test"};
  const std::pair<std::string, std::string> cases[] = {
      {"far.test:443", "HTTP/1.1 502 "},
      {"evil.test:443", "HTTP/1.1 403 "},
      {"127.0.0.1:443", "HTTP/1.1 403 "},
  };
  for (const auto& [authority, wanted] : cases) {
    RawClient client(ctx, bench.proxy.port());
    co_await client.Send(bench.Connect(authority));
    const auto reply = co_await client.ReadUntil("\r\n\r\n");
    EXPECT_TRUE(reply.starts_with(wanted)) << authority << reply;
    client.Close();
  }
  EXPECT_EQ(asked.size(), 1U);
  EXPECT_TRUE(asked.at(0).starts_with("CONNECT far.test:443 ")) << asked.at(0);
  EXPECT_EQ(bench.resolver.asked, 0);
  co_await bench.proxy.Stop();
}

Task<void> CountVisit(int* visits, RawPeer* peer) {
  ++*visits;
  const auto head = co_await peer->ReadUntil("\r\n\r\n");
  if (head.empty()) co_return;
  co_await peer->Send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
}

// A name server that answers with the outside and the inside in turn.
CO_TEST(EgressRebindingTest, ANameThatMovesInsideIsNeverFollowed) {
  int lookups = 0;
  const auto alternate = [&](const DnsQuestion& question, std::string_view query,
                             test::DnsServer::Way /*way*/) {
    test::DnsAnswer answer;
    if (question.type == DnsType::kA) {
      const bool is_outside = lookups++ % 2 == 0;
      answer.records.push_back(
          test::ARecord(question.name, is_outside ? "127.0.0.2" : "127.0.0.1"));
    }
    return std::vector{test::WriteDnsReply(query, answer)};
  };
  test::DnsServer names(ctx, alternate);
  DnsResolver resolver(names.endpoint());
  EgressBench bench(ctx, {}, {}, &resolver);
  int outside_visits = 0;
  int inside_visits = 0;
  RawHost outside(ctx, [&](RawPeer* peer) { return CountVisit(&outside_visits, peer); });
  RawHost inside(
      ctx, [&](RawPeer* peer) { return CountVisit(&inside_visits, peer); }, "127.0.0.1",
      outside.port());

  int allowed = 0;
  int refused = 0;
  for (int i = 0; i < 20; ++i) {
    RawClient client(ctx, bench.proxy.port());
    const bool is_tunnel = i % 4 >= 2;
    const std::string get = "GET / HTTP/1.1\r\nHost: rebind.test\r\n\r\n";
    if (is_tunnel) {
      co_await client.Send(bench.Connect(Authority(outside, "rebind.test")));
    } else {
      co_await client.Send(bench.Get("http://" + Authority(outside, "rebind.test") + "/"));
    }
    const auto reply = co_await client.ReadUntil("\r\n\r\n");
    allowed += reply.starts_with("HTTP/1.1 200 ") ? 1 : 0;
    refused += reply.starts_with("HTTP/1.1 403 ") ? 1 : 0;
    if (is_tunnel) co_await client.Send(get);
    client.Close();
  }

  EXPECT_EQ(lookups, 20);
  EXPECT_EQ(allowed, 10);
  EXPECT_EQ(refused, 10);
  EXPECT_EQ(inside.accepted(), 0);
  EXPECT_EQ(inside_visits, 0);
  EXPECT_GE(outside.accepted(), 5);
  co_await bench.observer.UntilEnded(ctx, 20);
  for (const EgressEvent& event : bench.observer.opened) {
    EXPECT_EQ(event.address->to_string(), "127.0.0.2");
  }
  co_await bench.proxy.Stop();
  co_await names.Stop();
}

}  // namespace
}  // namespace falconer::net
