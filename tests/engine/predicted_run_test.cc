// Runs by prediction in a real browser, under real gates.

#include "predict/act/predicted_run.h"

#include <fmt/format.h>

#include "predict/act/named_way.h"
#include "predict/act/session_page.h"
#include "tests/support/control_bench.h"
#include "tests/support/predict_fakes.h"

namespace falconer::test {
namespace {

using predict::RunOutcome;

const WorkflowId kSession("w1");

constexpr std::string_view kGoods =
    "<h1>Coffees</h1>"
    "<article>Huila <a id={0}-1 href='{1}/order?what=huila'>Order Huila</a></article>"
    "<article>Nyeri <a id={0}-2 href='{1}/order?what=nyeri'>Order Nyeri</a></article>";
constexpr std::string_view kOrderForm =
    "<h1>Order</h1><form aria-label=Order onsubmit=\"document.title='Sent'; done.textContent='Sent "
    "to '"
    " + who.value + ' by ' + how.value; return false\">"
    "<label for=who>Full name</label><input id=who name=who>"
    "<label for=how>How to send it</label><select id=how name=how><option value=''>Choose</option>"
    "<option value=post>By post</option><option value=bike>By bike</option></select>"
    "<button id=send type=submit>Check</button></form><output id=done></output>";

predict::WorkflowStep Step(std::string id, std::string spec, model::Fingerprint element,
                           std::string rules = "[]") {
  predict::WorkflowStep step{.id = id,
                             .intent = "do " + id,
                             .contract = {{"action_spec", ParseJson(spec).value()},
                                          {"verification_rules", ParseJson(rules).value()}},
                             .signature = "sign " + id,
                             .recordings = 3};
  if (!element.role.empty()) {
    element.selectors = predict::SelectorsOf(step);
    step.element = std::move(element);
  }
  return step;
}

predict::LearnedWorkflow OrderWorkflow(const std::string& home) {
  return {
      .name = "order",
      .recordings = 3,
      .parameters = {{.name = "what"}, {.name = "full_name"}, {.name = "how"}},
      .steps = {
          Step("open", fmt::format(R"({{"action_type": "navigate", "url": "{}"}})", home), {}),
          Step("pick",
               R"({"action_type": "click", "selector": "role=link[name=\"Order {what}\"]"})",
               {.role = "link",
                .name = "Order {what}",
                .text = "Order {what}",
                .tag = "a",
                .item = "{what} Order {what}"},
               R"([{"rule_type": "url_pattern", "pattern": "**/order?*"}])"),
          Step("name", R"({"action_type": "fill", "selector": "id=who", "text": "{full_name}"})",
               {.role = "textbox",
                .name = "Full name",
                .tag = "input",
                .label = "Full name",
                .landmark = "form \"Order\""}),
          Step("how", R"({"action_type": "select", "selector": "id=how",
                         "select_values": [{"label": "{how}"}]})",
               {.role = "combobox",
                .name = "How to send it",
                .tag = "select",
                .label = "How to send it",
                .landmark = "form \"Order\""}),
          Step(
              "send", R"({"action_type": "click", "selector": "id=send"})",
              {.role = "button",
               .name = "Check",
               .text = "Check",
               .tag = "button",
               .type = "submit",
               .landmark = "form \"Order\""},
              R"([{"rule_type": "text_state", "selector": "css=output", "expected": "Sent to"}])")}};
}

struct RunBench {
  explicit RunBench(BrowserFixture& fixture, std::string_view policy = "")
      : t(fixture), test(fixture, policy) {
    Serve("good", kOrderForm);
  }

  // `ids` is what the ids of the goods begin with.
  void Serve(std::string_view ids, std::string_view form) {
    t.site.Serve("/goods", fmt::format(fmt::runtime(kGoods), ids, ""));
    t.site.Serve("/order", std::string(form));
  }

