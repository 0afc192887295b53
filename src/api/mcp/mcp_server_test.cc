#include "api/mcp/mcp_server.h"

#include "base/async/notifier.h"
#include "tests/support/co_test.h"
#include "tests/support/mcp_offer_bench.h"
#include "tests/support/mcp_tools.h"
#include "tests/support/settle.h"

namespace falconer::api {
namespace {

using test::Echo;
using test::Hang;
using test::Named;

constexpr auto kPatience = std::chrono::seconds(5);
constexpr std::string_view kMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{}})";

// Tells of its progress also when nobody wants it any more.
Task<ToolAnswer> Chatter(CallContext ctx, ToolCall call) {
  call.report("begun");
  Alarm never(ctx.executor(), ctx.clock());
  co_await ctx.Wait(&never, "chattering");
  call.report("too late");
  co_return ToolAnswer{};
}

// Answers with the trace that it was called in.
Task<ToolAnswer> Traced(CallContext ctx, ToolCall /*call*/) {
  ToolAnswer answer;
  answer.text = ctx.ids().trace.value();
  co_return answer;
}

class Bench {
 public:
  explicit Bench(const CallContext& ctx, McpLimits limits = {})
      : ctx_(ctx),
        server(
            ctx.executor(), ctx.clock(),
            ToolCatalog({Named("echo", Echo), Named("hang", Hang), Named("chatter", Chatter),
                         Named("traced", Traced)}),
            {.name = "falconer", .title = "Falconer", .version = "9", .instructions = "Be kind."},
            [this](std::string line) { OnLine(std::move(line)); }, limits) {}

  // The answer to a message that is answered at once.
  json::object Ask(std::string_view text) {
    const std::size_t before = lines_.size();
    server.OnMessage(text);
    EXPECT_EQ(lines_.size(), before + 1) << text;
    return lines_.empty() ? json::object() : lines_.back();
  }

  Task<void> Until(std::size_t count) {
    const auto come = co_await changes_.Until(
        ctx_.WithTimeout(kPatience), [&] { return lines_.size() >= count; }, "answers");
    EXPECT_TRUE(come);
  }

  const std::vector<json::object>& lines() const { return lines_; }

 private:
  void OnLine(std::string line) {
    EXPECT_FALSE(line.contains('\n'));
    auto parsed = ParseJsonObject(line);
    EXPECT_TRUE(parsed) << line;
    if (parsed) lines_.push_back(*std::move(parsed));
    changes_.NotifyAll();
  }

  CallContext ctx_;
  std::vector<json::object> lines_;
  Notifier changes_;

 public:
  McpServer server;
};

Error Gone() {
  return {ErrorCode::kCancelled, "gone"};
}

std::string Modern(std::string_view method, std::string_view more = "") {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{)" +
         std::string(kMeta) + std::string(more) + "}}";
}

CO_TEST(McpServerTest, AgreesOnAnOlderRevision) {
  Bench bench(ctx);
  const auto known = bench.Ask(
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}})");
  EXPECT_EQ(known.at("result").at("protocolVersion"), "2025-06-18");
  EXPECT_EQ(known.at("result").at("serverInfo").at("name"), "falconer");
  EXPECT_EQ(known.at("result").at("instructions"), "Be kind.");
  const auto unknown = bench.Ask(
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"1999-01-01"}})");
  EXPECT_EQ(unknown.at("result").at("protocolVersion"), "2025-11-25");
  EXPECT_EQ(bench.Ask(R"({"jsonrpc":"2.0","id":"p","method":"ping"})").at("result"),
            json::object());
  co_return;
}

CO_TEST(McpServerTest, IsDiscoveredByTheNewRevision) {
  Bench bench(ctx);
  const auto answer = bench.Ask(Modern("server/discover"));
  const auto& result = answer.at("result").as_object();
  EXPECT_EQ(result.at("resultType"), "complete");
  EXPECT_EQ(result.at("supportedVersions").at(0), "2026-07-28");
  EXPECT_TRUE(result.contains("ttlMs"));
  EXPECT_EQ(result.at("cacheScope"), "private");
  EXPECT_EQ(result.at("_meta").at("io.modelcontextprotocol/serverInfo").at("version"), "9");
  co_return;
}

