#include "agent/providers/ollama_chat.h"

#include "agent/providers/dialect_parts.h"
#include "agent/providers/provider_error.h"
#include "agent/providers/wire_json.h"
#include "base/base64.h"

namespace falconer::agent {
namespace {

void PutOllama(const UserMessage& message, json::array& out) {
  json::object said{{"role", "user"}, {"content", message.text}};
  json::array images;
  for (const ChatImage& image : message.images) images.emplace_back(EncodeBase64(image.bytes));
  if (!images.empty()) said["images"] = std::move(images);
  out.push_back(std::move(said));
}

void PutOllama(const AssistantMessage& message, json::array& out) {
  json::object said{{"role", "assistant"}, {"content", message.text}};
  json::array calls;
  for (const ToolCall& call : message.calls)
    calls.push_back({{"function", {{"name", call.name}, {"arguments", call.arguments}}}});
  if (!calls.empty()) said["tool_calls"] = std::move(calls);
  out.push_back(std::move(said));
}

// Calls have no ids there: replies belong to them by their order and the tool's name.
void PutOllama(const ToolReplies& message, json::array& out) {
  for (const ToolReply& reply : message.replies)
    out.push_back({{"role", "tool"}, {"tool_name", reply.name}, {"content", reply.text}});
  if (const auto shown = ShownImages(message)) PutOllama(*shown, out);
}

json::object OllamaOptions(const ChatRequest& request, const ProviderSpec& spec) {
  json::object options{{"num_predict", request.max_tokens}};
  if (request.temperature) options["temperature"] = *request.temperature;
  // Without it the front of a long request is cut away unsaid.
  if (spec.context > 0) options["num_ctx"] = spec.context;
  return options;
}

Result<void> ReadOllamaCall(const json::object& call, AnswerBuilder& out) {
  const json::object* function = ObjectAt(call, "function");
  const json::object* arguments = function ? ObjectAt(*function, "arguments") : nullptr;
  if (arguments == nullptr)
    return Fail(ProviderFailure(ProviderFault::kInvalidAnswer,
                                "the arguments of a call are not a JSON object"));
  out.AddCall(TextAt(call, "id"), TextAt(*function, "name"), *arguments);
  return {};
}

Result<void> ReadOllamaMessage(const json::object& message, AnswerBuilder& out) {
  out.AddText(TextAt(message, "content"));
  for (const json::object* call : ObjectsAt(message, "tool_calls")) TRY(ReadOllamaCall(*call, out));
  return {};
}

void ReadOllamaEnd(const json::object& body, AnswerBuilder& out) {
  out.SetEnd(TextAt(body, "done_reason") == "length" ? AnswerEnd::kLength : AnswerEnd::kDone);
  out.usage().input = CountAt(body, "prompt_eval_count");
  out.usage().output = CountAt(body, "eval_count");
  out.Complete();
}

}  // namespace

net::HttpHeaders OllamaChat::Headers(std::string_view key) const {
  // Ollama itself asks for none; what stands before it may.
  if (key.empty()) return {};
  return {{"Authorization", "Bearer " + std::string(key)}};
}

json::object OllamaChat::Body(const ChatRequest& request, const ProviderSpec& spec) const {
  json::array messages;
  if (!request.system.empty())
    messages.push_back({{"role", "system"}, {"content", request.system}});
  for (const ChatMessage& message : request.messages)
    std::visit([&](const auto& one) { PutOllama(one, messages); }, message);
  json::object body{{"model", spec.model},
                    {"messages", std::move(messages)},
                    {"stream", request.delivery == Delivery::kStreamed},
                    {"options", OllamaOptions(request, spec)}};
  // It knows no choice: a model that may call none is shown none.
  if (!request.tools.empty() && request.tool_choice != ToolChoice::kNone)
    body["tools"] = FunctionTools(request.tools);
  return body;
}

Result<void> OllamaChat::ReadWhole(const json::object& body, AnswerBuilder& out) const {
  if (HasError(body)) return Fail(ReportedFailure({.status = 0, .words = ErrorWordsIn(body)}));
  out.SetModel(TextAt(body, "model"));
  if (const json::object* message = ObjectAt(body, "message"))
    TRY(ReadOllamaMessage(*message, out));
  if (IsTrueAt(body, "done")) ReadOllamaEnd(body, out);
  return {};
}

Result<void> OllamaChat::ReadEvent(const WireEvent& event, AnswerBuilder& out) const {
  TRY_ASSIGN(const json::object body, EventBody(event));
  return ReadWhole(body, out);
}

}  // namespace falconer::agent
