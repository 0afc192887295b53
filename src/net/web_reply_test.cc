// Replies read while they come: pieces, ends, silence, hang-ups.
#include "net/web_reply.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "base/async/one_shot.h"
#include "base/file.h"
#include "net/http_server.h"
#include "tests/support/co_test.h"
#include "tests/support/own_authority.h"

namespace falconer::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr auto kPatience = seconds(15);

// Sends a piece each time the test has taken the one before, and knows when the client left.
struct PieceByPiece {
  explicit PieceByPiece(const CallContext& c) : ctx(c), next(c.executor(), c.clock()), left(c) {}

  Task<HttpResponse> Handle(HttpRequest /*request*/) {
    HttpResponse response{.status = status, .headers = {{"X-Kind", "pieces"}}};
    response.stream = [this](BodyWriter* out) { return Stream(out); };
    co_return response;
  }

  Task<Result<void>> Stream(BodyWriter* out) {
    const Leaving leaving{this};
    for (const std::string& piece : pieces) {
      CO_TRY(co_await out->Write(piece));
      co_await next.Wait(Deadline::Never());
    }
    if (is_cut) co_return Fail(ErrorCode::kIoError, "cut");
    co_return Result<void>();
  }

  struct Leaving {
    PieceByPiece* source;
    ~Leaving() { source->left.Set(true); }
  };

  HttpHandler Handler() {
    return [this](HttpRequest request) { return Handle(std::move(request)); };
  }

  CallContext ctx;
  Alarm next;
  OneShot<bool> left;
  int status = 200;
  bool is_cut = false;
  std::vector<std::string> pieces = {"one", "two"};
};

HttpCall CallTo(const HttpServer& server) {
  return {.url = "http://127.0.0.1:" + std::to_string(server.port()) + "/"};
}

CO_TEST(WebReplyTest, GivesEachPieceBeforeTheNextIsSent) {
  PieceByPiece source(ctx);
  source.status = 418;
  HttpServer server(ctx.executor(), ctx.clock(), source.Handler());
  EXPECT_TRUE(server.Listen());

  auto reply = co_await WebReply::Open(ctx, CallTo(server));
  EXPECT_TRUE(reply);
  if (!reply) co_return;
  EXPECT_EQ((*reply)->status(), 418);
  EXPECT_EQ((*reply)->headers().Find("x-kind"), "pieces");
  for (const std::string piece : {"one", "two", ""}) {
    const auto read = co_await (*reply)->Read(kPatience);
    EXPECT_TRUE(read) << Describe(read.error());
    if (read) EXPECT_EQ(*read, piece);
    source.next.Signal();
  }
  reply->reset();
  co_await server.Stop(ctx);
}

CO_TEST(WebReplyTest, TellsACutBodyFromAnEnd) {
  PieceByPiece source(ctx);
  source.is_cut = true;
  source.pieces = {"one"};
  HttpServer server(ctx.executor(), ctx.clock(), source.Handler());
  EXPECT_TRUE(server.Listen());

  auto reply = co_await WebReply::Open(ctx, CallTo(server));
  const auto first = co_await (*reply)->Read(kPatience);
  source.next.Signal();
  const auto second = co_await (*reply)->Read(kPatience);

  EXPECT_TRUE(first);
  EXPECT_FALSE(second);
  if (!second) EXPECT_EQ(second.error().code(), ErrorCode::kNetworkError);
  reply->reset();
  co_await server.Stop(ctx);
}

CO_TEST(WebReplyTest, EndsWhenNothingComes) {
  PieceByPiece source(ctx);
  HttpServer server(ctx.executor(), ctx.clock(), source.Handler());
  EXPECT_TRUE(server.Listen());

  auto reply = co_await WebReply::Open(ctx, CallTo(server));
  const auto first = co_await (*reply)->Read(kPatience);
  const auto second = co_await (*reply)->Read(milliseconds(20));

  EXPECT_TRUE(first);
  EXPECT_FALSE(second);
  if (!second) EXPECT_EQ(second.error().code(), ErrorCode::kTimeout);
  reply->reset();
  co_await server.Stop(ctx);
}

CO_TEST(WebReplyTest, HangsUpWhenLetGo) {
  PieceByPiece source(ctx);
  HttpServer server(ctx.executor(), ctx.clock(), source.Handler());
  EXPECT_TRUE(server.Listen());

  auto reply = co_await WebReply::Open(ctx, CallTo(server));
  const auto first = co_await (*reply)->Read(kPatience);
  EXPECT_TRUE(first);
  reply->reset();
  const auto left = co_await source.left.Wait(ctx.WithTimeout(kPatience), "the client to leave");

  EXPECT_TRUE(left) << "the server was not told";
  co_await server.Stop(ctx);
}

CO_TEST(WebReplyTest, RefusesABodyThatIsTooLong) {
  PieceByPiece source(ctx);
  HttpServer server(ctx.executor(), ctx.clock(), source.Handler());
  EXPECT_TRUE(server.Listen());
  HttpCall call = CallTo(server);
  call.max_reply_bytes = 2;

  auto reply = co_await WebReply::Open(ctx, std::move(call));
  const auto read = co_await (*reply)->Read(kPatience);

  EXPECT_FALSE(read);
  if (!read) EXPECT_EQ(read.error().code(), ErrorCode::kNetworkError);
  reply->reset();
  co_await server.Stop(ctx);
}

CO_TEST(WebReplyTest, ReadsUnderTls) {
  const auto folder = TempDir::Create("falconer-web-reply-").value();
  const test::OwnAuthority authority;
  const test::IssuedCertificate own = authority.Issue("IP:127.0.0.1");
  EXPECT_TRUE(WriteFileAtomic(folder.path() / "ca.pem", authority.Pem()));
  EXPECT_TRUE(WriteFileAtomic(folder.path() / "own.pem", own.certificate));
  EXPECT_TRUE(WriteFileAtomic(folder.path() / "own.key", own.key));
  auto identity = TlsIdentity::Load({folder.path() / "own.pem", folder.path() / "own.key"});
  PieceByPiece source(ctx);
  HttpServer server(ctx.executor(), ctx.clock(), source.Handler(), {.tls = identity.value()});
  EXPECT_TRUE(server.Listen());
  HttpCall call{.url = "https://127.0.0.1:" + std::to_string(server.port()) + "/"};

  const auto stranger = co_await WebReply::Open(ctx, call);
  auto reply = co_await WebReply::Open(ctx, std::move(call),
                                       {.trust = {.authorities = folder.path() / "ca.pem"}});
  EXPECT_TRUE(reply) << Describe(reply.error());
  if (!reply) co_return;
  const auto first = co_await (*reply)->Read(kPatience);

  EXPECT_FALSE(stranger) << "nobody vouches for that server";
  if (first) EXPECT_EQ(*first, "one");
  reply->reset();
  co_await server.Stop(ctx);
}

}  // namespace
}  // namespace falconer::net