CO_TEST(McpServerTest, NewRequestsMustSayWhoTheyAre) {
  Bench bench(ctx);
  const auto version = bench.Ask(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2030-01-01","io.modelcontextprotocol/clientCapabilities":{}}}})");
  EXPECT_EQ(version.at("error").at("code"), -32022);
  EXPECT_EQ(version.at("error").at("data").at("supported").at(0), "2026-07-28");
  EXPECT_EQ(version.at("error").at("data").at("requested"), "2030-01-01");
  const auto capabilities = bench.Ask(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})");
  EXPECT_EQ(capabilities.at("error").at("code"), kRpcInvalidParams);
  const auto bare = bench.Ask(R"({"jsonrpc":"2.0","id":1,"method":"server/discover"})");
  EXPECT_EQ(bare.at("error").at("code"), kRpcInvalidParams);
  co_return;
}

CO_TEST(McpServerTest, MethodsOfOneEraAreUnknownInTheOther) {
  Bench bench(ctx);
  EXPECT_EQ(bench.Ask(Modern("initialize")).at("error").at("code"), kRpcMethodNotFound);
  EXPECT_EQ(bench.Ask(Modern("ping")).at("error").at("code"), kRpcMethodNotFound);
  EXPECT_EQ(bench.Ask(R"({"jsonrpc":"2.0","id":1,"method":"prompts/list"})").at("error").at("code"),
            kRpcMethodNotFound);
  co_return;
}

CO_TEST(McpServerTest, ListsToolsInTheirOrder) {
  Bench bench(ctx);
  const auto legacy = bench.Ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  const auto& tools = legacy.at("result").at("tools").as_array();
  EXPECT_EQ(tools.size(), 4u);
  EXPECT_EQ(tools.at(0).at("name"), "echo");
  EXPECT_EQ(tools.at(0).at("annotations").at("readOnlyHint"), true);
  EXPECT_FALSE(legacy.at("result").as_object().contains("ttlMs"));
  EXPECT_TRUE(bench.Ask(Modern("tools/list")).at("result").as_object().contains("ttlMs"));
  EXPECT_EQ(bench.Ask(Modern("tools/list", R"(,"cursor":"x")")).at("error").at("code"),
            kRpcInvalidParams);
  co_return;
}

CO_TEST(McpServerTest, RunsAToolAndTellsOfItsProgress) {
  Bench bench(ctx);
  bench.server.OnMessage(
      R"({"jsonrpc":"2.0","id":"c1","method":"tools/call","params":{"name":"echo","arguments":{"a":1},"_meta":{"progressToken":"tok"}}})");
  co_await bench.Until(2);
  EXPECT_EQ(bench.lines()[0].at("method"), "notifications/progress");
  EXPECT_EQ(bench.lines()[0].at("params").at("progressToken"), "tok");
  EXPECT_EQ(bench.lines()[1].at("id"), "c1");
  EXPECT_EQ(bench.lines()[1].at("result").at("content").at(0).at("text"), R"({"a":1})");
  EXPECT_EQ(bench.server.running(), 0u);
}

CO_TEST(McpServerTest, ACallBelongsToTheTraceOfTheClient) {
  Bench bench(ctx);
  bench.server.OnMessage(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"traced","_meta":{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}})");
  co_await bench.Until(1);
  EXPECT_EQ(bench.lines()[0].at("result").at("content").at(0).at("text"),
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
}

CO_TEST(McpServerTest, RefusesCallsItCannotBegin) {
  Bench bench(ctx, {.calls_at_once = 1});
  const auto call = [](std::string_view id, std::string_view params) {
    return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":"tools/call","params":{)" +
           std::string(params) + "}}";
  };
  EXPECT_EQ(bench.Ask(call("1", R"("name":"gone")")).at("error").at("code"), kRpcInvalidParams);
  EXPECT_EQ(bench.Ask(call("1", R"("name":"echo","arguments":[])")).at("error").at("code"),
            kRpcInvalidParams);
  bench.server.OnMessage(call("5", R"("name":"hang")"));
  const auto full = bench.Ask(call("6", R"("name":"echo")"));
  EXPECT_EQ(full.at("error").at("data").at("code"), "QUEUE_FULL");
  co_await bench.server.Stop(Gone());
}

