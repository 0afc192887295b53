#include "api/mcp/client_input.h"

#include "api/mcp/mcp_server.h"
#include "tests/support/co_test.h"
#include "tests/support/mcp_tools.h"
#include "tests/support/settle.h"

namespace falconer::api {
namespace {

using test::Settle;

// Says how its client can be asked, and asks where that can be done at once.
Task<ToolAnswer> AskThem(CallContext ctx, ToolCall call) {
  ToolAnswer answer;
  switch (call.input.asking) {
    case ClientAsking::kCannot:
      answer.text = "cannot";
      break;
    case ClientAsking::kByAnswer:
      if (call.input.state.empty()) {
        answer.questions = InputQuestions{{{"q", {{"method", "elicitation/create"}}}}, "state-1"};
      } else {
        answer.text = call.input.state + " " + json::serialize(call.input.responses);
      }
      break;
    case ClientAsking::kByRequest:
      const auto result = co_await call.input.ask(ctx, {{"message", "Sure?"}});
      answer.text = result ? json::serialize(*result) : Describe(result.error());
      break;
  }
  co_return answer;
}

struct InputBench {
  using Run = Task<ToolAnswer> (*)(CallContext, ToolCall);

  explicit InputBench(const CallContext& ctx, Run run = AskThem)
      : server(ctx.executor(), ctx.clock(), ToolCatalog({test::Named("ask", run)}),
               {.name = "falconer", .title = "Falconer", .version = "9", .instructions = ""},
               [this](const std::string& line) { lines.push_back(*ParseJsonObject(line)); }) {}

  void Initialize(std::string_view capabilities) {
    server.OnMessage(
        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
        R"("capabilities":)" +
        std::string(capabilities) + "}}");
    lines.clear();
  }
  void Call() {
    server.OnMessage(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask"}})");
  }
  void CallModern(std::string_view capabilities, std::string_view more = "") {
    server.OnMessage(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask",)"
                     R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                     R"("io.modelcontextprotocol/clientCapabilities":)" +
                     std::string(capabilities) + "}" + std::string(more) + "}}");
  }
  std::string LastText() const {
    const json::value& result = lines.back().at("result");
    return std::string(result.at("content").at(0).at("text").as_string());
  }

