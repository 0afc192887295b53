// Plans over a real browser: every step is a turn, in the order of the graph.

#include "engine/plan_run.h"

#include <fmt/format.h>

#include "ledger/verifier.h"
#include "tests/support/co_test.h"
#include "tests/support/in_background.h"
#include "tests/support/runtime_bench.h"

namespace falconer::test {
namespace {

using Names = std::vector<std::string>;

TempDir NewData() {
  return TempDir::Create("falconer-plan-test-").value();
}

// A page where each button does what it is called, tells the server, and writes it down.
std::string Desk(BrowserFixture& t) {
  t.site.Serve("/desk", R"(<h1>Desk</h1>
<button id=add>Add</button><button id=more>More</button><button id=pay>Pay</button>
<button id=undo_add>Undo add</button><button id=undo_more>Undo more</button>
<output id=log></output>
<script>
document.addEventListener('click', async (event) => {
  await fetch('/effect', {method: 'POST', body: JSON.stringify({name: event.target.id})});
  log.textContent += event.target.id + ';';
});
</script>)");
  return t.site.Url("/desk");
}

std::string Navigate(std::string_view url, std::string_view workflow = "w1") {
  return fmt::format(
      R"({{"workflow_id": "{}", "action_spec": {{"action_type": "navigate", "url": "{}"}}}})",
      workflow, url);
}

// Clicks, and waits until the page has written it down.
std::string Click(std::string_view id) {
  return fmt::format(
      R"({{"workflow_id": "w1", "action_spec": {{"action_type": "click", "selector": "#{}"}},
          "wait_conditions": [{{"kind": "text", "text": "{};"}}], "retry": {{"max_attempts": 1}},
          "timeout": {{"bind_ms": 500}}}})",
      id, id);
}

std::string Step(std::string_view id, std::string_view contract, std::string_view more = "") {
  return fmt::format(R"({{"step_id": "{}", "contract": {}{}}})", id, contract, more);
}

std::string After(std::string_view id) {
  return fmt::format(R"(, "depends_on": ["{}"])", id);
}

std::string Undone(std::string_view contract) {
  return fmt::format(R"(, "compensation": {})", contract);
}

std::string Plan(const Names& steps, std::string_view more = "") {
  return fmt::format(R"({{"plan_id": "p1", "steps": [{}]{}}})", fmt::join(steps, ","), more);
}

constexpr std::string_view kCompensate = R"(, "rollback": {"on_failure": "compensate"})";

std::string Criteria(std::string_view text) {
  return fmt::format(R"(, "success_criteria": [{{"rule_type": "text_state", "selector": "#log",
      "expected": "{}", "mode": "equals"}}])",
                     text);
}

// What a plan came to, and what was told while it ran.
struct Told {
  json::object answer;
  Names news;  // "+a" began, "-a" ended, "~a" compensated, "?" judged
  std::string Text() const { return json::serialize(answer); }
};

std::string Mark(const engine::PlanNews& news) {
  using Kind = engine::PlanNewsKind;
  const char* marks[] = {"+", "-", "?", "~"};
  EXPECT_EQ(news.result.empty(), news.kind == Kind::kStepBegan);
  return marks[static_cast<std::size_t>(news.kind)] + news.step_id.value();
}

Task<Told> Run(RuntimeBench* bench, CallContext ctx, std::string text) {
  Told told;
  const auto plan = model::TaskPlan::FromJson(ParseJson(text).value_or(json::value()));
  EXPECT_TRUE(plan) << Why(plan) << text;
  if (!plan) co_return told;
  const auto answer = co_await engine::RunPlan(
      std::move(ctx), &bench->runtime(), bench->control().Caller(), *plan,
      [&told](const engine::PlanNews& news) { told.news.push_back(Mark(news)); });
  EXPECT_TRUE(answer) << Why(answer);
  if (answer) told.answer = *answer;
  co_return told;
}

// "a done, b failed"
std::string Rows(const json::object& answer, std::string_view key = "steps") {
  Names rows;
  for (const json::value& row : answer.at(key).as_array()) {
    rows.push_back(TextAt(row.as_object(), "step_id") + " " + TextAt(row.as_object(), "status"));
  }
  return fmt::format("{}", fmt::join(rows, ", "));
}

std::string FailureCodeIn(const json::object& answer) {
  const json::value* failure = answer.if_contains("failure");
  return failure == nullptr ? "" : TextAt(failure->as_object(), "code");
}

