// The newest revision over HTTP, what holds for both eras, and the end of the endpoint.

#include "api/mcp/http_endpoint.h"

#include <string>

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "base/base64.h"
#include "tests/support/co_test.h"
#include "tests/support/mcp_http_bench.h"

namespace falconer::api {
namespace {

using namespace std::chrono_literals;
using test::HeaderMap;
using test::McpHttpBench;
using test::ModernHeaders;
using test::ModernText;
using test::PostHeaders;
using test::RpcCodeIn;
using test::RpcNameIn;
using test::With;

constexpr std::string_view kToken = R"(,"progressToken":"t")";

std::string ModernCall(std::string_view id, std::string_view tool, std::string_view meta = "") {
  return ModernText(id, "tools/call", R"("name":")" + std::string(tool) + R"(")", meta);
}

CO_TEST(McpHttpModernTest, AnswersARequestWithOneJsonObject) {
  McpHttpBench bench(ctx);

  const auto reply =
      co_await bench.Post(ModernHeaders("server/discover"), ModernText("7", "server/discover"));

  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.headers.Find("Content-Type"), "application/json");
  EXPECT_FALSE(reply.headers.Has("MCP-Session-Id"));
  EXPECT_TRUE(reply.body.contains(R"("id":7)")) << reply.body;
  EXPECT_TRUE(reply.body.contains(R"("supportedVersions")")) << reply.body;
  co_await bench.Stop();
}

struct ModernCase {
  std::string_view what;
  HeaderMap headers;
  std::string body;
  int status;
  int code;
};

std::vector<ModernCase> ModernCases() {
  const HeaderMap list = ModernHeaders("tools/list");
  const HeaderMap call = ModernHeaders("tools/call", "whoami");
  const std::string list_text = ModernText("1", "tools/list");
  const std::string call_text = ModernCall("1", "whoami");
  const std::string encoded = "=?base64?" + EncodeBase64("whoami") + "?=";
  std::string old_text = list_text;
  old_text.replace(old_text.find("2026-07-28"), 10, "1900-01-01");
  return {
      {"as it should be", call, call_text, 200, 0},
      {"the name encoded", With(call, {{"Mcp-Name", encoded}}), call_text, 200, 0},
      {"badly encoded", With(call, {{"Mcp-Name", "=?base64?%?="}}), call_text, 400, -32020},
      {"another name", With(call, {{"Mcp-Name", "echo"}}), call_text, 400, -32020},
      {"no name", With(call, {{"Mcp-Name", ""}}), call_text, 400, -32020},
      {"no method", With(list, {{"Mcp-Method", ""}}), list_text, 400, -32020},
      {"another method", With(list, {{"Mcp-Method", "tools/call"}}), list_text, 400, -32020},
      {"another case", With(list, {{"Mcp-Method", "Tools/List"}}), list_text, 400, -32020},
      {"no version", With(list, {{"MCP-Protocol-Version", ""}}), list_text, 400, -32020},
      {"two versions", With(list, {{"MCP-Protocol-Version", "2025-11-25"}}), list_text, 400,
       -32020},
      {"a version of nobody", With(list, {{"MCP-Protocol-Version", "1900-01-01"}}), old_text, 400,
       -32022},
      {"no meta data", list, R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})", 400, -32602},
      {"unknown method", ModernHeaders("no/such"), ModernText("1", "no/such"), 404, -32601},
      {"ping", ModernHeaders("ping"), ModernText("1", "ping"), 404, -32601},
      {"initialize", ModernHeaders("initialize"), ModernText("1", "initialize"), 404, -32601},
      {"unknown tool", ModernHeaders("tools/call", "x"), ModernCall("1", "x"), 200, -32602},
      {"a batch", list, "[" + list_text + "]", 400, -32600},
      {"no JSON", list, "{", 400, -32700},
      {"a response", list, R"({"jsonrpc":"2.0","id":1,"result":{}})", 400, -32602},
      {"no Accept", With(list, {{"Accept", ""}}), list_text, 406, -32602},
      {"Accept of neither", With(list, {{"Accept", "text/html, application/json;q=0"}}), list_text,
       406, -32602},
      {"Accept of all", With(list, {{"Accept", "*/*"}}), list_text, 200, 0},
      {"no type", With(list, {{"Content-Type", ""}}), list_text, 415, -32602},
      {"another type", With(list, {{"Content-Type", "text/plain"}}), list_text, 415, -32602},
      {"a session is ignored", With(list, {{"MCP-Session-Id", "x"}, {"Last-Event-ID", "1-1"}}),
       list_text, 200, 0},
  };
}

