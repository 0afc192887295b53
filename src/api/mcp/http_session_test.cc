// Sessions of revisions up to 2025-11-25 over HTTP.

#include "api/mcp/http_session.h"

#include <string>

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "tests/support/co_test.h"
#include "tests/support/mcp_http_bench.h"

namespace falconer::api {
namespace {

using namespace std::chrono_literals;
using test::HeaderMap;
using test::LegacyCall;
using test::McpHttpBench;
using test::PostHeaders;
using test::RpcCodeIn;
using test::RpcNameIn;
using test::With;

constexpr std::string_view kPingText = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
constexpr std::string_view kTokenOne = R"("progressToken":1)";

std::string PingText() {
  return std::string(kPingText);
}

// The id of the last event in a text.
std::string LastIdIn(const std::string& text) {
  const auto at = text.rfind("id: ");
  if (at == std::string::npos) return "";
  return text.substr(at + 4, text.find('\n', at) - at - 4);
}

CO_TEST(McpHttpSessionTest, BeginsWithInitializeAndEndsWithDelete) {
  McpHttpBench bench(ctx);

  const auto begun = co_await bench.Post(PostHeaders(), test::InitializeText());
  const std::string id(begun.headers.Find("MCP-Session-Id").value_or(""));
  EXPECT_EQ(begun.status, 200);
  EXPECT_TRUE(begun.body.contains(R"("protocolVersion":"2025-11-25")")) << begun.body;
  EXPECT_EQ(id.size(), 32U) << "nobody can guess it";

  const HeaderMap headers = With(PostHeaders(), {{"MCP-Session-Id", id}});
  const auto ready =
      co_await bench.Post(headers, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  EXPECT_EQ(ready.status, 202);
  EXPECT_EQ(ready.body, "");
  const auto pong = co_await bench.Post(headers, PingText());
  EXPECT_EQ(pong.status, 200) << "without a version it is taken for an older one";
  EXPECT_EQ(pong.body, R"({"jsonrpc":"2.0","id":1,"result":{}})");

  const auto ended = co_await bench.Send("DELETE", headers);
  EXPECT_EQ(ended.status, 204);
  const auto gone = co_await bench.Post(headers, PingText());
  EXPECT_EQ(gone.status, 404);
  EXPECT_EQ(RpcNameIn(gone.body), "NOT_FOUND") << gone.body;
  const auto unnamed = co_await bench.Send("DELETE", {});
  EXPECT_EQ(unnamed.status, 400);
  EXPECT_FALSE(unnamed.body.contains(R"("id")")) << "there is no id to name: " << unnamed.body;
  EXPECT_EQ(bench.endpoint.sessions(), 0U);
  co_await bench.Stop();
}

struct LegacyCase {
  std::string_view what;
  HeaderMap change;
  std::string body;
  int status;
  int code;
};

CO_TEST(McpHttpSessionTest, EveryRequestWithinItIsChecked) {
  McpHttpBench bench(ctx);
  const HeaderMap session = co_await bench.Begin();
  const std::string unknown = R"({"jsonrpc":"2.0","id":1,"method":"no/such"})";
  const std::vector<LegacyCase> cases = {
      {"as it should be", {}, PingText(), 200, 0},
      {"without a version", {{"MCP-Protocol-Version", ""}}, PingText(), 200, 0},
      {"an older version", {{"MCP-Protocol-Version", "2025-06-18"}}, PingText(), 200, 0},
      {"a version of nobody", {{"MCP-Protocol-Version", "1900-01-01"}}, PingText(), 400, -32022},
      {"no session", {{"MCP-Session-Id", ""}}, PingText(), 400, -32602},
      {"another session", {{"MCP-Session-Id", "nobody's"}}, PingText(), 404, -32602},
      {"another client", {{"X-Agent", "mallory"}}, PingText(), 404, -32602},
      {"a second initialize", {}, test::InitializeText(), 400, -32602},
      {"a batch", {}, "[" + PingText() + "]", 400, -32600},
      {"no JSON", {}, "nonsense", 400, -32700},
      {"unknown method", {}, unknown, 200, -32601},
      {"unknown tool", {}, LegacyCall("1", "x"), 200, -32602},
      {"no Accept", {{"Accept", ""}}, PingText(), 406, -32602},
  };
  for (const LegacyCase& c : cases) {
    const auto reply = co_await bench.Post(With(session, c.change), c.body);
    EXPECT_EQ(reply.status, c.status) << c.what << ": " << reply.body;
    EXPECT_EQ(RpcCodeIn(reply.body), c.code) << c.what << ": " << reply.body;
  }
  co_await bench.Stop();
}

CO_TEST(McpHttpSessionTest, ItsStreamIsCheckedToo) {
  McpHttpBench bench(ctx);
  const HeaderMap session = co_await bench.Begin();
  const std::vector<std::pair<HeaderMap, int>> cases = {
      {{{"Accept", "application/json"}}, 406},
      {{{"MCP-Session-Id", ""}}, 400},
      {{{"X-Agent", "mallory"}}, 404},
      {{{"Last-Event-ID", "nonsense"}}, 400},
      {{{"Last-Event-ID", "77-1"}}, 400},
      {{{"Last-Event-ID", "1-1"}}, 400},
      {{{"MCP-Protocol-Version", "1900-01-01"}}, 400},
  };
  for (const auto& [change, status] : cases) {
    const auto reply = co_await bench.Send("GET", With(session, change));
    EXPECT_EQ(reply.status, status) << reply.body;
  }
  const auto stolen = co_await bench.Send("DELETE", With(session, {{"X-Agent", "mallory"}}));
  EXPECT_EQ(stolen.status, 404);
  const auto pong = co_await bench.Post(session, PingText());
  EXPECT_EQ(pong.status, 200) << "nobody else could end it";
  co_await bench.Stop();
}

CO_TEST(McpHttpSessionTest, AnInitializeThatFailsLeavesNoSession) {
  McpHttpBench bench(ctx);

  const auto reply = co_await bench.Post(
      PostHeaders(), R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{}})");

  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(RpcCodeIn(reply.body), -32602);
  EXPECT_FALSE(reply.headers.Has("MCP-Session-Id"));
  EXPECT_EQ(bench.endpoint.sessions(), 0U);
  co_await bench.Stop();
}

CO_TEST(McpHttpSessionTest, ACallThatTellsOfItsProgressIsAStreamWithIds) {
  McpHttpBench bench(ctx);
  const HeaderMap session = co_await bench.Begin();

  const auto reply = co_await bench.Post(session, LegacyCall("1", "echo", kTokenOne));

  EXPECT_EQ(reply.headers.Find("Content-Type"), "text/event-stream");
  EXPECT_TRUE(
      reply.body.starts_with("id: 2-0\nretry: 1000\ndata: \n\n"
                             "id: 2-1\nevent: message\ndata: {"))
      << reply.body;
  EXPECT_TRUE(reply.body.contains("id: 2-2\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,"))
      << reply.body;
  co_await bench.Stop();
}

CO_TEST(McpHttpSessionTest, AnOlderClientIsSentNoEmptyEvent) {
  McpHttpBench bench(ctx);
  const HeaderMap session = co_await bench.Begin("alice", "{}", "2025-06-18");

  const auto reply = co_await bench.Post(session, LegacyCall("1", "echo", kTokenOne));

  EXPECT_FALSE(reply.body.contains("data: \n")) << reply.body;
  EXPECT_TRUE(reply.body.contains("id: 2-2\nevent: message\n")) << reply.body;
  co_await bench.Stop();
}

CO_TEST(McpHttpSessionTest, ACallWhoseConnectionBreaksGoesOnAndItsStreamCanBeResumed) {
  McpHttpBench bench(ctx);
  const HeaderMap session = co_await bench.Begin();
  auto client = co_await bench.Open("POST", session, LegacyCall("1", "work", kTokenOne));
  const auto seen = co_await client->ReadUntil("begun\"}}\n\n");

  client->Close();
  co_await test::Settle();
  bench.Release();
  co_await bench.Until([&] { return bench.ended == 1; });
  const auto rest = co_await bench.Send("GET", With(session, {{"Last-Event-ID", LastIdIn(seen)}}));

  EXPECT_TRUE(bench.cancelled.empty());
  EXPECT_EQ(LastIdIn(seen), "2-1") << seen;
  EXPECT_FALSE(rest.body.contains("begun")) << "seen already: " << rest.body;
  EXPECT_TRUE(rest.body.contains("id: 2-2\n")) << rest.body;
  EXPECT_TRUE(rest.body.contains("nearly there")) << rest.body;
  EXPECT_TRUE(rest.body.contains("id: 2-3\n")) << rest.body;
  EXPECT_TRUE(rest.body.contains("worked")) << rest.body;
  co_await bench.Stop();
}

CO_TEST(McpHttpSessionTest, AStreamIsResumedWhileItsCallRuns) {
  McpHttpBench bench(ctx);
  const HeaderMap session = co_await bench.Begin();
  auto first = co_await bench.Open("POST", session, LegacyCall("1", "work", kTokenOne));
  co_await first->ReadUntil("begun");

  // The first connection is not known to be lost: the second takes over.
  auto second = co_await bench.Open("GET", With(session, {{"Last-Event-ID", "2-0"}}));
  const auto again = co_await second->ReadUntil("begun");
  const auto left = co_await first->ReadUntil("0\r\n\r\n");
  bench.Release();
  const auto rest = co_await second->ReadUntil("0\r\n\r\n");

  EXPECT_TRUE(again.contains("id: 2-1\n")) << again;
  EXPECT_FALSE(left.contains("worked")) << left;
  EXPECT_TRUE(rest.contains("worked")) << rest;
  co_await bench.Stop();
}

CO_TEST(McpHttpSessionTest, OnlySoMuchOfAStreamIsKept) {
  McpHttpBench bench(ctx, {.events_per_stream = 2, .kept_streams = 1});
  const HeaderMap session = co_await bench.Begin();
  auto client = co_await bench.Open("POST", session, LegacyCall("1", "work", kTokenOne));
  co_await client->ReadUntil("begun");
  bench.Release();
  co_await client->ReadUntil("0\r\n\r\n");

  const auto ahead = co_await bench.Send("GET", With(session, {{"Last-Event-ID", "2-4"}}));
  EXPECT_EQ(ahead.status, 400) << "such an event was never sent";
  const auto rest = co_await bench.Send("GET", With(session, {{"Last-Event-ID", "2-0"}}));
  EXPECT_FALSE(rest.body.contains("id: 2-1\n")) << rest.body;
  EXPECT_TRUE(rest.body.contains("id: 2-2\n")) << rest.body;
  EXPECT_TRUE(rest.body.contains("id: 2-3\n")) << rest.body;

  for (const std::string id : {"2", "3", "4"})
    co_await bench.Post(session, LegacyCall(id, "echo", kTokenOne));
  const auto gone = co_await bench.Send("GET", With(session, {{"Last-Event-ID", "2-0"}}));
  EXPECT_EQ(gone.status, 400) << "only the newest streams are kept";
  co_await bench.Stop();
}

CO_TEST(McpHttpSessionTest, ACancelledCallEndsItsStreamWithoutAnAnswer) {
  McpHttpBench bench(ctx);
  const HeaderMap session = co_await bench.Begin();
  auto client = co_await bench.Open("POST", session, LegacyCall("5", "work", kTokenOne));
  co_await client->ReadUntil("begun\"}}\n\n");

  const auto taken =
      co_await bench.Post(session, R"({"jsonrpc":"2.0","method":"notifications/cancelled",)"
                                   R"("params":{"requestId":5,"reason":"changed my mind"}})");
  const auto rest = co_await client->ReadUntil("0\r\n\r\n");

  EXPECT_EQ(taken.status, 202);
  EXPECT_EQ(bench.cancelled, std::vector<std::string>{"changed my mind"});
  EXPECT_FALSE(rest.contains("data:")) << rest;
  co_await bench.Stop();
}

CO_TEST(McpHttpSessionTest, ACallCancelledBeforeItsStreamBeganHasNoAnswer) {
  McpHttpBench bench(ctx);
  const HeaderMap session = co_await bench.Begin();
  auto client = co_await bench.Open("POST", session, LegacyCall("5", "work"));
  co_await bench.Until([&] { return bench.begun == 1; });

  co_await bench.Post(
      session, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}})");
  const auto reply = co_await client->ReadUntil("\r\n\r\n");

