#include "net/websocket.h"

#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/beast/websocket.hpp>

#include "base/utf8.h"
#include "net/io_token.h"
#include "net/io_watch.h"
#include "net/websocket_impl.h"

namespace falconer::net {
namespace {

namespace asio = boost::asio;
namespace websocket = boost::beast::websocket;

using Kind = WebSocketMessage::Kind;

// Larger than the library's 4 KiB: fewer system calls for the messages of a page's state.
constexpr std::size_t kWriteBufferBytes = std::size_t{64} << 10;
// A control frame holds 125 bytes; two are the code.
constexpr std::size_t kMostReasonBytes = 123;

websocket::stream_base::timeout TimeoutsOf(const WebSocketOptions& options) {
  // The library pings after half the idle timeout.
  return {.handshake_timeout = options.handshake_timeout,
          .idle_timeout = options.ping_interval * 2,
          .keep_alive_pings = true};
}

bool IsEnd(const boost::system::error_code& code) {
  // Who goes without a word goes without one of TLS, too.
  return code == websocket::error::closed || code == asio::error::eof ||
         code == asio::ssl::error::stream_truncated;
}

}  // namespace

// A place in the queue of writers, given up however the writer's coroutine ends.
class WebSocket::Impl::Turn {
 public:
  Turn(Impl& impl, std::size_t bytes)
      : impl_(impl), bytes_(bytes), at_(impl.writers_.insert(impl.writers_.end(), this)) {
    impl_.queued_bytes_ += bytes_;
  }
  ~Turn() {
    impl_.queued_bytes_ -= bytes_;
    impl_.writers_.erase(at_);
    impl_.turn_.NotifyAll();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  bool has_come() const { return impl_.writers_.front() == this; }

 private:
  Impl& impl_;
  std::size_t bytes_;
  std::list<Turn*>::iterator at_;
};

WebSocket::Impl::Impl(ByteStream bytes, const WebSocketOptions& options)
    : stream_(std::move(bytes)), options_(options) {
  stream_.set_option(TimeoutsOf(options));
  stream_.read_message_max(options.max_message_bytes);
  stream_.write_buffer_bytes(kWriteBufferBytes);
  stream_.auto_fragment(false);
  if (options.send_buffer_bytes == 0) return;
  boost::system::error_code ignored;
  stream_.next_layer().socket().set_option(
      asio::socket_base::send_buffer_size(static_cast<int>(options.send_buffer_bytes)), ignored);
}

void WebSocket::Impl::Drop() {
  stream_.next_layer().Close();
}

Task<Result<WebSocketMessage>> WebSocket::Impl::Receive() {
  WebSocketMessage message;
  auto buffer = asio::dynamic_buffer(message.data);
  const auto [code, size] = co_await stream_.async_read(buffer, kAsTuple);
  // However the connection ends once the peer has said goodbye: that is what it meant.
  if (IsEnd(code) || (code && stream_.reason())) co_return WebSocketMessage{.kind = Kind::kClosed};
  if (code) co_return Fail(ErrorCode::kNetworkError, "websocket: " + code.message());
  message.kind = stream_.got_text() ? Kind::kText : Kind::kBinary;
  co_return message;
}

Task<Result<void>> WebSocket::Impl::WriteNow(CallContext ctx, Kind kind, std::string_view bytes) {
  if (!stream_.is_open()) co_return Fail(ErrorCode::kNetworkError, "the websocket is closed");
  const IoWatch watch(ctx, [this] { Drop(); });
  stream_.text(kind == Kind::kText);
  const auto [code, size] = co_await stream_.async_write(asio::buffer(bytes), kAsTuple);
  if (code) co_return Fail(watch.Explain(code, "send websocket message"));
  co_return Result<void>();
}

Task<Result<void>> WebSocket::Impl::Send(CallContext ctx, WebSocketMessage message) {
  if (message.kind == Kind::kClosed) {
    co_return Fail(ErrorCode::kInvalidArgument, "a websocket is closed with Close()");
  }
  co_return co_await Queue(std::move(ctx), message.kind, message.data);
}

Task<Result<void>> WebSocket::Impl::SendShared(CallContext ctx, SharedBytes bytes) {
  co_return co_await Queue(std::move(ctx), Kind::kBinary, bytes.view());
}

Task<Result<void>> WebSocket::Impl::Queue(CallContext ctx, Kind kind, std::string_view bytes) {
  if (queued_bytes_ + bytes.size() > options_.max_queued_bytes) {
    co_return Fail(ErrorCode::kQueueFull, "too much waits to be sent on this websocket");
  }
  const Turn turn(*this, bytes.size());
  CO_TRY(co_await turn_.Until(ctx, [&] { return turn.has_come(); }, "the websocket's queue"));
  co_return co_await WriteNow(ctx, kind, bytes);
}

Task<void> WebSocket::Impl::Close(WebSocketEnd code, std::string reason) {
  if (!stream_.is_open()) co_return Drop();
  // Half a character would be a frame that the peer must refuse.
  reason.resize(Utf8Prefix(reason, kMostReasonBytes).size());
  const websocket::close_reason why(static_cast<websocket::close_code>(code), reason);
  co_await stream_.async_close(why, kAsTuple);
  Drop();
}

WebSocket::WebSocket(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {
}

WebSocket::~WebSocket() {
  impl_->Drop();
}

// The calls below keep the inside alive: a receiver may still be waiting when the owner lets go.

Task<Result<WebSocketMessage>> WebSocket::Receive() {
  const auto impl = impl_;
  co_return co_await impl->Receive();
}

Task<Result<void>> WebSocket::Send(CallContext ctx, WebSocketMessage message) {
  const auto impl = impl_;
  co_return co_await impl->Send(std::move(ctx), std::move(message));
}

Task<Result<void>> WebSocket::SendShared(CallContext ctx, SharedBytes bytes) {
  const auto impl = impl_;
  co_return co_await impl->SendShared(std::move(ctx), std::move(bytes));
}

Task<void> WebSocket::Close(WebSocketEnd code, std::string reason) {
  const auto impl = impl_;
  co_await impl->Close(code, std::move(reason));
}

bool WebSocket::is_open() const {
  return impl_->stream().is_open();
}

}  // namespace falconer::net
