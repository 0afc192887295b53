// Streamed response bodies: framing, slow and vanishing clients.

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "base/async/one_shot.h"
#include "net/http_client.h"
#include "net/http_server.h"
#include "tests/support/co_test.h"
#include "tests/support/raw_client.h"

namespace falconer::net {
namespace {

using std::chrono::milliseconds;
using test::RawClient;

const std::string kStreamGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

// Streams pieces as told by the test, and says how the stream ended.
struct Source {
  explicit Source(const CallContext& c) : ctx(c), ended(c) {}

  Task<HttpResponse> Handle(HttpRequest /*request*/) {
    HttpResponse response{.headers = headers};
    response.stream = [this](BodyWriter* out) { return Stream(out); };
    co_return response;
  }

  Task<Result<void>> Stream(BodyWriter* out) {
    const Ending ending{this};
    for (const std::string& piece : pieces) {
      const auto written = co_await out->Write(piece);
      if (!written) failure = written.error();
      CO_TRY(written);
    }
    if (waits_forever) co_await Alarm(ctx.executor(), ctx.clock()).Wait(Deadline::Never());
    co_return Result<void>();
  }

  struct Ending {
    Source* source;
    ~Ending() { source->ended.Set(true); }
  };

  CallContext ctx;
  OneShot<bool> ended;
  HttpHeaders headers = {};
  std::vector<std::string> pieces = {"one", "", "two"};
  std::optional<Error> failure = {};
  bool waits_forever = false;
};

HttpHandler HandlerOf(Source& source) {
  return [&source](HttpRequest request) { return source.Handle(std::move(request)); };
}

CO_TEST(HttpStreamTest, SendsChunksAndKeepsTheConnection) {
  Source source(ctx);
  HttpServer server(ctx.executor(), ctx.clock(), HandlerOf(source));
  EXPECT_TRUE(server.Listen());
  RawClient client(ctx, server.port());

  co_await client.Send(kStreamGet + kStreamGet);
  const auto first = co_await client.ReadUntil("0\r\n\r\n");
  const auto second = co_await client.ReadUntil("0\r\n\r\n");

  EXPECT_NE(first.find("Transfer-Encoding: chunked"), std::string::npos) << first;
  EXPECT_TRUE(first.ends_with("\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n")) << first;
  EXPECT_TRUE(second.ends_with("3\r\ntwo\r\n0\r\n\r\n")) << second;
  co_await server.Stop(ctx);
}

CO_TEST(HttpStreamTest, SendsAPromisedLengthWithoutChunks) {
  Source source(ctx);
  source.headers = {{"Content-Length", "6"}};
  HttpServer server(ctx.executor(), ctx.clock(), HandlerOf(source));
  EXPECT_TRUE(server.Listen());
  RawClient client(ctx, server.port());

  co_await client.Send(kStreamGet);
  const auto reply = co_await client.ReadUntil("onetwo");

  EXPECT_TRUE(reply.ends_with("\r\n\r\nonetwo")) << reply;
  EXPECT_NE(reply.find("Content-Length: 6\r\n"), std::string::npos) << reply;
  EXPECT_EQ(reply.find("chunked"), std::string::npos) << reply;
  co_await server.Stop(ctx);
}

CO_TEST(HttpStreamTest, BreaksOffWhenThePromiseIsNotKept) {
  for (const std::string length : {"5", "7"}) {
    Source source(ctx);
    source.headers = {{"Content-Length", length}};
    HttpServer server(ctx.executor(), ctx.clock(), HandlerOf(source));
    EXPECT_TRUE(server.Listen());
    const std::string url = "http://127.0.0.1:" + std::to_string(server.port()) + "/";

    const auto reply = co_await SendHttp(ctx, {.url = url});

    EXPECT_FALSE(reply) << length;
    co_await server.Stop(ctx);
  }
}

CO_TEST(HttpStreamTest, EndsByClosingForHttp10) {
  Source source(ctx);
  HttpServer server(ctx.executor(), ctx.clock(), HandlerOf(source));
  EXPECT_TRUE(server.Listen());
  RawClient client(ctx, server.port());

  co_await client.Send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  const auto reply = co_await client.ReadToEnd();

  EXPECT_TRUE(reply.ends_with("\r\n\r\nonetwo")) << reply;
  co_await server.Stop(ctx);
}

CO_TEST(HttpStreamTest, HeadDoesNotRunTheStream) {
  Source source(ctx);
  HttpServer server(ctx.executor(), ctx.clock(), HandlerOf(source));
  EXPECT_TRUE(server.Listen());
  RawClient client(ctx, server.port());

  co_await client.Send("HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const auto reply = co_await client.ReadToEnd();

  EXPECT_TRUE(reply.starts_with("HTTP/1.1 200")) << reply;
  EXPECT_FALSE(source.ended.is_set());
  co_await server.Stop(ctx);
}

CO_TEST(HttpStreamTest, IsCancelledWhenTheClientHangsUp) {
  Source source(ctx);
  source.waits_forever = true;
  HttpServer server(ctx.executor(), ctx.clock(), HandlerOf(source));
  EXPECT_TRUE(server.Listen());
  RawClient client(ctx, server.port());
  co_await client.Send(kStreamGet);
  co_await client.ReadUntil("two\r\n");

  client.Close();
  const auto ended = co_await source.ended.Wait(ctx, "the stream's end");

  EXPECT_TRUE(ended);
  co_await server.Stop(ctx);
}

CO_TEST(HttpStreamTest, GivesUpOnAClientThatDoesNotRead) {
  Source source(ctx);
  source.pieces.assign(64, std::string(std::size_t{1} << 20, 'x'));
  HttpServer server(ctx.executor(), ctx.clock(), HandlerOf(source),
                    {.write_timeout = milliseconds(50)});
  EXPECT_TRUE(server.Listen());
  RawClient client(ctx, server.port());

  co_await client.Send(kStreamGet);
  const auto ended = co_await source.ended.Wait(ctx, "the stream's end");

  EXPECT_TRUE(ended);
  EXPECT_TRUE(source.failure);
  if (source.failure) EXPECT_EQ(source.failure->code(), ErrorCode::kTimeout);
  co_await server.Stop(ctx);
}

CO_TEST(HttpStreamTest, StopBreaksOffAnEndlessStream) {
  Source source(ctx);
  source.waits_forever = true;
  HttpServer server(ctx.executor(), ctx.clock(), HandlerOf(source));
  EXPECT_TRUE(server.Listen());
  RawClient client(ctx, server.port());
  co_await client.Send(kStreamGet);
  co_await client.ReadUntil("two\r\n");

  co_await server.Stop(ctx.WithTimeout(milliseconds(10)));
  const auto rest = co_await client.ReadToEnd();

  EXPECT_TRUE(source.ended.is_set());
  EXPECT_EQ(rest, "");
}

}  // namespace
}  // namespace falconer::net
