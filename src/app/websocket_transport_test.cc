#include "app/websocket_transport.h"

#include <gtest/gtest.h>

#include "net/http_server.h"
#include "net/websocket_client.h"
#include "tests/support/co_test.h"
#include "tests/support/settle.h"

namespace falconer::app {
namespace {

// A peer that opens the connection and never reads from it.
Task<void> NeverRead(CallContext ctx, std::shared_ptr<net::WebSocket> /*held*/) {
  Alarm never(ctx.executor(), ctx.clock());
  co_await never.Wait(ctx.deadline());
}

Task<net::HttpResponse> Upgrade(CallContext ctx, net::HttpRequest /*request*/) {
  net::HttpResponse response;
  response.websocket = [ctx](std::shared_ptr<net::WebSocket> socket) {
    return NeverRead(ctx, std::move(socket));
  };
  co_return response;
}

CO_TEST(WebSocketTransportTest, RefusesMessagesThatTheBrowserDoesNotRead) {
  net::HttpServer server(
      ctx.executor(), ctx.clock(),
      [ctx](net::HttpRequest request) { return Upgrade(ctx, std::move(request)); }, {});
  EXPECT_TRUE(server.Listen());
  auto socket =
      co_await net::ConnectWebSocket(ctx, "ws://127.0.0.1:" + std::to_string(server.port()) + "/");
  EXPECT_TRUE(socket) << Describe(socket.error());
  if (!socket) co_return;
  WebSocketTransport transport(ctx.executor(), ctx.clock(), *std::move(socket), 4U << 20U);
  int closed = 0;
  transport.Start(
      {.on_message = [](std::string_view) {}, .on_closed = [&](const Error&) { ++closed; }});

  Result<void> posted;
  for (int i = 0; i < 100 && posted; ++i) {
    posted = transport.Post(std::string(1U << 20U, 'z'));
    co_await test::Settle();
  }

  EXPECT_FALSE(posted) << "the queue has no bound";
  if (!posted) EXPECT_EQ(posted.error().code(), ErrorCode::kQueueFull);
  EXPECT_EQ(closed, 0) << "a slow browser is not a dead one";
}

}  // namespace
}  // namespace falconer::app
