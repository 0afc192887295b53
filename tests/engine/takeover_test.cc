// A person takes a session over from its agents, acts in it, and hands it back.

#include "engine/replay/replay.h"
#include "ledger/reader.h"
#include "ledger/verifier.h"
#include "tests/support/in_background.h"
#include "tests/support/runtime_bench.h"
#include "tests/support/settle.h"

namespace falconer::test {
namespace {

constexpr std::string_view kPay = R"({"action_type": "click", "selector": "#pay"})";

std::string DriveContract(int step, std::string_view action, std::string_view more = "") {
  return R"({"workflow_id": "w1", "step_index": )" + std::to_string(step) + R"(, "action_spec": )" +
         std::string(action) + std::string(more) + "}";
}

std::string OpenTill(BrowserFixture& t) {
  t.site.Serve("/till",
               "<h1>Till</h1><button id=pay onclick=\"fetch('/effect', {method: 'POST', body: "
               "JSON.stringify({name: 'paid'})})\">Pay</button>");
  return R"({"action_type": "navigate", "url": ")" + t.site.Url("/till") + R"("})";
}

std::string Details(const model::ActionExecutionResult& result, std::string_view key) {
  return result.failure ? TextAt(result.failure->details, key) : "";
}

struct TakeoverBench {
  explicit TakeoverBench(BrowserFixture& fixture) : t(fixture), bench(t, data.path()) {}

  Task<model::ActionExecutionResult> AsPerson(std::string person, std::string contract) {
    engine::Caller caller = bench.control().Caller();
    caller.person = std::move(person);
    const auto answer = co_await bench.runtime().Execute(t.ctx.WithTimeout(kLongPatience), caller,
                                                         ParseJson(contract).value());
    EXPECT_TRUE(answer) << Why(answer);
    if (!answer) co_return model::ActionExecutionResult();
    co_return model::ActionExecutionResult::FromJson(*ParseJson(**answer)).value();
  }
  Task<Result<engine::Takeover>> TakeOver(std::string person) {
    return bench.runtime().TakeOver(t.ctx.WithTimeout(kLongPatience), key,
                                    {.person = std::move(person), .reason = "looks odd"});
  }
  Task<Result<std::int64_t>> HandBack(std::string person) {
    return bench.runtime().HandBack(t.ctx.WithTimeout(kLongPatience), key,
                                    {.person = std::move(person), .reason = ""});
  }
  Task<bool> TurnRuns() {
    const auto session = bench.runtime().SessionAside(key);
    const TimePoint until = t.ctx.clock().Now() + kPatience;
    while (!session->turns.is_busy() && t.ctx.clock().Now() < until) co_await Settle(1);
    co_return session->turns.is_busy();
  }
  std::vector<json::object> Records() const {
    auto reader =
        ledger::ChainReader::Open(ledger::ChainPaths::Of(data.path(), TenantId("acme")).folder)
            .value();
    std::vector<json::object> records;
    for (std::uint64_t seq = 1; seq <= reader.LastSeq().value(); ++seq)
      records.push_back(ParseJsonObject(reader.At(seq).value().view().fields.payload).value());
    return records;
  }

