#include "net/http_connection.h"

#include <optional>
#include <utility>

#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include "base/log.h"
#include "net/byte_stream.h"
#include "net/http_sender.h"
#include "net/io_token.h"
#include "net/io_watch.h"
#include "net/websocket_impl.h"

namespace falconer::net {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;

namespace {

// What a client that was refused may still send before it is cut off: closing with bytes unread
// would reset the connection and could take the refusal with it.
constexpr auto kLingerTimeout = std::chrono::seconds(1);
constexpr std::size_t kLingerBytes = std::size_t{16} << 20;
// What is read at once while nothing is known of what comes.
constexpr std::size_t kFirstBytes = std::size_t{4} << 10;
// To who speaks HTTP where TLS is spoken.
constexpr std::string_view kWrongScheme =
    "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain\r\n"
    "Content-Length: 35\r\n\r\nthis port speaks HTTPS: use https:\n";

// What came in: a request, a reason to refuse it, or (neither) the end of the connection.
struct Incoming {
  std::optional<HttpRequest> request;
  int refusal = 0;
};

HttpResponse Refusal(int status) {
  return TextResponse(status, "text/plain",
                      std::string(http::obsolete_reason(static_cast<http::status>(status))) + "\n");
}

bool IsEndOfConnection(const boost::system::error_code& code) {
  return code == http::error::end_of_stream || code == http::error::partial_message;
}

// The status that tells the client what was wrong with its request; 0 when nobody would read it.
int RefusalFor(const boost::system::error_code& code, const IoWatch& watch) {
  if (watch.has_fired()) return 408;
  if (IsEndOfConnection(code)) return 0;
  if (code == http::error::header_limit || code == http::error::buffer_overflow) return 431;
  if (code == http::error::body_limit) return 413;
  const bool is_malformed = code.category() == http::make_error_code(http::error{}).category();
  return is_malformed ? 400 : 0;
}

bool SpeaksHttp(const boost::system::error_code& code) {
  return code.category() == asio::error::get_ssl_category() &&
         ERR_GET_REASON(static_cast<unsigned long>(code.value())) == SSL_R_HTTP_REQUEST;
}

ByteStream StreamOver(tcp::socket socket, const HttpServerOptions& options) {
  if (options.tls == nullptr) return ByteStream(std::move(socket));
  return {std::move(socket), options.tls->context()};
}

}  // namespace

class HttpConnection::Impl {
 public:
  Impl(tcp::socket socket, const CallContext& ctx, const HttpHandler& handler,
       const HttpServerOptions& options)
      : stream_(StreamOver(std::move(socket), options)),
        ctx_(ctx),
        handler_(handler),
        options_(options),
        watch_(ctx, [this] { Interrupt(); }),
        sender_(&stream_, &buffer_, &watch_,
                {.clock = ctx.clock(), .timeout = options.write_timeout}) {
    boost::system::error_code ignored;
    stream_.socket().set_option(tcp::no_delay(true), ignored);
    const auto peer = stream_.socket().remote_endpoint(ignored);
    peer_ = peer.address().to_string() + ":" + std::to_string(peer.port());
  }

  Task<void> Run();
  void FinishSoon();
  std::optional<TimePoint> waits_since() const { return waits_since_; }
  void GiveWay() {
    is_finishing_ = true;
    Interrupt();
  }
  std::shared_ptr<WebSocket> websocket() const { return websocket_.lock(); }

 private:
  using Parser = http::request_parser<http::string_body>;

  void Interrupt() { stream_.Cancel(); }
  Task<bool> AgreeOnTls();
  Task<void> TellScheme();
  Task<bool> UntilFirstByte();
  Task<Incoming> ReadRequest();
  Task<int> ReadBody(Parser* parser);
  Incoming Take(http::request<http::string_body> message);
  Task<bool> Respond(HttpRequest request);
  Task<HttpResponse> AskHandler(HttpRequest request);
  Task<void> Refuse(int status);
  Task<void> Linger();
  Task<void> Drain();
  Task<bool> Upgrade(HttpResponse response);

