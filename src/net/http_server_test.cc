#include "net/http_server.h"

#include <list>
#include <stdexcept>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "base/async/one_shot.h"
#include "base/async/task_scope.h"
#include "net/http_client.h"
#include "tests/support/co_test.h"
#include "tests/support/raw_client.h"

namespace falconer::net {
namespace {

using std::chrono::milliseconds;
using test::RawClient;

const std::string kGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

Task<HttpResponse> Echo(HttpRequest request) {
  co_return TextResponse(
      200, "text/plain",
      request.method + " " + request.path + " " + request.query + " " + request.body);
}

std::string Get(const std::string& target) {
  return "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n";
}

// A server that listens, and its end.
class Served {
 public:
  Served(CallContext ctx, HttpHandler handler, HttpServerOptions options = {})
      : ctx_(std::move(ctx)),
        server_(ctx_.executor(), ctx_.clock(), std::move(handler), std::move(options)) {
    const auto listening = server_.Listen();
    EXPECT_TRUE(listening) << Describe(listening.error());
  }
  HttpServer* operator->() { return &server_; }
  std::string Url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(server_.port()) + path;
  }
  Task<void> Stop() { co_await server_.Stop(ctx_.WithTimeout(std::chrono::seconds(5))); }

 private:
  CallContext ctx_;
  HttpServer server_;
};

CO_TEST(HttpServerTest, KeepsTheConnectionForTheNextRequest) {
  Served server(ctx, &Echo);
  RawClient client(ctx, server->port());

  co_await client.Send(Get("/a%20b?x=1"));
  const auto first = co_await client.ReadUntil("GET /a b x=1 ");
  co_await client.Send("POST /c HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody");
  const auto second = co_await client.ReadUntil("POST /c  body");

  EXPECT_TRUE(first.starts_with("HTTP/1.1 200 OK\r\n")) << first;
  EXPECT_NE(first.find("\r\nDate: "), std::string::npos) << first;
  EXPECT_TRUE(second.starts_with("HTTP/1.1 200 OK\r\n")) << second;
  EXPECT_EQ(server->connections(), 1U);
  co_await server.Stop();
}

CO_TEST(HttpServerTest, AnswersPipelinedRequestsInOrder) {
  Served server(ctx, &Echo);
  RawClient client(ctx, server->port());

  co_await client.Send(Get("/1") + Get("/2") +
                       "GET /3 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const auto all = co_await client.ReadToEnd();

  const auto one = all.find("GET /1");
  const auto two = all.find("GET /2");
  const auto three = all.find("GET /3");
  EXPECT_TRUE(one < two && two < three && three != std::string::npos) << all;
  co_await server.Stop();
}

CO_TEST(HttpServerTest, HeadHasTheLengthButNoBody) {
  Served server(ctx, &Echo);
  RawClient client(ctx, server->port());

  co_await client.Send("HEAD /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const auto reply = co_await client.ReadToEnd();

  EXPECT_NE(reply.find("Content-Length: 9\r\n"), std::string::npos) << reply;
  EXPECT_TRUE(reply.ends_with("\r\n\r\n")) << reply;
  co_await server.Stop();
}

struct Refused {
  std::string sent;
  std::string status;
};

CO_TEST(HttpServerTest, RefusesWhatIsNoProperRequest) {
  Served server(ctx, &Echo, {.max_header_bytes = 1024, .max_body_bytes = 16});
  const Refused cases[] = {
      {"GARBAGE\r\n\r\n", "400"},
      {"GET / HTTP/1.1\r\n\r\n", "400"},
      {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400"},
      {"GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", "400"},
      {"CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n", "400"},
      {"GET / HTTP/1.1\r\nHost: x\r\nBad Name: 1\r\n\r\n", "400"},
      {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n", "400"},
      {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "400"},
      {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
       "400"},
      {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "400"},
      {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 17\r\n\r\n", "413"},
      {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
       "11\r\n0123456789abcdefg\r\n0\r\n\r\n",
       "413"},
      {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nExpect: magic\r\n\r\n", "417"},
      {"GET / HTTP/1.1\r\nHost: x\r\nX: " + std::string(2000, 'a') + "\r\n\r\n", "431"},
  };
  for (const Refused& c : cases) {
    RawClient client(ctx, server->port());
    co_await client.Send(c.sent);
    const auto reply = co_await client.ReadUntil("\r\n\r\n");
    EXPECT_TRUE(reply.starts_with("HTTP/1.1 " + c.status) ||
                reply.starts_with("HTTP/1.0 " + c.status))
        << c.sent << " got " << reply;
    EXPECT_NE(reply.find("Connection: close"), std::string::npos) << reply;
  }
  co_await server.Stop();
}

CO_TEST(HttpServerTest, InvitesTheBodyThatWasAnnounced) {
  Served server(ctx, &Echo);
  RawClient client(ctx, server->port());

  co_await client.Send(
      "POST /up HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  const auto go = co_await client.ReadUntil("\r\n\r\n");
  co_await client.Send("hi");
  const auto reply = co_await client.ReadUntil("POST /up  hi");

  EXPECT_TRUE(go.starts_with("HTTP/1.1 100 Continue")) << go;
  EXPECT_TRUE(reply.starts_with("HTTP/1.1 200")) << reply;
  co_await server.Stop();
}

CO_TEST(HttpServerTest, GivesUpOnASlowClient) {
  Served server(ctx, &Echo, {.header_timeout = milliseconds(30), .body_timeout = milliseconds(30)});
  RawClient slow_head(ctx, server->port());
  RawClient slow_body(ctx, server->port());

  co_await slow_head.Send("GET / HT");
  co_await slow_body.Send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf");
  const auto head = co_await slow_head.ReadToEnd();
  const auto body = co_await slow_body.ReadToEnd();

  EXPECT_TRUE(head.starts_with("HTTP/1.1 408")) << head;
  EXPECT_TRUE(body.starts_with("HTTP/1.1 408")) << body;
  co_await server.Stop();
}

CO_TEST(HttpServerTest, ClosesAnIdleConnection) {
  Served server(ctx, &Echo, {.idle_timeout = milliseconds(30)});
  RawClient client(ctx, server->port());

  co_await client.Send(kGet);
  const auto reply = co_await client.ReadToEnd();

  EXPECT_TRUE(reply.starts_with("HTTP/1.1 200")) << reply;
  co_await server.Stop();
}

CO_TEST(HttpServerTest, WhoSaysNothingGivesWayToWhoComes) {
  Served server(ctx, &Echo, {.max_connections = 2});
  RawClient silent(ctx, server->port());
  co_await silent.Send("GET / HTTP/1.1\r\nHost");
  RawClient kept(ctx, server->port());
  co_await kept.Send(kGet);
  co_await kept.ReadUntil("GET /  ");

  std::list<RawClient> all;
  for (int i = 0; i < 20; ++i) {
    RawClient& next = all.emplace_back(ctx, server->port());
    co_await next.Send(kGet);
    const auto reply = co_await next.ReadUntil("GET /  ");
    EXPECT_TRUE(reply.starts_with("HTTP/1.1 200")) << reply;
    EXPECT_LE(server->connections(), 3U);
  }

  EXPECT_EQ(co_await silent.ReadToEnd(), "");
  EXPECT_EQ(co_await kept.ReadToEnd(), "");
  co_await server.Stop();
}

Task<HttpResponse> Throwing(HttpRequest /*request*/) {
  throw std::runtime_error("a bug");
  co_return HttpResponse();
}

Task<HttpResponse> Forging(HttpRequest /*request*/) {
  HttpResponse response;
  response.headers.Set("X-Note", "a\r\nSet-Cookie: forged=1");
  co_return response;
}

CO_TEST(HttpServerTest, AFailingHandlerIsAnInternalError) {
  for (const HttpHandler handler : {&Throwing, &Forging}) {
    Served server(ctx, handler);
    const auto reply = co_await SendHttp(ctx, {.url = server.Url("/")});

    EXPECT_TRUE(reply) << Describe(reply.error());
    if (reply) EXPECT_EQ(reply->status, 500);
    if (reply) EXPECT_FALSE(reply->headers.Has("Set-Cookie"));
    co_await server.Stop();
  }
}

CO_TEST(HttpServerTest, ListeningFailsWithAReason) {
  Served server(ctx, &Echo);
  HttpServer twin(ctx.executor(), ctx.clock(), &Echo, {.port = server->port()});
  HttpServer nowhere(ctx.executor(), ctx.clock(), &Echo, {.address = "not an address"});

  const auto taken = twin.Listen();
  const auto bad = nowhere.Listen();

  EXPECT_EQ(taken.error().code(), ErrorCode::kNetworkError) << Describe(taken.error());
  EXPECT_EQ(bad.error().code(), ErrorCode::kInvalidArgument) << Describe(bad.error());
  co_await server.Stop();
}

// A handler that says when it was reached and answers when it is let go.
struct Gate {
  explicit Gate(const CallContext& c) : ctx(c), reached(c), released(c) {}
  Task<HttpResponse> Handle(HttpRequest /*request*/) {
    reached.Set(true);
    const auto go = co_await released.Wait(ctx, "release");
    co_return TextResponse(go ? 200 : 503, "text/plain", "done");
  }
  CallContext ctx;
  OneShot<bool> reached;
  OneShot<bool> released;
};

Task<void> StopInto(HttpServer* server, CallContext ctx, OneShot<bool>* stopped) {
  co_await server->Stop(std::move(ctx));
  stopped->Set(true);
}

CO_TEST(HttpServerTest, WhoComesWhileAllAreAtWorkWaits) {
  Gate gate(ctx);
  Served server(ctx, [&](HttpRequest request) { return gate.Handle(std::move(request)); },
                {.max_connections = 1});
  RawClient first(ctx, server->port());
  co_await first.Send(kGet);
  co_await gate.reached.Wait(ctx, "the request");
  RawClient second(ctx, server->port());
  co_await second.Send(kGet);
  EXPECT_EQ(server->connections(), 1U);

  gate.released.Set(true);
  const auto one = co_await first.ReadUntil("done");
  const auto two = co_await second.ReadUntil("done");

  EXPECT_TRUE(one.starts_with("HTTP/1.1 200")) << one;
  EXPECT_TRUE(two.starts_with("HTTP/1.1 200")) << two;
  co_await server.Stop();
}

CO_TEST(HttpServerTest, StopLetsARequestInFlightFinish) {
  Gate gate(ctx);
  Served server(ctx, [&](HttpRequest request) { return gate.Handle(std::move(request)); });
  RawClient busy(ctx, server->port());
  RawClient idle(ctx, server->port());
  TaskScope scope(ctx.executor());
  OneShot<bool> stopped(ctx);
  co_await busy.Send(kGet);
  co_await gate.reached.Wait(ctx, "the request");

  scope.Spawn("stop", StopInto(server.operator->(), ctx, &stopped));
  const auto nothing = co_await idle.ReadToEnd();
  EXPECT_FALSE(stopped.is_set());
  gate.released.Set(true);
  const auto reply = co_await busy.ReadToEnd();
  co_await stopped.Wait(ctx, "the end");

  EXPECT_EQ(nothing, "");
  EXPECT_TRUE(reply.ends_with("done")) << reply;
  EXPECT_NE(reply.find("Connection: close"), std::string::npos) << reply;
  EXPECT_EQ(server->connections(), 0U);
  co_await scope.Stop();
}

CO_TEST(HttpServerTest, StopBreaksOffWhatDoesNotFinishInTime) {
  Gate gate(ctx);
  Served server(ctx, [&](HttpRequest request) { return gate.Handle(std::move(request)); });
  RawClient client(ctx, server->port());
  co_await client.Send(kGet);
  co_await gate.reached.Wait(ctx, "the request");

  co_await server->Stop(ctx.WithTimeout(milliseconds(20)));
  const auto reply = co_await client.ReadToEnd();

  EXPECT_EQ(server->connections(), 0U);
  EXPECT_EQ(reply.find("200 OK"), std::string::npos) << reply;
  const auto refused = co_await SendHttp(ctx, {.url = server.Url("/")});
  EXPECT_FALSE(refused);
}

CO_TEST(HttpServerTest, AServerThatIsJustDroppedBreaksOff) {
  Gate gate(ctx);
  auto server = std::make_unique<Served>(
      ctx, [&](HttpRequest request) { return gate.Handle(std::move(request)); });
  RawClient busy(ctx, (*server)->port());
  RawClient idle(ctx, (*server)->port());
  co_await busy.Send(kGet);
  co_await gate.reached.Wait(ctx, "the request");

  server.reset();
  const auto nothing = co_await busy.ReadToEnd();
  const auto silence = co_await idle.ReadToEnd();

  EXPECT_EQ(nothing, "");
  EXPECT_EQ(silence, "");
}

}  // namespace
}  // namespace falconer::net
