// Connections that were opened before they were asked for.

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "net/egress/egress_proxy.h"
#include "tests/support/co_test.h"
#include "tests/support/egress_bench.h"
#include "tests/support/settle.h"

namespace falconer::net {
namespace {

using test::EgressBench;
using test::RawClient;
using test::RawHost;
using test::RawPeer;

Task<void> SayHello(RawPeer* peer) {
  co_await peer->ReadUntil("\n");
  co_await peer->Send("hello\n");
}

Task<void> UntilAccepted(RawHost* host, int count) {
  for (int i = 0; i < 1000 && host->accepted() < count; ++i) co_await test::Settle(1);
}

std::string PlaceOf(const RawHost& host) {
  return "site.test:" + std::to_string(host.port());
}

// What the host answers through a tunnel of the session.
Task<std::string> AskThrough(CallContext ctx, EgressBench* bench, std::string authority) {
  RawClient client(ctx, bench->proxy.port());
  co_await client.Send(bench->Connect(authority) + "who is there\n");
  const std::string opened = co_await client.ReadUntil("\r\n\r\n");
  if (!opened.starts_with("HTTP/1.1 200")) co_return opened;
  const std::string answer = co_await client.ReadUntil("\n");
  client.Close();
  co_return answer;
}

CO_TEST(EgressWarmTest, WhoComesInTimeFindsTheConnectionOpen) {
  EgressBench bench(ctx);
  RawHost host(ctx, &SayHello);
  bench.proxy.Warm(SessionId("s1"), "site.test", host.port());
  co_await UntilAccepted(&host, 1);
  EXPECT_EQ(host.accepted(), 1);
  EXPECT_TRUE(bench.observer.opened.empty()) << "nothing was asked for yet";

  const std::string answer = co_await AskThrough(ctx, &bench, PlaceOf(host));

  EXPECT_EQ(answer, "hello\n");
  EXPECT_EQ(host.accepted(), 1) << "there is only one connection";
  EXPECT_EQ(bench.resolver.asked, 1);
  EXPECT_EQ(bench.observer.opened.size(), 1U) << "what goes through it is on the books";
  co_await bench.proxy.Stop();
}

CO_TEST(EgressWarmTest, ItIsTakenOnce) {
  EgressBench bench(ctx);
  RawHost host(ctx, &SayHello);
  bench.proxy.Warm(SessionId("s1"), "site.test", host.port());
  co_await UntilAccepted(&host, 1);

  EXPECT_EQ(co_await AskThrough(ctx, &bench, PlaceOf(host)), "hello\n");
  EXPECT_EQ(co_await AskThrough(ctx, &bench, PlaceOf(host)), "hello\n");

  EXPECT_EQ(host.accepted(), 2);
  co_await bench.proxy.Stop();
}

CO_TEST(EgressWarmTest, WhatIsRefusedIsNotEvenLookedUp) {
  EgressBench bench(ctx);
  bench.rule.refused_hosts = {"site.test"};
  RawHost host(ctx, &SayHello);

  bench.proxy.Warm(SessionId("s1"), "site.test", host.port());
  co_await test::Settle();

  EXPECT_EQ(bench.resolver.asked, 0);
  EXPECT_EQ(host.accepted(), 0);
  co_await bench.proxy.Stop();
}

CO_TEST(EgressWarmTest, AnAddressInsideIsNotDialled) {
  EgressBench bench(ctx);
  RawHost inside(ctx, &SayHello, "127.0.0.1");

  bench.proxy.Warm(SessionId("s1"), "inside.test", inside.port());
  co_await test::Settle();

  EXPECT_EQ(inside.accepted(), 0);
  co_await bench.proxy.Stop();
}

CO_TEST(EgressWarmTest, RulesThatChangedMeanwhileHold) {
  EgressBench bench(ctx);
  RawHost host(ctx, &SayHello);
  bench.proxy.Warm(SessionId("s1"), "site.test", host.port());
  co_await UntilAccepted(&host, 1);
  bench.rule.refused_addresses.insert("127.0.0.2");

  const std::string answer = co_await AskThrough(ctx, &bench, PlaceOf(host));

  EXPECT_TRUE(answer.starts_with("HTTP/1.1 403 ")) << answer;
  co_await bench.proxy.Stop();
}

CO_TEST(EgressWarmTest, AStrangerWarmsNothing) {
  EgressBench bench(ctx);
  RawHost host(ctx, &SayHello);

  bench.proxy.Warm(SessionId("nobody"), "site.test", host.port());
  bench.proxy.Warm(SessionId("s1"), "0x7f.1", host.port());
  bench.proxy.Warm(SessionId("s1"), "site.test", 25);
  co_await test::Settle();

  EXPECT_EQ(bench.resolver.asked, 0);
  co_await bench.proxy.Stop();
}

CO_TEST(EgressWarmTest, OnlySoManyAreOpenedAndEachPlaceOnce) {
  EgressBench bench(ctx);
  RawHost host(ctx, &SayHello);
  for (int i = 0; i < 20; ++i) bench.proxy.Warm(SessionId("s1"), "site.test", host.port());
  co_await UntilAccepted(&host, 2);

  EXPECT_EQ(host.accepted(), 1);
  co_await bench.proxy.Stop();
}

CO_TEST(EgressWarmTest, NothingIsKeptForWhoIsDismissed) {
  EgressBench bench(ctx);
  std::string rest = "still open";
  RawHost host(ctx, [&](RawPeer* peer) -> Task<void> { rest = co_await peer->ReadToEnd(); });
  bench.proxy.Warm(SessionId("s1"), "site.test", host.port());
  co_await UntilAccepted(&host, 1);

  bench.proxy.Dismiss(SessionId("s1"));
  for (int i = 0; i < 1000 && !rest.empty(); ++i) co_await test::Settle(1);

  EXPECT_EQ(rest, "") << "the connection is closed";
  co_await bench.proxy.Stop();
}

TEST(EgressWarmTimeTest, WhatNobodyComesForIsClosed) {
  FakeClock clock;
  boost::asio::io_context io;
  test::RunCo(io, [](CallContext ctx, FakeClock* time) -> Task<void> {
    EgressBench bench(ctx);
    RawHost host(ctx, &SayHello);
    bench.proxy.Warm(SessionId("s1"), "site.test", host.port());
    co_await UntilAccepted(&host, 1);
    co_await test::Settle();

    time->Advance(std::chrono::seconds(11));
    co_await test::Settle();
    EXPECT_EQ(co_await AskThrough(ctx, &bench, PlaceOf(host)), "hello\n");

    EXPECT_EQ(host.accepted(), 2);
    co_await bench.proxy.Stop();
  }(CallContext(io.get_executor(), clock), &clock));
}

}  // namespace
}  // namespace falconer::net
