#include <string>

#include "api/mcp/content.h"
#include "tests/conformance_mcp/fixture_resources.h"
#include "tests/conformance_mcp/input_questions.h"
#include "tests/conformance_mcp/samples.h"

namespace falconer::test {
namespace {

using api::PromptAnswer;
using api::PromptCall;
using PromptRun = Task<Result<PromptAnswer>> (*)(CallContext ctx, PromptCall call);

json::object FromUser(json::object content) {
  return api::PromptMessage(api::PromptRole::kUser, std::move(content));
}

Task<Result<PromptAnswer>> Simple(CallContext, PromptCall) {
  co_return PromptAnswer{
      .messages = {FromUser(api::TextContent("This is a simple prompt for testing."))}};
}

Task<Result<PromptAnswer>> WithArguments(CallContext, PromptCall call) {
  const std::string text =
      "arg1='" + call.arguments.at("arg1") + "', arg2='" + call.arguments.at("arg2") + "'";
  co_return PromptAnswer{.messages = {FromUser(api::TextContent(text))}};
}

Task<Result<PromptAnswer>> WithResource(CallContext, PromptCall call) {
  const api::ResourceContent resource{.uri = call.arguments.at("resourceUri"),
                                      .mime = "text/plain",
                                      .text = "Embedded resource content for testing."};
  co_return PromptAnswer{.messages = {FromUser(api::EmbeddedContent(resource)),
                                      FromUser(api::TextContent("Please process it."))}};
}

Task<Result<PromptAnswer>> WithImage(CallContext, PromptCall) {
  co_return PromptAnswer{.messages = {FromUser(api::ImageContent(kSamplePng, "image/png")),
                                      FromUser(api::TextContent("Please look at it."))}};
}

Task<Result<PromptAnswer>> Asking(CallContext, PromptCall call) {
  const json::value context = FilledIn(call.input.responses, "user_context", "context");
  if (context.is_string()) {
    const std::string text = "Context: " + std::string(context.as_string());
    co_return PromptAnswer{.messages = {FromUser(api::TextContent(text))}};
  }
  PromptAnswer answer;
  answer.questions = api::InputQuestions{
      .requests = {{"user_context",
                    FormRequest("What context should the prompt use?", "context", "string")}},
      .state = ""};
  co_return answer;
}

api::Prompt Named(std::string name, PromptRun run, std::vector<std::string> arguments = {}) {
  api::Prompt prompt{
      .info = {.name = name, .title = name, .description = "For the conformance suite."},
      .run = run};
  for (std::string& argument : arguments)
    prompt.info.arguments.push_back({.name = std::move(argument), .description = "A text"});
  return prompt;
}

}  // namespace

std::vector<api::Prompt> FixturePrompts() {
  return {Named("test_simple_prompt", Simple),
          Named("test_prompt_with_arguments", WithArguments, {"arg1", "arg2"}),
          Named("test_prompt_with_embedded_resource", WithResource, {"resourceUri"}),
          Named("test_prompt_with_image", WithImage),
          Named("test_input_required_result_prompt", Asking)};
}

}  // namespace falconer::test