  std::vector<json::object> lines;
  McpServer server;
};

struct CapabilityCase {
  std::string_view capabilities;
  bool shows_forms;
};

constexpr CapabilityCase kClients[] = {
    {R"({})", false},
    {R"({"elicitation":{}})", true},
    {R"({"elicitation":{"form":{}}})", true},
    {R"({"elicitation":{"form":{},"url":{}}})", true},
    {R"({"elicitation":{"url":{}}})", false},
    {R"({"elicitation":true})", false},
};

CO_TEST(ClientInputTest, AnOlderClientIsAskedWhenItShowsForms) {
  for (const CapabilityCase& c : kClients) {
    InputBench bench(ctx);
    bench.Initialize(c.capabilities);
    bench.Call();
    co_await Settle();
    EXPECT_EQ(bench.lines.size(), 1U) << c.capabilities;
    const bool is_asked = TextAt(bench.lines.back(), "method") == "elicitation/create";
    EXPECT_EQ(is_asked, c.shows_forms) << c.capabilities;
    co_await bench.server.Stop(Error(ErrorCode::kCancelled, "over"));
  }
}

CO_TEST(ClientInputTest, TheAnswerOfAnOlderClientReachesTheCall) {
  InputBench bench(ctx);
  bench.Initialize(R"({"elicitation":{}})");
  bench.Call();
  co_await Settle();
  const json::object question = bench.lines.back();
  EXPECT_EQ(question.at("params").at("message"), "Sure?");
  const std::string id = json::serialize(question.at("id"));
  bench.server.OnMessage(R"({"jsonrpc":"2.0","id":"another","result":{"action":"accept"}})");
  co_await Settle();
  EXPECT_EQ(bench.lines.size(), 1U) << "an answer to nothing is dropped";
  bench.server.OnMessage(R"({"jsonrpc":"2.0","id":)" + id +
                         R"(,"result":{"action":"accept","content":{"approve":true}}})");
  co_await Settle();
  EXPECT_EQ(bench.LastText(), R"({"action":"accept","content":{"approve":true}})");
}

CO_TEST(ClientInputTest, AClientThatCannotAnswerIsAFailure) {
  for (const std::string_view answer :
       {R"("error":{"code":-32601,"message":"no such method"})", R"("result":7)"}) {
    InputBench bench(ctx);
    bench.Initialize(R"({"elicitation":{}})");
    bench.Call();
    co_await Settle();
    const std::string id = json::serialize(bench.lines.back().at("id"));
    bench.server.OnMessage(R"({"jsonrpc":"2.0","id":)" + id + "," + std::string(answer) + "}");
    co_await Settle();
    EXPECT_TRUE(bench.LastText().starts_with("PROTOCOL_ERROR")) << bench.LastText();
  }
}

CO_TEST(ClientInputTest, AQuestionThatNobodyWaitsForIsTakenBack) {
  InputBench bench(ctx);
  bench.Initialize(R"({"elicitation":{}})");
  bench.Call();
  co_await Settle();
  const json::value id = bench.lines.back().at("id");
  bench.server.OnMessage(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  co_await Settle();
  EXPECT_EQ(TextAt(bench.lines.back(), "method"), "notifications/cancelled");
  EXPECT_EQ(bench.lines.back().at("params").at("requestId"), id);
}

CO_TEST(ClientInputTest, WhoeverAsksWhenTheServerIsGoneIsTold) {
  auto requests = std::make_unique<ClientRequests>();
  Task<Result<json::object>> asked =
      requests->Ask(ctx, "elicitation/create", {}, [](const std::string&) {});
  requests.reset();
  const auto answer = co_await std::move(asked);
  EXPECT_EQ(answer.error().code(), ErrorCode::kCancelled);
}

CO_TEST(ClientInputTest, TheNewRevisionAsksByItsAnswer) {
  for (const CapabilityCase& c : kClients) {
    InputBench bench(ctx);
    bench.CallModern(c.capabilities);
    co_await Settle();
    const json::object& result = bench.lines.back().at("result").as_object();
    EXPECT_EQ(TextAt(result, "resultType"), c.shows_forms ? "input_required" : "complete");
    if (!c.shows_forms) continue;
    EXPECT_EQ(TextAt(result, "requestState"), "state-1");
    EXPECT_EQ(result.at("inputRequests").at("q").at("method"), "elicitation/create");
    EXPECT_TRUE(result.contains("_meta"));
    EXPECT_FALSE(result.contains("content"));
  }
}

CO_TEST(ClientInputTest, AnswersOfTheNewRevisionComeWithTheCall) {
  InputBench bench(ctx);
  bench.CallModern(R"({"elicitation":{}})",
                   R"(,"requestState":"state-1","inputResponses":{"q":{"action":"decline"}})");
  co_await Settle();
  EXPECT_EQ(bench.LastText(), R"(state-1 {"q":{"action":"decline"}})");
}

CO_TEST(ClientInputTest, AnswersThatAreNoneAreRefused) {
  for (const std::string_view wrong :
       {R"(,"inputResponses":null)", R"(,"inputResponses":[])", R"(,"inputResponses":{"q":7})"}) {
    InputBench bench(ctx);
    bench.CallModern(R"({"elicitation":{}})", wrong);
    co_await Settle();
    EXPECT_EQ(bench.lines.back().at("error").at("code"), kRpcInvalidParams) << wrong;
    EXPECT_EQ(bench.server.running(), 0U);
  }
}

struct AbilityCase {
  std::string_view capabilities;
  bool sampling;
  bool roots;
  bool tasks;
};

constexpr AbilityCase kAbilities[] = {
    {R"({})", false, false, false},
    {R"({"sampling":{}})", true, false, false},
    {R"({"sampling":true,"roots":7})", false, false, false},
    {R"({"roots":{"listChanged":true}})", false, true, false},
    {R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})", false, false, true},
    {R"({"extensions":{"io.modelcontextprotocol/ui":{}}})", false, false, false},
    {R"({"tasks":{}})", false, false, false},
};

TEST(ClientInputTest, AClientCanDoWhatItSays) {
  for (const AbilityCase& c : kAbilities) {
    const ClientAbilities can = AbilitiesIn(*ParseJsonObject(c.capabilities));
    EXPECT_EQ(can.sampling, c.sampling) << c.capabilities;
    EXPECT_EQ(can.roots, c.roots) << c.capabilities;
    EXPECT_EQ(can.tasks, c.tasks) << c.capabilities;
  }
}

// Puts its question to the client's model.
Task<ToolAnswer> Sample(CallContext ctx, ToolCall call) {
  if (!call.input.sample) co_return ToolAnswer{.text = "cannot"};
  const auto said = co_await call.input.sample(ctx, {{"maxTokens", 10}});
  co_return ToolAnswer{.text = said ? json::serialize(*said) : Describe(said.error())};
}

CO_TEST(ClientInputTest, TheModelOfAnOlderClientIsAskedWhenItHasOne) {
  for (const std::string_view capabilities : {"{}", R"({"sampling":{}})"}) {
    InputBench bench(ctx, Sample);
    bench.Initialize(capabilities);
    bench.Call();
    co_await Settle();
    if (capabilities == "{}") {
      EXPECT_EQ(bench.LastText(), "cannot");
      continue;
    }
    const json::object question = bench.lines.back();
    EXPECT_EQ(TextAt(question, "method"), "sampling/createMessage");
    EXPECT_EQ(question.at("params").at("maxTokens"), 10);
    bench.server.OnMessage(R"({"jsonrpc":"2.0","id":)" + json::serialize(question.at("id")) +
                           R"(,"result":{"model":"m"}})");
    co_await Settle();
    EXPECT_EQ(bench.LastText(), R"({"model":"m"})");
  }
}

}  // namespace
}  // namespace falconer::api
