#pragma once
// ByteStream: the bytes of one connection, as they are or under TLS. Whatever is spoken on top
// (HTTP, WebSocket) reads and writes through it and does not know which it is. Only for files of
// this room: it brings the library's headers.

#include <memory>
#include <optional>
#include <utility>

#include <boost/asio/async_result.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <boost/beast/websocket/teardown.hpp>

#include "base/async/task.h"

namespace falconer::net {

class ByteStream {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  // Gathers small pieces into one record.
  using Tls = boost::beast::ssl_stream<Socket&>;
  using executor_type = Socket::executor_type;  // NOLINT(readability-identifier-naming): Asio's

  explicit ByteStream(Socket socket) : layers_(std::make_unique<Layers>(std::move(socket))) {}
  // Under TLS, once Handshake() has been through. `context` must outlive the stream.
  ByteStream(Socket socket, boost::asio::ssl::context& context);

  bool is_tls() const { return layers_->tls.has_value(); }
  Socket& socket() { return layers_->socket; }
  Tls& tls() { return *layers_->tls; }
  executor_type get_executor() { return layers_->socket.get_executor(); }  // NOLINT: Asio's name

  // Agrees on TLS. Only for a stream under TLS.
  Task<boost::system::error_code> Handshake(boost::asio::ssl::stream_base::handshake_type side);
  // Says that nothing more comes, and under TLS waits for the other side to say the same.
  Task<void> EndWriting();
  // Pending operations return.
  void Cancel();
  void Close();

  template <typename Buffers, typename Token>
  auto async_read_some(const Buffers& into, Token&& token) {  // NOLINT: Asio's name
    return boost::asio::async_initiate<Token, void(boost::system::error_code, std::size_t)>(
        [](auto handler, Layers* layers, const Buffers& buffers) {
          if (layers->tls) {
            layers->tls->async_read_some(buffers, std::move(handler));
          } else {
            layers->socket.async_read_some(buffers, std::move(handler));
          }
        },
        token, layers_.get(), into);
  }

  template <typename Buffers, typename Token>
  auto async_write_some(const Buffers& from, Token&& token) {  // NOLINT: Asio's name
    return boost::asio::async_initiate<Token, void(boost::system::error_code, std::size_t)>(
        [](auto handler, Layers* layers, const Buffers& buffers) {
          if (layers->tls) {
            layers->tls->async_write_some(buffers, std::move(handler));
          } else {
            layers->socket.async_write_some(buffers, std::move(handler));
          }
        },
        token, layers_.get(), from);
  }

 private:
  struct Layers {
    explicit Layers(Socket from) : socket(std::move(from)) {}
    Socket socket;
    std::optional<Tls> tls;
  };
  // Null once it was moved away. In its own place, because the upper layer refers to the lower.
  std::unique_ptr<Layers> layers_;
};

// The end of a WebSocket, as the library asks for it.
template <typename Handler>
void async_teardown(boost::beast::role_type role, ByteStream& stream, Handler&& handler) {
  using boost::beast::websocket::async_teardown;
  if (stream.is_tls()) {
    async_teardown(role, stream.tls(), std::forward<Handler>(handler));
  } else {
    async_teardown(role, stream.socket(), std::forward<Handler>(handler));
  }
}

inline void beast_close_socket(ByteStream& stream) {
  stream.Close();
}

}  // namespace falconer::net
