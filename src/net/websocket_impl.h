#pragma once
// The inside of WebSocket, for the two places that make one: the client and the HTTP server.

#include <list>
#include <memory>

#include <boost/beast/websocket/stream.hpp>

#include "base/async/notifier.h"
#include "net/byte_stream.h"
#include "net/websocket.h"

namespace falconer::net {

class WebSocket::Impl {
 public:
  using Stream = boost::beast::websocket::stream<ByteStream>;

  Impl(ByteStream bytes, const WebSocketOptions& options);

  Stream& stream() { return stream_; }
  void Drop();

  Task<Result<WebSocketMessage>> Receive();
  Task<Result<void>> Send(CallContext ctx, WebSocketMessage message);
  Task<Result<void>> SendShared(CallContext ctx, SharedBytes bytes);
  Task<void> Close(WebSocketEnd code, std::string reason);

 private:
  class Turn;

  // Whoever calls keeps the bytes until this is done.
  Task<Result<void>> Queue(CallContext ctx, WebSocketMessage::Kind kind, std::string_view bytes);
  Task<Result<void>> WriteNow(CallContext ctx, WebSocketMessage::Kind kind, std::string_view bytes);

  Stream stream_;
  WebSocketOptions options_;
  // The library allows one write at a time: the front one.
  std::list<Turn*> writers_;
  std::size_t queued_bytes_ = 0;
  Notifier turn_;
};

}  // namespace falconer::net
