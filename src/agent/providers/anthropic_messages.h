#pragma once
// AnthropicMessages: Anthropic's messages.

#include "agent/providers/dialect.h"

namespace falconer::agent {

class AnthropicMessages final : public Dialect {
 public:
  std::string_view path() const override { return "/v1/messages"; }
  Framing framing() const override { return Framing::kServerSentEvents; }
  std::string_view stream_type() const override { return "text/event-stream"; }
  net::HttpHeaders Headers(std::string_view key) const override;
  json::object Body(const ChatRequest& request, const ProviderSpec& spec) const override;
  Result<void> ReadWhole(const json::object& body, AnswerBuilder& out) const override;
  Result<void> ReadEvent(const WireEvent& event, AnswerBuilder& out) const override;
};

}  // namespace falconer::agent