CO_TEST(McpServerTest, ACancelledCallEndsAndIsNotAnswered) {
  Bench bench(ctx);
  bench.server.OnMessage(
      R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"hang"}})");
  EXPECT_EQ(bench.server.running(), 1u);
  bench.server.OnMessage(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"7"}})");
  EXPECT_EQ(bench.server.running(), 1u) << "a text is not the number";
  bench.server.OnMessage(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})");
  co_await bench.server.Join();
  EXPECT_EQ(bench.server.running(), 0u);
  EXPECT_TRUE(bench.lines().empty());
}

CO_TEST(McpServerTest, ACancelledCallTellsOfNoMoreProgress) {
  Bench bench(ctx);
  bench.server.OnMessage(
      R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"chatter","_meta":{"progressToken":1}}})");
  EXPECT_EQ(bench.lines().size(), 1u);
  bench.server.OnMessage(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})");
  co_await bench.server.Join();
  EXPECT_EQ(bench.lines().size(), 1u);
}

CO_TEST(McpServerTest, MayGoWhileACallRuns) {
  {
    Bench bench(ctx);
    bench.server.OnMessage(
        R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"chatter","_meta":{"progressToken":1}}})");
    EXPECT_EQ(bench.server.running(), 1u);
  }
  co_await test::Settle();
}

CO_TEST(McpServerTest, AnIdThatIsInUseIsRefused) {
  Bench bench(ctx);
  const std::string_view call =
      R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"hang"}})";
  bench.server.OnMessage(call);
  EXPECT_EQ(bench.Ask(call).at("error").at("code"), kRpcInvalidRequest);
  co_await bench.server.Stop(Gone());
  EXPECT_EQ(bench.server.running(), 0u);
}

CO_TEST(McpServerTest, WhatIsStoppedIsAnsweredUnlessTheClientCancelledIt) {
  Bench bench(ctx);
  for (const std::string_view id : {"7", "8"}) {
    bench.server.OnMessage(R"({"jsonrpc":"2.0","id":)" + std::string(id) +
                           R"(,"method":"tools/call","params":{"name":"hang"}})");
  }
  bench.server.OnMessage(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})");
  co_await bench.server.Stop(Gone());

  EXPECT_EQ(bench.lines().size(), 1u);
  if (bench.lines().size() != 1) co_return;
  EXPECT_EQ(bench.lines()[0].at("id"), 8);
  EXPECT_EQ(bench.lines()[0].at("result").at("isError"), true);
  EXPECT_EQ(bench.lines()[0].at("result").at("content").at(0).at("text"), "gone");
}

CO_TEST(McpServerTest, TellsOnceOfTheFirstRequestThatIsNoProbe) {
  Bench bench(ctx);
  std::vector<std::size_t> told;
  bench.server.OnFirstRequest([&] { told.push_back(bench.lines().size()); });

  bench.Ask(R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{)" +
            std::string(kMeta) + "}}");
  EXPECT_TRUE(told.empty());
  bench.Ask(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})");
  bench.Ask(R"({"jsonrpc":"2.0","id":3,"method":"tools/list"})");

  EXPECT_EQ(told, (std::vector<std::size_t>{2})) << "after the answer";
  co_return;
}

// One line of each level.
Task<ToolAnswer> Logs(CallContext, ToolCall call) {
  for (const auto& row : kLogLevels) call.log(row.value, json::value(row.name));
  co_return ToolAnswer{.text = "logged"};
}

McpOffer WithLogs() {
  McpOffer offer(ToolCatalog({Named("logs", Logs)}));
  offer.has_logs = true;
  return offer;
}

std::size_t LogLines(const test::McpOfferBench& bench) {
  return static_cast<std::size_t>(std::ranges::count_if(bench.lines, [](const json::object& line) {
    return TextAt(line, "method") == "notifications/message";
  }));
}

