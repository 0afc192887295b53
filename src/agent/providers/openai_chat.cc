#include "agent/providers/openai_chat.h"

#include "agent/providers/dialect_parts.h"
#include "agent/providers/provider_error.h"
#include "agent/providers/wire_json.h"

namespace falconer::agent {
namespace {

constexpr std::string_view kChatDone = "[DONE]";

constexpr EnumName<ToolChoice> kChatToolChoices[] = {
    {ToolChoice::kAuto, "auto"}, {ToolChoice::kRequired, "required"}, {ToolChoice::kNone, "none"}};

constexpr EnumName<AnswerEnd> kChatEnds[] = {{AnswerEnd::kDone, "stop"},
                                             {AnswerEnd::kToolCalls, "tool_calls"},
                                             {AnswerEnd::kToolCalls, "function_call"},
                                             {AnswerEnd::kLength, "length"}};
constexpr std::string_view kChatFiltered = "content_filter";

void PutChat(const UserMessage& message, json::array& out) {
  if (message.images.empty()) {
    out.push_back({{"role", "user"}, {"content", message.text}});
    return;
  }
  json::array parts;
  if (!message.text.empty()) parts.push_back({{"type", "text"}, {"text", message.text}});
  for (const ChatImage& image : message.images)
    parts.push_back({{"type", "image_url"}, {"image_url", {{"url", DataUrl(image)}}}});
  out.push_back({{"role", "user"}, {"content", std::move(parts)}});
}

void PutChat(const AssistantMessage& message, json::array& out) {
  json::object said{{"role", "assistant"}, {"content", nullptr}};
  // It may be null only beside calls.
  if (!message.text.empty() || message.calls.empty()) said["content"] = message.text;
  json::array calls;
  for (const ToolCall& call : message.calls) {
    calls.push_back(
        {{"id", call.id},
         {"type", "function"},
         {"function", {{"name", call.name}, {"arguments", json::serialize(call.arguments)}}}});
  }
  if (!calls.empty()) said["tool_calls"] = std::move(calls);
  out.push_back(std::move(said));
}

void PutChat(const ToolReplies& message, json::array& out) {
  for (const ToolReply& reply : message.replies)
    out.push_back({{"role", "tool"}, {"tool_call_id", reply.call_id}, {"content", reply.text}});
  if (const auto shown = ShownImages(message)) PutChat(*shown, out);
}

json::array ChatMessages(const ChatRequest& request) {
  json::array out;
  if (!request.system.empty()) out.push_back({{"role", "system"}, {"content", request.system}});
  for (const ChatMessage& message : request.messages)
    std::visit([&](const auto& one) { PutChat(one, out); }, message);
  return out;
}

void ReadChatUsage(const json::object& body, AnswerBuilder& out) {
  const json::object* usage = ObjectAt(body, "usage");
  if (usage == nullptr) return;
  out.usage().input = CountAt(*usage, "prompt_tokens");
  out.usage().output = CountAt(*usage, "completion_tokens");
  if (const json::object* details = ObjectAt(*usage, "prompt_tokens_details"))
    out.usage().cached_input = CountAt(*details, "cached_tokens");
}

// Some leave the index out: a name begins a call then, and what has none belongs to the last one.
std::int64_t ChatCallKey(const json::object& call, const std::string& name,
                         const AnswerBuilder& out) {
  if (call.contains("index")) return CountAt(call, "index");
  return name.empty() ? out.next_key() - 1 : out.next_key();
}

// A call, or a piece of one.
Result<void> ReadChatCall(const json::object& call, AnswerBuilder& out) {
  const json::object* function = ObjectAt(call, "function");
  if (function == nullptr) return {};
  const std::string name = TextAt(*function, "name");
  TRY_ASSIGN(const std::string arguments, ArgumentsOf(*function));
  const std::int64_t key = ChatCallKey(call, name, out);
  out.OpenCall(key, TextAt(call, "id"), name);
  return out.AddArguments(key, arguments);
}

Result<void> ReadChatMessage(const json::object& message, AnswerBuilder& out) {
  out.AddText(TextAt(message, "content"));
  if (!TextAt(message, "refusal").empty()) out.Refuse();
  for (const json::object* call : ObjectsAt(message, "tool_calls")) TRY(ReadChatCall(*call, out));
  return {};
}

void ReadChatEnd(const json::object& choice, AnswerBuilder& out) {
  const std::string reason = TextAt(choice, "finish_reason");
  if (reason == kChatFiltered) out.Refuse();
  if (const auto end = ValueIn(kChatEnds, reason)) out.SetEnd(*end);
}

// The same form whole and in pieces, but for the name of the message.
Result<void> ReadChatBody(const json::object& body, std::string_view message_key,
                          AnswerBuilder& out) {
  if (HasError(body)) return Fail(ReportedFailure({.status = 0, .words = ErrorWordsIn(body)}));
  out.SetId(TextAt(body, "id"));
  out.SetModel(TextAt(body, "model"));
  ReadChatUsage(body, out);
  const auto choices = ObjectsAt(body, "choices");
  if (choices.empty()) return {};
  if (const json::object* message = ObjectAt(*choices.front(), message_key))
    TRY(ReadChatMessage(*message, out));
  ReadChatEnd(*choices.front(), out);
  return {};
}

}  // namespace

net::HttpHeaders OpenAiChat::Headers(std::string_view key) const {
  if (key.empty()) return {};
  return {{"Authorization", "Bearer " + std::string(key)}};
}

json::object OpenAiChat::Body(const ChatRequest& request, const ProviderSpec& spec) const {
  json::object body{{"model", spec.model}, {"messages", ChatMessages(request)}};
  // Models that reason refuse the older name, and servers that only speak like OpenAI the newer.
  body[spec.reasons ? "max_completion_tokens" : "max_tokens"] = request.max_tokens;
  if (request.temperature && !spec.reasons) body["temperature"] = *request.temperature;
  if (!request.tools.empty()) {
    body["tools"] = FunctionTools(request.tools);
    body["tool_choice"] = NameIn(kChatToolChoices, request.tool_choice);
  }
  if (request.delivery == Delivery::kStreamed) {
    body["stream"] = true;
    body["stream_options"] = {{"include_usage", true}};
  }
  return body;
}

Result<void> OpenAiChat::ReadWhole(const json::object& body, AnswerBuilder& out) const {
  return ReadChatBody(body, "message", out);
}

Result<void> OpenAiChat::ReadEvent(const WireEvent& event, AnswerBuilder& out) const {
  if (event.data == kChatDone) {
    out.Complete();
    return {};
  }
  TRY_ASSIGN(const json::object body, EventBody(event));
  return ReadChatBody(body, "delta", out);
}

}  // namespace falconer::agent