BROWSER_TEST(PlanRunTest, StepsRunInTheOrderOfTheirDependencies) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());
  const Names steps = {Step("pay", Click("pay"), After("add")),
                       Step("add", Click("add"), After("open")), Step("open", Navigate(Desk(t)))};

  const Told told = co_await Run(&bench, t.ctx, Plan(steps, Criteria("add;pay;")));

  EXPECT_TRUE(IsTrueAt(told.answer, "success")) << told.Text();
  EXPECT_EQ(Rows(told.answer), "pay done, add done, open done");
  EXPECT_EQ(told.news, Names({"+open", "-open", "+add", "-add", "+pay", "-pay", "?"}));
  EXPECT_EQ(told.answer.at("criteria").at("passed"), true);
  EXPECT_FALSE(told.answer.contains("failure"));
  co_await bench.Stop();
}

BROWSER_TEST(PlanRunTest, EveryStepAndTheCriteriaAreOnRecord) {
  const TempDir data = NewData();
  std::vector<ledger::PublicKey> keys;
  {
    RuntimeBench bench(t, data.path());
    keys.push_back(bench.ledger().public_key());
    const Told told = co_await Run(
        &bench, t.ctx,
        Plan({Step("open", Navigate(Desk(t))), Step("add", Click("add"))}, Criteria("add;")));
    EXPECT_TRUE(told.answer.at("criteria").at("result").as_object().contains("ledger"));
    co_await bench.Stop();
  }
  const auto report = ledger::VerifyChain(
      {.folder = ledger::ChainPaths::Of(data.path(), TenantId("acme")).folder, .keys = keys});
  EXPECT_TRUE(report && report->is_clean());
  if (report) EXPECT_GE(report->records, 6u) << "three turns, opened and closed";
}

BROWSER_TEST(PlanRunTest, AGroupRunsAtOnceInDifferentWorkflows) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());
  Desk(t);
  t.site.Hold("/desk");
  const std::string_view group = R"(, "parallel_group": 1)";
  InBackground running(
      t.ctx.executor(),
      Run(&bench, t.ctx,
          Plan({Step("left", Navigate(t.site.Url("/desk"), "w1"), group),
                Step("right", Navigate(t.site.Url("/desk"), "w2"), group),
                Step("last", Click("add"), R"(, "depends_on": ["left", "right"])")})));

  const auto both =
      co_await t.site.UntilRequests(t.ctx.WithTimeout(std::chrono::seconds(20)), "/desk", 2);
  EXPECT_TRUE(both) << "the second does not wait for the first: " << Why(both);
  t.site.Release("/desk");
  const Told told = co_await running.Join();

  EXPECT_EQ(Rows(told.answer), "left done, right done, last done") << told.Text();
  EXPECT_EQ(Names(told.news.begin(), told.news.begin() + 2), Names({"+left", "+right"}));
  co_await bench.Stop();
}

BROWSER_TEST(PlanRunTest, AGroupInOneWorkflowRunsOneByOneHoweverLarge) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());
  Names steps;
  Names expected;
  for (int i = 0; i < 20; ++i) {
    const std::string id = fmt::format("s{}", i);
    steps.push_back(Step(id, R"({"workflow_id": "w1"})", R"(, "parallel_group": 1)"));
    expected.insert(expected.end(), {"+" + id, "-" + id});
  }

  const Told told = co_await Run(&bench, t.ctx, Plan(steps));

  EXPECT_TRUE(IsTrueAt(told.answer, "success")) << told.Text();
  EXPECT_EQ(told.news, expected);
  co_await bench.Stop();
}

BROWSER_TEST(PlanRunTest, StepsThatSayTheSameAreDoneEachOnce) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());
  const std::string plan = Plan({Step("open", Navigate(Desk(t))), Step("one", Click("add")),
                                 Step("two", Click("add")), Step("three", Click("add"))});

  const Told told = co_await Run(&bench, t.ctx, plan);

  EXPECT_TRUE(IsTrueAt(told.answer, "success")) << told.Text();
  EXPECT_EQ(t.site.EffectCount("add"), 3u);
  co_await bench.Stop();
}