CO_TEST(McpHttpModernTest, EveryRequestIsCheckedForItself) {
  McpHttpBench bench(ctx);
  for (const ModernCase& c : ModernCases()) {
    const auto reply = co_await bench.Post(c.headers, c.body);
    EXPECT_EQ(reply.status, c.status) << c.what << ": " << reply.body;
    EXPECT_EQ(RpcCodeIn(reply.body), c.code) << c.what << ": " << reply.body;
  }
  co_await bench.Stop();
}

CO_TEST(McpHttpModernTest, AHeaderThatIsThereTwiceIsRefused) {
  McpHttpBench bench(ctx);
  const std::string body = ModernText("1", "tools/list");

  auto client = co_await bench.Open(
      "POST", With(ModernHeaders("tools/list"), {{"mcp-method", "tools/list"}}), body);
  const auto reply = co_await client->ReadUntil("}}");

  EXPECT_TRUE(reply.starts_with("HTTP/1.1 400")) << reply;
  EXPECT_TRUE(reply.contains("-32020")) << reply;
  co_await bench.Stop();
}

CO_TEST(McpHttpModernTest, OtherMethodsOfHttpAreNotOffered) {
  McpHttpBench bench(ctx);
  for (const std::string method : {"GET", "DELETE", "PUT"}) {
    const auto reply =
        co_await bench.Send(method, {{"MCP-Protocol-Version", "2026-07-28"}, {"Accept", "*/*"}});
    EXPECT_EQ(reply.status, 405) << method;
    EXPECT_EQ(reply.headers.Find("Allow"), "POST") << method;
  }
  const auto reply = co_await bench.Send("PUT", {});
  EXPECT_EQ(reply.status, 405);
  EXPECT_EQ(reply.headers.Find("Allow"), "GET, POST, DELETE");
  EXPECT_EQ(RpcNameIn(reply.body), "UNSUPPORTED");
  co_await bench.Stop();
}