  EXPECT_TRUE(reply.starts_with("HTTP/1.1 202")) << reply;
  EXPECT_EQ(bench.cancelled.size(), 1U);
  co_await bench.Stop();
}

CO_TEST(McpHttpSessionTest, NobodyElseCanCancelACall) {
  McpHttpBench bench(ctx);
  const HeaderMap alice = co_await bench.Begin("alice");
  const HeaderMap bob = co_await bench.Begin("bob");
  auto client = co_await bench.Open("POST", alice, LegacyCall("5", "work", kTokenOne));
  co_await client->ReadUntil("begun");

  const auto taken = co_await bench.Post(
      bob, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}})");
  EXPECT_EQ(taken.status, 202);
  bench.Release();
  const auto rest = co_await client->ReadUntil("0\r\n\r\n");

  EXPECT_TRUE(rest.contains("worked")) << rest;
  co_await bench.Stop();
}

CO_TEST(McpHttpSessionTest, AQuestionGoesByTheStreamOfItsCall) {
  McpHttpBench bench(ctx);
  const HeaderMap session = co_await bench.Begin("alice", R"({"elicitation":{}})");
  auto general = co_await bench.Open("GET", session);
  co_await general->ReadUntil("data: \n\n");
  auto client = co_await bench.Open("POST", session, LegacyCall("1", "ask"));
  const auto asked = co_await client->ReadUntil("Sure?");

  const auto foreign = co_await bench.Begin("bob");
  const std::string answer = R"({"jsonrpc":"2.0","id":"falconer-1","result":{"action":"accept"}})";
  const auto not_his = co_await bench.Post(foreign, answer);
  const auto taken = co_await bench.Post(session, answer);
  const auto rest = co_await client->ReadUntil("0\r\n\r\n");

  EXPECT_TRUE(asked.contains(R"("id":"falconer-1","method":"elicitation/create")")) << asked;
  EXPECT_EQ(not_his.status, 202) << "an answer to nothing is dropped";
  EXPECT_EQ(taken.status, 202);
  EXPECT_TRUE(rest.contains("accept")) << rest;
  general->CloseSending();
  const auto other = co_await general->ReadToEnd();
  EXPECT_FALSE(other.contains("Sure?")) << "each message goes by one stream only";
  co_await bench.Stop();
}

