#include "tests/conformance_mcp/input_questions.h"

#include "api/mcp/content.h"
#include "base/hmac.h"
#include "base/random.h"

namespace falconer::test {
namespace {

const std::string& SealKey() {
  static const std::string key = RandomHex(32);
  return key;
}

}  // namespace

json::object FormRequest(std::string_view message, std::string_view field, std::string_view type) {
  const json::object schema{{"type", "object"},
                            {"properties", {{field, {{"type", type}}}}},
                            {"required", json::array{field}}};
  return {{"method", "elicitation/create"},
          {"params", {{"mode", "form"}, {"message", message}, {"requestedSchema", schema}}}};
}

json::object SamplingRequest(std::string_view text) {
  const json::array messages{json::object{{"role", "user"}, {"content", api::TextContent(text)}}};
  return {{"method", "sampling/createMessage"},
          {"params", {{"messages", messages}, {"maxTokens", 100}}}};
}

json::object RootsRequest() {
  return {{"method", "roots/list"}, {"params", json::object()}};
}

json::value FilledIn(const json::object& responses, std::string_view name, std::string_view field) {
  const json::value* response = responses.if_contains(name);
  if (response == nullptr) return nullptr;
  const json::value* content = response->as_object().if_contains("content");
  if (content == nullptr || !content->is_object()) return nullptr;
  const json::value* value = content->get_object().if_contains(field);
  return value == nullptr ? json::value() : *value;
}

std::string Sealed(const json::object& state) {
  const std::string text = json::serialize(state);
  return HmacSha256Hex(SealKey(), text) + " " + text;
}

std::optional<json::object> Unsealed(std::string_view text) {
  const auto space = text.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const std::string_view state = text.substr(space + 1);
  if (HmacSha256Hex(SealKey(), state) != text.substr(0, space)) return std::nullopt;
  auto parsed = ParseJsonObject(state);
  if (!parsed) return std::nullopt;
  return *std::move(parsed);
}

}  // namespace falconer::test
