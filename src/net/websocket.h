#pragma once
// WebSocket: one connection that carries whole messages both ways, as client or as server. All of
// it happens on one event loop; nothing here is thread safe.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "base/async/call_context.h"
#include "net/shared_bytes.h"

namespace falconer::net {

struct WebSocketMessage {
  // kClosed is no message but the end of them; it is only received.
  enum class Kind { kText, kBinary, kClosed };
  Kind kind = Kind::kText;
  std::string data = {};
};

// Why a connection is closed, as the peer is told (RFC 6455, 7.4).
enum class WebSocketEnd : std::uint16_t {
  kNormal = 1000,
  kGoingAway = 1001,
  kUnsupportedData = 1003,
  kPolicyViolation = 1008,
  kTryAgainLater = 1013,
};

struct WebSocketOptions {
  // A peer that is silent for this long is asked for a sign of life; twice this and it is given up.
  Duration ping_interval = std::chrono::seconds(30);
  // For the handshake and for the closing handshake.
  Duration handshake_timeout = std::chrono::seconds(10);
  std::size_t max_message_bytes = std::size_t{256} << 20;
  // What may wait to be sent; Send() beyond it is refused.
  std::size_t max_queued_bytes = std::size_t{256} << 20;
  // What the system may keep of what was sent and not yet read; 0 leaves that to the system.
  std::size_t send_buffer_bytes = 0;
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
  // The same for a binary message that others are sent, too.
  Task<Result<void>> SendShared(CallContext ctx, SharedBytes bytes);

  // Says goodbye and waits for the peer's goodbye, at most the handshake timeout. A pending
  // Receive() returns. The reason is short (at most 123 bytes are sent).
  Task<void> Close(WebSocketEnd code = WebSocketEnd::kNormal, std::string reason = {});

  bool is_open() const;

 private:
  std::shared_ptr<Impl> impl_;
};

}  // namespace falconer::net
