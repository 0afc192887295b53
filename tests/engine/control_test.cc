// What governs a turn, over a real browser: the token, the policy and the people who are asked.

#include "tests/support/in_background.h"
#include "tests/support/runtime_bench.h"

namespace falconer::test {
namespace {

using model::Capability;
using model::CapabilitySet;

constexpr CapabilitySet kOrdinary = {Capability::kRead, Capability::kNavigate,
                                     Capability::kInteract, Capability::kWrite};

std::string Step(int step, std::string_view action, std::string_view more = "") {
  return R"({"workflow_id": "w1", "step_index": )" + std::to_string(step) + R"(, "action_spec": )" +
         std::string(action) + std::string(more) + "}";
}

std::string Click(std::string_view selector) {
  return R"({"action_type": "click", "selector": ")" + std::string(selector) + R"("})";
}

// A shop with a form that buys, a link that deletes, and a harmless button.
std::string Store(BrowserFixture& t) {
  t.site.Serve("/store",
               "<h1>Store</h1><form method=post action=/effect><input name=name value=bought>"
               "<input id=note name=note><button id=buy>Buy now for $49.00</button></form>"
               "<a id=remove href='/effect?name=removed'>Delete account</a>"
               "<button id=more onclick=\"seen.textContent = 'more'\">Show more</button>"
               "<output id=seen></output>");
  return t.site.Url("/store");
}

struct ControlTest {
  ControlTest(BrowserFixture& fixture, std::string_view yaml = "")
      : t(fixture), data(TempDir::Create("falconer-control-test-").value()), bench(t, data.path()) {
    if (!yaml.empty())
      bench.control().policies.policy = kernel::AdmittedPolicy::Of(std::string(yaml)).value();
  }

  Task<model::ActionExecutionResult> As(engine::Caller caller, std::string contract,
                                        CancelToken cancel = {}) {
    const auto answer = co_await bench.runtime().Execute(
        t.ctx.WithTimeout(kLongPatience).WithCancel(std::move(cancel)), std::move(caller),
        ParseJson(contract).value());
    EXPECT_TRUE(answer) << Why(answer);
    co_return model::ActionExecutionResult::FromJson(ParseJson(**answer).value()).value();
  }
  Task<model::ActionExecutionResult> As(CapabilitySet capabilities, std::string contract) {
    return As(bench.control().CallerWith("acme", "tester", {.capabilities = capabilities}),
              std::move(contract));
  }
  Task<void> OpenStore() {
    const auto opened = co_await bench.Execute(
        Step(0, R"({"action_type": "navigate", "url": ")" + Store(t) + R"("})"));
    EXPECT_TRUE(opened.success) << json::serialize(opened.ToJson());
  }
  // The question that comes next.
  Task<model::ApprovalRequest> Asked() {
    Notifier news;
    const auto told = bench.control().approvals().on_changed().Subscribe([&] { news.NotifyAll(); });
    const auto asked = co_await news.Until(
        t.ctx.WithTimeout(kLongPatience),
        [&] { return !bench.control().approvals().Pending().empty(); }, "a question");
    EXPECT_TRUE(asked) << Why(asked);
    co_return asked ? bench.control().approvals().Pending().front() : model::ApprovalRequest();
  }
  Task<void> Answer(std::string id, model::ApprovalAnswer answer) {
    const auto decided = co_await bench.control().approvals().Decide(
        {.request_id = std::move(id), .answer = answer, .approver = "ann", .channel = "test"});
    EXPECT_TRUE(decided) << Why(decided);
  }