CO_TEST(McpHttpModernTest, ANotificationIsTakenWithoutAnAnswer) {
  McpHttpBench bench(ctx);

  const auto reply = co_await bench.Post(
      ModernHeaders("notifications/cancelled"),
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");

  EXPECT_EQ(reply.status, 202);
  EXPECT_EQ(reply.body, "");
  co_await bench.Stop();
}

CO_TEST(McpHttpModernTest, ACallThatTellsOfItsProgressIsAStream) {
  McpHttpBench bench(ctx);

  const auto reply =
      co_await bench.Post(ModernHeaders("tools/call", "echo"), ModernCall("1", "echo", kToken));

  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.headers.Find("Content-Type"), "text/event-stream");
  EXPECT_EQ(reply.headers.Find("X-Accel-Buffering"), "no");
  EXPECT_EQ(reply.headers.Find("Cache-Control"), "no-cache, no-transform");
  const auto progress = reply.body.find(
      "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"");
  const auto answer = reply.body.find("event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,");
  EXPECT_NE(progress, std::string::npos) << reply.body;
  EXPECT_NE(answer, std::string::npos) << reply.body;
  EXPECT_LT(progress, answer);
  EXPECT_TRUE(reply.body.ends_with("}\n\n")) << reply.body;
  EXPECT_FALSE(reply.body.contains("id: ")) << "such a stream cannot be resumed: " << reply.body;
  co_await bench.Stop();
}

CO_TEST(McpHttpModernTest, AClientThatTakesNoStreamGetsTheAnswerAlone) {
  McpHttpBench bench(ctx);
  const HeaderMap headers =
      With(ModernHeaders("tools/call", "echo"), {{"Accept", "application/json"}});

  const auto reply = co_await bench.Post(headers, ModernCall("1", "echo", kToken));

  EXPECT_EQ(reply.headers.Find("Content-Type"), "application/json");
  EXPECT_EQ(RpcCodeIn(reply.body), 0) << reply.body;
  co_await bench.Stop();
}

CO_TEST(McpHttpModernTest, AClientThatTakesOnlyStreamsGetsOne) {
  McpHttpBench bench(ctx);
  const HeaderMap headers = With(ModernHeaders("tools/list"), {{"Accept", "text/event-stream"}});

  const auto reply = co_await bench.Post(headers, ModernText("1", "tools/list"));

  EXPECT_EQ(reply.headers.Find("Content-Type"), "text/event-stream");
  EXPECT_TRUE(reply.body.contains("data: {\"jsonrpc\":\"2.0\",\"id\":1,")) << reply.body;
  co_await bench.Stop();
}

CO_TEST(McpHttpModernTest, ALongCallBecomesAStreamThatIsKeptAlive) {
  McpHttpBench bench(ctx, {.stream_after = 1ms, .keep_alive = 5ms});

  auto client =
      co_await bench.Open("POST", ModernHeaders("tools/call", "work"), ModernCall("1", "work"));
  const auto head = co_await client->ReadUntil("\r\n\r\n");
  for (int i = 0; i < 3; ++i) co_await client->ReadUntil(":\n\n");
  bench.Release();
  const auto rest = co_await client->ReadUntil("0\r\n\r\n");

  EXPECT_TRUE(head.contains("text/event-stream")) << head;
  EXPECT_TRUE(rest.contains("worked")) << rest;
  co_await bench.Stop();
}

CO_TEST(McpHttpModernTest, ClosingTheStreamCancelsTheCall) {
  McpHttpBench bench(ctx);
  auto client = co_await bench.Open("POST", ModernHeaders("tools/call", "work"),
                                    ModernCall("1", "work", kToken));
  co_await client->ReadUntil("begun");

  client->Close();
  co_await bench.Until([&] { return bench.ended == 1; });

  EXPECT_EQ(bench.cancelled,
            std::vector<std::string>{"the client closed the stream of its answer"});
  co_await bench.Stop();
}

CO_TEST(McpHttpModernTest, ClosingAConnectionThatHasSaidNothingYetCancelsTheCall) {
  McpHttpBench bench(ctx, {.stream_after = 5ms});
  auto client =
      co_await bench.Open("POST", ModernHeaders("tools/call", "work"), ModernCall("1", "work"));
  co_await bench.Until([&] { return bench.begun == 1; });

  client->Close();
  co_await bench.Until([&] { return bench.ended == 1; });

  EXPECT_EQ(bench.cancelled.size(), 1U);
  co_await bench.Stop();
}

CO_TEST(McpHttpModernTest, ClosingOneStreamLeavesAnotherOfTheSameIdAlone) {
  McpHttpBench bench(ctx);
  const HeaderMap headers = ModernHeaders("tools/call", "work");
  auto first = co_await bench.Open("POST", headers, ModernCall("1", "work", kToken));
  auto second = co_await bench.Open("POST", headers, ModernCall("1", "work", kToken));
  co_await first->ReadUntil("begun");
  co_await second->ReadUntil("begun");

  first->Close();
  co_await bench.Until([&] { return bench.ended == 1; });
  bench.Release();
  const auto rest = co_await second->ReadUntil("0\r\n\r\n");

  EXPECT_TRUE(rest.contains("worked")) << rest;
  EXPECT_EQ(bench.cancelled.size(), 1U);
  EXPECT_EQ(bench.catalogs, 1U) << "tools are made once per client, not per request";
  co_await bench.Stop();
}

CO_TEST(McpHttpModernTest, EachClientHasToolsOfItsOwn) {
  McpHttpBench bench(ctx);
  const HeaderMap headers = ModernHeaders("tools/call", "whoami");
  for (const std::string agent : {"alice", "bob", "alice"}) {
    const auto reply =
        co_await bench.Post(With(headers, {{"X-Agent", agent}}), ModernCall("1", "whoami"));
    EXPECT_TRUE(reply.body.contains(agent)) << reply.body;
  }
  EXPECT_EQ(bench.catalogs, 2U);
  EXPECT_EQ(bench.endpoint.sessions(), 2U);
  co_await bench.Stop();
}

std::string ListenText(std::string_view id) {
  return ModernText(id, "subscriptions/listen", R"("notifications":{"toolsListChanged":true})");
}

CO_TEST(McpHttpModernTest, ChangesComeOnTheStreamOfWhoListens) {
  McpHttpBench bench(ctx);
  auto client = co_await bench.Open("POST", ModernHeaders("subscriptions/listen"), ListenText("4"));
  const auto first = co_await client->ReadUntil("\n\n");
  const auto acknowledged = co_await client->ReadUntil("}}\n\n");

  bench.changes->Tell(OfferChange::kTools);
  const auto told = co_await client->ReadUntil("}}\n\n");
  client->Close();
  co_await bench.Until([&] { return !bench.changes->has_listeners(); });

  EXPECT_TRUE((first + acknowledged).contains("notifications/subscriptions/acknowledged"))
      << first << acknowledged;
  EXPECT_TRUE(told.contains("notifications/tools/list_changed")) << told;
  EXPECT_TRUE(told.contains(R"("io.modelcontextprotocol/subscriptionId":4)")) << told;
  co_await bench.Stop();
}

CO_TEST(McpHttpModernTest, WhoTakesNoStreamCannotListen) {
  McpHttpBench bench(ctx);
  const HeaderMap headers =
      With(ModernHeaders("subscriptions/listen"), {{"Accept", "application/json"}});

  const auto refused = co_await bench.Post(headers, ListenText("4"));

  EXPECT_EQ(refused.status, 406) << refused.body;
  co_await bench.Stop();
}

CO_TEST(McpHttpModernTest, HeadersRepeatTheArgumentsThatAToolMarks) {
  McpHttpBench bench(ctx);
  const HeaderMap headers = ModernHeaders("tools/call", "routed");
  const std::string call =
      ModernText("1", "tools/call", R"("name":"routed","arguments":{"region":"eu"})");

  const auto right = co_await bench.Post(With(headers, {{"Mcp-Param-Region", "eu"}}), call);
  const auto other = co_await bench.Post(With(headers, {{"Mcp-Param-Region", "us"}}), call);
  const auto none = co_await bench.Post(headers, call);

  EXPECT_EQ(right.status, 200) << right.body;
  for (const auto& refused : {other, none}) {
    EXPECT_EQ(refused.status, 400) << refused.body;
    EXPECT_EQ(RpcCodeIn(refused.body), kRpcHeaderMismatch) << refused.body;
    EXPECT_TRUE(refused.body.contains(R"("id":1)")) << refused.body;
  }
  co_await bench.Stop();
}

CO_TEST(McpHttpModernTest, ASessionWithATaskIsNotIdle) {
  FakeClock clock;
  McpHttpBench bench(ctx, {.idle_timeout = 10min}, clock);
  const std::string declares = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                               R"("io.modelcontextprotocol/clientCapabilities":)"
                               R"({"extensions":{"io.modelcontextprotocol/tasks":{}}}})";
  auto client = co_await bench.Open(
      "POST", ModernHeaders("tools/call", "job"),
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"job",)" + declares + "}}");
  co_await bench.Until([&] { return bench.begun == 1; });
  clock.Advance(1s);
  const auto created = co_await client->ReadUntil("}}");
  EXPECT_TRUE(created.contains(R"("resultType":"task")")) << created;
  bench.Release();
  co_await bench.Until([&] { return bench.ended == 1; });

  clock.Advance(30min);
  co_await test::Settle();
  EXPECT_EQ(bench.endpoint.sessions(), 1U) << "its result may still be looked at";
  clock.Advance(60min);
  co_await bench.Until([&] { return bench.endpoint.sessions() == 0; });
  co_await bench.Stop();
}

