// The server under TLS: everything that it does plain, and clients that do not agree.

#include <list>
#include <string>
#include <utility>

#include <boost/asio/write.hpp>
#include <boost/beast/websocket.hpp>
#include <gtest/gtest.h>

#include "base/async/one_shot.h"
#include "base/file.h"
#include "net/byte_stream.h"
#include "net/http_server.h"
#include "net/https_client.h"
#include "net/io_token.h"
#include "net/websocket_impl.h"
#include "tests/support/co_test.h"
#include "tests/support/own_authority.h"
#include "tests/support/raw_client.h"

namespace falconer::net {
namespace {

namespace ssl = boost::asio::ssl;
using namespace std::chrono_literals;
using boost::asio::ip::tcp;

const std::string kTlsGet = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";

Task<HttpResponse> TlsEchoPath(HttpRequest request) {
  co_return TextResponse(200, "text/plain",
                         request.method + " " + request.path + " " + request.body + ".");
}

// A server with a certificate of an authority of its own.
class TlsServed {
 public:
  TlsServed(const CallContext& ctx, HttpHandler handler, HttpServerOptions options = {})
      : folder_(TempDir::Create("falconer-tls-").value()), ctx_(ctx) {
    const test::IssuedCertificate own = authority_.Issue("DNS:localhost,IP:127.0.0.1");
    EXPECT_TRUE(WriteFileAtomic(folder_.path() / "ca.pem", authority_.Pem()));
    EXPECT_TRUE(WriteFileAtomic(folder_.path() / "cert.pem", own.certificate));
    EXPECT_TRUE(WriteFileAtomic(folder_.path() / "key.pem", own.key));
    auto identity = TlsIdentity::Load(
        {.certificate = folder_.path() / "cert.pem", .key = folder_.path() / "key.pem"});
    EXPECT_TRUE(identity) << Describe(identity.error());
    options.tls = *identity;
    server_.emplace(ctx.executor(), ctx.clock(), std::move(handler), std::move(options));
    EXPECT_TRUE(server_->Listen());
  }

  HttpServer* operator->() { return &*server_; }
  std::filesystem::path authorities() const { return folder_.path() / "ca.pem"; }
  std::string Url(const std::string& path) const {
    return "https://localhost:" + std::to_string(server_->port()) + path;
  }
  Task<void> Stop() { co_await server_->Stop(ctx_.WithTimeout(5s)); }

 private:
  test::OwnAuthority authority_;
  TempDir folder_;
  CallContext ctx_;
  std::optional<HttpServer> server_;
};

// What a client insists on.
struct ClientTerms {
  int least = TLS1_2_VERSION;
  int most = TLS1_3_VERSION;
  std::string protocols = {};  // as the extension spells them; "" for none
};

// Bytes under TLS, exactly as they are.
class TlsClient {
 public:
  TlsClient(const CallContext& ctx, std::uint16_t port, const ClientTerms& terms = {})
      : context_(ssl::context::tls_client), stream_(Connect(ctx, port), context_) {
    SSL* const raw = stream_.tls().native_handle();
    // The system's own rules may forbid what is to be offered here.
    ::SSL_set_security_level(raw, 0);
    ::SSL_set_min_proto_version(raw, terms.least);
    ::SSL_set_max_proto_version(raw, terms.most);
    const auto* offered = reinterpret_cast<const unsigned char*>(terms.protocols.data());
    if (!terms.protocols.empty())
      ::SSL_set_alpn_protos(raw, offered, static_cast<unsigned>(terms.protocols.size()));
  }

  Task<bool> Agree() {
    const auto failed = co_await stream_.Handshake(ssl::stream_base::client);
    co_return !failed;
  }
  // Each piece is a record.
  Task<bool> Send(std::string piece) {
    const auto [code, size] =
        co_await boost::asio::async_write(stream_, boost::asio::buffer(piece), kAsTuple);
    co_return !code;
  }
  Task<std::string> ReadUntil(std::string end) {
    while (pending_.find(end) == std::string::npos && co_await ReadSome()) {
    }
    const auto at = pending_.find(end);
    std::string taken = pending_.substr(0, at == std::string::npos ? at : at + end.size());
    pending_.erase(0, taken.size());
    co_return taken;
  }
  Task<boost::system::error_code> ReadEnd() {
    while (co_await ReadSome()) {
    }
    co_return end_;
  }
  ByteStream& stream() { return stream_; }
  SSL* native() { return stream_.tls().native_handle(); }

