#include "agent/providers/dialect_parts.h"

#include "agent/providers/provider_error.h"
#include "base/base64.h"

namespace falconer::agent {

std::string DataUrl(const ChatImage& image) {
  return "data:" + image.media_type + ";base64," + EncodeBase64(image.bytes);
}

json::array FunctionTools(const std::vector<ToolOffer>& tools) {
  json::array out;
  for (const ToolOffer& tool : tools) {
    out.push_back({{"type", "function"},
                   {"function",
                    {{"name", tool.name},
                     {"description", tool.description},
                     {"parameters", tool.parameters}}}});
  }
  return out;
}

std::optional<UserMessage> ShownImages(const ToolReplies& message) {
  UserMessage shown{.text = "Pictures from:"};
  for (const ToolReply& reply : message.replies) {
    if (reply.images.empty()) continue;
    shown.text += " " + reply.name;
    shown.images.insert(shown.images.end(), reply.images.begin(), reply.images.end());
  }
  if (shown.images.empty()) return std::nullopt;
  return shown;
}

Result<std::string> ArgumentsOf(const json::object& call) {
  const json::value* arguments = call.if_contains("arguments");
  if (arguments == nullptr || arguments->is_null()) return std::string();
  if (const json::string* text = arguments->if_string()) return std::string(*text);
  if (arguments->is_object()) return json::serialize(*arguments);
  return Fail(ProviderFailure(ProviderFault::kInvalidAnswer,
                              "the arguments of a call are not a JSON object"));
}

Result<json::object> EventBody(const WireEvent& event) {
  auto body = ParseJsonObject(event.data);
  if (body) return body;
  return Fail(ProviderFailure(ProviderFault::kInvalidAnswer, "an event is not a JSON object"));
}

}  // namespace falconer::agent
