#include <array>
#include <filesystem>

#include <gtest/gtest.h>

#include "net/egress/address_race.h"
#include "net/egress/egress_proxy.h"
#include "tests/support/co_test.h"
#include "tests/support/egress_bench.h"
#include "tests/support/in_background.h"
#include "tests/support/settle.h"

namespace falconer::net {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;
using test::EgressBench;
using test::InBackground;
using test::RawClient;
using test::RawHost;
using test::RawPeer;

std::ptrdiff_t OpenFiles() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return std::distance(begin(files), end(files));
}

Task<void> SendALot(std::size_t size, RawPeer* peer) {
  co_await peer->ReadUntil("\r\n\r\n");
  co_await peer->Send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n");
  for (std::size_t sent = 0; sent < size; sent += 1000) {
    if (!co_await peer->Send(std::string(1000, 'x'))) co_return;
  }
}

Task<void> Swallow(RawPeer* peer) {
  co_await peer->ReadToEnd();
}

std::string At(const RawHost& host) {
  return "site.test:" + std::to_string(host.port());
}

CO_TEST(EgressLimitsTest, DownloadsEndAtTheLimit) {
  EgressBench bench(ctx, {}, {.max_bytes_down = 20'000});
  RawHost host(ctx, [](RawPeer* peer) { return SendALot(1'000'000, peer); });
  RawClient client(ctx, bench.proxy.port());

  co_await client.Send(bench.Get("http://" + At(host) + "/"));
  const auto reply = co_await client.ReadToEnd();
  RawClient again(ctx, bench.proxy.port());
  co_await again.Send(bench.Get("http://" + At(host) + "/"));
  const auto refused = co_await again.ReadUntil("\r\n\r\n");

  EXPECT_LE(reply.size(), 20'500U);
  EXPECT_TRUE(refused.starts_with("HTTP/1.1 403 ")) << refused;
  EXPECT_NE(refused.find("X-Falconer-Refused: byte_limit\r\n"), std::string::npos) << refused;
  EXPECT_EQ(bench.observer.ended.at(0).outcome, EgressOutcome::kCut);
  EXPECT_EQ(bench.observer.ended.at(0).reason, "byte_limit");
  EXPECT_EQ(host.accepted(), 1);
  co_await bench.proxy.Stop();
}

CO_TEST(EgressLimitsTest, UploadsEndAtTheLimit) {
  EgressBench bench(ctx, {}, {.max_bytes_up = 5'000});
  RawHost host(ctx, &Swallow);
  RawClient client(ctx, bench.proxy.port());

  co_await client.Send(
      bench.Request("POST", "http://" + At(host) + "/", "Content-Length: 9000\r\n") +
      std::string(9000, 'x'));
  const auto reply = co_await client.ReadUntil("\r\n\r\n");

  EXPECT_TRUE(reply.starts_with("HTTP/1.1 403 ")) << reply;
  EXPECT_EQ(bench.observer.ended.at(0).outcome, EgressOutcome::kCut);
  co_await bench.proxy.Stop();
}

CO_TEST(EgressLimitsTest, TunnelsEndAtTheLimit) {
  EgressBench bench(ctx, {}, {.max_bytes_up = 5'000});
  RawHost host(ctx, &Swallow);
  RawClient client(ctx, bench.proxy.port());

  co_await client.Send(bench.Connect(At(host)));
  co_await client.ReadUntil("\r\n\r\n");
  co_await client.Send(std::string(9000, 'x'));
  const auto rest = co_await client.ReadToEnd();

  EXPECT_EQ(rest, "");
  co_await bench.observer.UntilEnded(ctx, 1);
  EXPECT_EQ(bench.observer.ended.at(0).outcome, EgressOutcome::kCut);
  co_await bench.proxy.Stop();
}

CO_TEST(EgressLimitsTest, ASessionHasItsShareOfConnections) {
  EgressBench bench(ctx, {}, {.max_connections = 2});
  RawHost host(ctx, &Swallow);
  RawClient first(ctx, bench.proxy.port());
  RawClient second(ctx, bench.proxy.port());
  co_await first.Send(bench.Connect(At(host)));
  co_await first.ReadUntil("\r\n\r\n");
  co_await second.Send(bench.Connect(At(host)));
  co_await second.ReadUntil("\r\n\r\n");

  RawClient third(ctx, bench.proxy.port());
  co_await third.Send(bench.Connect(At(host)));
  const auto refused = co_await third.ReadUntil("\r\n\r\n");
  first.Close();
  co_await bench.observer.UntilEnded(ctx, 1);
  co_await test::Settle();
  RawClient fourth(ctx, bench.proxy.port());
  co_await fourth.Send(bench.Connect(At(host)));
  const auto opened = co_await fourth.ReadUntil("\r\n\r\n");

  EXPECT_TRUE(refused.starts_with("HTTP/1.1 503 ")) << refused;
  EXPECT_NE(refused.find("connection_limit"), std::string::npos) << refused;
  EXPECT_TRUE(opened.starts_with("HTTP/1.1 200 ")) << opened;
  co_await bench.proxy.Stop();
}

CO_TEST(EgressLimitsTest, AHeadThatDribblesInIsCutOff) {
  EgressBench bench(ctx, {.header_timeout = milliseconds(60)});
  RawClient client(ctx, bench.proxy.port());
  Alarm pause(ctx.executor(), ctx.clock());

  // Each byte comes well within the limit; the head as a whole does not.
  for (int i = 0; i < 5; ++i) {
    co_await client.Send("G");
    co_await pause.Wait(Deadline::At(ctx.clock().Now() + milliseconds(20)));
  }
  const auto reply = co_await client.ReadToEnd();

  EXPECT_TRUE(reply.starts_with("HTTP/1.1 408 ")) << reply;
  co_await bench.proxy.Stop();
}

CO_TEST(EgressLimitsTest, IdleAndQuietConnectionsEnd) {
  EgressBench bench(ctx, {.idle_timeout = milliseconds(40), .quiet_timeout = milliseconds(40)});
  RawHost host(ctx, &Swallow);
  RawClient idle(ctx, bench.proxy.port());

  const auto nothing = co_await idle.ReadToEnd();
  RawClient quiet(ctx, bench.proxy.port());
  co_await quiet.Send(bench.Connect(At(host)));
  co_await quiet.ReadUntil("\r\n\r\n");
  const auto rest = co_await quiet.ReadToEnd();

  EXPECT_EQ(nothing, "");
  EXPECT_EQ(rest, "");
  co_await bench.observer.UntilEnded(ctx, 1);
  EXPECT_EQ(bench.observer.ended.at(0).reason, "quiet");
  co_await bench.proxy.Stop();
}

CO_TEST(EgressLimitsTest, ASlowBodyIsCutOff) {
  EgressBench bench(ctx, {.quiet_timeout = milliseconds(40)});
  RawHost host(ctx, &Swallow);
  RawClient client(ctx, bench.proxy.port());

  co_await client.Send(bench.Request("POST", "http://" + At(host) + "/", "Content-Length: 9\r\n"));
  const auto reply = co_await client.ReadToEnd();

  EXPECT_TRUE(reply.starts_with("HTTP/1.1 408 ") || reply.starts_with("HTTP/1.1 504 ")) << reply;
  co_await bench.proxy.Stop();
}

CO_TEST(EgressLimitsTest, AClientThatGoesAwayTakesItsLookUpAlong) {
  EgressBench bench(ctx);
  RawClient client(ctx, bench.proxy.port());
  co_await client.Send(bench.Get("http://hangs.test/"));
  while (bench.resolver.asked == 0) co_await test::Settle(1);

  client.Close();

  co_await bench.observer.UntilEnded(ctx, 1);
  EXPECT_EQ(bench.observer.ended.at(0).outcome, EgressOutcome::kCancelled);
  EXPECT_EQ(bench.resolver.given_up, 1);
  EXPECT_EQ(bench.proxy.connections(), 0U);
  co_await bench.proxy.Stop();
}

Task<void> NoteTheEnd(bool* has_ended, RawPeer* peer) {
  co_await peer->ReadUntil("\r\n\r\n");
  co_await peer->ReadToEnd();
  *has_ended = true;
}

CO_TEST(EgressLimitsTest, AClientThatGoesAwayEndsAnAnswerThatNeverComes) {
  EgressBench bench(ctx);
  bool has_ended = false;
  RawHost host(ctx, [&](RawPeer* peer) { return NoteTheEnd(&has_ended, peer); });
  RawClient client(ctx, bench.proxy.port());
  co_await client.Send(bench.Get("http://" + At(host) + "/"));
  while (bench.observer.opened.empty()) co_await test::Settle(1);

  client.Close();

  co_await bench.observer.UntilEnded(ctx, 1);
  while (!has_ended) co_await test::Settle(1);
  EXPECT_EQ(bench.observer.ended.at(0).outcome, EgressOutcome::kCancelled);
  co_await bench.proxy.Stop();
}

CO_TEST(EgressLimitsTest, DismissingASessionEndsEverythingItHas) {
  EgressBench bench(ctx);
  const auto other = bench.proxy.Admit(SessionId("s2"));
  RawHost host(ctx, &Swallow);
  RawClient tunnel(ctx, bench.proxy.port());
  RawClient waiting(ctx, bench.proxy.port());
  RawClient theirs(ctx, bench.proxy.port());
  co_await tunnel.Send(bench.Connect(At(host)));
  co_await tunnel.ReadUntil("\r\n\r\n");
  co_await waiting.Send(bench.Get("http://hangs.test/"));
  while (bench.resolver.asked < 2) co_await test::Settle(1);
  co_await theirs.Send("CONNECT " + At(host) +
                       " HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic " +
                       EncodeBase64("s2:" + other->password) + "\r\n\r\n");
  co_await theirs.ReadUntil("\r\n\r\n");

  bench.proxy.Dismiss(SessionId("s1"));

  const auto tunnel_rest = co_await tunnel.ReadToEnd();
  const auto waiting_rest = co_await waiting.ReadToEnd();
  EXPECT_EQ(tunnel_rest, "");
  EXPECT_EQ(waiting_rest, "");
  co_await bench.observer.UntilEnded(ctx, 2);
  for (const EgressEvent& event : bench.observer.ended) {
    EXPECT_EQ(event.outcome, EgressOutcome::kCancelled);
    EXPECT_EQ(event.ask.session.value(), "s1");
  }
  EXPECT_EQ(bench.proxy.connections(), 1U);
  EXPECT_FALSE(bench.proxy.CountsOf(SessionId("s1")));
  RawClient late(ctx, bench.proxy.port());
  co_await late.Send(bench.Get("http://site.test/"));
  const auto refused = co_await late.ReadUntil("\r\n\r\n");
  EXPECT_TRUE(refused.starts_with("HTTP/1.1 407 ")) << refused;
  co_await bench.proxy.Stop();
}

CO_TEST(EgressLimitsTest, StoppingLeavesNothingOpen) {
  // The loop opens files of its own with the first socket.
  const asio::ip::tcp::acceptor first(ctx.executor(), asio::ip::tcp::v4());
  const std::ptrdiff_t before = OpenFiles();
  {
    EgressBench bench(ctx);
    RawHost host(ctx, [](RawPeer* peer) { return SendALot(100'000'000, peer); });
    RawClient tunnel(ctx, bench.proxy.port());
    RawClient waiting(ctx, bench.proxy.port());
    RawClient idle(ctx, bench.proxy.port());
    RawClient busy(ctx, bench.proxy.port());
    co_await tunnel.Send(bench.Connect(At(host)));
    co_await tunnel.ReadUntil("\r\n\r\n");
    co_await waiting.Send(bench.Get("http://hangs.test/"));
    co_await busy.Send(bench.Get("http://" + At(host) + "/"));
    co_await busy.ReadUntil("\r\n\r\n");
    while (bench.resolver.asked < 3 || bench.proxy.connections() < 4) co_await test::Settle(1);

    const TimePoint began = ctx.clock().Now();
    co_await bench.proxy.Stop();

    EXPECT_LT(ctx.clock().Now() - began, std::chrono::seconds(1));
    EXPECT_EQ(bench.proxy.connections(), 0U);
    EXPECT_EQ(bench.observer.ended.size(), 3U);
    co_await host.Stop();
  }
  co_await test::Settle();
  EXPECT_EQ(OpenFiles(), before);
}

CO_TEST(EgressLimitsTest, OnlyLoopbackIsListenedOn) {
  test::FakeEgressRule rule;
  test::FakeEgressObserver observer;
  test::FakeResolver resolver;
  for (const char* address : {"0.0.0.0", "::", "192.0.2.1", "nonsense"}) {
    EgressProxy proxy(ctx.executor(), ctx.clock(), resolver, rule, observer, {.address = address});
    const auto listening = proxy.Listen();
    EXPECT_FALSE(listening) << address;
    EXPECT_EQ(listening.error().code(), ErrorCode::kInvalidArgument);
  }
  co_return;
}

CO_TEST(AddressRaceTest, TheNextAddressIsTriedWhenOneFails) {
  RawHost host(ctx, &Swallow);
  const Addresses addresses = {asio::ip::make_address("127.0.0.3"),
                               asio::ip::make_address("127.0.0.2")};

  const auto socket = co_await DialAddresses(
      ctx, {.addresses = addresses, .port = host.port(), .next_after = std::chrono::seconds(9)});

  EXPECT_TRUE(socket) << Describe(socket.error());
  EXPECT_EQ(socket->remote_endpoint().address().to_string(), "127.0.0.2");
}

// A port whose queue of waiting connections is full: attempts neither succeed nor fail.
class StuckPort {
 public:
  explicit StuckPort(const CallContext& ctx) : acceptor_(ctx.executor()) {
    acceptor_.open(asio::ip::tcp::v4());
    acceptor_.bind({asio::ip::make_address("127.0.0.4"), 0});
    acceptor_.listen(0);
    for (auto& filler : fillers_) {
      filler.emplace(ctx.executor());
      filler->async_connect(acceptor_.local_endpoint(), [](const auto& /*code*/) {});
    }
  }
  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

 private:
  asio::ip::tcp::acceptor acceptor_;
  std::array<std::optional<asio::ip::tcp::socket>, 4> fillers_;
};

CO_TEST(AddressRaceTest, TheNextAddressIsTriedWhenOneTakesLong) {
  const StuckPort stuck(ctx);
  RawHost host(ctx, &Swallow, "127.0.0.2", stuck.port());
  const Addresses addresses = {asio::ip::make_address("127.0.0.4"),
                               asio::ip::make_address("127.0.0.2")};

  const auto socket = co_await DialAddresses(
      ctx, {.addresses = addresses, .port = stuck.port(), .next_after = milliseconds(20)});

  EXPECT_TRUE(socket) << Describe(socket.error());
  EXPECT_EQ(socket->remote_endpoint().address().to_string(), "127.0.0.2");
}

CO_TEST(AddressRaceTest, EndsWithTheTimeOrTheWish) {
  const StuckPort stuck(ctx);
  const DialPlan plan{.addresses = {asio::ip::make_address("127.0.0.4")},
                      .port = stuck.port(),
                      .next_after = milliseconds(20)};
  const std::ptrdiff_t before = OpenFiles();

  const auto late = co_await DialAddresses(ctx.WithTimeout(milliseconds(30)), plan);
  CancelSource off;
  InBackground dial(ctx.executor(), DialAddresses(ctx.WithCancel(off.token()), plan));
  co_await test::Settle();
  off.Cancel(Error(ErrorCode::kCancelled, "no longer wanted"));
  const auto cancelled = co_await dial.Join();
  const auto none = co_await DialAddresses(ctx, {});

  EXPECT_EQ(late.error().code(), ErrorCode::kTimeout);
  EXPECT_EQ(cancelled.error().code(), ErrorCode::kCancelled);
  EXPECT_EQ(none.error().code(), ErrorCode::kNetworkError);
  co_await test::Settle();
  EXPECT_EQ(OpenFiles(), before);
}

}  // namespace
}  // namespace falconer::net
