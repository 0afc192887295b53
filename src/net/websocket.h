#pragma once
// WebSocket: one connection that carries whole messages both ways, as client or as server. All of
// it happens on one event loop; nothing here is thread safe.

#include <chrono>
#include <memory>
#include <string>

#include "base/async/call_context.h"

namespace falconer::net {

struct WebSocketMessage {
  // kClosed is no message but the end of them; it is only received.
  enum class Kind { kText, kBinary, kClosed };
  Kind kind = Kind::kText;
  std::string data = {};
};

struct WebSocketOptions {
  // A peer that is silent for this long is asked for a sign of life; twice this and it is given up.
  Duration ping_interval = std::chrono::seconds(30);
  // For the handshake and for the closing handshake.
  Duration handshake_timeout = std::chrono::seconds(10);
  std::size_t max_message_bytes = std::size_t{256} << 20;
  // What may wait to be sent; Send() beyond it is refused.
  std::size_t max_queued_bytes = std::size_t{256} << 20;
};

class WebSocket {
 public:
  class Impl;
  explicit WebSocket(std::shared_ptr<Impl> impl);
  // Drops the connection without a closing handshake if it is still open.
  ~WebSocket();
  WebSocket(const WebSocket&) = delete;
  WebSocket& operator=(const WebSocket&) = delete;

  // The next message, kClosed once either side has closed; one receiver at a time. Fails with
  // kNetworkError when the connection broke, a message was too long or the peer fell silent.
  // Cancelling the coroutine drops the connection: half a frame cannot be taken back.
  Task<Result<WebSocketMessage>> Receive();

  // Sends one message; concurrent calls go out in the order they were made. Fails with kQueueFull
  // when too much waits already, kNetworkError once closed, kTimeout or the cancel reason; if `ctx`
  // ends while the message is already on its way out, the connection drops.
  Task<Result<void>> Send(CallContext ctx, WebSocketMessage message);

  // Says goodbye and waits for the peer's goodbye, at most the handshake timeout. A pending
  // Receive() returns.
  Task<void> Close();

  bool is_open() const;

 private:
  std::shared_ptr<Impl> impl_;
};

}  // namespace falconer::net
