#include "net/https_client.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include "base/async/task_scope.h"
#include "base/file.h"
#include "net/io_token.h"
#include "tests/support/co_test.h"
#include "tests/support/own_authority.h"

namespace falconer::net {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using namespace std::chrono_literals;

// Answers every request on a connection of its own with the body it came with.
class TlsEcho {
 public:
  TlsEcho(const CallContext& ctx, const std::string& names)
      : folder(TempDir::Create("falconer-tls-").value()),
        context_(asio::ssl::context::tls_server),
        acceptor_(ctx.executor(), {asio::ip::address_v4::loopback(), 0}),
        tasks_(ctx.executor()) {
    const test::OwnAuthority authority;
    const test::IssuedCertificate own = authority.Issue(names);
    EXPECT_TRUE(WriteFileAtomic(authorities(), authority.Pem()));
    context_.use_certificate_chain(asio::buffer(own.certificate));
    context_.use_private_key(asio::buffer(own.key), asio::ssl::context::pem);
    tasks_.Spawn("tls.echo", Serve(this));
  }

  std::filesystem::path authorities() const { return folder.path() / "ca.pem"; }
  std::string UrlOn(std::string_view host) const {
    return "https://" + std::string(host) + ":" +
           std::to_string(acceptor_.local_endpoint().port()) + "/x";
  }
  Task<void> Stop() {
    acceptor_.close();
    co_await tasks_.Stop();
  }

  TempDir folder;

 private:
  static Task<void> Serve(TlsEcho* self) {
    for (;;) {
      auto [failed, socket] = co_await self->acceptor_.async_accept(kAsTuple);
      if (failed) co_return;
      asio::ssl::stream<tcp::socket> stream(std::move(socket), self->context_);
      const auto [refused] =
          co_await stream.async_handshake(asio::ssl::stream_base::server, kAsTuple);
      if (refused) continue;
      boost::beast::flat_buffer buffer;
      http::request<http::string_body> request;
      const auto [unread, size] = co_await http::async_read(stream, buffer, request, kAsTuple);
      if (unread) continue;
      http::response<http::string_body> response(http::status::accepted, 11);
      response.body() = request.body();
      response.prepare_payload();
      co_await http::async_write(stream, response, kAsTuple);
    }
  }

  asio::ssl::context context_;
  tcp::acceptor acceptor_;
  TaskScope tasks_;
};

CO_TEST(HttpsClientTest, TalksToAServerThatIsVouchedFor) {
  TlsEcho server(ctx, "DNS:localhost,IP:127.0.0.1");
  for (const std::string_view host : {"localhost", "127.0.0.1"}) {
    const auto reply = co_await SendHttps(
        ctx.WithTimeout(10s), {.url = server.UrlOn(host), .method = "POST", .body = "hello"},
        {.authorities = server.authorities()});
    EXPECT_TRUE(reply) << Describe(reply.error());
    if (!reply) continue;
    EXPECT_EQ(reply->status, 202);
    EXPECT_EQ(reply->body, "hello");
  }
  co_await server.Stop();
}

CO_TEST(HttpsClientTest, RefusesAServerThatNobodyVouchesFor) {
  TlsEcho server(ctx, "DNS:localhost");
  const auto reply = co_await SendHttps(ctx.WithTimeout(10s), {.url = server.UrlOn("localhost")});
  EXPECT_FALSE(reply);
  if (!reply) EXPECT_EQ(reply.error().code(), ErrorCode::kNetworkError);
  co_await server.Stop();
}

CO_TEST(HttpsClientTest, RefusesAServerOfAnotherName) {
  TlsEcho server(ctx, "DNS:other.example");
  const auto reply = co_await SendHttps(ctx.WithTimeout(10s), {.url = server.UrlOn("localhost")},
                                        {.authorities = server.authorities()});
  EXPECT_FALSE(reply);
  if (!reply) EXPECT_EQ(reply.error().code(), ErrorCode::kNetworkError);
  co_await server.Stop();
}

CO_TEST(HttpsClientTest, SaysWhatItCannotDo) {
  const auto plain = co_await SendHttps(ctx, {.url = "http://127.0.0.1/"});
  EXPECT_EQ(plain.error().code(), ErrorCode::kUnsupported);
  const auto blind =
      co_await SendHttps(ctx, {.url = "https://127.0.0.1/"}, {.authorities = "/no/such/file"});
  EXPECT_EQ(blind.error().code(), ErrorCode::kIoError);
}

}  // namespace
}  // namespace falconer::net
