// Answers as they come over the wire, read into the one form.
#include <algorithm>

#include <gtest/gtest.h>

#include "agent/providers/dialect.h"
#include "agent/providers/provider_error.h"
#include "tests/support/model_fixtures.h"

namespace falconer::agent {
namespace {

const std::string kShopText = "A shop with 3 goods.";

// Reads a fixture as its ending says, in pieces of that size.
Result<ProviderAnswer> ReadFixture(ProviderKind kind, const std::string& name, std::size_t piece,
                                   DeltaSink sink = {}) {
  const Dialect& dialect = DialectOf(kind);
  const std::string text = test::ModelFixture(name);
  AnswerBuilder builder(std::move(sink));
  if (name.ends_with(".json")) {
    TRY_ASSIGN(const json::object body, ParseJsonObject(text));
    TRY(dialect.ReadWhole(body, builder));
    return builder.Finish();
  }
  const auto reader = MakeWireReader(dialect.framing());
  for (std::size_t at = 0; at < text.size(); at += piece) {
    TRY_ASSIGN(const auto events, reader->Take(std::string_view(text).substr(at, piece)));
    for (const WireEvent& event : events) TRY(dialect.ReadEvent(event, builder));
  }
  for (const WireEvent& event : reader->End()) TRY(dialect.ReadEvent(event, builder));
  return builder.Finish();
}

struct AnswerCase {
  ProviderKind kind;
  std::string fixture;
  AnswerEnd end;
  std::string text;                // said, alone or beside calls
  std::vector<std::string> calls;  // ids; "" for one that had to be made up
  TokenUsage usage;
};

const AnswerCase kAnswerCases[] = {
    {ProviderKind::kOpenAiChat,
     "openai_chat_text.json",
     AnswerEnd::kDone,
     kShopText,
     {},
     {1117, 1024, 46}},
    {ProviderKind::kOpenAiChat,
     "openai_chat_text.sse",
     AnswerEnd::kDone,
     kShopText,
     {},
     {19, 0, 10}},
    {ProviderKind::kOpenAiChat,
     "openai_chat_tools.json",
     AnswerEnd::kToolCalls,
     "",
     {"call_a", "call_b"},
     {82, 0, 17}},
    {ProviderKind::kOpenAiChat,
     "openai_chat_tools.sse",
     AnswerEnd::kToolCalls,
     "",
     {"call_a", "call_b"},
     {82, 0, 17}},
    {ProviderKind::kOpenAiChat,
     "openai_chat_compatible_tools.sse",
     AnswerEnd::kToolCalls,
     "",
     {""},
     {34, 0, 5}},
    {ProviderKind::kOpenAiResponses,
     "openai_responses_tools.json",
     AnswerEnd::kToolCalls,
     "",
     {"call_a", "call_b"},
     {291, 128, 23}},
    {ProviderKind::kOpenAiResponses,
     "openai_responses_text.sse",
     AnswerEnd::kDone,
     kShopText,
     {},
     {37, 0, 11}},
    {ProviderKind::kOpenAiResponses,
     "openai_responses_tools.sse",
     AnswerEnd::kToolCalls,
     "",
     {"call_a"},
     {60, 0, 15}},
    {ProviderKind::kOpenAiResponses,
     "openai_responses_incomplete.json",
     AnswerEnd::kLength,
     "A shop with",
     {},
     {37, 0, 4}},
    {ProviderKind::kAnthropic,
     "anthropic_text.json",
     AnswerEnd::kDone,
     kShopText,
     {},
     {2143, 1800, 503}},
    {ProviderKind::kAnthropic,
     "anthropic_tools.json",
     AnswerEnd::kToolCalls,
     "I look.",
     {"toolu_a", "toolu_b"},
     {472, 0, 89}},
    {ProviderKind::kAnthropic,
     "anthropic_tools.sse",
     AnswerEnd::kToolCalls,
     "I look.",
     {"toolu_a", "toolu_b"},
     {500, 28, 89}},
    {ProviderKind::kOllama, "ollama_text.ndjson", AnswerEnd::kDone, kShopText, {}, {26, 0, 282}},
    {ProviderKind::kOllama,
     "ollama_tools.ndjson",
     AnswerEnd::kToolCalls,
     "",
     {"", ""},
     {169, 0, 15}},
    {ProviderKind::kOllama, "ollama_tools.json", AnswerEnd::kToolCalls, "", {"", ""}, {169, 0, 18}},
    {ProviderKind::kOllama,
     "ollama_length.json",
     AnswerEnd::kLength,
     "A shop with",
     {},
     {26, 0, 4}},
};

const ToolCalls* CallsOf(const ProviderAnswer& answer) {
  return std::get_if<ToolCalls>(&answer.action);
}

std::string TextOf(const ProviderAnswer& answer) {
  const ToolCalls* calls = CallsOf(answer);
  return calls != nullptr ? calls->text : std::get<Respond>(answer.action).text;
}

void ExpectCalls(const AnswerCase& wanted, const ProviderAnswer& answer) {
  const ToolCalls* calls = CallsOf(answer);
  ASSERT_EQ(calls == nullptr ? 0 : calls->calls.size(), wanted.calls.size()) << wanted.fixture;
  constexpr std::string_view kNames[] = {"read_page", "screenshot"};
  const json::object arguments[] = {{{"tab", 1}}, {}};
  for (std::size_t i = 0; i < wanted.calls.size(); ++i) {
    const ToolCall& call = calls->calls[i];
    EXPECT_EQ(call.name, kNames[i]) << wanted.fixture;
    EXPECT_EQ(call.arguments, arguments[i]) << wanted.fixture;
    if (wanted.calls[i].empty()) {
      EXPECT_TRUE(call.id.starts_with("call_")) << wanted.fixture;
    } else {
      EXPECT_EQ(call.id, wanted.calls[i]) << wanted.fixture;
    }
  }
}

TEST(DialectAnswerTest, ReadsEveryRecordedAnswerHoweverItIsCut) {
  for (const AnswerCase& one : kAnswerCases) {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{100'000}}) {
      const auto answer = ReadFixture(one.kind, one.fixture, piece);

      ASSERT_TRUE(answer) << one.fixture << ": " << Describe(answer.error());
      EXPECT_EQ(answer->end, one.end) << one.fixture;
      EXPECT_EQ(TextOf(*answer), one.text) << one.fixture;
      EXPECT_EQ(answer->usage, one.usage) << one.fixture;
      EXPECT_FALSE(answer->model.empty()) << one.fixture;
      ExpectCalls(one, *answer);
    }
  }
}

TEST(DialectAnswerTest, TellsThePiecesInOrder) {
  struct PieceCase {
    ProviderKind kind;
    std::string fixture;
    std::string told;  // texts in (), names in <>, arguments as they are
  };
  const PieceCase cases[] = {
      {ProviderKind::kOpenAiChat, "openai_chat_text.sse", "(A shop )(with 3 goods.)"},
      {ProviderKind::kOpenAiChat, "openai_chat_tools.sse", R"(<read_page>{"tab":1}<screenshot>{})"},
      {ProviderKind::kOpenAiResponses, "openai_responses_text.sse", "(A shop )(with 3 goods.)"},
      {ProviderKind::kOpenAiResponses, "openai_responses_tools.sse", R"(<read_page>{"tab":1})"},
      {ProviderKind::kAnthropic, "anthropic_tools.sse",
       R"((I )(look.)<read_page>{"tab": 1}<screenshot>)"},
      {ProviderKind::kOllama, "ollama_text.ndjson", "(A shop)( with 3 goods.)"},
  };
  for (const PieceCase& one : cases) {
    std::string told;
    const auto answer = ReadFixture(one.kind, one.fixture, 5, [&](const ChatDelta& delta) {
      if (const auto* text = std::get_if<TextDelta>(&delta)) told += "(" + text->text + ")";
      if (const auto* call = std::get_if<CallDelta>(&delta)) told += "<" + call->name + ">";
      if (const auto* part = std::get_if<ArgumentsDelta>(&delta)) told += part->text;
    });
    EXPECT_TRUE(answer) << one.fixture;
    EXPECT_EQ(told, one.told) << one.fixture;
  }
}

TEST(DialectAnswerTest, NamesWhatIsNoAnswer) {
  struct FaultCase {
    ProviderKind kind;
    std::string fixture;
    ErrorCode code;
    std::string_view reason;
  };
  const FaultCase cases[] = {
      {ProviderKind::kOpenAiChat, "openai_chat_filtered.sse", ErrorCode::kProviderBlocked,
       kContentRefused},
      {ProviderKind::kOpenAiChat, "openai_chat_refusal.json", ErrorCode::kProviderBlocked,
       kContentRefused},
      {ProviderKind::kOpenAiChat, "openai_chat_bad_arguments.json",
       ErrorCode::kProviderAnswerInvalid, ""},
      {ProviderKind::kOpenAiChat, "openai_chat_error.sse", ErrorCode::kProviderError, ""},
      {ProviderKind::kOpenAiResponses, "openai_responses_failed.sse", ErrorCode::kProviderError,
       ""},
      {ProviderKind::kOpenAiResponses, "openai_responses_refusal.json", ErrorCode::kProviderBlocked,
       kContentRefused},
      {ProviderKind::kAnthropic, "anthropic_refusal.sse", ErrorCode::kProviderBlocked,
       kContentRefused},
      {ProviderKind::kAnthropic, "anthropic_overloaded.sse", ErrorCode::kProviderOverloaded, ""},
      {ProviderKind::kOllama, "ollama_error.ndjson", ErrorCode::kProviderError, ""},
  };
  for (const FaultCase& one : cases) {
    const auto answer = ReadFixture(one.kind, one.fixture, 11);

    ASSERT_FALSE(answer) << one.fixture;
    EXPECT_EQ(answer.error().code(), one.code) << one.fixture << Describe(answer.error());
    EXPECT_EQ(TextAt(answer.error().details(), "reason"), one.reason) << one.fixture;
  }
}

// Every prefix of a stream that lacks its end is cut off, never half an answer.
TEST(DialectAnswerTest, TakesNoPartForTheWhole) {
  const std::string text = test::ModelFixture("anthropic_tools.sse");
  const std::size_t end = text.find("event: message_delta");
  const Dialect& dialect = DialectOf(ProviderKind::kAnthropic);
  for (std::size_t size = 0; size < end; size += 97) {
    AnswerBuilder builder;
    const auto reader = MakeWireReader(dialect.framing());
    const auto events = reader->Take(std::string_view(text).substr(0, size));
    for (const WireEvent& event : events.value())
      EXPECT_TRUE(dialect.ReadEvent(event, builder)) << size;

    const auto answer = builder.Finish();

    ASSERT_FALSE(answer) << size;
    EXPECT_EQ(FaultOf(answer.error()), ProviderFault::kInfrastructure) << size;
  }
}

TEST(DialectAnswerTest, ArgumentsThatAreNoObjectAreRefusedEverywhere) {
  struct BadCase {
    ProviderKind kind;
    std::string_view body;
  };
  const BadCase cases[] = {
      {ProviderKind::kOpenAiChat,
       R"({"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"t","arguments":)"
       R"("[1]"}}]},"finish_reason":"tool_calls"}]})"},
      {ProviderKind::kOpenAiResponses,
       R"({"status":"completed","output":[{"type":"function_call","call_id":"a","name":"t",)"
       R"("arguments":"{\"x\":"}]})"},
      {ProviderKind::kAnthropic,
       R"({"type":"message","content":[{"type":"tool_use","id":"a","name":"t","input":"x"}],)"
       R"("stop_reason":"tool_use"})"},
      {ProviderKind::kOllama,
       R"({"message":{"tool_calls":[{"function":{"name":"t","arguments":"x"}}]},"done":true})"},
  };
  for (const BadCase& one : cases) {
    AnswerBuilder builder;
    const auto read = DialectOf(one.kind).ReadWhole(ParseJsonObject(one.body).value(), builder);
    const auto answer = read ? builder.Finish() : Result<ProviderAnswer>(Fail(read.error()));
    ASSERT_FALSE(answer) << one.body;
    EXPECT_EQ(answer.error().code(), ErrorCode::kProviderAnswerInvalid) << one.body;
  }
}

