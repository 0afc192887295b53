#include <string>

#include "tests/conformance_mcp/fixture_tools.h"
#include "tests/conformance_mcp/samples.h"

namespace falconer::test {
namespace {

using api::ToolAnswer;
using api::ToolCall;

Task<ToolAnswer> SimpleText(CallContext, ToolCall) {
  co_return ToolAnswer{.text = "This is a simple text response for testing."};
}

Task<ToolAnswer> Image(CallContext, ToolCall) {
  ToolAnswer answer;
  answer.image = api::ToolImage{.base64 = std::string(kSamplePng), .mime = "image/png"};
  co_return answer;
}

Task<ToolAnswer> Audio(CallContext, ToolCall) {
  ToolAnswer answer;
  answer.more = {api::AudioContent(kSampleWav, "audio/wav")};
  co_return answer;
}

Task<ToolAnswer> Embedded(CallContext, ToolCall) {
  ToolAnswer answer;
  answer.more = {api::EmbeddedContent({.uri = "test://embedded-resource",
                                       .mime = "text/plain",
                                       .text = "This is an embedded resource content."})};
  co_return answer;
}

Task<ToolAnswer> Mixed(CallContext, ToolCall) {
  ToolAnswer answer{.text = "Multiple content types test:"};
  answer.image = api::ToolImage{.base64 = std::string(kSamplePng), .mime = "image/png"};
  answer.more = {api::EmbeddedContent({.uri = "test://mixed-content-resource",
                                       .mime = "application/json",
                                       .text = R"({"test":"data","value":123})"})};
  co_return answer;
}

Task<ToolAnswer> Logging(CallContext, ToolCall call) {
  for (const std::string_view line :
       {"Tool execution started", "Tool processing data", "Tool execution completed"})
    call.log(api::LogLevel::kInfo, json::value(line));
  co_return ToolAnswer{.text = "logged"};
}

Task<ToolAnswer> Progress(CallContext, ToolCall call) {
  for (const std::string_view step : {"begun", "half way", "nearly done"})
    call.report(std::string(step));
  co_return ToolAnswer{.text = "done"};
}

Task<ToolAnswer> Failing(CallContext, ToolCall) {
  co_return ToolAnswer{.text = "This tool intentionally returns an error for testing",
                       .is_error = true};
}

Task<ToolAnswer> NeedsSampling(CallContext, ToolCall call) {
  ToolAnswer answer{.text = "the client has a model"};
  if (call.input.sampling == api::ClientAsking::kCannot)
    answer.refusal = api::MissingCapability({{"sampling", json::object()}});
  co_return answer;
}

Task<ToolAnswer> Arguments(CallContext, ToolCall call) {
  co_return ToolAnswer{.text = json::serialize(call.arguments)};
}

// Whatever JSON Schema 2020-12 has comes through as it is.
json::object RichSchema() {
  return *ParseJsonObject(R"({
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": {"$anchor": "addressDef", "type": "object",
      "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
    "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
      "contactMethod": {"type": "string", "enum": ["phone", "email"]},
      "phone": {"type": "string"}, "email": {"type": "string"}},
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": false})");
}

// One argument that a header repeats.
json::object RoutedSchema() {
  return {{"type", "object"},
          {"properties", {{"region", {{"type", "string"}, {"x-mcp-header", "Region"}}}}}};
}

Task<ToolAnswer> Announce(std::shared_ptr<api::ChangeFeed> changes, api::OfferChange what) {
  changes->Tell(what);
  co_return ToolAnswer{.text = "told"};
}

api::Tool Announcing(std::string_view name, const std::shared_ptr<api::ChangeFeed>& changes,
                     api::OfferChange what) {
  api::Tool tool = FixtureTool(name, nullptr);
  tool.run = [changes, what](const CallContext&, const ToolCall&) {
    return Announce(changes, what);
  };
  return tool;
}

}  // namespace

api::Tool FixtureTool(std::string_view name, FixtureRun run, json::object schema) {
  return {.info = {.name = std::string(name),
                   .title = std::string(name),
                   .description = "For the conformance suite.",
                   .group = "core",
                   .effect = agent::SideEffect::kRead,
                   .input_schema = std::move(schema),
                   .timekeeper = agent::Timekeeper::kTool,
                   .strictness = agent::SchemaStrictness::kLetThrough},
          .run = run};
}

std::vector<api::Tool> PlainTools() {
  return {FixtureTool("test_simple_text", SimpleText),
          FixtureTool("test_image_content", Image),
          FixtureTool("test_audio_content", Audio),
          FixtureTool("test_embedded_resource", Embedded),
          FixtureTool("test_multiple_content_types", Mixed),
          FixtureTool("test_tool_with_logging", Logging),
          FixtureTool("test_logging_tool", Logging),
          FixtureTool("test_tool_with_progress", Progress),
          FixtureTool("test_error_handling", Failing),
          FixtureTool("test_missing_capability", NeedsSampling),
          FixtureTool("json_schema_2020_12_tool", Arguments, RichSchema()),
          FixtureTool("test_routed_call", Arguments, RoutedSchema())};
}

std::vector<api::Tool> ChangingTools(const std::shared_ptr<api::ChangeFeed>& changes) {
  return {Announcing("test_trigger_tool_change", changes, api::OfferChange::kTools),
          Announcing("test_trigger_prompt_change", changes, api::OfferChange::kPrompts)};
}

}  // namespace falconer::test
