// Each protocol against a server that speaks it, with the failures that providers have.
#include "agent/providers/web_provider.h"

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

#include "agent/providers/failed_bill.h"
#include "agent/providers/provider_error.h"
#include "tests/support/captured_log.h"
#include "tests/support/co_test.h"
#include "tests/support/model_fixtures.h"
#include "tests/support/model_server.h"

namespace falconer::agent {
namespace {

using std::chrono::milliseconds;
using test::ModelFixture;
using test::ModelReply;
using test::ModelServer;

constexpr std::string_view kPlantedKey = "sk-planted-key";
constexpr std::string_view kEventStream = "text/event-stream; charset=utf-8";

struct Protocol {
  ProviderKind kind;
  std::string stream_type;
  std::string stream;
  std::string whole;
  std::string path;
  std::string last;  // what begins the end of the stream
};

const Protocol kProtocols[] = {
    {ProviderKind::kOpenAiChat, "text/event-stream; charset=utf-8", "openai_chat_tools.sse",
     "openai_chat_tools.json", "/chat/completions", R"("finish_reason":"tool_calls")"},
    {ProviderKind::kOpenAiResponses, "text/event-stream; charset=utf-8",
     "openai_responses_tools.sse", "openai_responses_tools.json", "/responses",
     "event: response.completed"},
    {ProviderKind::kAnthropic, "text/event-stream; charset=utf-8", "anthropic_tools.sse",
     "anthropic_tools.json", "/v1/messages", "event: message_delta"},
    {ProviderKind::kOllama, "application/x-ndjson", "ollama_tools.ndjson", "ollama_tools.json",
     "/api/chat", "\n{"},
};

ProviderSpec SpecAt(const ModelServer& server, ProviderKind kind) {
  ProviderSpec spec{.name = "tested", .kind = kind, .url = server.url(), .model = "m"};
  spec.key = policy::SecretReference{.name = "MODEL_KEY"};
  spec.price = {.input = 1, .cached_input = 1, .output = 2};
  spec.sees = true;
  return spec;
}

Task<Result<policy::SecretText>> PlantedKey(CallContext /*ctx*/, policy::SecretReference reference,
                                            std::string url) {
  EXPECT_EQ(reference.name, "MODEL_KEY");
  EXPECT_TRUE(url.starts_with("http://127.0.0.1:")) << url;
  co_return policy::SecretText(kPlantedKey);
}

// What one reply makes of one question.
Task<Result<ProviderAnswer>> AskOnce(CallContext ctx, ProviderKind kind, ModelReply reply) {
  ModelServer server(ctx);
  server.Then(std::move(reply));
  WebProvider provider(SpecAt(server, kind), PlantedKey);
  auto answer = co_await provider.Ask(ctx, test::SampleChatRequest(), {});
  co_await server.Stop();
  co_return answer;
}

bool IsAsked(const net::HttpRequest& request, const Protocol& protocol) {
  const bool has_key = request.headers.Find("Authorization") == "Bearer sk-planted-key" ||
                       request.headers.Find("x-api-key") == kPlantedKey;
  const auto body = ParseJsonObject(request.body);
  return has_key && request.method == "POST" && request.path == protocol.path && body &&
         TextAt(*body, "model") == "m" &&
         request.headers.Find("Content-Type") == "application/json";
}

CO_TEST(WebProviderTest, SpeaksEveryProtocolStreamedAndWhole) {
  for (const Protocol& one : kProtocols) {
    for (const Delivery delivery : {Delivery::kStreamed, Delivery::kWhole}) {
      ModelServer server(ctx);
      const bool streams = delivery == Delivery::kStreamed;
      server.Then({.type = streams ? one.stream_type : "application/json; charset=utf-8",
                   .body = ModelFixture(streams ? one.stream : one.whole)});
      WebProvider provider(SpecAt(server, one.kind), PlantedKey);
      ChatRequest request = test::SampleChatRequest();
      request.delivery = delivery;
      int told = 0;

      const auto answer =
          co_await provider.Ask(ctx, request, [&](const ChatDelta& /*delta*/) { ++told; });

      EXPECT_TRUE(answer) << one.path << Describe(answer.error());
      EXPECT_TRUE(IsAsked(server.asked().at(0), one)) << one.path;
      EXPECT_EQ(told > 0, streams) << one.path;
      if (answer) {
        EXPECT_EQ(answer->end, AnswerEnd::kToolCalls) << one.path;
        EXPECT_EQ(answer->provider, "tested");
        EXPECT_EQ(answer->cost_micros, answer->usage.input + 2 * answer->usage.output);
        EXPECT_GT(answer->wire.bytes, 0);
      }
      co_await server.Stop();
    }
  }
}

CO_TEST(WebProviderTest, CountsForAProviderThatDoesNot) {
  const auto answer = co_await AskOnce(
      ctx, ProviderKind::kOpenAiChat,
      {.body = R"({"choices":[{"message":{"content":"A shop."},"finish_reason":"stop"}]})"});

  EXPECT_TRUE(answer) << Describe(answer.error());
  if (!answer) co_return;
  EXPECT_TRUE(answer->usage.is_estimated);
  EXPECT_GT(answer->usage.input, 3000) << "two pictures";
  EXPECT_GT(answer->usage.output, 0);
  EXPECT_EQ(answer->cost_micros, answer->usage.input + 2 * answer->usage.output);
  EXPECT_EQ(answer->model, "m");
}

CO_TEST(WebProviderTest, ClassesWhatProvidersSay) {
  struct SayCase {
    ProviderKind kind;
    ModelReply reply;
    ErrorCode code;
  };
  using enum ProviderKind;
  const std::string events(kEventStream);
  const SayCase cases[] = {
      {kOpenAiChat,
       {.status = 429,
        .body = ModelFixture("openai_error_rate_limit.json"),
        .headers = {{"Retry-After", "20"}}},
       ErrorCode::kProviderOverloaded},
      {kOpenAiChat,
       {.status = 429, .body = ModelFixture("openai_error_quota.json")},
       ErrorCode::kProviderBlocked},
      {kOpenAiChat,
       {.status = 400, .body = ModelFixture("openai_error_filter.json")},
       ErrorCode::kProviderBlocked},
      {kOpenAiResponses,
       {.status = 500, .type = "text/html", .body = "<h1>oh</h1>"},
       ErrorCode::kProviderError},
      {kAnthropic,
       {.status = 529, .body = ModelFixture("anthropic_error_overloaded.json")},
       ErrorCode::kProviderOverloaded},
      {kAnthropic,
       {.type = events, .body = ModelFixture("anthropic_overloaded.sse")},
       ErrorCode::kProviderOverloaded},
      {kAnthropic,
       {.type = events, .body = ModelFixture("anthropic_refusal.sse")},
       ErrorCode::kProviderBlocked},
      {kOllama,
       {.status = 404, .body = R"({"error":"model 'm' not found"})"},
       ErrorCode::kProviderBlocked},
      {kOllama,
       {.type = "application/x-ndjson", .body = ModelFixture("ollama_error.ndjson")},
       ErrorCode::kProviderError},
      {kOpenAiChat,
       {.body = ModelFixture("openai_chat_bad_arguments.json")},
       ErrorCode::kProviderAnswerInvalid},
      {kOpenAiChat,
       {.type = "text/html", .body = "<p>log in first</p>"},
       ErrorCode::kProviderAnswerInvalid},
      {kOpenAiChat, {.body = "{\"choices\":"}, ErrorCode::kProviderAnswerInvalid},
      {kOpenAiChat, {.type = events, .body = "data: {oops\n\n"}, ErrorCode::kProviderAnswerInvalid},
      {kOpenAiChat,
       {.status = 302, .body = "", .headers = {{"Location", "http://elsewhere/"}}},
       ErrorCode::kProviderAnswerInvalid},
  };
  for (const SayCase& one : cases) {
    const auto answer = co_await AskOnce(ctx, one.kind, one.reply);

    EXPECT_FALSE(answer) << one.reply.body;
    if (!answer) EXPECT_EQ(answer.error().code(), one.code) << Describe(answer.error());
  }
}

CO_TEST(WebProviderTest, PassesOnHowLongToWait) {
  const auto seconds = co_await AskOnce(ctx, ProviderKind::kAnthropic,
                                        {.status = 429, .headers = {{"Retry-After", "20"}}});
  const auto exact = co_await AskOnce(
      ctx, ProviderKind::kOpenAiChat,
      {.status = 429, .headers = {{"Retry-After", "20"}, {"retry-after-ms", "1250"}}});

  EXPECT_FALSE(seconds || exact);
  if (!seconds) EXPECT_EQ(RetryAfterOf(seconds.error()), milliseconds(20'000));
  if (!exact) EXPECT_EQ(RetryAfterOf(exact.error()), milliseconds(1250));
}

CO_TEST(WebProviderTest, TakesNoCutStreamForAnAnswer) {
  for (const Protocol& one : kProtocols) {
    const std::string whole = ModelFixture(one.stream);
    const std::size_t last = whole.find(one.last);
    EXPECT_NE(last, std::string::npos) << one.path;
    // The connection may be broken, or end as if nothing were missing.
    for (const auto end : {ModelReply::End::kCut, ModelReply::End::kProper}) {
      const auto answer = co_await AskOnce(
          ctx, one.kind, {.type = one.stream_type, .body = whole.substr(0, last), .end = end});

      EXPECT_FALSE(answer) << one.path;
      if (answer) continue;
      EXPECT_EQ(FaultOf(answer.error()), ProviderFault::kInfrastructure)
          << one.path << Describe(answer.error());
    }
  }
}

CO_TEST(WebProviderTest, GivesUpOnASlowFirstByteAndHangsUp) {
  for (const std::string& begin :
       {std::string(), ModelFixture("anthropic_tools.sse").substr(0, 80)}) {
    ModelServer server(ctx);
    server.Then(
        {.type = std::string(kEventStream), .body = begin, .end = ModelReply::End::kSilent});
    ProviderSpec spec = SpecAt(server, ProviderKind::kAnthropic);
    // Of the two the one that is not tried is long.
    (begin.empty() ? spec.first_byte : spec.quiet) = milliseconds(500);
    WebProvider provider(std::move(spec), PlantedKey);

    const auto answer = co_await provider.Ask(ctx, test::SampleChatRequest(), {});
    const auto left = co_await server.UntilLeft();

    EXPECT_FALSE(answer);
    if (!answer) EXPECT_EQ(FaultOf(answer.error()), ProviderFault::kTimeout);
    EXPECT_TRUE(left) << "the connection stayed open";
    co_await server.Stop();
  }
}

CO_TEST(WebProviderTest, CancellingHangsUp) {
  ModelServer server(ctx);
  server.Then({.type = std::string(kEventStream),
               .body = ModelFixture("openai_chat_text.sse").substr(0, 900),
               .end = ModelReply::End::kSilent});
  WebProvider provider(SpecAt(server, ProviderKind::kOpenAiChat), PlantedKey);
  CancelSource off;

  const auto answer = co_await provider.Ask(
      ctx.WithCancel(off.token()), test::SampleChatRequest(), [&, io](const ChatDelta& /*first*/) {
        boost::asio::post(*io, [&] { off.Cancel(Error(ErrorCode::kRuntimePaused, "enough")); });
      });
  const auto left = co_await server.UntilLeft();

  EXPECT_FALSE(answer);
  if (!answer) EXPECT_EQ(answer.error().code(), ErrorCode::kRuntimePaused);
  EXPECT_TRUE(left) << "the provider was not told";
  co_await server.Stop();
}

CO_TEST(WebProviderTest, ReadsNoMoreThanAnAnswerMayHold) {
  for (const std::string& type : {std::string("application/json"), std::string(kEventStream)}) {
    ModelServer server(ctx);
    std::string much;
    while (much.size() < std::size_t{100} << 10) much += ": keep-alive\n\n";
    server.Then({.type = type, .body = much, .end = ModelReply::End::kSilent});
    ProviderSpec spec = SpecAt(server, ProviderKind::kOpenAiChat);
    spec.max_answer_bytes = 4096;
    WebProvider provider(std::move(spec), PlantedKey);

    const auto answer = co_await provider.Ask(ctx, test::SampleChatRequest(), {});

    EXPECT_FALSE(answer);
    if (!answer) EXPECT_EQ(answer.error().code(), ErrorCode::kProviderAnswerInvalid) << type;
    co_await server.Stop();
  }
}

CO_TEST(WebProviderTest, SaysWhenNobodyIsThere) {
  ModelServer server(ctx);
  ProviderSpec spec = SpecAt(server, ProviderKind::kOllama);
  co_await server.Stop();
  WebProvider provider(std::move(spec), PlantedKey);

  const auto answer = co_await provider.Ask(ctx, test::SampleChatRequest(), {});

  EXPECT_FALSE(answer);
  if (!answer) EXPECT_EQ(answer.error().code(), ErrorCode::kProviderError);
}

CO_TEST(WebProviderTest, AsksNobodyWhatHeCannot) {
  ModelServer server(ctx);
  ProviderSpec blind = SpecAt(server, ProviderKind::kOllama);
  blind.sees = false;
  ProviderSpec toolless = SpecAt(server, ProviderKind::kOllama);
  toolless.calls_tools = false;
  ProviderSpec small = SpecAt(server, ProviderKind::kOllama);
  small.context = 600;
  for (const ProviderSpec& spec : {blind, toolless, small}) {
    WebProvider provider(spec, PlantedKey);

    const auto answer = co_await provider.Ask(ctx, test::SampleChatRequest(), {});

    EXPECT_FALSE(answer);
    if (!answer) EXPECT_EQ(answer.error().code(), ErrorCode::kUnsupported);
  }
  EXPECT_TRUE(server.asked().empty());
  co_await server.Stop();
}

Task<Result<policy::SecretText>> BrokenKey(CallContext /*ctx*/, policy::SecretReference /*ref*/,
                                           std::string /*url*/) {
  co_return policy::SecretText("sk-planted-key\r\nX-Evil: 1");
}

Task<Result<policy::SecretText>> NoKey(CallContext /*ctx*/, policy::SecretReference /*ref*/,
                                       std::string /*url*/) {
  co_return Fail(ErrorCode::kSecurityDomainBlock, "the secret MODEL_KEY is not for that host");
}

CO_TEST(WebProviderTest, SendsNothingWithoutAKeyThatCanBeSent) {
  ModelServer server(ctx);
  const KeySource sources[] = {BrokenKey, NoKey, {}};
  for (const KeySource& keys : sources) {
    WebProvider provider(SpecAt(server, ProviderKind::kAnthropic), keys);

    const auto answer = co_await provider.Ask(ctx, test::SampleChatRequest(), {});

    EXPECT_FALSE(answer);
    if (answer) continue;
    EXPECT_EQ(FaultOf(answer.error()), ProviderFault::kBlocked);
    EXPECT_FALSE(Describe(answer.error()).contains(kPlantedKey));
  }
  EXPECT_TRUE(server.asked().empty());
  co_await server.Stop();
}

CO_TEST(WebProviderTest, TheKeyIsInNoErrorAndNoLog) {
  const test::CapturedLog log;
  const auto answer =
      co_await AskOnce(ctx, ProviderKind::kOpenAiChat,
                       {.status = 401, .body = ModelFixture("openai_error_key.json")});

  EXPECT_FALSE(answer);
  if (answer) co_return;
  EXPECT_EQ(TextAt(answer.error().details(), "reason"), "key_refused");
  EXPECT_FALSE(json::serialize(answer.error().ToJson()).contains(kPlantedKey));
  EXPECT_EQ(log.CountOf({kPlantedKey}), 0U);
}

CO_TEST(WebProviderTest, SaysWhatAnAnswerThatIsNoneHasCost) {
  const auto answer = co_await AskOnce(ctx, ProviderKind::kOpenAiChat,
                                       {.body = ModelFixture("openai_chat_bad_arguments.json")});

  EXPECT_FALSE(answer);
  if (answer) co_return;
  const FailedBill bill = BillOf(answer.error());
  EXPECT_EQ(bill.usage, (TokenUsage{.input = 82, .output = 9}));
  EXPECT_EQ(bill.cost_micros, 82 + 2 * 9);
}

}  // namespace
}  // namespace falconer::agent
