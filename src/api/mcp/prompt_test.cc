#include "api/mcp/prompt.h"

#include "api/mcp/content.h"
#include "tests/support/co_test.h"
#include "tests/support/mcp_offer_bench.h"

namespace falconer::api {
namespace {

using test::FailureIn;
using test::McpOfferBench;

Task<Result<PromptAnswer>> Greeting(CallContext, PromptCall call) {
  const auto tone = call.arguments.find("tone");
  const std::string text = "Greet " + call.arguments.at("who") +
                           (tone == call.arguments.end() ? "" : " " + tone->second);
  co_return PromptAnswer{.messages = {PromptMessage(PromptRole::kUser, TextContent(text))}};
}

Task<Result<PromptAnswer>> Asking(CallContext, PromptCall call) {
  PromptAnswer answer;
  if (call.input.responses.empty()) {
    answer.questions =
        InputQuestions{.requests = {{"q", {{"method", "elicitation/create"}}}}, .state = "s"};
  } else {
    answer.messages = {PromptMessage(PromptRole::kAssistant, TextContent(call.input.state))};
  }
  co_return answer;
}

Task<Result<PromptAnswer>> Broken(CallContext, PromptCall) {
  co_return Fail(ErrorCode::kIoError, "the prompt is gone");
}

McpOffer WithPrompts() {
  McpOffer offer(ToolCatalog({}));
  const PromptArgument who{.name = "who", .description = "Whom"};
  const PromptArgument tone{.name = "tone", .description = "How", .need = ArgumentNeed::kOptional};
  offer.prompts = {
      {.info = {.name = "greet", .title = "Greet", .description = "Hi.", .arguments = {who, tone}},
       .run = Greeting},
      {.info = {.name = "ask", .title = "Ask", .description = "Eh?"}, .run = Asking},
      {.info = {.name = "broken", .title = "Broken", .description = "No."}, .run = Broken}};
  return offer;
}

CO_TEST(PromptTest, ListsPromptsWithTheirArguments) {
  McpOfferBench bench(ctx, WithPrompts());

  const auto legacy = co_await bench.Ask("prompts/list");
  const auto modern = co_await bench.AskModern("prompts/list");

  const auto& prompts = legacy.at("result").at("prompts").as_array();
  EXPECT_EQ(prompts.size(), 3U);
  EXPECT_EQ(json::serialize(prompts.at(0).at("arguments")),
            R"([{"name":"who","description":"Whom","required":true},)"
            R"({"name":"tone","description":"How","required":false}])");
  EXPECT_FALSE(prompts.at(1).as_object().contains("arguments"));
  EXPECT_TRUE(modern.at("result").as_object().contains("ttlMs"));
}

CO_TEST(PromptTest, FillsInWhatIsGiven) {
  McpOfferBench bench(ctx, WithPrompts());

  const auto got = co_await bench.Ask(
      "prompts/get", {{"name", "greet"}, {"arguments", {{"who", "Ada"}, {"tone", "warmly"}}}});

  EXPECT_EQ(json::serialize(got.at("result")),
            R"({"description":"Hi.","messages":[{"role":"user",)"
            R"("content":{"type":"text","text":"Greet Ada warmly"}}]})");
}

CO_TEST(PromptTest, RefusesWhatItCannotFillIn) {
  McpOfferBench bench(ctx, WithPrompts());

  const json::object calls[] = {
      {{"name", "unknown"}},
      {{"name", "greet"}},
      {{"name", "greet"}, {"arguments", {{"tone", "warmly"}}}},
      {{"name", "greet"}, {"arguments", {{"who", 7}}}},
      {{"name", "greet"}, {"arguments", "Ada"}},
  };
  for (const json::object& call : calls) {
    const auto refused = co_await bench.Ask("prompts/get", call);
    EXPECT_EQ(FailureIn(refused), kRpcInvalidParams) << json::serialize(call);
  }
  const auto broken = co_await bench.Ask("prompts/get", {{"name", "broken"}});
  EXPECT_EQ(broken.at("error").at("data").at("code"), "IO_ERROR");
}

CO_TEST(PromptTest, AsksClientsOfTheNewRevisionByItsAnswer) {
  McpOfferBench bench(ctx, WithPrompts());

  const auto asked = co_await bench.AskModern("prompts/get", {{"name", "ask"}});
  const auto told =
      co_await bench.AskModern("prompts/get", {{"name", "ask"},
                                               {"inputResponses", {{"q", {{"action", "accept"}}}}},
                                               {"requestState", "s"}});

  EXPECT_EQ(asked.at("result").at("resultType"), "input_required");
  EXPECT_EQ(asked.at("result").at("requestState"), "s");
  EXPECT_EQ(told.at("result").at("resultType"), "complete");
  EXPECT_EQ(told.at("result").at("messages").at(0).at("content").at("text"), "s");
}

CO_TEST(PromptTest, AServerWithoutPromptsDoesNotSpeakOfThem) {
  McpOfferBench bench(ctx, ToolCatalog({}));

  const auto said = co_await bench.AskModern("server/discover");

  EXPECT_FALSE(said.at("result").at("capabilities").as_object().contains("prompts"));
  EXPECT_EQ(FailureIn(co_await bench.Ask("prompts/list")), kRpcMethodNotFound);
}

}  // namespace
}  // namespace falconer::api