CO_TEST(McpHttpBoundsTest, TooManyCallsAtOnceAreRefused) {
  for (const McpHttpLimits& limits :
       {McpHttpLimits{.calls_per_session = 1}, McpHttpLimits{.calls_at_once = 1}}) {
    McpHttpBench bench(ctx, limits);
    auto client = co_await bench.Open("POST", ModernHeaders("tools/call", "work"),
                                      ModernCall("1", "work", kToken));
    co_await client->ReadUntil("begun");

    const auto reply =
        co_await bench.Post(ModernHeaders("tools/call", "whoami"), ModernCall("2", "whoami"));
    const auto list =
        co_await bench.Post(ModernHeaders("tools/list"), ModernText("3", "tools/list"));

    EXPECT_EQ(reply.status, 429);
    EXPECT_EQ(RpcNameIn(reply.body), "QUEUE_FULL") << reply.body;
    EXPECT_TRUE(reply.body.contains(R"("id":2)")) << reply.body;
    EXPECT_EQ(list.status, 200) << "only calls are counted";
    co_await bench.Stop();
  }
}

CO_TEST(McpHttpBoundsTest, TooManySessionsOfAllClientsAreRefused) {
  McpHttpBench bench(ctx, {.sessions_at_once = 1});
  co_await bench.Begin("alice");

  const auto legacy =
      co_await bench.Post(With(PostHeaders(), {{"X-Agent", "bob"}}), test::InitializeText());
  const auto modern = co_await bench.Post(With(ModernHeaders("tools/list"), {{"X-Agent", "bob"}}),
                                          ModernText("1", "tools/list"));

  EXPECT_EQ(legacy.status, 429);
  EXPECT_EQ(RpcNameIn(legacy.body), "GLOBAL_SESSION_LIMIT") << legacy.body;
  EXPECT_EQ(modern.status, 429);
  EXPECT_EQ(RpcNameIn(modern.body), "GLOBAL_SESSION_LIMIT") << modern.body;
  co_await bench.Stop();
}