 private:
  static tcp::socket Connect(const CallContext& ctx, std::uint16_t port) {
    tcp::socket socket(ctx.executor());
    boost::system::error_code ignored;
    socket.connect({boost::asio::ip::address_v4::loopback(), port}, ignored);
    return socket;
  }
  Task<bool> ReadSome() {
    char bytes[4096];
    const auto [code, size] =
        co_await stream_.async_read_some(boost::asio::buffer(bytes), kAsTuple);
    pending_.append(bytes, size);
    end_ = code;
    co_return !code;
  }

  ssl::context context_;
  ByteStream stream_;
  std::string pending_;
  boost::system::error_code end_;
};

CO_TEST(HttpsServerTest, IsTrustedByWhoTrustsItsAuthority) {
  TlsServed server(ctx, &TlsEchoPath);

  const auto reply = co_await SendHttps(
      ctx.WithTimeout(10s), {.url = server.Url("/up"), .method = "POST", .body = "hello"},
      {.authorities = server.authorities()});
  const auto stranger = co_await SendHttps(ctx.WithTimeout(10s), {.url = server.Url("/up")});

  EXPECT_TRUE(reply) << Describe(reply.error());
  if (reply) EXPECT_EQ(reply->body, "POST /up hello.");
  EXPECT_FALSE(stranger);
  co_await server.Stop();
}

CO_TEST(HttpsServerTest, KeepsTheConnectionForTheNextRequest) {
  TlsServed server(ctx, &TlsEchoPath);
  TlsClient client(ctx, server->port());
  EXPECT_TRUE(co_await client.Agree());

  // The second comes while the first is answered: it waits inside TLS, not in the socket.
  co_await client.Send(kTlsGet);
  co_await client.Send(kTlsGet);
  const auto first = co_await client.ReadUntil("GET /a .");
  const auto second = co_await client.ReadUntil("GET /a .");
  co_await client.Send(kTlsGet);
  const auto third = co_await client.ReadUntil("GET /a .");

  for (const std::string& reply : {first, second, third})
    EXPECT_TRUE(reply.starts_with("HTTP/1.1 200 OK\r\n")) << reply;
  EXPECT_EQ(server->connections(), 1U);
  co_await server.Stop();
}

CO_TEST(HttpsServerTest, SaysThatItEnds) {
  TlsServed server(ctx, &TlsEchoPath);
  TlsClient client(ctx, server->port());
  EXPECT_TRUE(co_await client.Agree());

  co_await client.Send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const auto end = co_await client.ReadEnd();

  // Not cut off: whoever reads until the end knows that this is all of it.
  EXPECT_EQ(end, boost::asio::error::eof) << end.message();
  co_await server.Stop();
}

CO_TEST(HttpsServerTest, AgreesOnTheBestThatBothKnow) {
  TlsServed server(ctx, &TlsEchoPath);
  TlsClient modern(ctx, server->port(), {.protocols = "\x02h2\x08http/1.1"});
  TlsClient older(ctx, server->port(), {.most = TLS1_2_VERSION});

  EXPECT_TRUE(co_await modern.Agree());
  EXPECT_TRUE(co_await older.Agree());

  EXPECT_STREQ(::SSL_get_version(modern.native()), "TLSv1.3");
  EXPECT_STREQ(::SSL_get_version(older.native()), "TLSv1.2");
  const unsigned char* protocol = nullptr;
  unsigned size = 0;
  ::SSL_get0_alpn_selected(modern.native(), &protocol, &size);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(protocol), size), "http/1.1");
  co_await server.Stop();
}

CO_TEST(HttpsServerTest, RefusesWhatIsOldOrUnknown) {
  TlsServed server(ctx, &TlsEchoPath);
  TlsClient old(ctx, server->port(), {.least = TLS1_VERSION, .most = TLS1_1_VERSION});
  TlsClient other(ctx, server->port(), {.protocols = "\x02h2"});
  TlsClient weak(ctx, server->port(), {.most = TLS1_2_VERSION});
  ::SSL_set_cipher_list(weak.native(), "AES128-SHA:AES256-SHA");

  EXPECT_FALSE(co_await old.Agree());
  EXPECT_FALSE(co_await other.Agree());
  EXPECT_FALSE(co_await weak.Agree());
  co_await server.Stop();
}

