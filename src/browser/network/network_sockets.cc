#include "browser/network/network_sockets.h"

#include <ranges>
#include <utility>

#include "base/base64.h"
#include "base/utf8.h"
#include "model/url.h"

namespace falconer::browser {
namespace {

// RFC 6455: what kind of frame it is.
constexpr int kTextOpcode = 1;
constexpr int kBinaryOpcode = 2;

}  // namespace

void NetworkSockets::Follow(cdp::Session& session, std::vector<Subscription>& list) {
  list.push_back(session.On<cdp::NetworkWebSocketCreated>([this](const auto& e) { OnCreated(e); }));
  list.push_back(session.On<cdp::NetworkWebSocketClosed>(
      [this](const auto& e) { urls_.erase(e.request_id); }));
  list.push_back(session.On<cdp::NetworkWebSocketFrameSent>(
      [this](const auto& e) { OnFrame(e.request_id, e.response, WebSocketDirection::kSent); }));
  list.push_back(session.On<cdp::NetworkWebSocketFrameReceived>(
      [this](const auto& e) { OnFrame(e.request_id, e.response, WebSocketDirection::kReceived); }));
}

void NetworkSockets::OnCreated(const cdp::NetworkWebSocketCreated& event) {
  // Sockets whose process died are never reported closed.
  if (urls_.size() >= most_) urls_.clear();
  urls_[event.request_id] = Utf8Prefix(event.url, model::kMaxUrlLength);
}

void NetworkSockets::OnFrame(const std::string& request_id, const cdp::WebSocketFrame& frame,
                             WebSocketDirection direction) {
  const int opcode = static_cast<int>(frame.opcode);
  if (on_message_.empty() || (opcode != kTextOpcode && opcode != kBinaryOpcode)) return;
  const auto url = urls_.find(request_id);
  WebSocketMessage message{.request_id = request_id,
                           .url = url == urls_.end() ? "" : url->second,
                           .direction = direction,
                           .is_text = opcode == kTextOpcode,
                           .payload = frame.payload_data};
  if (!message.is_text) {
    auto bytes = DecodeBase64(frame.payload_data);
    if (!bytes) return;
    message.payload = *std::move(bytes);
  }
  on_message_.Emit(message);
}

std::vector<std::string> NetworkSockets::OpenUrls() const {
  const auto urls = std::views::values(urls_);
  return {urls.begin(), urls.end()};
}

}  // namespace falconer::browser
