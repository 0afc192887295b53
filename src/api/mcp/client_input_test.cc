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
  explicit InputBench(const CallContext& ctx)
      : server(ctx.executor(), ctx.clock(), ToolCatalog({test::Named("ask", AskThem)}),
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

}  // namespace
}  // namespace falconer::api