CO_TEST(HttpsServerTest, TellsWhoSpeaksPlainHttp) {
  TlsServed server(ctx, &TlsEchoPath);
  test::RawClient client(ctx, server->port());

  co_await client.Send(kTlsGet);
  const auto reply = co_await client.ReadToEnd();

  EXPECT_TRUE(reply.starts_with("HTTP/1.1 400 ")) << reply;
  EXPECT_TRUE(reply.ends_with("\r\n\r\nthis port speaks HTTPS: use https:\n")) << reply;
  EXPECT_NE(reply.find("Content-Length: 35\r\n"), std::string::npos) << reply;
  co_await server.Stop();
}

CO_TEST(HttpsServerTest, GivesUpOnWhoNeverAgrees) {
  TlsServed server(ctx, &TlsEchoPath, {.header_timeout = 30ms});
  test::RawClient silent(ctx, server->port());
  test::RawClient halting(ctx, server->port());

  // The beginning of a greeting.
  co_await halting.Send(std::string("\x16\x03\x01\x02", 4));

  EXPECT_EQ(co_await silent.ReadToEnd(), "");
  EXPECT_EQ(co_await halting.ReadToEnd(), "");
  co_await server.Stop();
}

CO_TEST(HttpsServerTest, WhoDoesNotAgreeGivesWayToWhoComes) {
  TlsServed server(ctx, &TlsEchoPath, {.max_connections = 2, .header_timeout = 1h});
  test::RawClient silent(ctx, server->port());
  test::RawClient halting(ctx, server->port());
  co_await halting.Send(std::string("\x16\x03\x01\x02", 4));

  std::list<TlsClient> all;
  for (int i = 0; i < 5; ++i) {
    TlsClient& next = all.emplace_back(ctx, server->port());
    EXPECT_TRUE(co_await next.Agree());
    co_await next.Send(kTlsGet);
    const auto reply = co_await next.ReadUntil("GET /a .");
    EXPECT_TRUE(reply.starts_with("HTTP/1.1 200")) << reply;
  }

  EXPECT_EQ(co_await silent.ReadToEnd(), "");
  EXPECT_EQ(co_await halting.ReadToEnd(), "");
  co_await server.Stop();
}

CO_TEST(HttpsServerTest, StopsWhileSomebodyDoesNotAgree) {
  TlsServed server(ctx, &TlsEchoPath, {.header_timeout = 1h});
  test::RawClient halting(ctx, server->port());
  TlsClient other(ctx, server->port());
  // Its turn comes after the first one's.
  EXPECT_TRUE(co_await other.Agree());

  co_await server.Stop();

  EXPECT_EQ(co_await halting.ReadToEnd(), "");
  EXPECT_EQ(server->connections(), 0U);
}

// Streams a word and then waits for the end of the connection.
struct TlsSource {
  explicit TlsSource(const CallContext& c) : ctx(c), ended(c) {}
  Task<HttpResponse> Handle(HttpRequest /*request*/) {
    HttpResponse response;
    response.stream = [this](BodyWriter* out) { return Stream(out); };
    co_return response;
  }
  Task<Result<void>> Stream(BodyWriter* out) {
    const Ending ending{this};
    CO_TRY(co_await out->Write("word"));
    co_await Alarm(ctx.executor(), ctx.clock()).Wait(Deadline::Never());
    co_return Result<void>();
  }
  struct Ending {
    TlsSource* source;
    ~Ending() { source->ended.Set(true); }
  };
  CallContext ctx;
  OneShot<bool> ended;
};

enum class Leaving { kGoodbye, kCutOff };

Task<void> LeaveAStream(CallContext ctx, Leaving how) {
  TlsSource source(ctx);
  TlsServed server(ctx, [&](HttpRequest request) { return source.Handle(std::move(request)); });
  TlsClient client(ctx, server->port());
  EXPECT_TRUE(co_await client.Agree());
  co_await client.Send(kTlsGet);
  EXPECT_NE((co_await client.ReadUntil("word\r\n")).find("chunked"), std::string::npos);

  if (how == Leaving::kGoodbye) ::SSL_shutdown(client.native());
  client.stream().Close();
  const auto ended = co_await source.ended.Wait(ctx, "the stream's end");

  EXPECT_TRUE(ended);
  co_await server.Stop();
}

