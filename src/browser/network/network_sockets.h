#pragma once
// NetworkSockets: the messages on a tab's WebSockets. They are told as they come and not kept.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/async/event_hub.h"
#include "cdp/session.h"

namespace falconer::browser {

enum class WebSocketDirection : std::uint8_t { kSent, kReceived };

struct WebSocketMessage {
  std::string request_id;
  // "" when the socket was opened before anybody listened.
  std::string url;
  WebSocketDirection direction = WebSocketDirection::kReceived;
  bool is_text = true;
  // The text, or the bytes themselves.
  std::string payload;
};

class NetworkSockets {
 public:
  // Remembers the addresses of at most `most` open sockets.
  explicit NetworkSockets(std::size_t most) : most_(most) {}

  // Listens to a session; the subscriptions go to `list` and MUST NOT outlive this object.
  void Follow(cdp::Session& session, std::vector<Subscription>& list);

  EventHub<const WebSocketMessage&>& on_message() { return on_message_; }
  // Where to.
  std::vector<std::string> OpenUrls() const;

 private:
  void OnCreated(const cdp::NetworkWebSocketCreated& event);
  void OnFrame(const std::string& request_id, const cdp::WebSocketFrame& frame,
               WebSocketDirection direction);

  std::size_t most_;
  std::unordered_map<std::string, std::string> urls_;
  EventHub<const WebSocketMessage&> on_message_;
};

}  // namespace falconer::browser
