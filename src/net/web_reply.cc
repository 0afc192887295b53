#include "net/web_reply.h"

#include <array>
#include <optional>
#include <utility>

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>

#include "net/http_exchange.h"
#include "net/io_token.h"
#include "net/tls_client.h"

namespace falconer::net {

namespace http = boost::beast::http;
namespace ssl = boost::asio::ssl;

class WebReply::Impl {
 public:
  // `context` is null for plain HTTP.
  Impl(const CallContext& ctx, ByteStream::Socket socket, std::unique_ptr<ssl::context> context,
       std::size_t limit)
      : context_(std::move(context)),
        stream_(context_ ? ByteStream(std::move(socket), *context_)
                         : ByteStream(std::move(socket))),
        watch_(ctx, [this] { stream_.Close(); }),
        limit_(limit) {
    // Counted here: what the library counts is what a reply announces, too.
    parser_.body_limit(boost::none);
  }

  // The reply's headers; `host` is what the certificate must be for.
  Task<Result<void>> Start(HttpRequestMessage message, std::string host, Duration timeout) {
    watch_.ArmFor(timeout);
    if (context_) {
      ExpectHost(stream_.tls(), host);
      const auto untrusted = co_await stream_.Handshake(ssl::stream_base::client);
      if (untrusted) co_return Fail(watch_.Explain(untrusted, "agree on TLS with " + host));
    }
    const auto [unsent, written] = co_await http::async_write(stream_, message, kAsTuple);
    if (unsent) co_return Fail(watch_.Explain(unsent, "send request"));
    const auto [unread, received] =
        co_await http::async_read_header(stream_, buffer_, parser_, kAsTuple);
    if (unread) co_return Fail(watch_.Explain(unread, "read reply"));
    TakeHeaders();
    co_return Result<void>();
  }

  Task<Result<std::string>> Read(Duration quiet) {
    watch_.ArmFor(quiet);
    std::string piece;
    while (piece.empty() && !parser_.is_done()) {
      std::array<char, kPieceBytes> bytes;
      parser_.get().body() = {.data = bytes.data(), .size = bytes.size(), .more = true};
      const auto [failed, received] =
          co_await http::async_read_some(stream_, buffer_, parser_, kAsTuple);
      // That the piece is full is no failure.
      if (failed && failed != http::error::need_buffer)
        co_return Fail(watch_.Explain(failed, "read reply"));
      piece.assign(bytes.data(), bytes.size() - parser_.get().body().size);
    }
    // Whoever takes his time with a piece is not the server's silence.
    watch_.Disarm();
    total_ += piece.size();
    if (total_ > limit_) co_return Fail(ErrorCode::kNetworkError, "read reply: it is too long");
    co_return piece;
  }

  int status() const { return static_cast<int>(parser_.get().result_int()); }
  const HttpHeaders& headers() const { return headers_; }

 private:
  static constexpr std::size_t kPieceBytes = std::size_t{16} << 10;

  void TakeHeaders() {
    for (const auto& field : parser_.get()) {
      headers_.Add(std::string(field.name_string()), std::string(field.value()));
    }
  }

  std::unique_ptr<ssl::context> context_;
  ByteStream stream_;
  IoWatch watch_;
  boost::beast::flat_buffer buffer_;
  http::response_parser<http::buffer_body> parser_;
  HttpHeaders headers_;
  std::size_t limit_;
  std::size_t total_ = 0;
};

WebReply::WebReply(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {
}

WebReply::~WebReply() = default;

int WebReply::status() const {
  return impl_->status();
}

const HttpHeaders& WebReply::headers() const {
  return impl_->headers();
}

Task<Result<std::string>> WebReply::Read(Duration quiet) {
  return impl_->Read(quiet);
}

Task<Result<std::unique_ptr<WebReply>>> WebReply::Open(CallContext ctx, HttpCall call,
                                                       WebReplyOptions options) {
  const Deadline head = Deadline::After(ctx.clock().Now(), options.head_timeout);
  const bool is_tls = call.url.starts_with("https:");
  CO_TRY_ASSIGN(const PlainUrl address, ParsePlainUrl(call.url, is_tls ? "https" : "http"));
  const auto limit = call.max_reply_bytes;
  CO_TRY_ASSIGN(auto message, RequestMessageOf(std::move(call), address));
  std::unique_ptr<ssl::context> context;
  if (is_tls) {
    context = std::make_unique<ssl::context>(ssl::context::tls_client);
    CO_TRY(PrepareTlsClient(*context, options.trust));
  }
  CO_TRY_ASSIGN(auto socket, co_await Dial(ctx.WithDeadline(head), address));
  auto impl = std::make_unique<Impl>(ctx, std::move(socket), std::move(context), limit);
  CO_TRY(co_await impl->Start(std::move(message), address.host, head.Left(ctx.clock().Now())));
  co_return std::unique_ptr<WebReply>(new WebReply(std::move(impl)));
}

}  // namespace falconer::net