CO_TEST(McpHttpSessionTest, AQuestionOfACallWithoutAStreamWaitsForTheGeneralOne) {
  McpHttpBench bench(ctx);
  const HeaderMap session = co_await bench.Begin("alice", R"({"elicitation":{}})");
  auto client = co_await bench.Open("POST", With(session, {{"Accept", "application/json"}}),
                                    LegacyCall("1", "ask"));
  co_await test::Settle();

  auto general = co_await bench.Open("GET", session);
  const auto asked = co_await general->ReadUntil("Sure?");
  const auto taken = co_await bench.Post(
      session, R"({"jsonrpc":"2.0","id":"falconer-1","result":{"action":"decline"}})");
  const auto reply = co_await client->ReadUntil("}}");

  EXPECT_TRUE(asked.contains("id: 0-1\n")) << asked;
  EXPECT_EQ(taken.status, 202);
  EXPECT_TRUE(reply.contains("application/json")) << reply;
  EXPECT_TRUE(reply.contains("decline")) << reply;
  co_await bench.Stop();
}

CO_TEST(McpHttpSessionTest, DeleteAnswersWhatRunsAndClosesTheStreams) {
  McpHttpBench bench(ctx);
  const HeaderMap session = co_await bench.Begin();
  auto general = co_await bench.Open("GET", session);
  co_await general->ReadUntil("data: \n\n");
  auto client = co_await bench.Open("POST", session, LegacyCall("1", "work", kTokenOne));
  co_await client->ReadUntil("begun");

  const auto ended = co_await bench.Send("DELETE", session);
  const auto rest = co_await client->ReadUntil("0\r\n\r\n");
  const auto end = co_await general->ReadUntil("0\r\n\r\n");

  EXPECT_EQ(ended.status, 204);
  EXPECT_TRUE(rest.contains("the client ended its session")) << rest;
  EXPECT_TRUE(end.ends_with("0\r\n\r\n")) << end;
  co_await bench.Stop();
}