BROWSER_TEST(PlanRunTest, AFailureSkipsTheRestAndUndoesWhatWasDone) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());
  const std::string plan =
      Plan({Step("open", Navigate(Desk(t))), Step("add", Click("add"), Undone(Click("undo_add"))),
            Step("more", Click("more"), Undone(Click("undo_more"))),
            Step("gone", Click("nowhere"), Undone(Click("pay"))), Step("pay", Click("pay"))},
           std::string(kCompensate) + Criteria("never judged"));

  const Told told = co_await Run(&bench, t.ctx, plan);

  EXPECT_FALSE(IsTrueAt(told.answer, "success"));
  EXPECT_EQ(Rows(told.answer), "open done, add done, more done, gone failed, pay skipped");
  EXPECT_EQ(Rows(told.answer, "compensated"), "more done, add done") << told.Text();
  EXPECT_EQ(told.answer.at("failure").at("step_id"), "gone");
  EXPECT_FALSE(FailureCodeIn(told.answer).empty());
  EXPECT_FALSE(told.answer.contains("criteria"));
  EXPECT_EQ(Names(told.news.end() - 2, told.news.end()), Names({"~more", "~add"}));
  EXPECT_EQ(t.site.EffectCount("undo_add") + t.site.EffectCount("undo_more"), 2u);
  EXPECT_EQ(t.site.EffectCount("pay"), 0u);
  co_await bench.Stop();
}

BROWSER_TEST(PlanRunTest, NothingIsUndoneUnlessThePlanAsksForIt) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());

  const Told told = co_await Run(
      &bench, t.ctx,
      Plan({Step("open", Navigate(Desk(t))), Step("add", Click("add"), Undone(Click("undo_add"))),
            Step("gone", Click("nowhere"))}));

  EXPECT_EQ(Rows(told.answer), "open done, add done, gone failed");
  EXPECT_TRUE(told.answer.at("compensated").as_array().empty()) << told.Text();
  EXPECT_EQ(t.site.EffectCount("undo_add"), 0u);
  co_await bench.Stop();
}

BROWSER_TEST(PlanRunTest, AFailureInAGroupLetsTheOthersEnd) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());
  Desk(t);
  t.site.Hold("/desk");
  const std::string_view group = R"(, "parallel_group": 1)";
  InBackground running(t.ctx.executor(),
                       Run(&bench, t.ctx,
                           Plan({Step("slow", Navigate(t.site.Url("/desk"), "w1"), group),
                                 Step("refused", Navigate("http://10.0.0.1/", "w2"), group),
                                 Step("after", Click("add"), After("slow"))})));
  const auto asked =
      co_await t.site.UntilRequests(t.ctx.WithTimeout(std::chrono::seconds(20)), "/desk", 1);
  EXPECT_TRUE(asked) << Why(asked);
  t.site.Release("/desk");

  const Told told = co_await running.Join();

  EXPECT_EQ(Rows(told.answer), "slow done, refused failed, after skipped") << told.Text();
  EXPECT_EQ(FailureCodeIn(told.answer), "SECURITY_DOMAIN_BLOCK");
  co_await bench.Stop();
}

BROWSER_TEST(PlanRunTest, CriteriaThatDoNotHoldAreAFailureThatIsUndone) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());

  const Told told = co_await Run(
      &bench, t.ctx,
      Plan({Step("open", Navigate(Desk(t))), Step("add", Click("add"), Undone(Click("undo_add")))},
           std::string(kCompensate) + Criteria("something else")));

  EXPECT_FALSE(IsTrueAt(told.answer, "success"));
  EXPECT_EQ(Rows(told.answer), "open done, add done");
  EXPECT_EQ(told.answer.at("criteria").at("passed"), false);
  EXPECT_EQ(FailureCodeIn(told.answer), "POSTCONDITION_FAILED") << told.Text();
  EXPECT_FALSE(told.answer.at("failure").as_object().contains("step_id"));
  EXPECT_EQ(Rows(told.answer, "compensated"), "add done");
  co_await bench.Stop();
}

BROWSER_TEST(PlanRunTest, CancellingEndsWhatRunsAndSaysWhatWasDone) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());
  const std::string desk = Desk(t);
  t.site.Serve("/held", "<h1>Held</h1>");
  t.site.Hold("/held");
  CancelSource cancel;
  InBackground running(
      t.ctx.executor(),
      Run(&bench, t.ctx.WithCancel(cancel.token()),
          Plan({Step("open", Navigate(desk)), Step("add", Click("add"), Undone(Click("undo_add"))),
                Step("held", Navigate(t.site.Url("/held"))), Step("pay", Click("pay"))},
               kCompensate)));
  const auto asked =
      co_await t.site.UntilRequests(t.ctx.WithTimeout(std::chrono::seconds(20)), "/held", 1);
  EXPECT_TRUE(asked) << Why(asked);

  cancel.Cancel(Error(ErrorCode::kCancelled, "called off by the test"));
  const Told told = co_await running.Join();
  t.site.Release("/held");

  EXPECT_EQ(Rows(told.answer), "open done, add done, held cancelled, pay skipped") << told.Text();
  EXPECT_EQ(FailureCodeIn(told.answer), "CANCELLED");
  EXPECT_TRUE(told.answer.at("compensated").as_array().empty()) << "nothing more happens";
  EXPECT_TRUE(told.answer.at("steps").at(2).at("result").as_object().contains("ledger"))
      << "that it was cancelled is on record";
  EXPECT_EQ(t.site.EffectCount("undo_add") + t.site.EffectCount("pay"), 0u);
  co_await bench.Stop();
}