  Task<predict::PredictedReport> Run(predict::RunLimits limits = {}) {
    return Run(OrderWorkflow(t.site.Url("/goods")), limits);
  }
  Task<predict::PredictedReport> Run(predict::LearnedWorkflow workflow,
                                     predict::RunLimits limits = {}) {
    predict::RunOrder order{
        .run = RunId(fmt::format("run-{}", ++runs_)),
        .session = kSession,
        .workflow = "order",
        .values = {{"what", "Nyeri"}, {"full_name", "Ada L."}, {"how", "By bike"}},
        .limits = limits};
    std::vector<predict::WorkflowStep> bound;
    for (const auto& step : workflow.steps) {
      auto one = predict::Bind(step, order.values);
      EXPECT_TRUE(one) << Why(one);
      if (one) bound.push_back(*std::move(one));
    }
    predict::SessionPage page(test.bench.runtime(), test.bench.control().Caller(), kSession);
    predict::PredictedRun run(
        t.ctx.WithTimeout(kLongPatience),
        {.page = page, .learnt = learnt, .memory = memory, .numbers = numbers}, std::move(order),
        std::make_unique<predict::NamedWay>(std::move(workflow), std::move(bound), learnt));
    co_return co_await run.Go();
  }

  // Buys in the small shop that sells one thing.
  predict::LearnedWorkflow BuyWorkflow() {
    return {
        .name = "buy",
        .recordings = 3,
        .steps = {
            Step("open",
                 fmt::format(R"({{"action_type": "navigate", "url": "{}"}})", ServeStore(t)), {}),
            Step("buy", R"({"action_type": "click", "selector": "id=buy"})",
                 {.role = "button", .name = "Buy now for $49.00", .tag = "button"})}};
  }

  Task<std::string> TextOf(std::string selector) {
    const auto result = co_await test.bench.Execute(
        TurnStep(900 + runs_, R"({"action_type": "extract", "selector": ")" + selector + R"("})"));
    co_return result.outcome ? json::serialize(*result.outcome) : "";
  }

  BrowserFixture& t;
  ControlBench test;
  FakeLearnt learnt;
  FakeMemory memory;
  predict::ActNumbers numbers;

 private:
  int runs_ = 0;
};

std::string Told(const predict::PredictedReport& report) {
  return json::serialize(report.ToJson());
}

BROWSER_TEST(PredictedRunBrowserTest, DoesAWorkflowWithNewValues) {
  RunBench bench(t);

  const auto report = co_await bench.Run();

  EXPECT_EQ(report.outcome, RunOutcome::kCompleted) << Told(report);
  EXPECT_EQ(report.steps.size(), 5U);
  const std::string done = co_await bench.TextOf("id=done");
  EXPECT_TRUE(done.contains("Sent to Ada L. by bike")) << done;
  EXPECT_TRUE(bench.memory.healed.empty());
  co_await bench.test.bench.Stop();
}

constexpr std::string_view kRewritten =
    "<h1>Order</h1><section><div class=x><form aria-label=Order onsubmit=\"out1.textContent='Sent "
    "to '"
    " + f1.value + ' by ' + f2.value; return false\">"
    "<div><div><label for=f2>How to send it</label><select id=f2 name=how><option "
    "value=''>Choose</option>"
    "<option value=post>By post</option><option value=bike>By bike</option></select></div></div>"
    "<p><span><label for=f1>Full name</label><input id=f1 name=person></span></p>"
    "<label for=f3>Voucher code</label><input id=f3 name=voucher>"
    "<button id=b1 type=button>Back</button><button id=b2 "
    "type=submit>Check</button></form></div></section>"
    "<output id=out1></output>";

BROWSER_TEST(PredictedRunBrowserTest, FindsEverythingAgainAfterARewrite) {
  RunBench bench(t);
  bench.Serve("c42", kRewritten);

  const auto report = co_await bench.Run({.settle = std::chrono::milliseconds(200)});

  EXPECT_EQ(report.outcome, RunOutcome::kCompleted) << Told(report);
  const std::string done = co_await bench.TextOf("css=output");
  EXPECT_TRUE(done.contains("Sent to Ada L. by bike")) << done;
  std::set<std::string> healed;
  for (const auto& one : bench.memory.healed) healed.insert(one.step);
  EXPECT_EQ(healed, (std::set<std::string>{"name", "how", "send"})) << Told(report);
  for (const auto& one : bench.memory.healed) {
    EXPECT_GT(one.how.score, 0.55);
    EXPECT_FALSE(one.how.turn.empty());
    for (const auto& selector : one.selectors) EXPECT_FALSE(selector.contains("Ada")) << selector;
  }
  co_await bench.test.bench.Stop();
}

