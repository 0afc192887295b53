#include "net/websocket.h"

#include <string>
#include <utility>

#include <boost/asio/ip/tcp.hpp>
#include <gtest/gtest.h>

#include "base/async/one_shot.h"
#include "base/async/task_scope.h"
#include "net/http_client.h"
#include "net/http_server.h"
#include "net/websocket_client.h"
#include "tests/support/co_test.h"

namespace falconer::net {
namespace {

using std::chrono::milliseconds;
using Kind = WebSocketMessage::Kind;

Task<void> EchoAll(CallContext ctx, std::shared_ptr<WebSocket> socket) {
  while (true) {
    auto message = co_await socket->Receive();
    if (!message || message->kind == Kind::kClosed || message->data == "bye") co_return;
    if (!co_await socket->Send(ctx, *std::move(message))) co_return;
  }
}

Task<HttpResponse> Upgrade(CallContext ctx, HttpRequest request) {
  HttpResponse response;
  if (request.path == "/plain") co_return TextResponse(403, "text/plain", "no");
  response.headers.Set("X-Seen", std::string(request.headers.Find("X-Mine").value_or("")));
  response.websocket = [ctx](std::shared_ptr<WebSocket> socket) {
    return EchoAll(ctx, std::move(socket));
  };
  co_return response;
}

class EchoServer {
 public:
  explicit EchoServer(const CallContext& ctx, WebSocketOptions options = {})
      : server_(ctx.executor(), ctx.clock(),
                [ctx](HttpRequest request) { return Upgrade(ctx, std::move(request)); },
                {.websocket = options}) {
    EXPECT_TRUE(server_.Listen());
  }
  HttpServer* operator->() { return &server_; }
  std::string Url(const std::string& scheme, const std::string& path = "/") const {
    return scheme + "://127.0.0.1:" + std::to_string(server_.port()) + path;
  }

