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
using test::Url;

// Reads a whole chunked body, or as much of it as comes.
Task<void> TakeChunked(std::string* seen, RawPeer* peer) {
  *seen = co_await peer->ReadUntil("0\r\n\r\n");
  co_await peer->Send(std::string(kOk));
}

CO_TEST(EgressBodyTest, AChunkedBodyIsFramedAnew) {
  EgressBench bench(ctx);
  std::string seen;
  RawHost host(ctx, [&](RawPeer* peer) { return TakeChunked(&seen, peer); });
  RawClient client(ctx, bench.proxy.port());

  co_await client.Send(bench.Request("POST", Url(host), "Transfer-Encoding: chunked\r\n") +
                       "00004;name=value\r\nabcd\r\n3\r\nefg\r\n0\r\nTrailer: x\r\n\r\n");
  const auto reply = co_await client.ReadUntil("ok");

  EXPECT_TRUE(reply.starts_with("HTTP/1.1 200 ")) << reply;
  EXPECT_NE(seen.find("Transfer-Encoding: chunked\r\n\r\n"), std::string::npos) << seen;
  EXPECT_EQ(seen.find("name=value"), std::string::npos) << seen;
  EXPECT_NE(seen.find("abcd"), std::string::npos) << seen;
  EXPECT_TRUE(seen.ends_with("\r\n0\r\n\r\n")) << seen;
  co_await bench.proxy.Stop();
}

