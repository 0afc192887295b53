#include "agent/providers/openai_responses.h"

#include <algorithm>

#include "agent/providers/dialect_parts.h"
#include "agent/providers/provider_error.h"
#include "agent/providers/wire_json.h"

namespace falconer::agent {
namespace {

constexpr EnumName<ToolChoice> kResponsesToolChoices[] = {
    {ToolChoice::kAuto, "auto"}, {ToolChoice::kRequired, "required"}, {ToolChoice::kNone, "none"}};

void PutItem(const UserMessage& message, json::array& out) {
  json::array parts;
  if (!message.text.empty()) parts.push_back({{"type", "input_text"}, {"text", message.text}});
  for (const ChatImage& image : message.images)
    parts.push_back({{"type", "input_image"}, {"detail", "auto"}, {"image_url", DataUrl(image)}});
  out.push_back({{"type", "message"}, {"role", "user"}, {"content", std::move(parts)}});
}

void PutItem(const AssistantMessage& message, json::array& out) {
  if (!message.text.empty()) {
    json::array parts{json::object{{"type", "output_text"}, {"text", message.text}}};
    out.push_back({{"type", "message"}, {"role", "assistant"}, {"content", std::move(parts)}});
  }
  for (const ToolCall& call : message.calls) {
    out.push_back({{"type", "function_call"},
                   {"call_id", call.id},
                   {"name", call.name},
                   {"arguments", json::serialize(call.arguments)}});
  }
}

void PutItem(const ToolReplies& message, json::array& out) {
  for (const ToolReply& reply : message.replies)
    out.push_back(
        {{"type", "function_call_output"}, {"call_id", reply.call_id}, {"output", reply.text}});
  if (const auto shown = ShownImages(message)) PutItem(*shown, out);
}

json::array ResponsesTools(const std::vector<ToolOffer>& tools) {
  json::array out;
  for (const ToolOffer& tool : tools) {
    // Strict schemas forbid optional fields, which tools have.
    out.push_back({{"type", "function"},
                   {"name", tool.name},
                   {"description", tool.description},
                   {"parameters", tool.parameters},
                   {"strict", false}});
  }
  return out;
}

void ReadOutputMessage(const json::object& item, AnswerBuilder& out) {
  for (const json::object* part : ObjectsAt(item, "content")) {
    const std::string type = TextAt(*part, "type");
    if (type == "output_text") out.AddText(TextAt(*part, "text"));
    if (type == "refusal") out.Refuse();
  }
}

Result<void> ReadOutputItem(const json::object& item, AnswerBuilder& out) {
  const std::string type = TextAt(item, "type");
  if (type == "message") ReadOutputMessage(item, out);
  if (type != "function_call") return {};
  TRY_ASSIGN(const std::string arguments, ArgumentsOf(item));
  const std::int64_t key = out.next_key();
  out.OpenCall(key, TextAt(item, "call_id"), TextAt(item, "name"));
  return out.AddArguments(key, arguments);
}

void ReadResponsesUsage(const json::object& body, AnswerBuilder& out) {
  const json::object* usage = ObjectAt(body, "usage");
  if (usage == nullptr) return;
  out.usage().input = CountAt(*usage, "input_tokens");
  out.usage().output = CountAt(*usage, "output_tokens");
  if (const json::object* details = ObjectAt(*usage, "input_tokens_details"))
    out.usage().cached_input = CountAt(*details, "cached_tokens");
}

void ReadResponsesEnd(const json::object& body, AnswerBuilder& out) {
  const std::string status = TextAt(body, "status");
  if (status == "completed") out.SetEnd(AnswerEnd::kDone);
  if (status != "incomplete") return;
  out.SetEnd(AnswerEnd::kLength);
  const json::object* why = ObjectAt(body, "incomplete_details");
  if (why != nullptr && TextAt(*why, "reason") == "content_filter") out.Refuse();
}

// Pieces are only told: the last event holds the whole answer.
void TellPiece(std::string_view type, const json::object& body, AnswerBuilder& out) {
  if (type == "response.output_text.delta") out.Tell(TextDelta{TextAt(body, "delta")});
  if (type == "response.function_call_arguments.delta")
    out.Tell(ArgumentsDelta{TextAt(body, "delta")});
  const json::object* item = ObjectAt(body, "item");
  if (type == "response.output_item.added" && item != nullptr &&
      TextAt(*item, "type") == "function_call")
    out.Tell(CallDelta{TextAt(*item, "name")});
}

}  // namespace

net::HttpHeaders OpenAiResponses::Headers(std::string_view key) const {
  if (key.empty()) return {};
  return {{"Authorization", "Bearer " + std::string(key)}};
}

json::object OpenAiResponses::Body(const ChatRequest& request, const ProviderSpec& spec) const {
  json::array input;
  for (const ChatMessage& message : request.messages)
    std::visit([&](const auto& one) { PutItem(one, input); }, message);
  json::object body{{"model", spec.model},
                    {"input", std::move(input)},
                    {"max_output_tokens", request.max_tokens},
                    // What pages say stays with who asked.
                    {"store", false}};
  if (!request.system.empty()) body["instructions"] = request.system;
  if (request.temperature && !spec.reasons) body["temperature"] = *request.temperature;
  if (!request.tools.empty()) {
    body["tools"] = ResponsesTools(request.tools);
    body["tool_choice"] = NameIn(kResponsesToolChoices, request.tool_choice);
  }
  if (request.delivery == Delivery::kStreamed) body["stream"] = true;
  return body;
}

Result<void> OpenAiResponses::ReadWhole(const json::object& body, AnswerBuilder& out) const {
  if (HasError(body)) return Fail(ReportedFailure({.status = 0, .words = ErrorWordsIn(body)}));
  out.SetId(TextAt(body, "id"));
  out.SetModel(TextAt(body, "model"));
  ReadResponsesUsage(body, out);
  for (const json::object* item : ObjectsAt(body, "output")) TRY(ReadOutputItem(*item, out));
  ReadResponsesEnd(body, out);
  return {};
}

Result<void> OpenAiResponses::ReadEvent(const WireEvent& event, AnswerBuilder& out) const {
  constexpr std::string_view kLast[] = {"response.completed", "response.incomplete",
                                        "response.failed"};
  TRY_ASSIGN(const json::object body, EventBody(event));
  const std::string type = TextAt(body, "type");
  if (type == "error") return Fail(ReportedFailure({.status = 0, .words = {TextAt(body, "code")}}));
  TellPiece(type, body, out);
  if (std::ranges::find(kLast, type) == std::end(kLast)) return {};
  out.Complete();
  out.Mute();
  const json::object* response = ObjectAt(body, "response");
  return response == nullptr ? Result<void>() : ReadWhole(*response, out);
}

}  // namespace falconer::agent
