// What a client does wrong on an upgraded connection, byte by byte, and what the server says to it.

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "net/http_server.h"
#include "net/websocket_client.h"
#include "tests/support/co_test.h"
#include "tests/support/raw_client.h"

namespace falconer::net {
namespace {

using test::RawClient;
using Kind = WebSocketMessage::Kind;

constexpr std::string_view kHandshake =
    "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

Task<void> ReadAll(std::shared_ptr<WebSocket> socket) {
  for (;;) {
    const auto message = co_await socket->Receive();
    if (!message || message->kind == Kind::kClosed) co_return;
    if (message->data == "bye") co_await socket->Close(WebSocketEnd::kPolicyViolation, "no more");
  }
}

Task<HttpResponse> Accept(HttpRequest /*request*/) {
  HttpResponse response;
  response.websocket = [](std::shared_ptr<WebSocket> socket) { return ReadAll(std::move(socket)); };
  co_return response;
}

Task<void> SendOnce(CallContext ctx, std::shared_ptr<const std::string> bytes,
                    std::shared_ptr<WebSocket> socket) {
  const auto sent = co_await socket->SendShared(ctx, SharedBytes(bytes));
  EXPECT_TRUE(sent);
  static_cast<void>(co_await socket->Receive());
}

Task<HttpResponse> Offer(CallContext ctx, std::shared_ptr<const std::string> bytes) {
  HttpResponse response;
  response.websocket = [ctx, bytes](std::shared_ptr<WebSocket> socket) {
    return SendOnce(ctx, bytes, std::move(socket));
  };
  co_return response;
}

// One frame of a client: its first byte, and its payload, masked with zeros.
std::string Masked(char first, const std::string& payload) {
  return std::string{first, static_cast<char>(0x80 | payload.size())} + std::string(4, '\0') +
         payload;
}

// The code of the close frame that ends what the server sent; 0 when there is none.
int CloseCode(const std::string& sent) {
  const std::size_t at = sent.rfind('\x88');
  if (at == std::string::npos || at + 3 >= sent.size()) return 0;
  return static_cast<unsigned char>(sent[at + 2]) * 256 + static_cast<unsigned char>(sent[at + 3]);
}

struct BadFrame {
  std::string_view what;
  std::string bytes;
  int code;
};

CO_TEST(WebSocketFramesTest, BadFramesAreAnsweredWithTheirCode) {
  HttpServer server(ctx.executor(), ctx.clock(), Accept, {.websocket = {.max_message_bytes = 100}});
  EXPECT_TRUE(server.Listen());
  const BadFrame frames[] = {
      {"not masked", "\x81\x02hi", 1002},
      {"reserved bits", Masked('\xf1', "hi"), 1002},
      {"reserved opcode", Masked('\x83', "hi"), 1002},
      {"reserved control opcode", Masked('\x8b', ""), 1002},
      {"a control frame in parts", Masked('\x09', "hi"), 1002},
      {"a part without a beginning", Masked('\x80', "hi"), 1002},
      {"a beginning inside a message", Masked('\x01', "a") + Masked('\x81', "b"), 1002},
      {"text that is no UTF-8", Masked('\x81', "\xc3\x28"), 1007},
      {"too long a message", std::string("\x82\xfe\x00\xc8", 4) + std::string(4 + 200, '\0'), 1009},
      {"a length it does not have", std::string("\x82\xff", 2) + std::string(12, '\x7f'), 1009},
      {"a close with half a code", Masked('\x88', "\x03"), 1002},
      {"a close with a code nobody may send", Masked('\x88', std::string("\x03\xed", 2)), 1002},
  };
  for (const BadFrame& frame : frames) {
    RawClient client(ctx, server.port());
    co_await client.Send(std::string(kHandshake));
    const std::string head = co_await client.ReadUntil("\r\n\r\n");
    EXPECT_TRUE(head.starts_with("HTTP/1.1 101")) << head;
    co_await client.Send(frame.bytes);
    const std::string sent = co_await client.ReadToEnd();
    EXPECT_EQ(CloseCode(sent), frame.code) << frame.what;
  }
  co_await server.Stop(ctx);
}

CO_TEST(WebSocketFramesTest, TheServerSaysWhyItCloses) {
  HttpServer server(ctx.executor(), ctx.clock(), Accept);
  EXPECT_TRUE(server.Listen());
  RawClient client(ctx, server.port());
  co_await client.Send(std::string(kHandshake));
  co_await client.ReadUntil("\r\n\r\n");
  co_await client.Send(Masked('\x81', "bye"));
  const std::string closing = co_await client.ReadUntil("no more");
  EXPECT_EQ(CloseCode(closing), 1008);
  co_await client.Send(Masked('\x88', std::string("\x03\xe8", 2)));
  co_await client.ReadToEnd();
  co_await server.Stop(ctx);
}

CO_TEST(WebSocketFramesTest, FramesBeforeTheAnswerAreRefused) {
  HttpServer server(ctx.executor(), ctx.clock(), Accept);
  EXPECT_TRUE(server.Listen());
  RawClient client(ctx, server.port());
  co_await client.Send(std::string(kHandshake) + Masked('\x81', "hi"));
  const std::string answer = co_await client.ReadToEnd();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 400")) << answer;
  co_await server.Stop(ctx);
}

CO_TEST(WebSocketFramesTest, ManyAreSentTheSameBytes) {
  const auto bytes = std::make_shared<const std::string>(std::string(300'000, 'x'));
  HttpServer server(ctx.executor(), ctx.clock(),
                    [ctx, bytes](HttpRequest) { return Offer(ctx, bytes); });
  EXPECT_TRUE(server.Listen());
  const std::string url = "ws://127.0.0.1:" + std::to_string(server.port()) + "/";
  for (int i = 0; i < 3; ++i) {
    const auto socket = co_await ConnectWebSocket(ctx, url);
    EXPECT_TRUE(socket);
    if (!socket) continue;
    const auto message = co_await (*socket)->Receive();
    EXPECT_TRUE(message && message->kind == Kind::kBinary && message->data == *bytes);
    co_await (*socket)->Close();
  }
  co_await server.Stop(ctx);
}

}  // namespace
}  // namespace falconer::net