CO_TEST(HttpsServerTest, AStreamIsCancelledWhenTheClientSaysGoodbye) {
  co_await LeaveAStream(ctx, Leaving::kGoodbye);
}

CO_TEST(HttpsServerTest, AStreamIsCancelledWhenTheClientIsCutOff) {
  co_await LeaveAStream(ctx, Leaving::kCutOff);
}

Task<void> EchoOnce(std::shared_ptr<WebSocket> socket, CallContext ctx) {
  auto message = co_await socket->Receive();
  if (message) co_await socket->Send(ctx, *std::move(message));
  const auto end = co_await socket->Receive();
  EXPECT_TRUE(end && end->kind == WebSocketMessage::Kind::kClosed);
}

Task<HttpResponse> UpgradeToEcho(CallContext ctx) {
  HttpResponse response;
  response.websocket = [ctx](auto socket) { return EchoOnce(std::move(socket), ctx); };
  co_return response;
}

CO_TEST(HttpsServerTest, CarriesWebSockets) {
  TlsServed server(ctx, [ctx](const HttpRequest&) { return UpgradeToEcho(ctx); });
  TlsClient client(ctx, server->port());
  EXPECT_TRUE(co_await client.Agree());

  auto inside = std::make_shared<WebSocket::Impl>(std::move(client.stream()), WebSocketOptions());
  const auto [refused] = co_await inside->stream().async_handshake("localhost", "/", kAsTuple);
  EXPECT_FALSE(refused) << refused.message();
  WebSocket socket(std::move(inside));
  const std::string large(std::size_t{1} << 20, 'x');
  EXPECT_TRUE(co_await socket.Send(ctx, {.data = large}));
  const auto back = co_await socket.Receive();

  EXPECT_TRUE(back && back->data == large);
  co_await socket.Close();
  co_await server.Stop();
}

struct BadFiles {
  std::string certificate;
  std::string key;
  ErrorCode code;
  std::string says;
};

TEST(TlsIdentityTest, NamesTheFileThatIsOfNoUse) {
  const TempDir folder = TempDir::Create("falconer-tls-").value();
  const test::OwnAuthority authority;
  const test::IssuedCertificate own = authority.Issue("DNS:localhost");
  const test::IssuedCertificate other = authority.Issue("DNS:localhost");
  const auto write = [&](const std::string& name, const std::string& text) {
    EXPECT_TRUE(WriteFileAtomic(folder.path() / name, text));
  };
  write("cert", own.certificate);
  write("key", own.key);
  write("other", other.key);
  write("locked", test::OwnAuthority::LockedKey());
  write("noise", "-----BEGIN NOTHING-----\n");
  const BadFiles cases[] = {
      {"none", "key", ErrorCode::kNotFound, "/none"},
      {"cert", "none", ErrorCode::kNotFound, "/none"},
      {"noise", "key", ErrorCode::kInvalidArgument, "/noise is no certificate"},
      {"key", "key", ErrorCode::kInvalidArgument, "/key is no certificate"},
      {"cert", "noise", ErrorCode::kInvalidArgument, "/noise is no private key"},
      {"cert", "locked", ErrorCode::kInvalidArgument, "/locked is no private key"},
      {"cert", "other", ErrorCode::kInvalidArgument, "/other is not the key of"},
  };
  for (const BadFiles& c : cases) {
    const auto loaded = TlsIdentity::Load(
        {.certificate = folder.path() / c.certificate, .key = folder.path() / c.key});
    ASSERT_FALSE(loaded) << c.certificate << " " << c.key;
    EXPECT_EQ(loaded.error().code(), c.code) << Describe(loaded.error());
    EXPECT_NE(loaded.error().message().find(c.says), std::string::npos) << Describe(loaded.error());
  }
  EXPECT_TRUE(
      TlsIdentity::Load({.certificate = folder.path() / "cert", .key = folder.path() / "key"}));
}

}  // namespace
}  // namespace falconer::net
