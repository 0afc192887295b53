#pragma once
// What a model is asked, in the one form that every provider is asked in. Plain data: how it is put
// on the wire is the dialects' business.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/json/json_reader.h"

namespace falconer::agent {

// A picture as the browser made it; encoded when it is sent.
struct ChatImage {
  std::string media_type = "image/png";
  std::string bytes;
};

struct ToolCall {
  std::string id;  // the model's own, or made up where its dialect has none
  std::string name;
  json::object arguments;

  friend bool operator==(const ToolCall&, const ToolCall&) = default;
};

struct UserMessage {
  std::string text;
  std::vector<ChatImage> images = {};
};

// What the model said before, given back to it.
struct AssistantMessage {
  std::string text = {};
  std::vector<ToolCall> calls = {};
};

enum class ToolOutcome : std::uint8_t { kOk, kFailed };

struct ToolReply {
  std::string call_id;
  std::string name;
  std::string text;
  ToolOutcome outcome = ToolOutcome::kOk;
  std::vector<ChatImage> images = {};
};

// The replies to all calls of the message before it: together, because some dialects want them in
// one turn.
struct ToolReplies {
  std::vector<ToolReply> replies;
};

using ChatMessage = std::variant<UserMessage, AssistantMessage, ToolReplies>;

// A tool the model may call.
struct ToolOffer {
  std::string name;
  std::string description;
  json::object parameters;  // a JSON Schema of type object
};

enum class ToolChoice : std::uint8_t { kAuto, kRequired, kNone };
enum class Delivery : std::uint8_t { kWhole, kStreamed };

struct ChatRequest {
  std::string system = {};
  std::vector<ChatMessage> messages = {};
  std::vector<ToolOffer> tools = {};
  ToolChoice tool_choice = ToolChoice::kAuto;
  std::int64_t max_tokens = 4096;  // of the answer
  std::optional<double> temperature = {};
  Delivery delivery = Delivery::kStreamed;
};

bool HasImages(const ChatRequest& request);
// Tokens the request costs, a little too high; pictures count by a flat price.
std::size_t EstimateRequestTokens(const ChatRequest& request);

}  // namespace falconer::agent
