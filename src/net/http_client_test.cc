#include "net/http_client.h"

#include <string>

#include <boost/asio/ip/tcp.hpp>
#include <gtest/gtest.h>

#include "net/http_server.h"
#include "tests/support/co_test.h"

namespace falconer::net {
namespace {

using std::chrono::milliseconds;

Task<HttpResponse> Mirror(HttpRequest request) {
  HttpResponse response = TextResponse(request.path == "/missing" ? 404 : 200, "text/plain",
                                       request.method + " " + request.body);
  response.headers.Set("X-Host", std::string(request.headers.Find("Host").value_or("")));
  response.headers.Set("X-Mine", std::string(request.headers.Find("X-Mine").value_or("")));
  co_return response;
}

std::string UrlOf(const HttpServer& server, const std::string& path) {
  return "http://127.0.0.1:" + std::to_string(server.port()) + path;
}

CO_TEST(HttpClientTest, ReadsTheReplyWhateverItsStatus) {
  HttpServer server(ctx.executor(), ctx.clock(), &Mirror);
  EXPECT_TRUE(server.Listen());

  const auto posted = co_await SendHttp(
      ctx,
      {.url = UrlOf(server, ""), .method = "POST", .headers = {{"X-Mine", "1"}}, .body = "hi"});
  const auto missing = co_await SendHttp(ctx, {.url = UrlOf(server, "/missing?x")});
  const auto head = co_await SendHttp(ctx, {.url = UrlOf(server, "/"), .method = "HEAD"});

  EXPECT_TRUE(posted && missing && head);
  if (posted) EXPECT_EQ(posted->body, "POST hi");
  if (posted) EXPECT_EQ(posted->headers.Find("X-Mine"), "1");
  if (posted) EXPECT_EQ(posted->headers.Find("X-Host"), UrlOf(server, "").substr(7));
  if (missing) EXPECT_EQ(missing->status, 404);
  if (head) EXPECT_EQ(head->body, "");
  co_await server.Stop(ctx);
}

CO_TEST(HttpClientTest, RefusesAReplyThatIsTooLong) {
  HttpServer server(ctx.executor(), ctx.clock(), &Mirror);
  EXPECT_TRUE(server.Listen());

  const auto reply = co_await SendHttp(ctx, {.url = UrlOf(server, "/"), .max_reply_bytes = 2});

  EXPECT_FALSE(reply);
  if (!reply) EXPECT_EQ(reply.error().code(), ErrorCode::kNetworkError);
  co_await server.Stop(ctx);
}

CO_TEST(HttpClientTest, RefusesAddressesItCannotReach) {
  struct Case {
    std::string url;
    ErrorCode code;
  };
  const Case cases[] = {
      {"", ErrorCode::kInvalidArgument},
      {"http://", ErrorCode::kInvalidArgument},
      {"/path", ErrorCode::kInvalidArgument},
      {"http://exa mple/", ErrorCode::kInvalidArgument},
      {"https://127.0.0.1/", ErrorCode::kUnsupported},
      {"http://127.0.0.1:1/", ErrorCode::kNetworkError},
  };
  for (const Case& c : cases) {
    const auto reply = co_await SendHttp(ctx, {.url = c.url});
    EXPECT_FALSE(reply) << c.url;
    if (!reply) EXPECT_EQ(reply.error().code(), c.code) << Describe(reply.error());
  }
  const auto odd = co_await SendHttp(ctx, {.url = "http://127.0.0.1:1/", .method = "BREW"});
  EXPECT_FALSE(odd);
  if (!odd) EXPECT_EQ(odd.error().code(), ErrorCode::kInvalidArgument);
}

// Accepts connections (the system does) and never answers.
class Silent {
 public:
  explicit Silent(const CallContext& ctx)
      : acceptor_(ctx.executor(), {boost::asio::ip::address_v4::loopback(), 0}) {}
  std::string Url() const {
    return "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()) + "/";
  }

 private:
  boost::asio::ip::tcp::acceptor acceptor_;
};

CO_TEST(HttpClientTest, KeepsItsDeadline) {
  const Silent silent(ctx);

  const auto reply = co_await SendHttp(ctx.WithTimeout(milliseconds(30)), {.url = silent.Url()});
  const auto late = co_await SendHttp(ctx.WithTimeout(milliseconds(0)), {.url = silent.Url()});

  EXPECT_FALSE(reply);
  if (!reply) EXPECT_EQ(reply.error().code(), ErrorCode::kTimeout) << Describe(reply.error());
  EXPECT_FALSE(late);
  if (!late) EXPECT_EQ(late.error().code(), ErrorCode::kTimeout) << Describe(late.error());
}

CO_TEST(HttpClientTest, IsCancelledForAReason) {
  const Silent silent(ctx);
  CancelSource source;
  boost::asio::steady_timer soon(ctx.executor(), milliseconds(10));
  soon.async_wait([&](const boost::system::error_code& /*code*/) {
    source.Cancel(Error(ErrorCode::kStaleEpoch, "lease lost"));
  });

  const auto reply = co_await SendHttp(ctx.WithCancel(source.token()), {.url = silent.Url()});

  EXPECT_FALSE(reply);
  if (!reply) EXPECT_EQ(reply.error().code(), ErrorCode::kStaleEpoch) << Describe(reply.error());
}

}  // namespace
}  // namespace falconer::net