 private:
  HttpServer server_;
};

CO_TEST(WebSocketTest, CarriesTextAndBinaryOfAnySize) {
  EchoServer server(ctx);
  const auto socket = co_await ConnectWebSocket(ctx, server.Url("ws"));
  EXPECT_TRUE(socket) << Describe(socket.error());
  const WebSocketMessage messages[] = {
      {Kind::kText, "hello"},
      {Kind::kText, ""},
      {Kind::kBinary, std::string("\0\1\2", 3)},
      {Kind::kBinary, std::string(std::size_t{5} << 20, 'x')},
  };
  for (const auto& message : messages) {
    const auto sent = co_await (*socket)->Send(ctx, message);
    EXPECT_TRUE(sent);
    const auto back = co_await (*socket)->Receive();
    EXPECT_TRUE(back);
    if (!back) break;
    EXPECT_EQ(back->kind, message.kind);
    EXPECT_EQ(back->data, message.data);
  }
  co_await (*socket)->Close();
  EXPECT_FALSE((*socket)->is_open());
  co_await server->Stop(ctx);
}

CO_TEST(WebSocketTest, ReceivesNothingMoreOnceThePeerClosed) {
  EchoServer server(ctx);
  const auto socket = co_await ConnectWebSocket(ctx, server.Url("ws"));
  EXPECT_TRUE(socket);

  co_await (*socket)->Send(ctx, {Kind::kText, "bye"});
  const auto end = co_await (*socket)->Receive();
  const auto sent = co_await (*socket)->Send(ctx, {Kind::kText, "too late"});

  EXPECT_TRUE(end);
  if (end) EXPECT_EQ(end->kind, Kind::kClosed);
  EXPECT_FALSE(sent);
  if (!sent) EXPECT_EQ(sent.error().code(), ErrorCode::kNetworkError);
  co_await server->Stop(ctx);
}

Task<void> SendInto(WebSocket* socket, CallContext ctx, std::string text) {
  EXPECT_TRUE(co_await socket->Send(ctx, {Kind::kText, std::move(text)}));
}

CO_TEST(WebSocketTest, ConcurrentSendsKeepTheirOrder) {
  EchoServer server(ctx);
  const auto socket = co_await ConnectWebSocket(ctx, server.Url("ws"));
  EXPECT_TRUE(socket);
  TaskScope scope(ctx.executor());

  for (char c = 'a'; c <= 'e'; ++c) {
    scope.Spawn("send", SendInto(socket->get(), ctx, std::string(200000, c)));
  }
  for (char c = 'a'; c <= 'e'; ++c) {
    const auto message = co_await (*socket)->Receive();
    EXPECT_TRUE(message);
    if (!message) break;
    EXPECT_EQ(message->data, std::string(200000, c));
  }
  co_await scope.Stop();
  co_await (*socket)->Close();
  co_await server->Stop(ctx);
}

CO_TEST(WebSocketTest, RefusesToQueueMoreThanItMay) {
  EchoServer server(ctx);
  const auto socket =
      co_await ConnectWebSocket(ctx, server.Url("ws"), {}, {.max_queued_bytes = 10});
  EXPECT_TRUE(socket);

  const auto sent = co_await (*socket)->Send(ctx, {Kind::kText, "eleven byte"});

  EXPECT_FALSE(sent);
  if (!sent) EXPECT_EQ(sent.error().code(), ErrorCode::kQueueFull);
  co_await (*socket)->Close();
  co_await server->Stop(ctx);
}

CO_TEST(WebSocketTest, DropsAPeerWhoseMessageIsTooLong) {
  EchoServer server(ctx, {.max_message_bytes = 100});
  const auto socket = co_await ConnectWebSocket(ctx, server.Url("ws"));
  EXPECT_TRUE(socket);

  co_await (*socket)->Send(ctx, {Kind::kText, std::string(101, 'x')});
  const auto end = co_await (*socket)->Receive();

  EXPECT_TRUE(!end || end->kind == Kind::kClosed);
  co_await server->Stop(ctx);
}

CO_TEST(WebSocketTest, PingsKeepASilentConnectionAlive) {
  EchoServer server(ctx, {.ping_interval = milliseconds(20)});
  const auto socket =
      co_await ConnectWebSocket(ctx, server.Url("ws"), {}, {.ping_interval = milliseconds(20)});
  EXPECT_TRUE(socket);
  boost::asio::steady_timer long_silence(ctx.executor(), milliseconds(200));
  TaskScope scope(ctx.executor());
  OneShot<std::string> heard(ctx);
  struct Listener {
    static Task<void> Run(WebSocket* socket, OneShot<std::string>* heard) {
      const auto message = co_await socket->Receive();
      heard->Set(message ? message->data : "nothing");
    }
  };
  scope.Spawn("listen", Listener::Run(socket->get(), &heard));

  co_await long_silence.async_wait(boost::asio::use_awaitable);
  co_await (*socket)->Send(ctx, {Kind::kText, "still here"});
  const auto message = co_await heard.Wait(ctx, "the echo");

  EXPECT_EQ(message.value_or("timeout"), "still here");
  co_await scope.Stop();
  co_await server->Stop(ctx);
}

CO_TEST(WebSocketTest, ServerSaysGoodbyeWhenItStops) {
  EchoServer server(ctx);
  const auto socket = co_await ConnectWebSocket(ctx, server.Url("ws"));
  EXPECT_TRUE(socket);
  TaskScope scope(ctx.executor());
  struct Stopper {
    static Task<void> Run(HttpServer* server, CallContext ctx) { co_await server->Stop(ctx); }
  };
  scope.Spawn("stop", Stopper::Run(server.operator->(), ctx));

  const auto end = co_await (*socket)->Receive();

  EXPECT_TRUE(end) << Describe(end.error());
  if (end) EXPECT_EQ(end->kind, Kind::kClosed);
  co_await server->Stop(ctx);
  EXPECT_EQ(server->connections(), 0U);
  co_await scope.Stop();
}

CO_TEST(WebSocketClientTest, ExplainsARefusal) {
  EchoServer server(ctx);

  const auto refused = co_await ConnectWebSocket(ctx, server.Url("ws", "/plain"));
  const auto secure = co_await ConnectWebSocket(ctx, server.Url("wss"));
  const auto nobody = co_await ConnectWebSocket(ctx, "ws://127.0.0.1:1/");

  EXPECT_FALSE(refused);
  if (!refused) EXPECT_NE(refused.error().message().find("403"), std::string::npos);
  EXPECT_FALSE(secure);
  if (!secure) EXPECT_EQ(secure.error().code(), ErrorCode::kUnsupported);
  EXPECT_FALSE(nobody);
  if (!nobody) EXPECT_EQ(nobody.error().code(), ErrorCode::kNetworkError);
  co_await server->Stop(ctx);
}

CO_TEST(WebSocketClientTest, KeepsItsDeadline) {
  const boost::asio::ip::tcp::acceptor silent(ctx.executor(),
                                              {boost::asio::ip::address_v4::loopback(), 0});
  const auto url = "ws://127.0.0.1:" + std::to_string(silent.local_endpoint().port()) + "/";

  const auto socket = co_await ConnectWebSocket(ctx.WithTimeout(milliseconds(30)), url);

  EXPECT_FALSE(socket);
  if (!socket) EXPECT_EQ(socket.error().code(), ErrorCode::kTimeout) << Describe(socket.error());
}

CO_TEST(WebSocketServerTest, AsksPlainRequestsToUpgrade) {
  EchoServer server(ctx);

  const auto reply = co_await SendHttp(ctx, {.url = server.Url("http")});

  EXPECT_TRUE(reply);
  if (reply) EXPECT_EQ(reply->status, 426);
  co_await server->Stop(ctx);
}

}  // namespace
}  // namespace falconer::net
