// What a rule's rate_limit counts, over a real browser.

#include "engine/replay/replay.h"
#include "tests/support/runtime_bench.h"

namespace falconer::test {
namespace {

constexpr char kOnePurchase[] = R"(
policy: {name: few, version: "1"}
rules:
  - name: ordinary
    when: {capability: {not_in: [PURCHASE]}}
    then: allow
  - name: one purchase
    when: {capability: PURCHASE}
    then: {allow: true, rate_limit: {max: 1, period: 24h}}
)";

constexpr char kOneDeletion[] = R"(
policy: {name: few, version: "1"}
rules:
  - name: ordinary
    when: {capability: {not_in: [DELETE]}}
    then: allow
  - name: one deletion
    when: {capability: DELETE}
    then: {allow: true, rate_limit: {max: 1, period: 24h}}
)";

constexpr char kTwoPages[] = R"(
policy: {name: two-pages, version: "1"}
rules:
  - name: two pages
    when: always
    then: {allow: true, rate_limit: {max: 2, period: 1h, by: [tenant, agent]}}
)";

struct RateTest {
  RateTest(BrowserFixture& fixture, std::string_view yaml)
      : t(fixture), data(TempDir::Create("falconer-rate-test-").value()), bench(t, data.path()) {
    bench.control().policies.policy = kernel::AdmittedPolicy::Of(std::string(yaml)).value();
    t.site.Serve("/store",
                 "<form method=post action=/effect><input name=name value=bought>"
                 "<button id=buy>Buy now for $49.00</button></form>"
                 "<button id=twice onclick=\"for (const n of [1, 2]) fetch('/effect?name=d' + n,"
                 " {method: 'DELETE'})\">Show more</button>");
  }

  Task<model::ActionExecutionResult> Do(std::string action) {
    return bench.Execute(R"({"workflow_id": "w1", "run_id": "r1", "step_index": )" +
                         std::to_string(step++) + R"(, "action_spec": )" + std::move(action) + "}");
  }
  Task<model::ActionExecutionResult> Open() {
    return Do(R"({"action_type": "navigate", "url": ")" + t.site.Url("/store") + R"("})");
  }
  Task<model::ActionExecutionResult> Click(std::string selector) {
    return Do(R"({"action_type": "click", "selector": ")" + selector + R"("})");
  }
  void ExpectReplayed() const {
    auto reader =
        ledger::ChainReader::Open(ledger::ChainPaths::Of(data.path(), TenantId("acme")).folder);
    const auto report = engine::ReplayNamed(*reader, TenantId("acme"), {.id = "r1"});
    EXPECT_TRUE(report && report->status() == engine::ReplayStatus::kReproduced)
        << (report ? json::serialize(report->ToJson()) : report.error().message());
  }

  BrowserFixture& t;
  TempDir data;
  RuntimeBench bench;
  int step = 0;
};

void ExpectTooOften(const model::ActionExecutionResult& result, std::string_view rule) {
  const std::string text = json::serialize(result.ToJson());
  EXPECT_TRUE(result.failure && result.failure->code == ErrorCode::kPolicyRateLimit) << text;
  if (!result.failure) return;
  EXPECT_TRUE(result.failure->retry_after && *result.failure->retry_after > std::chrono::minutes(1))
      << text;
  EXPECT_EQ(TextAt(result.failure->details, "rule"), rule) << text;
  EXPECT_TRUE(result.failure->details.contains("denial_id")) << text;
}

BROWSER_TEST(RateLimitTest, WhatOnlyTheElementTellsIsCountedBeforeInputLeaves) {
  RateTest test(t, kOnePurchase);
  co_await test.Open();
  const auto first = co_await test.Click("#buy");
  co_await test.Open();
  const auto second = co_await test.Click("#buy");
  co_await test.bench.Stop();

  EXPECT_TRUE(first.success) << json::serialize(first.ToJson());
  ExpectTooOften(second, "one purchase");
  EXPECT_EQ(second.attempts.size(), 1u) << "it does not pass while the turn lasts";
  EXPECT_EQ(t.site.RequestCount("/effect"), 1u);
  test.ExpectReplayed();
}

BROWSER_TEST(RateLimitTest, APageThatSendsMoreThanOneIsCountedForEach) {
  RateTest test(t, kOneDeletion);
  co_await test.Open();
  const auto clicked = co_await test.Click("#twice");
  co_await test.bench.Stop();

  ExpectTooOften(clicked, "one deletion");
  EXPECT_EQ(t.site.RequestCount("/effect"), 1u);
  test.ExpectReplayed();
}

BROWSER_TEST(RateLimitTest, WhatIsKnownBeforehandIsPutOffBeforeTheTurn) {
  RateTest test(t, kTwoPages);
  const auto first = co_await test.Open();
  const auto second = co_await test.Open();
  const auto third = co_await test.Open();
  co_await test.bench.Stop();

  EXPECT_TRUE(first.success) << json::serialize(first.ToJson());
  EXPECT_TRUE(second.success) << json::serialize(second.ToJson());
  ExpectTooOften(third, "two pages");
  EXPECT_TRUE(third.turn_id.empty()) << "no turn was opened";
  EXPECT_EQ(t.site.RequestCount("/store"), 2u);
  test.ExpectReplayed();
}

BROWSER_TEST(RateLimitTest, WhoOnlyObservesRefusesNothing) {
  std::string yaml = kOnePurchase;
  yaml.replace(yaml.find("version: \"1\""), 12, "version: \"1\", mode: observe");
  yaml.replace(yaml.find("max: 1"), 6, "max: 0");
  RateTest test(t, yaml);
  co_await test.Open();
  const auto bought = co_await test.Click("#buy");
  co_await test.bench.Stop();

  EXPECT_TRUE(bought.success) << json::serialize(bought.ToJson());
  EXPECT_EQ(t.site.RequestCount("/effect"), 1u);
  test.ExpectReplayed();
}

}  // namespace
}  // namespace falconer::test
