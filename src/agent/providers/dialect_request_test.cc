// Requests, byte for byte in meaning, as each provider documents them.
#include <gtest/gtest.h>

#include "agent/providers/dialect.h"
#include "base/json/canonical_json.h"
#include "tests/support/model_fixtures.h"

namespace falconer::agent {
namespace {

struct RequestCase {
  ProviderKind kind;
  std::string fixture;
  std::string_view path;
};

const RequestCase kRequestCases[] = {
    {ProviderKind::kOpenAiChat, "openai_chat_request.json", "/chat/completions"},
    {ProviderKind::kOpenAiResponses, "openai_responses_request.json", "/responses"},
    {ProviderKind::kAnthropic, "anthropic_request.json", "/v1/messages"},
    {ProviderKind::kOllama, "ollama_request.json", "/api/chat"},
};

ProviderSpec SpecOf(ProviderKind kind) {
  return {.name = "x", .kind = kind, .url = "http://x", .model = "the-model", .context = 8192};
}

TEST(DialectRequestTest, WritesEveryPartAsTheProviderReadsIt) {
  for (const RequestCase& one : kRequestCases) {
    const Dialect& dialect = DialectOf(one.kind);

    const json::object body = dialect.Body(test::SampleChatRequest(), SpecOf(one.kind));

    const auto wanted = CanonicalizeJson(test::ModelFixture(one.fixture));
    EXPECT_EQ(CanonicalJson(body).value(), wanted.value()) << one.fixture;
    EXPECT_EQ(dialect.path(), one.path);
  }
}

TEST(DialectRequestTest, EveryKindHasADialect) {
  EXPECT_EQ(std::size(kProviderKinds), std::size(kRequestCases));
}

TEST(DialectRequestTest, LeavesOutWhatNobodyAskedFor) {
  ChatRequest request{.delivery = Delivery::kWhole};
  request.messages.emplace_back(UserMessage{.text = "hi"});
  for (const RequestCase& one : kRequestCases) {
    const json::object body = DialectOf(one.kind).Body(request, SpecOf(one.kind));

    for (const std::string_view key :
         {"tools", "tool_choice", "temperature", "stream_options", "system", "instructions"})
      EXPECT_FALSE(body.contains(key)) << one.fixture << " " << key;
    EXPECT_FALSE(IsTrueAt(body, "stream")) << one.fixture;
  }
}

TEST(DialectRequestTest, AsksModelsThatReasonInTheirTerms) {
  ProviderSpec spec = SpecOf(ProviderKind::kOpenAiChat);
  spec.reasons = true;

  const json::object body =
      DialectOf(ProviderKind::kOpenAiChat).Body(test::SampleChatRequest(), spec);

  EXPECT_TRUE(body.contains("max_completion_tokens"));
  EXPECT_FALSE(body.contains("max_tokens"));
  EXPECT_FALSE(body.contains("temperature"));
}

TEST(DialectRequestTest, ShowsOllamaNoToolsThatMayNotBeCalled) {
  ChatRequest request = test::SampleChatRequest();
  request.tool_choice = ToolChoice::kNone;

  const json::object body =
      DialectOf(ProviderKind::kOllama).Body(request, SpecOf(ProviderKind::kOllama));

  EXPECT_FALSE(body.contains("tools"));
}

TEST(DialectRequestTest, SendsTheKeyWhereItBelongs) {
  struct KeyCase {
    ProviderKind kind;
    std::string_view header;
    std::string_view value;
  };
  const KeyCase cases[] = {{ProviderKind::kOpenAiChat, "Authorization", "Bearer k"},
                           {ProviderKind::kOpenAiResponses, "Authorization", "Bearer k"},
                           {ProviderKind::kAnthropic, "x-api-key", "k"},
                           {ProviderKind::kOllama, "Authorization", "Bearer k"}};
  for (const KeyCase& one : cases) {
    EXPECT_EQ(DialectOf(one.kind).Headers("k").Find(one.header), one.value);
    EXPECT_FALSE(DialectOf(one.kind).Headers("").Has(one.header));
  }
  EXPECT_EQ(DialectOf(ProviderKind::kAnthropic).Headers("").Find("anthropic-version"),
            "2023-06-01");
}

TEST(ChatRequestTest, CountsAllThatIsSent) {
  const ChatRequest sample = test::SampleChatRequest();
  ChatRequest without_pictures = sample;
  std::get<UserMessage>(without_pictures.messages[0]).images.clear();
  std::get<ToolReplies>(without_pictures.messages[2]).replies[1].images.clear();

  EXPECT_TRUE(HasImages(sample));
  EXPECT_FALSE(HasImages(without_pictures));
  EXPECT_GT(EstimateRequestTokens(sample), EstimateRequestTokens(without_pictures) + 1000);
  EXPECT_GT(EstimateRequestTokens(without_pictures), 30U);
}

// What a model of another kind said before: OpenAI refuses null, Anthropic a blank.
TEST(DialectRequestTest, GivesNothingBackThatWouldBeRefused) {
  ChatRequest request;
  request.messages.emplace_back(UserMessage{.text = "hi"});
  request.messages.emplace_back(AssistantMessage{.text = ""});
  request.messages.emplace_back(UserMessage{.text = "again"});
  request.messages.emplace_back(
      AssistantMessage{.text = "\n\n", .calls = {{.id = "a", .name = "t", .arguments = {}}}});

  const json::object chat =
      DialectOf(ProviderKind::kOpenAiChat).Body(request, SpecOf(ProviderKind::kOpenAiChat));
  const json::object messages =
      DialectOf(ProviderKind::kAnthropic).Body(request, SpecOf(ProviderKind::kAnthropic));

  EXPECT_EQ(chat.at("messages").at(1).at("content"), "");
  const json::array& said = messages.at("messages").as_array().back().at("content").as_array();
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said.at(0).at("type"), "tool_use");
}

}  // namespace
}  // namespace falconer::agent
