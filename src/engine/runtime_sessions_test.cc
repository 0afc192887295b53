// What of a runtime's sessions stays when a call has ended: leases, pages, places. With a browser
// that is none, and time that moves when it is told to.

#include "engine/runtime.h"
#include "ledger/archive.h"
#include "model/contract/result.h"
#include "model/turn/trace_context.h"
#include "tests/support/co_test.h"
#include "tests/support/sessions_bench.h"

namespace falconer::engine {
namespace {

using namespace std::chrono_literals;

using test::BrowserIs;
using test::SessionsBench;

json::value GoTo(std::string_view workflow, std::string_view url) {
  return {{"workflow_id", workflow},
          {"step_index", 0},
          {"action_spec", {{"action_type", "navigate"}, {"url", url}}}};
}
constexpr std::string_view kAllowed = "http://127.0.0.1:1/";
constexpr std::string_view kBlocked = "http://10.0.0.1/";

std::string CodeIn(const std::string& answer) {
  const json::object result = ParseJsonObject(answer).value();
  const json::value* failure = result.if_contains("failure");
  return failure != nullptr && failure->is_object() ? TextAt(failure->get_object(), "code") : "";
}

json::object RecordOf(const SessionsBench& bench, const std::string& answer) {
  const json::value result = ParseJson(answer).value();
  const auto seq = result.at("ledger").at("seq").to_number<std::uint64_t>();
  const auto paths = ledger::ChainPaths::Of(bench.data.path(), TenantId("acme"));
  const auto record = ledger::ChainReader::Open(paths.folder)->At(seq);
  return ParseJsonObject(record->view().fields.payload).value();
}

CO_TEST(RuntimeSessionsTest, ARefusedCallLeavesNoLeaseBehind) {
  SessionsBench bench(ctx);

  EXPECT_EQ(CodeIn(co_await bench.Send(GoTo("w", kBlocked))), "SECURITY_DOMAIN_BLOCK");

  EXPECT_EQ(bench.leases.held(), 0U);
  const auto others =
      co_await bench.store->AcquireLease({.key = {TenantId("acme"), WorkflowId("w")},
                                          .owner = "other",
                                          .ttl = 1min,
                                          .gone_owner = {}});
  EXPECT_TRUE(others) << "nobody else waits for it";
  co_await bench.Finish();
}

CO_TEST(RuntimeSessionsTest, WhatCannotBeReadNeverTakesALease) {
  SessionsBench bench(ctx);

  const json::value broken{{"workflow_id", "w"}, {"surprise", 1}};
  EXPECT_EQ(CodeIn(co_await bench.Send(broken)), "INVALID_CONTRACT");

  const auto first = co_await bench.store->AcquireLease({.key = {TenantId("acme"), WorkflowId("w")},
                                                         .owner = "other",
                                                         .ttl = 1min,
                                                         .gone_owner = {}});
  EXPECT_EQ(first->epoch, 1U) << "nobody had one before";
  co_await bench.Finish();
}

CO_TEST(RuntimeSessionsTest, ARefusedCallLeavesThePageOfItsWorkflowAlone) {
  SessionsBench bench(ctx);
  co_await bench.Open("w");

  EXPECT_EQ(CodeIn(co_await bench.Send(GoTo("w", kBlocked))), "SECURITY_DOMAIN_BLOCK");

  EXPECT_EQ(bench.leases.held(), 1U);
  EXPECT_EQ(bench.open_contexts(), 1U);
  co_await bench.Finish();
}

CO_TEST(RuntimeSessionsTest, ASessionThatNobodyUsesIsClosedInTime) {
  SessionsBench bench(ctx, {.idle_close = 15min});
  auto kit = co_await bench.Open("w");

  bench.clock.Advance(1h);
  co_await test::Settle();
  EXPECT_EQ(bench.leases.held(), 1U) << "somebody uses it";
  kit.reset();
  co_await test::Settle();
  bench.clock.Advance(15min - 1s);
  co_await test::Settle();
  EXPECT_EQ(bench.leases.held(), 1U) << "not yet";
  EXPECT_EQ(bench.open_contexts(), 1U);

  bench.clock.Advance(1s);

  EXPECT_TRUE(co_await bench.Becomes([&bench] { return bench.leases.held() == 0; }));
  EXPECT_EQ(bench.open_contexts(), 0U);
  co_await bench.Finish();
}

CO_TEST(RuntimeSessionsTest, ANewUseBeginsTheTimeAnew) {
  SessionsBench bench(ctx, {.idle_close = 15min});
  co_await bench.Open("w");
  co_await test::Settle();
  bench.clock.Advance(10min);
  auto kit = co_await bench.Open("w");
  bench.clock.Advance(10min);
  co_await test::Settle();
  EXPECT_EQ(bench.leases.held(), 1U) << "somebody uses it";
  kit.reset();
  co_await bench.Open("w");

  bench.clock.Advance(10min);
  co_await test::Settle();

  EXPECT_EQ(bench.leases.held(), 1U);
  EXPECT_EQ(bench.open_contexts(), 1U);
  co_await bench.Finish();
}

CO_TEST(RuntimeSessionsTest, WithoutATimeASessionStaysOpen) {
  SessionsBench bench(ctx, {.idle_close = 0ms});
  co_await bench.Open("w");
  co_await test::Settle();

  bench.clock.Advance(7h);
  co_await test::Settle();

  EXPECT_EQ(bench.leases.held(), 1U);
  co_await bench.Finish();
}

CO_TEST(RuntimeSessionsTest, OneWorkflowTooManyIsRefusedUntilAnotherIsClosed) {
  SessionsBench bench(ctx, {.max_sessions = 1}, BrowserIs::kThere);
  co_await bench.Open("w");

  const std::string refused = co_await bench.Send(GoTo("x", kAllowed));
  EXPECT_EQ(CodeIn(refused), "GLOBAL_SESSION_LIMIT") << refused;
  co_await bench.runtime.Close(bench.ctx, SessionsBench::Key("w"));
  const auto next = co_await bench.Open("x");

  EXPECT_TRUE(next);
  co_await bench.Finish();
}

CO_TEST(RuntimeSessionsTest, WhatHasNoCanonicalFormIsOnRecordByItsDigest) {
  SessionsBench bench(ctx);
  const json::value odd{{"workflow_id", "w\xff"}, {"surprise\xfe", 9'007'199'254'740'993}};

  const std::string answer = co_await bench.Send(odd);

  EXPECT_EQ(CodeIn(answer), "INVALID_CONTRACT") << answer;
  const json::object record = RecordOf(bench, answer);
  EXPECT_FALSE(record.contains("contract"));
  const json::object& digest = record.at("contract_digest").as_object();
  EXPECT_EQ(TextAt(digest, "sha256"), Sha256Hex(json::serialize(odd)));
  EXPECT_TRUE(TextAt(digest, "why").contains("canonical JSON")) << json::serialize(digest);
  EXPECT_EQ(record.at("workflow"), "w\xEF\xBF\xBD");
  EXPECT_EQ(record.at("result").at("failure"), ParseJson(answer)->at("failure"));
  co_await bench.Finish();
}

CO_TEST(RuntimeSessionsTest, ADuplicateIsAnsweredFromTheArchiveOrToldThatItIsThere) {
  SessionsBench bench(ctx, {}, BrowserIs::kBroken);
  const std::string first = co_await bench.Send(GoTo("w", kAllowed));
  const std::string other = co_await bench.Send(GoTo("x", kAllowed));
  EXPECT_TRUE(co_await bench.ledger->AddCheckpoint(TenantId("acme")));
  const auto paths = ledger::ChainPaths::Of(bench.data.path(), TenantId("acme"));
  const auto key = ledger::SigningKey::LoadOrCreate(bench.data.path()).value();
  const auto archive = bench.data.path() / "archive";
  const auto moved = ledger::ArchiveChain(paths, key, archive);
  EXPECT_TRUE(moved && moved->size() > 1);

  EXPECT_EQ(co_await bench.Send(GoTo("w", kAllowed)), first);
  std::filesystem::rename(archive, bench.data.path() / "away");
  const std::string told = co_await bench.Send(GoTo("w", kAllowed));

  EXPECT_EQ(CodeIn(told), "RECORD_ARCHIVED") << told;
  EXPECT_EQ(ParseJson(told)->at("turn_id"), ParseJson(first)->at("turn_id"));
  EXPECT_EQ(co_await bench.Send(GoTo("x", kAllowed)), other) << "what is here is answered";
  co_await bench.Finish();
}

CO_TEST(RuntimeSessionsTest, WhoWaitsForATurnCountsAsWaiting) {
  SessionsBench bench(ctx, {}, BrowserIs::kBroken);
  std::string answer;
  TaskScope tasks(ctx.executor());
  {
    const auto session = co_await bench.runtime.SessionFor(bench.ctx, SessionsBench::Key("w"));
    const auto slot = co_await (*session)->turns.Begin(bench.ctx);
    EXPECT_TRUE(slot);
    tasks.Spawn("second", bench.SendInto(GoTo("w", kAllowed), &answer));
    EXPECT_TRUE(co_await bench.Becomes([&bench] { return bench.load.queued() == 1; }));
  }
  co_await tasks.Join();

  EXPECT_FALSE(answer.empty());
  EXPECT_EQ(bench.load.queued(), 0U);
  co_await bench.Finish();
}

CO_TEST(RuntimeSessionsTest, WhatIsSaidOfATurnBelongsToTheTraceOfItsCaller) {
  SessionsBench bench(ctx, {}, BrowserIs::kBroken);
  const auto trace = model::TraceContext::NewRoot(model::TraceSampling::kSampled);
  const auto session = co_await bench.runtime.SessionFor(bench.ctx, SessionsBench::Key("w"));
  auto events = (*session)->bus.Subscribe("tester");

  Correlation ids;
  ids.trace = TraceId(trace.Traceparent());
  co_await bench.Send(bench.ctx.WithIds(ids), GoTo("w", kAllowed));
  co_await bench.Send(GoTo("w", "http://127.0.0.1:2/"));

  std::map<std::string, std::set<std::string>> spans;  // by turn
  while (const auto event = events.TryNext()) {
    const auto header = std::visit([](const auto& content) { return content.header; }, *event);
    if (!header.turn.empty()) spans[header.turn.value()].insert(header.trace.value());
  }
  EXPECT_EQ(spans.size(), 2U);
  for (const auto& [turn, seen] : spans) EXPECT_EQ(seen.size(), 1U) << turn;
  const auto joined = model::ParseTraceparent(*spans.begin()->second.begin());
  EXPECT_TRUE(joined && joined->trace_id == trace.trace_id && joined->span_id != trace.span_id);
  const auto own = model::ParseTraceparent(*spans.rbegin()->second.begin());
  EXPECT_TRUE(own && own->trace_id != trace.trace_id);
  co_await bench.Finish();
}

}  // namespace
}  // namespace falconer::engine