  BrowserFixture& t;
  TempDir data = TempDir::Create("falconer-takeover-test-").value();
  RuntimeBench bench;
  browser::SessionKey key{.tenant = TenantId("acme"), .workflow = WorkflowId("w1")};
};

BROWSER_TEST(TakeoverTest, AgentsAreRefusedUntilItIsHandedBack) {
  TakeoverBench test(t);
  const auto opened = co_await test.bench.Execute(DriveContract(0, OpenTill(t)));
  EXPECT_TRUE(opened.success) << json::serialize(opened.ToJson());
  EXPECT_FALSE(test.bench.runtime().TakeoverOf(test.key));

  const auto taken = co_await test.TakeOver("ann");
  EXPECT_TRUE(taken) << Why(taken);
  EXPECT_GT(taken->epoch, taken->agents_epoch);
  EXPECT_EQ(test.bench.runtime().TakeoverOf(test.key)->person, "ann");
  const auto refused = co_await test.bench.Execute(DriveContract(1, kPay));
  EXPECT_EQ(refused.failure->code, ErrorCode::kStaleEpoch) << json::serialize(refused.ToJson());
  EXPECT_EQ(Details(refused, "reason"), "taken_over");
  EXPECT_EQ(Details(refused, "taken_over_by"), "ann");
  EXPECT_EQ(t.site.EffectCount("paid"), 0u);

  const auto acted = co_await test.AsPerson("ann", DriveContract(2, kPay));
  EXPECT_TRUE(acted.success) << json::serialize(acted.ToJson());
  EXPECT_TRUE(co_await t.site.UntilEffects(t.ctx, "paid", 1));
  const auto other = co_await test.AsPerson("bob", DriveContract(3, kPay));
  EXPECT_EQ(Details(other, "taken_over_by"), "ann") << "only who has taken over";

  const auto back = co_await test.HandBack("ann");
  EXPECT_TRUE(back && *back > taken->epoch) << Why(back);
  // What was refused before was never a turn: the same contract may be sent again.
  const auto again = co_await test.bench.Execute(DriveContract(1, kPay));
  EXPECT_TRUE(again.success) << json::serialize(again.ToJson());
  EXPECT_TRUE(co_await t.site.UntilEffects(t.ctx, "paid", 2));
  co_await test.bench.Stop();
}

BROWSER_TEST(TakeoverTest, WhoDidWhatIsOnRecord) {
  TakeoverBench test(t);
  co_await test.bench.Execute(DriveContract(0, OpenTill(t)));
  EXPECT_TRUE(co_await test.TakeOver("ann"));
  co_await test.bench.Execute(DriveContract(1, kPay));
  co_await test.AsPerson("ann", DriveContract(2, kPay));
  EXPECT_TRUE(co_await test.HandBack("ann"));
  co_await test.bench.Stop();

  std::size_t by_ann = 0;
  std::size_t changes = 0;
  std::size_t refusals = 0;
  for (const json::object& record : test.Records()) {
    by_ann += TextAt(record, "person") == "ann" && record.contains("success");
    refusals += TextAt(record, "reason") == "taken_over";
    const json::value* driver = record.if_contains("driver");
    if (driver == nullptr) continue;
    ++changes;
    EXPECT_EQ(TextAt(driver->as_object(), "person"), "ann");
  }
  EXPECT_EQ(by_ann, 1u);
  EXPECT_EQ(refusals, 1u);
  EXPECT_EQ(changes, 2u);
  auto reader =
      ledger::ChainReader::Open(ledger::ChainPaths::Of(test.data.path(), TenantId("acme")).folder)
          .value();
  const auto replayed = engine::ReplayNamed(reader, TenantId("acme"), {.id = "w1"});
  EXPECT_TRUE(replayed) << Why(replayed);
  if (replayed)
    EXPECT_EQ(replayed->status(), engine::ReplayStatus::kReproduced)
        << json::serialize(replayed->ToJson());
}

// The agent waits for a button that is not there yet; when it comes, a person drives.
BROWSER_TEST(TakeoverTest, WhatIsUnderWayEndsAndDoesNothingMore) {
  TakeoverBench test(t);
  t.site.Serve("/late", "<h1>Late</h1>");
  co_await test.bench.Execute(
      DriveContract(0, R"({"action_type": "navigate", "url": ")" + t.site.Url("/late") + R"("})"));
  InBackground agent(t.ctx.executor(),
                     test.bench.Execute(DriveContract(
                         1, kPay, R"(, "timeout": {"execute_ms": 60000, "total_ms": 90000})")));
  EXPECT_TRUE(co_await test.TurnRuns());

  const auto taken = co_await test.TakeOver("ann");
  EXPECT_TRUE(taken) << Why(taken);
  const auto ended = co_await agent.Join();
  EXPECT_EQ(ended.failure->code, ErrorCode::kStaleEpoch) << json::serialize(ended.ToJson());
  EXPECT_EQ(Details(ended, "reason"), "taken_over");
  EXPECT_EQ(Details(ended, "taken_over_by"), "ann");

  const auto shown = co_await test.AsPerson(
      "ann",
      DriveContract(2, OpenTill(t), R"(, "wait_conditions": [{"kind": "text", "text": "Till"}])"));
  EXPECT_TRUE(shown.success) << json::serialize(shown.ToJson());
  const auto looked = co_await test.AsPerson(
      "ann", DriveContract(3, R"({"action_type": "hover", "selector": "#pay"})"));
  EXPECT_TRUE(looked.success) << json::serialize(looked.ToJson());
  EXPECT_EQ(t.site.EffectCount("paid"), 0u);
  co_await test.bench.Stop();
}

BROWSER_TEST(TakeoverTest, APersonsActionEndsWhenItIsHandedBack) {
  TakeoverBench test(t);
  t.site.Serve("/late", "<h1>Late</h1>");
  co_await test.bench.Execute(
      DriveContract(0, R"({"action_type": "navigate", "url": ")" + t.site.Url("/late") + R"("})"));
  EXPECT_TRUE(co_await test.TakeOver("ann"));
  InBackground person(
      t.ctx.executor(),
      test.AsPerson("ann", DriveContract(1, kPay, R"(, "timeout": {"execute_ms": 60000,
                                                      "total_ms": 90000})")));
  EXPECT_TRUE(co_await test.TurnRuns());

  EXPECT_TRUE(co_await test.HandBack("eve"));
  const auto ended = co_await person.Join();
  EXPECT_EQ(Details(ended, "reason"), "handed_back") << json::serialize(ended.ToJson());
  const auto agent = co_await test.bench.Execute(DriveContract(2, OpenTill(t)));
  EXPECT_TRUE(agent.success) << json::serialize(agent.ToJson());
  co_await test.bench.Stop();
}

BROWSER_TEST(TakeoverTest, OneHasItAtATime) {
  TakeoverBench test(t);
  EXPECT_EQ(CodeOf(co_await test.TakeOver("ann")), ErrorCode::kNotFound) << "no session";
  co_await test.bench.Execute(DriveContract(0, OpenTill(t)));
  EXPECT_EQ(CodeOf(co_await test.HandBack("ann")), ErrorCode::kNotFound) << "nobody has it";
  const auto first = co_await test.TakeOver("ann");
  const auto again = co_await test.TakeOver("ann");
  EXPECT_TRUE(first && again && first->epoch == again->epoch) << "the same person has it already";
  const auto other = co_await test.TakeOver("bob");
  EXPECT_EQ(CodeOf(other), ErrorCode::kAlreadyExists);
  if (!other) EXPECT_EQ(TextAt(other.error().details(), "taken_over_by"), "ann");
  co_await test.bench.Stop();
}

}  // namespace
}  // namespace falconer::test