CO_TEST(McpServerTest, AnOlderClientReadsLogsFromTheLevelThatItSets) {
  test::McpOfferBench bench(ctx, WithLogs());
  const json::object call{{"name", "logs"}};

  co_await bench.Ask("tools/call", call);
  EXPECT_EQ(LogLines(bench), 0U) << "none until it says so";
  co_await bench.Ask("logging/setLevel", {{"level", "error"}});
  co_await bench.Ask("tools/call", call);
  EXPECT_EQ(LogLines(bench), 4U);
  EXPECT_EQ(bench.lines.front().at("params").at("level"), "error");
  EXPECT_EQ(bench.lines.front().at("params").at("data"), "error");
  const auto wrong = co_await bench.Ask("logging/setLevel", {{"level", "loud"}});
  EXPECT_EQ(test::FailureIn(wrong), kRpcInvalidParams);
  const auto modern = co_await bench.AskModern("logging/setLevel", {{"level", "info"}});
  EXPECT_EQ(test::FailureIn(modern), kRpcMethodNotFound);
}

CO_TEST(McpServerTest, ARequestOfTheNewRevisionSaysWhichLogsItWants) {
  test::McpOfferBench bench(ctx, WithLogs());
  const json::object call{{"name", "logs"}};

  co_await bench.AskModern("tools/call", call);
  EXPECT_EQ(LogLines(bench), 0U);
  bench.more_meta = {{kMetaLogLevel, "alert"}};
  co_await bench.AskModern("tools/call", call);
  EXPECT_EQ(LogLines(bench), 2U);
  bench.more_meta = {{kMetaLogLevel, "loud"}};
  EXPECT_EQ(test::FailureIn(co_await bench.AskModern("tools/call", call)), kRpcInvalidParams);
}

CO_TEST(McpServerTest, AServerWithoutLogsDoesNotSpeakOfThem) {
  test::McpOfferBench with(ctx, WithLogs());
  test::McpOfferBench without(ctx, ToolCatalog({}));

  const auto has = co_await with.AskModern("server/discover");
  const auto lacks = co_await without.AskModern("server/discover");

  EXPECT_TRUE(has.at("result").at("capabilities").as_object().contains("logging"));
  EXPECT_FALSE(lacks.at("result").at("capabilities").as_object().contains("logging"));
  const auto refused = co_await without.Ask("logging/setLevel", {{"level", "info"}});
  EXPECT_EQ(test::FailureIn(refused), kRpcMethodNotFound);
}

Task<ToolAnswer> Linked(CallContext, ToolCall) {
  ToolAnswer answer{.text = "ok"};
  answer.links = {{.uri = "a://b", .name = "b", .mime = ""}};
  co_return answer;
}

CO_TEST(McpServerTest, OnlyClientsThatKnowLinksGetThem) {
  test::McpOfferBench bench(ctx, ToolCatalog({Named("linked", Linked)}));
  const json::object call{{"name", "linked"}};
  const auto pieces = [](const json::object& line) {
    return line.at("result").at("content").as_array().size();
  };

  EXPECT_EQ(pieces(co_await bench.AskModern("tools/call", call)), 2U);
  co_await bench.Initialize("2025-06-18");
  EXPECT_EQ(pieces(co_await bench.Ask("tools/call", call)), 2U);
  co_await bench.Initialize("2025-03-26");
  EXPECT_EQ(pieces(co_await bench.Ask("tools/call", call)), 1U);
}

CO_TEST(McpServerTest, SurvivesWhatIsNoMessage) {
  Bench bench(ctx);
  EXPECT_EQ(bench.Ask("nonsense").at("error").at("code"), kRpcParseError);
  EXPECT_EQ(bench.Ask("[1]").at("error").at("code"), kRpcInvalidRequest);
  bench.server.OnMessage(R"({"jsonrpc":"2.0","id":3,"result":{}})");
  bench.server.OnMessage(R"({"jsonrpc":"2.0","method":"notifications/whatever"})");
  EXPECT_EQ(bench.lines().size(), 2u);
  co_return;
}

}  // namespace
}  // namespace falconer::api