CO_TEST(McpHttpBoundsTest, TooManySessionsOfOneClientAreRefusedOrTheOldestGivesWay) {
  FakeClock clock;
  McpHttpBench bench(ctx, {.sessions_per_client = 2, .spare_after = 10s}, clock);
  const HeaderMap first = co_await bench.Begin();
  clock.Advance(1s);
  const HeaderMap second = co_await bench.Begin();

  const auto refused = co_await bench.Post(PostHeaders(), test::InitializeText());
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(RpcNameIn(refused.body), "QUOTA_SESSION_LIMIT") << refused.body;
  co_await bench.Begin("bob");

  clock.Advance(20s);
  co_await bench.Begin();
  const auto gone = co_await bench.Post(first, PingText());
  const auto kept = co_await bench.Post(second, PingText());
  EXPECT_EQ(gone.status, 404);
  EXPECT_EQ(kept.status, 200);
  co_await bench.Stop();
}

CO_TEST(McpHttpBoundsTest, ASessionThatNobodyUsesEnds) {
  FakeClock clock;
  McpHttpBench bench(ctx, {.idle_timeout = 60s, .keep_alive = 1h}, clock);
  const HeaderMap idle = co_await bench.Begin("alice");
  const HeaderMap listening = co_await bench.Begin("bob");
  auto stream = co_await bench.Open("GET", listening);
  co_await stream->ReadUntil("data: \n\n");

  clock.Advance(59s);
  co_await test::Settle();
  EXPECT_EQ(bench.endpoint.sessions(), 2U);
  clock.Advance(1s);
  co_await bench.Until([&] { return bench.endpoint.sessions() == 1; });

  const auto gone = co_await bench.Post(idle, PingText());
  const auto kept = co_await bench.Post(listening, PingText());
  EXPECT_EQ(gone.status, 404);
  EXPECT_EQ(kept.status, 200) << "its client listens";
  stream->Close();
  co_await test::Settle();
  clock.Advance(61s);
  co_await bench.Until([&] { return bench.endpoint.sessions() == 0; });
  co_await bench.Stop();
}

CO_TEST(McpHttpSessionTest, ChangesComeOnTheStreamThatBelongsToNoRequest) {
  McpHttpBench bench(ctx);
  const HeaderMap session = co_await bench.Begin();
  auto stream = co_await bench.Open("GET", session);
  co_await stream->ReadUntil("data: \n\n");

  bench.changes->Tell(OfferChange::kTools);
  const auto told = co_await stream->ReadUntil("}\n\n");

  EXPECT_TRUE(told.contains("notifications/tools/list_changed")) << told;
  co_await bench.Stop();
}

}  // namespace
}  // namespace falconer::api