CO_TEST(McpHttpStopTest, AnswersWhatRunsEndsEveryStreamAndRefusesTheRest) {
  McpHttpBench bench(ctx);
  const HeaderMap session = co_await bench.Begin();
  auto modern = co_await bench.Open("POST", ModernHeaders("tools/call", "work"),
                                    ModernCall("1", "work", kToken));
  auto legacy =
      co_await bench.Open("POST", session, test::LegacyCall("1", "work", R"("progressToken":1)"));
  auto waiting = co_await bench.Open("POST", session, test::LegacyCall("2", "hang"));
  auto stream = co_await bench.Open("GET", session);
  co_await modern->ReadUntil("begun");
  co_await legacy->ReadUntil("begun");
  co_await stream->ReadUntil("data: \n\n");

  co_await bench.endpoint.Stop(Error(ErrorCode::kCancelled, "closing time"));

  for (auto* client : {&modern, &legacy}) {
    const auto rest = co_await (*client)->ReadUntil("0\r\n\r\n");
    EXPECT_TRUE(rest.contains("closing time")) << rest;
  }
  const auto whole = co_await waiting->ReadUntil("}}");
  EXPECT_TRUE(whole.contains("closing time")) << whole;
  const auto rest = co_await stream->ReadUntil("0\r\n\r\n");
  EXPECT_TRUE(rest.ends_with("0\r\n\r\n")) << rest;
  const auto late = co_await bench.Post(ModernHeaders("tools/list"), ModernText("1", "tools/list"));
  EXPECT_EQ(late.status, 503);
  EXPECT_EQ(RpcNameIn(late.body), "TOOL_UNAVAILABLE") << late.body;
  const auto later = co_await bench.Post(session, R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  EXPECT_EQ(later.status, 404);
  EXPECT_EQ(bench.endpoint.sessions(), 0U);
  co_await bench.Stop();
}

}  // namespace
}  // namespace falconer::api
