#include "agent/providers/anthropic_messages.h"

#include "agent/providers/dialect_parts.h"
#include "agent/providers/provider_error.h"
#include "agent/providers/wire_json.h"
#include "base/base64.h"
#include "base/text.h"

namespace falconer::agent {
namespace {

constexpr std::string_view kAnthropicVersion = "2023-06-01";

constexpr EnumName<ToolChoice> kAnthropicToolChoices[] = {
    {ToolChoice::kAuto, "auto"}, {ToolChoice::kRequired, "any"}, {ToolChoice::kNone, "none"}};

constexpr EnumName<AnswerEnd> kAnthropicEnds[] = {
    {AnswerEnd::kDone, "end_turn"},
    {AnswerEnd::kDone, "stop_sequence"},
    {AnswerEnd::kToolCalls, "tool_use"},
    {AnswerEnd::kLength, "max_tokens"},
    {AnswerEnd::kLength, "model_context_window_exceeded"},
    {AnswerEnd::kLength, "pause_turn"}};

// Blocks without a word are refused there.
void PutText(const std::string& text, json::array& blocks) {
  if (!Trim(text).empty()) blocks.push_back({{"type", "text"}, {"text", text}});
}

void PutImages(const std::vector<ChatImage>& images, json::array& blocks) {
  for (const ChatImage& image : images) {
    blocks.push_back({{"type", "image"},
                      {"source",
                       {{"type", "base64"},
                        {"media_type", image.media_type},
                        {"data", EncodeBase64(image.bytes)}}}});
  }
}

struct Blocks {
  std::string_view role;
  json::array content;
};

Blocks BlocksOf(const UserMessage& message) {
  Blocks out{"user", {}};
  PutImages(message.images, out.content);
  PutText(message.text, out.content);
  return out;
}

Blocks BlocksOf(const AssistantMessage& message) {
  Blocks out{"assistant", {}};
  PutText(message.text, out.content);
  for (const ToolCall& call : message.calls) {
    out.content.push_back(
        {{"type", "tool_use"}, {"id", call.id}, {"name", call.name}, {"input", call.arguments}});
  }
  return out;
}

Blocks BlocksOf(const ToolReplies& message) {
  Blocks out{"user", {}};
  for (const ToolReply& reply : message.replies) {
    json::array content;
    PutText(reply.text, content);
    PutImages(reply.images, content);
    json::object block{
        {"type", "tool_result"}, {"tool_use_id", reply.call_id}, {"content", std::move(content)}};
    if (reply.outcome == ToolOutcome::kFailed) block["is_error"] = true;
    out.content.push_back(std::move(block));
  }
  return out;
}

// Turns must alternate, so what one side says twice in a row becomes one turn; replies of tools
// stay in front, where they must be.
json::array AnthropicTurns(const ChatRequest& request) {
  json::array out;
  for (const ChatMessage& message : request.messages) {
    Blocks next = std::visit([](const auto& one) { return BlocksOf(one); }, message);
    if (next.content.empty()) continue;
    if (!out.empty() && out.back().at("role").as_string() == next.role) {
      json::array& said = out.back().at("content").as_array();
      for (json::value& block : next.content) said.push_back(std::move(block));
      continue;
    }
    out.push_back({{"role", next.role}, {"content", std::move(next.content)}});
  }
  return out;
}

json::array AnthropicTools(const std::vector<ToolOffer>& tools) {
  json::array out;
  for (const ToolOffer& tool : tools) {
    out.push_back({{"name", tool.name},
                   {"description", tool.description},
                   {"input_schema", tool.parameters}});
  }
  return out;
}

// What was cached is counted apart there.
void ReadAnthropicUsage(const json::object& body, AnswerBuilder& out) {
  const json::object* usage = ObjectAt(body, "usage");
  if (usage == nullptr) return;
  if (usage->contains("input_tokens")) {
    const std::int64_t cached = CountAt(*usage, "cache_read_input_tokens");
    out.usage().cached_input = cached;
    out.usage().input =
        CountAt(*usage, "input_tokens") + cached + CountAt(*usage, "cache_creation_input_tokens");
  }
  if (usage->contains("output_tokens")) out.usage().output = CountAt(*usage, "output_tokens");
}

void ReadAnthropicEnd(const json::object& from, AnswerBuilder& out) {
  const std::string reason = TextAt(from, "stop_reason");
  if (reason == "refusal") out.Refuse();
  if (const auto end = ValueIn(kAnthropicEnds, reason)) out.SetEnd(*end);
}

void ReadAnthropicHead(const json::object& message, AnswerBuilder& out) {
  out.SetId(TextAt(message, "id"));
  out.SetModel(TextAt(message, "model"));
  ReadAnthropicUsage(message, out);
}

Result<void> OnBlockStart(const json::object& body, AnswerBuilder& out) {
  const json::object* block = ObjectAt(body, "content_block");
  if (block == nullptr) return {};
  const std::string type = TextAt(*block, "type");
  if (type == "text") out.AddText(TextAt(*block, "text"));
  if (type == "tool_use")
    out.OpenCall(CountAt(body, "index"), TextAt(*block, "id"), TextAt(*block, "name"));
  return {};
}

Result<void> OnBlockDelta(const json::object& body, AnswerBuilder& out) {
  const json::object* delta = ObjectAt(body, "delta");
  if (delta == nullptr) return {};
  const std::string type = TextAt(*delta, "type");
  if (type == "text_delta") out.AddText(TextAt(*delta, "text"));
  if (type != "input_json_delta") return {};
  return out.AddArguments(CountAt(body, "index"), TextAt(*delta, "partial_json"));
}

Result<void> OnMessageStart(const json::object& body, AnswerBuilder& out) {
  if (const json::object* message = ObjectAt(body, "message")) ReadAnthropicHead(*message, out);
  return {};
}

Result<void> OnMessageDelta(const json::object& body, AnswerBuilder& out) {
  ReadAnthropicUsage(body, out);
  if (const json::object* delta = ObjectAt(body, "delta")) ReadAnthropicEnd(*delta, out);
  return {};
}

Result<void> OnMessageStop(const json::object& /*body*/, AnswerBuilder& out) {
  out.Complete();
  return {};
}

Result<void> OnStreamError(const json::object& body, AnswerBuilder& /*out*/) {
  return Fail(ReportedFailure({.status = 0, .words = ErrorWordsIn(body)}));
}

struct AnthropicEvent {
  std::string_view type;
  Result<void> (*read)(const json::object& body, AnswerBuilder& out);
};

// Others (ping, content_block_stop, what may come) say nothing that matters.
constexpr AnthropicEvent kAnthropicEvents[] = {
    {"message_start", OnMessageStart},     {"content_block_start", OnBlockStart},
    {"content_block_delta", OnBlockDelta}, {"message_delta", OnMessageDelta},
    {"message_stop", OnMessageStop},       {"error", OnStreamError},
};

}  // namespace

net::HttpHeaders AnthropicMessages::Headers(std::string_view key) const {
  net::HttpHeaders headers{{"anthropic-version", std::string(kAnthropicVersion)}};
  if (!key.empty()) headers.Set("x-api-key", std::string(key));
  return headers;
}

json::object AnthropicMessages::Body(const ChatRequest& request, const ProviderSpec& spec) const {
  json::object body{{"model", spec.model},
                    {"max_tokens", request.max_tokens},
                    {"messages", AnthropicTurns(request)}};
  if (!request.system.empty()) body["system"] = request.system;
  if (request.temperature && !spec.reasons) body["temperature"] = *request.temperature;
  if (!request.tools.empty()) {
    body["tools"] = AnthropicTools(request.tools);
    body["tool_choice"] = {{"type", NameIn(kAnthropicToolChoices, request.tool_choice)}};
  }
  if (request.delivery == Delivery::kStreamed) body["stream"] = true;
  return body;
}

Result<void> AnthropicMessages::ReadWhole(const json::object& body, AnswerBuilder& out) const {
  if (TextAt(body, "type") == "error") return OnStreamError(body, out);
  ReadAnthropicHead(body, out);
  for (const json::object* block : ObjectsAt(body, "content")) {
    const std::string type = TextAt(*block, "type");
    if (type == "text") out.AddText(TextAt(*block, "text"));
    if (type != "tool_use") continue;
    const json::object* input = ObjectAt(*block, "input");
    if (input == nullptr)
      return Fail(ProviderFailure(ProviderFault::kInvalidAnswer,
                                  "the arguments of a call are not a JSON object"));
    out.AddCall(TextAt(*block, "id"), TextAt(*block, "name"), *input);
  }
  ReadAnthropicEnd(body, out);
  return {};
}

Result<void> AnthropicMessages::ReadEvent(const WireEvent& event, AnswerBuilder& out) const {
  TRY_ASSIGN(const json::object body, EventBody(event));
  const std::string type = TextAt(body, "type");
  for (const AnthropicEvent& row : kAnthropicEvents) {
    if (row.type == type) return row.read(body, out);
  }
  return {};
}

}  // namespace falconer::agent