  ByteStream stream_;
  // What has come and is not read yet.
  beast::flat_buffer buffer_;
  CallContext ctx_;
  const HttpHandler& handler_;
  const HttpServerOptions& options_;
  IoWatch watch_;
  HttpSender sender_;
  std::string peer_;
  ResponseForm form_;
  // The handshake, when the request in hand asks for an upgrade.
  std::optional<http::request<http::empty_body>> handshake_;
  std::weak_ptr<WebSocket> websocket_;
  bool is_idle_ = false;
  std::optional<TimePoint> waits_since_;
  bool is_finishing_ = false;
};

Task<void> HttpConnection::Impl::Run() {
  if (stream_.is_tls() && !co_await AgreeOnTls()) co_return;
  while (co_await UntilFirstByte()) {
    Incoming incoming = co_await ReadRequest();
    if (incoming.refusal != 0) co_return co_await Refuse(incoming.refusal);
    if (!incoming.request) co_return;
    if (!co_await Respond(*std::move(incoming.request))) co_return;
  }
}

void HttpConnection::Impl::FinishSoon() {
  is_finishing_ = true;
  if (is_idle_) Interrupt();
}

// Who takes too long, or whose place is needed, goes as who never ends his header does.
Task<bool> HttpConnection::Impl::AgreeOnTls() {
  waits_since_ = ctx_.clock().Now();
  is_idle_ = true;
  watch_.ArmFor(options_.header_timeout);
  const auto failed = co_await stream_.Handshake(asio::ssl::stream_base::server);
  is_idle_ = false;
  if (failed) LOG(debug, "tls.not_agreed", {"peer", peer_}, {"why", failed.message()});
  if (SpeaksHttp(failed)) co_await TellScheme();
  co_return !failed;
}

Task<void> HttpConnection::Impl::TellScheme() {
  watch_.ArmFor(kLingerTimeout);
  co_await asio::async_write(stream_.socket(), asio::buffer(kWrongScheme), kAsTuple);
  boost::system::error_code ignored;
  stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
  co_await Drain();
}

Task<bool> HttpConnection::Impl::UntilFirstByte() {
  if (is_finishing_) co_return false;
  waits_since_ = ctx_.clock().Now();
  if (buffer_.size() > 0) co_return true;
  is_idle_ = true;
  watch_.ArmFor(options_.idle_timeout);
  const auto [code, size] =
      co_await stream_.async_read_some(buffer_.prepare(kFirstBytes), kAsTuple);
  buffer_.commit(size);
  is_idle_ = false;
  co_return !code && !is_finishing_;
}

Task<Incoming> HttpConnection::Impl::ReadRequest() {
  Parser parser;
  parser.header_limit(static_cast<std::uint32_t>(options_.max_header_bytes));
  parser.body_limit(options_.max_body_bytes);
  watch_.ArmFor(options_.header_timeout);
  const auto [code, size] = co_await http::async_read_header(stream_, buffer_, parser, kAsTuple);
  waits_since_.reset();
  if (code) co_return Incoming{.request = {}, .refusal = RefusalFor(code, watch_)};
  const auto& head = parser.get();
  form_ = {
      .body =
          head.method() == http::verb::head ? ResponseForm::Body::kOmit : ResponseForm::Body::kSend,
      .after = head.keep_alive() ? ResponseForm::After::kKeepAlive : ResponseForm::After::kClose,
      .version = head.version()};
  if (const int refusal = co_await ReadBody(&parser)) {
    co_return Incoming{.request = {}, .refusal = refusal};
  }
  watch_.Disarm();
  co_return Take(parser.release());
}

Task<int> HttpConnection::Impl::ReadBody(Parser* parser) {
  if (parser->is_done()) co_return 0;
  if (const auto expect = parser->get()[http::field::expect]; !expect.empty()) {
    if (!beast::iequals(expect, "100-continue")) co_return 417;
    if (!co_await sender_.SendContinue()) co_return 408;
  }
  watch_.ArmFor(options_.body_timeout);
  const auto [code, size] = co_await http::async_read(stream_, buffer_, *parser, kAsTuple);
  if (!code) co_return 0;
  const int refusal = RefusalFor(code, watch_);
  co_return refusal != 0 ? refusal : 400;
}

Incoming HttpConnection::Impl::Take(http::request<http::string_body> message) {
  auto target = ParseRequestTarget(message.target());
  const bool lacks_host = message.version() >= kHttp11 && message.count(http::field::host) != 1;
  // Whoever reads another coding than we do sees another end of this request.
  const auto coding = message[http::field::transfer_encoding];
  const bool is_coded = !coding.empty() && !beast::iequals(coding, "chunked");
  if (!target || lacks_host || is_coded) return {.request = {}, .refusal = 400};

  handshake_.reset();
  if (beast::websocket::is_upgrade(message)) {
    handshake_.emplace(http::request_header<>(message.base()));
  }
  HttpRequest request{.method = std::string(message.method_string()),
                      .target = std::string(message.target()),
                      .path = std::move(target->path),
                      .query = std::move(target->query),
                      .body = std::move(message.body()),
                      .peer = peer_};
  for (const auto& field : message) {
    request.headers.Add(std::string(field.name_string()), std::string(field.value()));
  }
  return {.request = std::move(request), .refusal = 0};
}

// Says whether another request may follow.
Task<bool> HttpConnection::Impl::Respond(HttpRequest request) {
  HttpResponse response = co_await AskHandler(std::move(request));
  if (response.websocket) co_return co_await Upgrade(std::move(response));
  const auto wish = response.headers.Find("Connection");
  if (is_finishing_ || (wish && beast::iequals(*wish, "close"))) {
    form_.after = ResponseForm::After::kClose;
  }
  const auto after = co_await sender_.Send(std::move(response), form_);
  if (!after) co_return false;
  if (*after == ResponseForm::After::kKeepAlive) co_return true;
  co_await Linger();
  co_return false;
}

Task<HttpResponse> HttpConnection::Impl::AskHandler(HttpRequest request) {
  const std::string path = request.path;
  try {
    co_return co_await handler_(std::move(request));
  } catch (const boost::system::system_error& e) {
    // The server is stopping: the connection has to end, not to answer.
    if (e.code() == asio::error::operation_aborted) throw;
    LOG(error, "http.handler_failed", {"path", path}, {"what", e.what()});
  } catch (const std::exception& e) {
    LOG(error, "http.handler_failed", {"path", path}, {"what", e.what()});
  }
  co_return Refusal(500);
}

Task<void> HttpConnection::Impl::Refuse(int status) {
  form_.after = ResponseForm::After::kClose;
  if (co_await sender_.Send(Refusal(status), form_)) co_await Linger();
}

Task<void> HttpConnection::Impl::Linger() {
  watch_.ArmFor(kLingerTimeout);
  co_await stream_.EndWriting();
  if (!watch_.has_fired()) co_await Drain();
}

// What still comes is of no use, under TLS or not.
Task<void> HttpConnection::Impl::Drain() {
  for (std::size_t taken = 0; taken < kLingerBytes;) {
    buffer_.clear();
    const auto [code, size] =
        co_await stream_.socket().async_read_some(buffer_.prepare(std::size_t{16} << 10), kAsTuple);
    if (code) co_return;
    taken += size;
  }
}

Task<bool> HttpConnection::Impl::Upgrade(HttpResponse response) {
  // A client must not send frames before the handshake is answered.
  if (!handshake_ || buffer_.size() > 0) {
    co_await Refuse(handshake_ ? 400 : 426);
    co_return false;
  }
  auto inside = std::make_shared<WebSocket::Impl>(std::move(stream_), options_.websocket);
  inside->stream().set_option(beast::websocket::stream_base::decorator(
      [fields = std::move(response.headers)](beast::websocket::response_type& answer) {
        for (const auto& field : fields) answer.set(field.name, field.value);
      }));
  const auto [code] = co_await inside->stream().async_accept(*handshake_, kAsTuple);
  if (code) co_return false;
  const auto session = std::make_shared<WebSocket>(std::move(inside));
  websocket_ = session;
  co_await response.websocket(session);
  co_await session->Close();
  co_return false;
}

HttpConnection::HttpConnection(tcp::socket socket, const CallContext& ctx,
                               const HttpHandler& handler, const HttpServerOptions& options)
    : impl_(std::make_unique<Impl>(std::move(socket), ctx, handler, options)) {
}

HttpConnection::~HttpConnection() = default;

Task<void> HttpConnection::Run() {
  co_await impl_->Run();
}

void HttpConnection::FinishSoon() {
  impl_->FinishSoon();
}

std::optional<TimePoint> HttpConnection::waits_since() const {
  return impl_->waits_since();
}

void HttpConnection::GiveWay() {
  impl_->GiveWay();
}

std::shared_ptr<WebSocket> HttpConnection::websocket() const {
  return impl_->websocket();
}

}  // namespace falconer::net