Result<ProviderAnswer> ReadText(ProviderKind kind, std::string_view body) {
  AnswerBuilder builder;
  TRY(DialectOf(kind).ReadWhole(ParseJsonObject(body).value(), builder));
  return builder.Finish();
}

// As some who speak like OpenAI send them.
TEST(DialectAnswerTest, ArgumentsMayBeTheObjectItself) {
  const auto chat = ReadText(
      ProviderKind::kOpenAiChat,
      R"({"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"t","arguments":)"
      R"({"x":1}}}]},"finish_reason":"tool_calls"}]})");
  const auto number = ReadText(
      ProviderKind::kOpenAiChat,
      R"({"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"t","arguments":)"
      R"(7}}]},"finish_reason":"tool_calls"}]})");

  ASSERT_TRUE(chat) << chat.error().message();
  EXPECT_EQ(std::get<ToolCalls>(chat->action).calls.at(0).arguments, (json::object{{"x", 1}}));
  ASSERT_FALSE(number);
  EXPECT_EQ(number.error().code(), ErrorCode::kProviderAnswerInvalid);
}

TEST(DialectAnswerTest, ACallThatWasCutOffBeforeItsArgumentsIsNone) {
  const auto cut = ReadText(
      ProviderKind::kOpenAiChat,
      R"({"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"t","arguments":)"
      R"(""}}]},"finish_reason":"length"}]})");

  ASSERT_FALSE(cut) << "it would be called with nothing";
  EXPECT_TRUE(cut.error().message().contains("cut off by the token limit"));
}

TEST(DialectAnswerTest, AnAnswerWithoutAWordIsNone) {
  const auto blank =
      ReadText(ProviderKind::kOllama, R"({"message":{"content":" \n"},"done":true})");

  ASSERT_FALSE(blank);
  EXPECT_EQ(blank.error().code(), ErrorCode::kProviderAnswerInvalid);
}

TEST(DialectAnswerTest, CountsThatCannotBeAreStillNumbers) {
  const auto answer = ReadText(
      ProviderKind::kAnthropic,
      R"({"type":"message","content":[{"type":"text","text":"Done."}],"stop_reason":"end_turn",)"
      R"("usage":{"input_tokens":9223372036854775807,"cache_read_input_tokens":)"
      R"(9223372036854775807,"output_tokens":9223372036854775807}})");

  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_GT(answer->usage.input, 1'000'000);
  const std::int64_t cost =
      CostMicros({.input = 100'000, .cached_input = 100'000, .output = 100'000}, answer->usage);
  EXPECT_GT(cost, 1'000'000);
}

}  // namespace
}  // namespace falconer::agent
