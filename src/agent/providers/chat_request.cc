#include "agent/providers/chat_request.h"

#include <algorithm>

#include "model/token_estimate.h"

namespace falconer::agent {
namespace {

// Of one picture at the width that is sent at most; providers count between 85 and 1,600.
constexpr std::size_t kImageTokens = 1600;
// What the form of one message costs beside its text.
constexpr std::size_t kMessageTokens = 8;

std::size_t TokensOf(const UserMessage& message) {
  return model::EstimateTokens(message.text) + message.images.size() * kImageTokens;
}

std::size_t TokensOf(const AssistantMessage& message) {
  std::size_t total = model::EstimateTokens(message.text);
  for (const ToolCall& call : message.calls)
    total += model::EstimateTokens(call.name + json::serialize(call.arguments)) + kMessageTokens;
  return total;
}

std::size_t TokensOf(const ToolReplies& message) {
  std::size_t total = 0;
  for (const ToolReply& reply : message.replies)
    total +=
        model::EstimateTokens(reply.text) + reply.images.size() * kImageTokens + kMessageTokens;
  return total;
}

bool ShowsImages(const UserMessage& message) {
  return !message.images.empty();
}

bool ShowsImages(const AssistantMessage& /*message*/) {
  return false;
}

bool ShowsImages(const ToolReplies& message) {
  return std::ranges::any_of(message.replies,
                             [](const ToolReply& reply) { return !reply.images.empty(); });
}

}  // namespace

bool HasImages(const ChatRequest& request) {
  return std::ranges::any_of(request.messages, [](const ChatMessage& message) {
    return std::visit([](const auto& one) { return ShowsImages(one); }, message);
  });
}

std::size_t EstimateRequestTokens(const ChatRequest& request) {
  std::size_t total = model::EstimateTokens(request.system);
  for (const ChatMessage& message : request.messages)
    total += std::visit([](const auto& one) { return TokensOf(one); }, message) + kMessageTokens;
  for (const ToolOffer& tool : request.tools)
    total += model::EstimateTokens(tool.name + tool.description + json::serialize(tool.parameters));
  return total;
}

}  // namespace falconer::agent