constexpr std::string_view kTwice =
    "<h1>Order</h1><form aria-label=Order><label for=a1>Full name</label><input id=a1></form>"
    "<form aria-label=Order><label for=a2>Full name</label><input id=a2></form>";

BROWSER_TEST(PredictedRunBrowserTest, AsksWhenTwoElementsAreTheSame) {
  RunBench bench(t);
  bench.Serve("good", kTwice);
  const auto report = co_await bench.Run({.settle = std::chrono::milliseconds(200)});

  EXPECT_EQ(report.outcome, RunOutcome::kAsks) << Told(report);
  EXPECT_TRUE(report.reason.starts_with("element_missing: too_close_")) << report.reason;
  EXPECT_EQ(report.question->candidates.size(), 2U);
  EXPECT_TRUE(bench.memory.healed.empty());
  co_await bench.test.bench.Stop();
}

BROWSER_TEST(PredictedRunBrowserTest, WhatIsPreparedSavesLooks) {
  RunBench bench(t);
  co_await bench.Run();
  const auto looks = bench.numbers.probes;
  bench.numbers = {};

  const auto prepared = co_await bench.Run({.preparing = predict::Preparing::kNext});

  EXPECT_EQ(prepared.outcome, RunOutcome::kCompleted) << Told(prepared);
  EXPECT_LT(bench.numbers.probes, looks) << Told(prepared);
  co_await bench.test.bench.Stop();
}

BROWSER_TEST(PredictedRunBrowserTest, WaitsForAPersonsWordWithoutUsingUpItsTime) {
  RunBench bench(t, kAskBeforeBuying);
  InBackground running(t.ctx.executor(), bench.Run(bench.BuyWorkflow()));

  const auto question = co_await bench.test.Asked();
  co_await bench.test.Answer(question.request_id, model::ApprovalAnswer::kApprove);
  const auto report = co_await running.Join();

  EXPECT_EQ(report.outcome, RunOutcome::kCompleted) << Told(report);
  EXPECT_GT(report.stood_still, Duration::zero());
  co_await bench.test.bench.Stop();
}

BROWSER_TEST(PredictedRunBrowserTest, APersonsNoEndsItAsRefused) {
  RunBench bench(t, kAskBeforeBuying);
  InBackground running(t.ctx.executor(), bench.Run(bench.BuyWorkflow()));

  const auto question = co_await bench.test.Asked();
  co_await bench.test.Answer(question.request_id, model::ApprovalAnswer::kDeny);
  const auto report = co_await running.Join();

  EXPECT_EQ(report.outcome, RunOutcome::kRefused) << Told(report);
  EXPECT_EQ(report.reason, "APPROVAL_DENIED");
  co_await bench.test.bench.Stop();
}

BROWSER_TEST(PredictedRunBrowserTest, ActsOnElementsInFrames) {
  RunBench bench(t);
  t.site.Serve("/inner", "<button id=go onclick=\"this.textContent='Gone'\">Go</button>");
  t.site.Serve("/outer", "<h1>Outer</h1><iframe src=/inner></iframe>");
  predict::LearnedWorkflow workflow{
      .name = "frames",
      .recordings = 1,
      .steps = {
          Step("open",
               fmt::format(R"({{"action_type": "navigate", "url": "{}"}})", t.site.Url("/outer")),
               {}),
          Step("go", R"({"action_type": "click", "selector": "id=go"})",
               {.role = "button", .name = "Go", .tag = "button", .frame = t.site.Url("/inner")})}};
  for (auto& step : workflow.steps) step.recordings = 1;

  const auto report = co_await bench.Run(std::move(workflow));

  EXPECT_EQ(report.outcome, RunOutcome::kCompleted) << Told(report);
  const std::string said = co_await bench.TextOf("frame=iframe >> id=go");
  EXPECT_TRUE(said.contains("Gone")) << said;
  co_await bench.test.bench.Stop();
}

}  // namespace
}  // namespace falconer::test