CO_TEST(EgressBodyTest, ABadChunkNeverEndsARequest) {
  EgressBench bench(ctx, {.max_header_bytes = 4096});
  const std::vector<std::string> bodies = {
      "zz\r\nabc\r\n0\r\n\r\n", "3\r\nabcX0\r\n\r\n",       "-1\r\n\r\n",
      "3 \nabc\r\n0\r\n\r\n",   "fffffffffffffffff\r\nabc", "3;" + std::string(200'000, 'a')};
  for (const std::string& body : bodies) {
    std::string seen;
    RawHost host(ctx, [&](RawPeer* peer) { return TakeChunked(&seen, peer); });
    RawClient client(ctx, bench.proxy.port());
    co_await client.Send(bench.Request("POST", Url(host), "Transfer-Encoding: chunked\r\n") + body);
    const auto reply = co_await client.ReadToEnd();
    EXPECT_TRUE(reply.starts_with("HTTP/1.1 400 ")) << body.substr(0, 40) << reply;
    EXPECT_NE(reply.find("malformed_body"), std::string::npos) << reply;
    EXPECT_EQ(seen.find("\r\n0\r\n\r\n"), std::string::npos) << seen;
    co_await host.Stop();
  }
  co_await bench.proxy.Stop();
}

// Takes `size` bytes of body, then sends as many.
Task<void> MirrorBody(std::size_t size, RawPeer* peer) {
  co_await peer->ReadUntil("\r\n\r\n");
  for (std::size_t taken = 0; taken < size; ++taken) co_await peer->ReadUntil("\n");
  co_await peer->Send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(size * 64) +
                      "\r\n\r\n");
  for (std::size_t i = 0; i < size; ++i) co_await peer->Send(std::string(63, 'd') + "\n");
}

CO_TEST(EgressBodyTest, LongBodiesPassInBothDirections) {
  EgressBench bench(ctx);
  constexpr std::size_t kLines = 20'000;
  RawHost host(ctx, [](RawPeer* peer) { return MirrorBody(kLines, peer); });
  RawClient client(ctx, bench.proxy.port());
  std::string body;
  for (std::size_t i = 0; i < kLines; ++i) body += std::string(63, 'u') + "\n";

  co_await client.Send(
      bench.Request("PUT", Url(host), "Content-Length: " + std::to_string(body.size()) + "\r\n") +
      body);
  const auto head = co_await client.ReadUntil("\r\n\r\n");
  std::size_t lines = 0;
  while (lines < kLines && (co_await client.ReadUntil("\n")).size() == 64) ++lines;

  EXPECT_TRUE(head.starts_with("HTTP/1.1 200 ")) << head;
  EXPECT_EQ(lines, kLines);
  co_await bench.observer.UntilEnded(ctx, 1);
  EXPECT_GT(bench.observer.ended.at(0).bytes_up, body.size());
  EXPECT_GT(bench.observer.ended.at(0).bytes_down, kLines * 64);
  co_await bench.proxy.Stop();
}

Task<void> AskForBody(RawPeer* peer) {
  co_await peer->ReadUntil("\r\n\r\n");
  co_await peer->Send("HTTP/1.1 100 Continue\r\n\r\n");
  const auto body = co_await peer->ReadUntil("!");
  co_await peer->Send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" + body.substr(0, 2));
}

CO_TEST(EgressBodyTest, ABodyIsSentWhenTheHostAsksForIt) {
  EgressBench bench(ctx);
  RawHost host(ctx, &AskForBody);
  RawClient client(ctx, bench.proxy.port());

  co_await client.Send(
      bench.Request("POST", Url(host), "Content-Length: 3\r\nExpect: 100-continue\r\n"));
  const auto go_on = co_await client.ReadUntil("\r\n\r\n");
  co_await client.Send("hi!");
  const auto reply = co_await client.ReadUntil("hi");

  EXPECT_TRUE(go_on.starts_with("HTTP/1.1 100 Continue\r\n")) << go_on;
  EXPECT_TRUE(reply.starts_with("HTTP/1.1 200 ")) << reply;
  co_await bench.proxy.Stop();
}

CO_TEST(EgressBodyTest, AnAnswerBeforeTheWholeBodyEndsTheUpload) {
  EgressBench bench(ctx);
  RawHost host(ctx, Once("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno"));
  RawClient client(ctx, bench.proxy.port());

  co_await client.Send(bench.Request("POST", Url(host), "Content-Length: 1000000\r\n") + "start");
  const auto reply = co_await client.ReadToEnd();

  EXPECT_TRUE(reply.starts_with("HTTP/1.1 413 ")) << reply;
  EXPECT_NE(reply.find("Connection: close\r\n"), std::string::npos) << reply;
  EXPECT_TRUE(reply.ends_with("no")) << reply;
  co_await bench.proxy.Stop();
}

struct Framed {
  std::string method;
  std::string answer;
  std::string wanted;  // in the reply
  std::string end;
};

CO_TEST(EgressBodyTest, EveryKindOfAnswerHasItsEnd) {
  EgressBench bench(ctx);
  const Framed cases[] = {
      {"HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "Content-Length: 5\r\n", "\r\n\r\n"},
      {"GET", "HTTP/1.1 204 No Content\r\n\r\n", "204", "\r\n\r\n"},
      {"GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", "Content-Length: 9\r\n",
       "\r\n\r\n"},
      {"GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
       "Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\n"},
      {"GET", "HTTP/1.0 200 OK\r\n\r\nuntil the end", "Transfer-Encoding: chunked\r\n",
       "\r\nuntil the end\r\n0\r\n\r\n"},
      {"GET", "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n" + std::string(kOk), "103", "ok"},
  };
  for (const Framed& framed : cases) {
    RawHost host(ctx, Once(framed.answer));
    RawClient client(ctx, bench.proxy.port());
    co_await client.Send(bench.Request(framed.method, Url(host)));
    // A second request shows where the first answer ended.
    const auto reply = co_await client.ReadUntil(framed.end);
    co_await client.Send("GET / HTTP/1.1\r\n\r\n");
    const auto next = co_await client.ReadUntil("\r\n");
    EXPECT_NE(reply.find(framed.wanted), std::string::npos) << framed.answer << "\n" << reply;
    EXPECT_TRUE(next.starts_with("HTTP/1.1 407")) << framed.answer << "\n" << reply << next;
    client.Close();
    co_await host.Stop();
  }
  co_await bench.proxy.Stop();
}

CO_TEST(EgressBodyTest, AnOldClientGetsNoChunks) {
  EgressBench bench(ctx);
  RawHost host(ctx,
               Once("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"));
  RawClient client(ctx, bench.proxy.port());

  co_await client.Send("GET " + Url(host) + " HTTP/1.0\r\n" + bench.Field() + "\r\n");
  const auto reply = co_await client.ReadToEnd();

  EXPECT_TRUE(reply.ends_with("\r\n\r\nabc")) << reply;
  EXPECT_EQ(reply.find("chunked"), std::string::npos) << reply;
  co_await bench.proxy.Stop();
}

CO_TEST(EgressBodyTest, AnAnswerThatBreaksOffStaysUnfinished) {
  EgressBench bench(ctx);
  RawHost host(ctx, Once("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc"));
  RawClient client(ctx, bench.proxy.port());

  co_await client.Send(bench.Get(Url(host)));
  const auto reply = co_await client.ReadToEnd();

  EXPECT_EQ(reply.find("0\r\n\r\n"), std::string::npos) << reply;
  co_await bench.observer.UntilEnded(ctx, 1);
  EXPECT_EQ(bench.observer.ended.at(0).outcome, EgressOutcome::kFailed);
  EXPECT_EQ(bench.observer.ended.at(0).reason, "host_broke_off");
  co_await bench.proxy.Stop();
}

CO_TEST(EgressBodyTest, AHostCannotSpeakForTheProxy) {
  EgressBench bench(ctx);
  const std::pair<std::string, std::string> cases[] = {
      {"HTTP/1.1 407 X\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n",
       "HTTP/1.1 502 "},
      {"HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", "HTTP/1.1 502 "},
      {"nonsense\r\n\r\n", "HTTP/1.1 502 "},
      {"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
       "HTTP/1.1 502 "},
      {"", "HTTP/1.1 502 "},
  };
  for (const auto& [answer, wanted] : cases) {
    RawHost host(ctx, Once(answer));
    RawClient client(ctx, bench.proxy.port());
    co_await client.Send(bench.Get(Url(host)));
    const auto reply = co_await client.ReadUntil("\r\n\r\n");
    EXPECT_TRUE(reply.starts_with(wanted)) << answer << "\n" << reply;
    EXPECT_EQ(reply.find("realm=x"), std::string::npos) << reply;
    client.Close();
    co_await host.Stop();
  }
  RawHost host(ctx,
               Once("HTTP/1.1 200 OK\r\nX-Falconer-Refused: fake\r\nProxy-Authenticate: Basic\r\n"
                    "Content-Length: 2\r\n\r\nok"));
  RawClient client(ctx, bench.proxy.port());
  co_await client.Send(bench.Get(Url(host)));
  const auto reply = co_await client.ReadUntil("ok");
  EXPECT_EQ(reply, kOk) << reply;
  co_await bench.proxy.Stop();
}

}  // namespace
}  // namespace falconer::net
