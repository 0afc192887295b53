#include <string>

#include "tests/conformance_mcp/fixture_tools.h"

namespace falconer::test {
namespace {

using api::ToolAnswer;
using api::ToolCall;

ToolAnswer Outcome(const Result<json::object>& result) {
  if (!result) return {.text = Describe(result.error()), .is_error = true};
  return {.text = json::serialize(*result)};
}

Task<ToolAnswer> Elicit(CallContext ctx, api::ClientInput input, json::object question) {
  if (!input.ask) co_return ToolAnswer{.text = "the client shows no forms", .is_error = true};
  co_return Outcome(co_await input.ask(std::move(ctx), std::move(question)));
}

json::object Form(std::string_view message, json::object properties, json::array required = {}) {
  json::object schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  return {{"mode", "form"}, {"message", message}, {"requestedSchema", std::move(schema)}};
}

Task<ToolAnswer> Sampling(CallContext ctx, ToolCall call) {
  if (!call.input.sample) co_return ToolAnswer{.text = "the client has no model", .is_error = true};
  const json::object content = api::TextContent(TextAt(call.arguments, "prompt"));
  json::object question{
      {"messages", json::array{json::object{{"role", "user"}, {"content", content}}}},
      {"maxTokens", 100}};
  co_return Outcome(co_await call.input.sample(std::move(ctx), std::move(question)));
}

Task<ToolAnswer> Elicitation(CallContext ctx, ToolCall call) {
  const json::object response{{"type", "string"}, {"description", "User's response"}};
  return Elicit(std::move(ctx), std::move(call.input),
                Form(TextAt(call.arguments, "message"), {{"response", response}}, {"response"}));
}

json::object PropertiesIn(std::string_view text) {
  return *ParseJsonObject(text);
}

// One field of each type, with what it is when nobody changes it.
Task<ToolAnswer> Defaults(CallContext ctx, ToolCall call) {
  return Elicit(std::move(ctx), std::move(call.input),
                Form("Please review the form", PropertiesIn(R"({
    "name": {"type": "string", "description": "User name", "default": "John Doe"},
    "age": {"type": "integer", "description": "User age", "default": 30},
    "score": {"type": "number", "description": "User score", "default": 95.5},
    "status": {"type": "string", "description": "User status",
      "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "description": "Verification status", "default": true}})")));
}

// Choices in every way that there is to write them.
Task<ToolAnswer> Choices(CallContext ctx, ToolCall call) {
  return Elicit(std::move(ctx), std::move(call.input), Form("Please choose", PropertiesIn(R"({
    "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
    "titledSingle": {"type": "string", "oneOf": [{"const": "value1", "title": "First Option"},
      {"const": "value2", "title": "Second Option"}, {"const": "value3", "title": "Third Option"}]},
    "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"],
      "enumNames": ["Option One", "Option Two", "Option Three"]},
    "untitledMulti": {"type": "array", "minItems": 1, "maxItems": 3,
      "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
    "titledMulti": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"anyOf": [
      {"const": "value1", "title": "First Choice"}, {"const": "value2", "title": "Second Choice"},
      {"const": "value3", "title": "Third Choice"}]}}})")));
}

json::object OneText(std::string_view name) {
  return {{"type", "object"},
          {"properties", {{name, {{"type", "string"}}}}},
          {"required", json::array{name}}};
}

}  // namespace

std::vector<api::Tool> WaitingTools() {
  return {FixtureTool("test_sampling", Sampling, OneText("prompt")),
          FixtureTool("test_elicitation", Elicitation, OneText("message")),
          FixtureTool("test_elicitation_sep1034_defaults", Defaults),
          FixtureTool("test_elicitation_sep1330_enums", Choices)};
}

}  // namespace falconer::test
