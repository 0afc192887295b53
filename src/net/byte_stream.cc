#include "net/byte_stream.h"

// The library's function bodies, compiled here and nowhere else (BOOST_ASIO_SEPARATE_COMPILATION).
#include <boost/asio/ssl/impl/src.hpp>

#include "net/io_token.h"

namespace falconer::net {

ByteStream::ByteStream(Socket socket, boost::asio::ssl::context& context)
    : ByteStream(std::move(socket)) {
  layers_->tls.emplace(layers_->socket, context);
}

Task<boost::system::error_code> ByteStream::Handshake(
    boost::asio::ssl::stream_base::handshake_type side) {
  const auto [code] = co_await tls().async_handshake(side, kAsTuple);
  co_return code;
}

Task<void> ByteStream::EndWriting() {
  if (is_tls()) co_await tls().async_shutdown(kAsTuple);
  boost::system::error_code ignored;
  socket().shutdown(Socket::shutdown_send, ignored);
}

void ByteStream::Cancel() {
  boost::system::error_code ignored;
  if (layers_) layers_->socket.cancel(ignored);
}

void ByteStream::Close() {
  boost::system::error_code ignored;
  if (layers_) layers_->socket.close(ignored);
}

}  // namespace falconer::net