  BrowserFixture& t;
  TempDir data;
  RuntimeBench bench;
};

std::string CodeIn(const model::ActionExecutionResult& result) {
  return result.failure ? std::string(TraitsOf(result.failure->code).name) : "success";
}

constexpr char kAskBeforeBuying[] = R"(
policy: {name: ask-first, version: "1"}
rules:
  - name: ordinary
    when: {capability: {not_in: [PURCHASE, DELETE]}}
    then: allow
  - name: buying
    when: {capability: PURCHASE}
    then: {require_approval: {who: human, message: "${agent} buys for ${amount}"}}
)";

BROWSER_TEST(ControlTest, AnElementThatNeedsMoreThanTheTokenHasGetsNoInput) {
  ControlTest test(t);
  co_await test.OpenStore();

  const auto bought = co_await test.As(kOrdinary, Step(1, Click("#buy")));
  const auto removed = co_await test.As(kOrdinary, Step(2, Click("#remove")));
  const auto more = co_await test.As(kOrdinary, Step(3, Click("#more")));

  EXPECT_EQ(CodeIn(bought), "CAPABILITY_MISSING") << json::serialize(bought.ToJson());
  EXPECT_TRUE(bought.failure->details.contains("denial_id"));
  EXPECT_EQ(CodeIn(removed), "CAPABILITY_MISSING") << json::serialize(removed.ToJson());
  EXPECT_EQ(CodeIn(more), "success") << json::serialize(more.ToJson());
  EXPECT_EQ(t.site.RequestCount("/effect"), 0u);
  co_await test.bench.Stop();
}

BROWSER_TEST(ControlTest, EnterInAFormIsItsButton) {
  ControlTest test(t);
  co_await test.OpenStore();
  co_await test.As(kOrdinary, Step(1, Click("#note")));

  const auto pressed =
      co_await test.As(kOrdinary, Step(2, R"({"action_type": "press", "key": "Enter"})"));

  EXPECT_EQ(CodeIn(pressed), "CAPABILITY_MISSING") << json::serialize(pressed.ToJson());
  EXPECT_EQ(t.site.RequestCount("/effect"), 0u);
  co_await test.bench.Stop();
}

BROWSER_TEST(ControlTest, AFetchBehindAHarmlessButtonIsCaughtWhenItLeaves) {
  ControlTest test(t);
  t.site.Serve("/trap",
               "<button id=go onclick=\"fetch('/effect', {method: 'POST', body: JSON.stringify("
               "{name: 'bought', card_number: '4111111111111111', amount: 49})})\">Show "
               "more</button>");
  co_await test.bench.Execute(
      Step(0, R"({"action_type": "navigate", "url": ")" + t.site.Url("/trap") + R"("})"));

  const auto clicked = co_await test.As(kOrdinary, Step(1, Click("#go")));

  EXPECT_EQ(CodeIn(clicked), "CAPABILITY_MISSING") << json::serialize(clicked.ToJson());
  EXPECT_EQ(t.site.RequestCount("/effect"), 0u);
  co_await test.bench.Stop();
}

BROWSER_TEST(ControlTest, WhatAPersonApprovesIsWhatLeavesHoweverLongItTakes) {
  ControlTest test(t, kAskBeforeBuying);
  co_await test.OpenStore();
  InBackground buying(
      t.ctx.executor(),
      test.bench.Execute(Step(1, Click("#buy"), R"(, "timeout": {"total_ms": 2000})")));

  const auto question = co_await test.Asked();
  EXPECT_EQ(question.action_type, model::ApprovalKind::kPurchase);
  EXPECT_EQ(question.http_method, "POST");
  EXPECT_EQ(question.terms.message, "tester buys for 49 USD");
  Alarm never(t.ctx.executor(), t.ctx.clock());
  static_cast<void>(co_await t.ctx.WithTimeout(std::chrono::seconds(3)).Wait(&never, "a while"));
  EXPECT_EQ(t.site.RequestCount("/effect"), 0u) << "nothing leaves before";
  co_await test.Answer(question.request_id, model::ApprovalAnswer::kApprove);
  const auto bought = co_await buying.Join();

  EXPECT_EQ(CodeIn(bought), "success") << json::serialize(bought.ToJson());
  EXPECT_EQ(t.site.RequestCount("/effect"), 1u);
  co_await test.bench.Stop();
}

BROWSER_TEST(ControlTest, WhatAPersonDeniesNeverLeavesAndThePageStays) {
  ControlTest test(t, kAskBeforeBuying);
  co_await test.OpenStore();
  co_await test.bench.Execute(
      Step(1, R"({"action_type": "fill", "selector": "#note", "text": "keep me"})"));
  InBackground buying(t.ctx.executor(), test.bench.Execute(Step(2, Click("#buy"))));

  const auto question = co_await test.Asked();
  co_await test.Answer(question.request_id, model::ApprovalAnswer::kDeny);
  const auto bought = co_await buying.Join();

  EXPECT_EQ(CodeIn(bought), "APPROVAL_DENIED") << json::serialize(bought.ToJson());
  EXPECT_EQ(t.site.RequestCount("/effect"), 0u);
  const auto kept = co_await test.bench.Execute(
      Step(3, R"({"action_type": "wait_only"})",
           R"(, "expected_postconditions": [{"rule_type": "property_state", "selector": "#note",)"
           R"( "property": "value", "expected": "keep me"}])"));
  EXPECT_TRUE(kept.success) << json::serialize(kept.ToJson());
  co_await test.bench.Stop();
}

BROWSER_TEST(ControlTest, ACallThatIsGivenUpTakesItsQuestionWithIt) {
  ControlTest test(t, kAskBeforeBuying);
  co_await test.OpenStore();
  CancelSource gave_up;
  InBackground buying(t.ctx.executor(), test.As(test.bench.control().Caller(),
                                                Step(1, Click("#buy")), gave_up.token()));

  const auto question = co_await test.Asked();
  gave_up.Cancel(Error(ErrorCode::kCancelled, "never mind"));
  const auto bought = co_await buying.Join();

  EXPECT_FALSE(bought.success);
  EXPECT_TRUE(test.bench.control().approvals().Pending().empty());
  EXPECT_EQ(t.site.RequestCount("/effect"), 0u);
  co_await test.bench.Stop();
}

BROWSER_TEST(ControlTest, ATokenBuysOnce) {
  ControlTest test(t);
  co_await test.OpenStore();
  const engine::Caller buyer =
      test.bench.control().CallerWith("acme", "tester", {.capabilities = EveryCapability()});

  const auto first = co_await test.As(buyer, Step(1, Click("#buy")));
  co_await test.bench.Execute(
      Step(2, R"({"action_type": "navigate", "url": ")" + t.site.Url("/store") + R"("})"));
  const auto second = co_await test.As(buyer, Step(3, Click("#buy")));

  EXPECT_EQ(CodeIn(first), "success") << json::serialize(first.ToJson());
  EXPECT_EQ(CodeIn(second), "TOKEN_REPLAYED") << json::serialize(second.ToJson());
  EXPECT_EQ(t.site.RequestCount("/effect"), 1u);
  co_await test.bench.Stop();
}

BROWSER_TEST(ControlTest, TheAmountThatReallyLeavesIsHeldAgainstTheToken) {
  ControlTest test(t);
  co_await test.OpenStore();
  auto constraints = policy::ParseTokenConstraints(
      json::object{{"max_purchase", {{"amount", "20"}, {"currency", "USD"}}}});
  const engine::Caller poor = test.bench.control().CallerWith(
      "acme", "tester", {.capabilities = EveryCapability(), .constraints = constraints.value()});

  const auto bought = co_await test.As(poor, Step(1, Click("#buy")));

  EXPECT_EQ(CodeIn(bought), "CONSTRAINT_VIOLATED") << json::serialize(bought.ToJson());
  EXPECT_EQ(TextAt(bought.failure->details, "reason"), "amount_over");
  EXPECT_EQ(t.site.RequestCount("/effect"), 0u);
  co_await test.bench.Stop();
}

}  // namespace
}  // namespace falconer::test
