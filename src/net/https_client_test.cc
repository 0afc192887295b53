#include "net/https_client.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "base/async/task_scope.h"
#include "base/file.h"
#include "net/io_token.h"
#include "tests/support/co_test.h"

namespace falconer::net {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using namespace std::chrono_literals;

struct OwnCertificate {
  std::string certificate;
  std::string key;
};

std::string PemOf(const std::function<int(BIO*)>& write) {
  BIO* const memory = ::BIO_new(::BIO_s_mem());
  EXPECT_EQ(write(memory), 1);
  char* data = nullptr;
  const long size = ::BIO_get_mem_data(memory, &data);
  std::string text(data, static_cast<std::size_t>(size));
  ::BIO_free(memory);
  return text;
}

// A certificate that vouches for itself.
OwnCertificate CertificateFor(const std::string& names) {
  EVP_PKEY* const key = ::EVP_EC_gen("P-256");
  X509* const certificate = ::X509_new();
  ::X509_set_version(certificate, 2);
  ::ASN1_INTEGER_set(::X509_get_serialNumber(certificate), 7);
  ::X509_gmtime_adj(::X509_getm_notBefore(certificate), -3600);
  ::X509_gmtime_adj(::X509_getm_notAfter(certificate), 3600);
  ::X509_set_pubkey(certificate, key);
  X509_NAME* const name = ::X509_get_subject_name(certificate);
  const auto* title = reinterpret_cast<const unsigned char*>("test");
  ::X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, title, -1, -1, 0);
  ::X509_set_issuer_name(certificate, name);
  X509_EXTENSION* const extension =
      ::X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names.c_str());
  ::X509_add_ext(certificate, extension, -1);
  ::X509_EXTENSION_free(extension);
  EXPECT_GT(::X509_sign(certificate, key, ::EVP_sha256()), 0);
  OwnCertificate own{
      PemOf([&](BIO* out) { return ::PEM_write_bio_X509(out, certificate); }), PemOf([&](BIO* out) {
        return ::PEM_write_bio_PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr);
      })};
  ::X509_free(certificate);
  ::EVP_PKEY_free(key);
  return own;
}

// Answers every request on a connection of its own with the body it came with.
class TlsEcho {
 public:
  TlsEcho(const CallContext& ctx, const std::string& names)
      : folder(TempDir::Create("falconer-tls-").value()),
        context_(asio::ssl::context::tls_server),
        acceptor_(ctx.executor(), {asio::ip::address_v4::loopback(), 0}),
        tasks_(ctx.executor()) {
    const OwnCertificate own = CertificateFor(names);
    EXPECT_TRUE(WriteFileAtomic(authorities(), own.certificate));
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