BROWSER_TEST(PlanRunTest, AStepHasItsOwnTime) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());
  t.site.Serve("/held", "<h1>Held</h1>");
  t.site.Hold("/held");
  const TimePoint start = t.ctx.clock().Now();

  const Told told =
      co_await Run(&bench, t.ctx,
                   Plan({Step("wake", R"({"workflow_id": "w1"})"),
                         Step("held", Navigate(t.site.Url("/held")), R"(, "timeout_ms": 400)"),
                         Step("after", Click("add"))}));

  EXPECT_EQ(Rows(told.answer), "wake done, held failed, after skipped") << told.Text();
  EXPECT_EQ(FailureCodeIn(told.answer), "TIMEOUT");
  EXPECT_LT(t.ctx.clock().Now() - start, std::chrono::seconds(9)) << "the contract has ten";
  t.site.Release("/held");
  co_await bench.Stop();
}

BROWSER_TEST(PlanRunTest, AStepWithoutTimeToBeginIsOnRecord) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());

  // A new workflow: its lease alone takes longer.
  const Told told =
      co_await Run(&bench, t.ctx,
                   Plan({Step("late", R"({"workflow_id": "w9"})", R"(, "timeout_ms": 1)"),
                         Step("after", Click("add"), After("late"))}));

  EXPECT_EQ(Rows(told.answer), "late failed, after skipped") << told.Text();
  EXPECT_EQ(FailureCodeIn(told.answer), "TIMEOUT");
  const json::object& result = told.answer.at("steps").at(0).at("result").as_object();
  EXPECT_TRUE(result.contains("ledger")) << told.Text();
  co_await bench.Stop();
}

BROWSER_TEST(PlanRunTest, TheTimeOfTheWholePlanEndsIt) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());
  t.site.Serve("/held", "<h1>Held</h1>");
  t.site.Hold("/held");
  const auto warm = co_await bench.Execute(R"({"workflow_id": "w1"})");
  EXPECT_TRUE(warm.success);

  const Told told =
      co_await Run(&bench, t.ctx.WithTimeout(std::chrono::milliseconds(700)),
                   Plan({Step("held", Navigate(t.site.Url("/held"))), Step("after", Click("add"))},
                        kCompensate));

  EXPECT_EQ(Rows(told.answer), "held failed, after skipped") << told.Text();
  EXPECT_EQ(FailureCodeIn(told.answer), "TIMEOUT");
  t.site.Release("/held");
  co_await bench.Stop();
}

BROWSER_TEST(PlanRunTest, TheSamePlanAgainIsAnsweredFromTheRecord) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());
  const std::string plan = Plan(
      {Step("open", Navigate(Desk(t))), Step("add", Click("add")), Step("again", Click("add"))},
      Criteria("add;add;"));

  const Told first = co_await Run(&bench, t.ctx, plan);
  const Told second = co_await Run(&bench, t.ctx, plan);

  EXPECT_TRUE(IsTrueAt(first.answer, "success")) << first.Text();
  EXPECT_EQ(second.Text(), first.Text());
  EXPECT_EQ(t.site.EffectCount("add"), 2u);
  co_await bench.Stop();
}

BROWSER_TEST(PlanRunTest, ADryPlanDoesAndJudgesNothing) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());
  const std::string contract =
      fmt::format(R"({{"workflow_id": "w1", "dry_run": true, "action_spec": {{"action_type":
        "navigate", "url": "{}"}}}})",
                  Desk(t));

  const Told told =
      co_await Run(&bench, t.ctx, Plan({Step("open", contract)}, Criteria("never there")));

  EXPECT_TRUE(IsTrueAt(told.answer, "success")) << told.Text();
  EXPECT_EQ(t.site.RequestCount("/desk"), 0u);
  co_await bench.Stop();
}

CO_TEST(PlanRunRefusalTest, APlanThatIsNoneIsRefusedBeforeAnythingIsDone) {
  model::TaskPlan plan;
  plan.plan_id = PlanId("p1");

  const auto answer = co_await engine::RunPlan(ctx, nullptr, {}, plan, {});

  EXPECT_FALSE(answer);
  if (!answer) EXPECT_EQ(answer.error().code(), ErrorCode::kInvalidContract);
}

}  // namespace
}  // namespace falconer::test
