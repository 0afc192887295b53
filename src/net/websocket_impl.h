#pragma once
// The inside of WebSocket, for the two places that make one: the client and the HTTP server.

#include <list>
#include <memory>

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/websocket/stream.hpp>

#include "base/async/notifier.h"
#include "net/websocket.h"

namespace falconer::net {

class WebSocket::Impl {
 public:
  using Stream = boost::beast::websocket::stream<boost::asio::ip::tcp::socket>;

  Impl(boost::asio::ip::tcp::socket socket, const WebSocketOptions& options);

  Stream& stream() { return stream_; }
  void Drop();

  Task<Result<WebSocketMessage>> Receive();
  Task<Result<void>> Send(CallContext ctx, WebSocketMessage message);
  Task<void> Close();

 private:
  class Turn;

  Task<Result<void>> WriteNow(CallContext ctx, const WebSocketMessage* message);

  Stream stream_;
  WebSocketOptions options_;
  // The library allows one write at a time: the front one.
  std::list<Turn*> writers_;
  std::size_t queued_bytes_ = 0;
  Notifier turn_;
};

}  // namespace falconer::net
