// What governs a turn, over a real browser: the token, the policy and the people who are asked.

#include "tests/support/control_bench.h"

namespace falconer::test {
namespace {

BROWSER_TEST(ControlTest, AnElementThatNeedsMoreThanTheTokenHasGetsNoInput) {
  ControlBench test(t);
  co_await test.OpenStore();

  const auto bought = co_await test.As(kOrdinaryRights, TurnStep(1, ClickOn("#buy")));
  const auto removed = co_await test.As(kOrdinaryRights, TurnStep(2, ClickOn("#remove")));
  const auto more = co_await test.As(kOrdinaryRights, TurnStep(3, ClickOn("#more")));

  EXPECT_EQ(FailureIn(bought), "CAPABILITY_MISSING") << json::serialize(bought.ToJson());
  EXPECT_TRUE(bought.failure->details.contains("denial_id"));
  EXPECT_EQ(FailureIn(removed), "CAPABILITY_MISSING") << json::serialize(removed.ToJson());
  EXPECT_EQ(FailureIn(more), "success") << json::serialize(more.ToJson());
  EXPECT_EQ(t.site.RequestCount("/effect"), 0u);
  co_await test.bench.Stop();
}

BROWSER_TEST(ControlTest, EnterInAFormIsItsButton) {
  ControlBench test(t);
  co_await test.OpenStore();
  co_await test.As(kOrdinaryRights, TurnStep(1, ClickOn("#note")));

  const auto pressed =
      co_await test.As(kOrdinaryRights, TurnStep(2, R"({"action_type": "press", "key": "Enter"})"));

  EXPECT_EQ(FailureIn(pressed), "CAPABILITY_MISSING") << json::serialize(pressed.ToJson());
  EXPECT_EQ(t.site.RequestCount("/effect"), 0u);
  co_await test.bench.Stop();
}

BROWSER_TEST(ControlTest, AFetchBehindAHarmlessButtonIsCaughtWhenItLeaves) {
  ControlBench test(t);
  t.site.Serve("/trap",
               "<button id=go onclick=\"fetch('/effect', {method: 'POST', body: JSON.stringify("
               "{name: 'bought', card_number: '4111111111111111', amount: 49})})\">Show "
               "more</button>");
  co_await test.bench.Execute(
      TurnStep(0, R"({"action_type": "navigate", "url": ")" + t.site.Url("/trap") + R"("})"));

  const auto clicked = co_await test.As(kOrdinaryRights, TurnStep(1, ClickOn("#go")));

  EXPECT_EQ(FailureIn(clicked), "CAPABILITY_MISSING") << json::serialize(clicked.ToJson());
  EXPECT_EQ(t.site.RequestCount("/effect"), 0u);
  co_await test.bench.Stop();
}

BROWSER_TEST(ControlTest, WhatAPersonApprovesIsWhatLeavesHoweverLongItTakes) {
  ControlBench test(t, kAskBeforeBuying);
  co_await test.OpenStore();
  InBackground buying(
      t.ctx.executor(),
      test.bench.Execute(TurnStep(1, ClickOn("#buy"), R"(, "timeout": {"total_ms": 2000})")));

  const auto question = co_await test.Asked();
  EXPECT_EQ(question.action_type, model::ApprovalKind::kPurchase);
  EXPECT_EQ(question.http_method, "POST");
  EXPECT_EQ(question.terms.message, "tester buys for 49 USD");
  Alarm never(t.ctx.executor(), t.ctx.clock());
  static_cast<void>(co_await t.ctx.WithTimeout(std::chrono::seconds(3)).Wait(&never, "a while"));
  EXPECT_EQ(t.site.RequestCount("/effect"), 0u) << "nothing leaves before";
  co_await test.Answer(question.request_id, model::ApprovalAnswer::kApprove);
  const auto bought = co_await buying.Join();

  EXPECT_EQ(FailureIn(bought), "success") << json::serialize(bought.ToJson());
  EXPECT_EQ(t.site.RequestCount("/effect"), 1u);
  co_await test.bench.Stop();
}

BROWSER_TEST(ControlTest, WhatAPersonDeniesNeverLeavesAndThePageStays) {
  ControlBench test(t, kAskBeforeBuying);
  co_await test.OpenStore();
  co_await test.bench.Execute(
      TurnStep(1, R"({"action_type": "fill", "selector": "#note", "text": "keep me"})"));
  InBackground buying(t.ctx.executor(), test.bench.Execute(TurnStep(2, ClickOn("#buy"))));

  const auto question = co_await test.Asked();
  co_await test.Answer(question.request_id, model::ApprovalAnswer::kDeny);
  const auto bought = co_await buying.Join();

  EXPECT_EQ(FailureIn(bought), "APPROVAL_DENIED") << json::serialize(bought.ToJson());
  EXPECT_EQ(t.site.RequestCount("/effect"), 0u);
  const auto kept = co_await test.bench.Execute(TurnStep(
      3, R"({"action_type": "wait_only"})",
      R"(, "expected_postconditions": [{"rule_type": "property_state", "selector": "#note",)"
      R"( "property": "value", "expected": "keep me"}])"));
  EXPECT_TRUE(kept.success) << json::serialize(kept.ToJson());
  co_await test.bench.Stop();
}

BROWSER_TEST(ControlTest, ACallThatIsGivenUpTakesItsQuestionWithIt) {
  ControlBench test(t, kAskBeforeBuying);
  co_await test.OpenStore();
  CancelSource gave_up;
  InBackground buying(t.ctx.executor(), test.As(test.bench.control().Caller(),
                                                TurnStep(1, ClickOn("#buy")), gave_up.token()));

  const auto question = co_await test.Asked();
  gave_up.Cancel(Error(ErrorCode::kCancelled, "never mind"));
  const auto bought = co_await buying.Join();

  EXPECT_FALSE(bought.success);
  EXPECT_TRUE(test.bench.control().approvals().Pending().empty());
  EXPECT_EQ(t.site.RequestCount("/effect"), 0u);
  co_await test.bench.Stop();
}

BROWSER_TEST(ControlTest, ATokenBuysOnce) {
  ControlBench test(t);
  co_await test.OpenStore();
  const engine::Caller buyer =
      test.bench.control().CallerWith("acme", "tester", {.capabilities = EveryCapability()});

  const auto first = co_await test.As(buyer, TurnStep(1, ClickOn("#buy")));
  co_await test.bench.Execute(
      TurnStep(2, R"({"action_type": "navigate", "url": ")" + t.site.Url("/store") + R"("})"));
  const auto second = co_await test.As(buyer, TurnStep(3, ClickOn("#buy")));

  EXPECT_EQ(FailureIn(first), "success") << json::serialize(first.ToJson());
  EXPECT_EQ(FailureIn(second), "TOKEN_REPLAYED") << json::serialize(second.ToJson());
  EXPECT_EQ(t.site.RequestCount("/effect"), 1u);
  co_await test.bench.Stop();
}

BROWSER_TEST(ControlTest, TheAmountThatReallyLeavesIsHeldAgainstTheToken) {
  ControlBench test(t);
  co_await test.OpenStore();
  auto constraints = policy::ParseTokenConstraints(
      json::object{{"max_purchase", {{"amount", "20"}, {"currency", "USD"}}}});
  const engine::Caller poor = test.bench.control().CallerWith(
      "acme", "tester", {.capabilities = EveryCapability(), .constraints = constraints.value()});

  const auto bought = co_await test.As(poor, TurnStep(1, ClickOn("#buy")));

  EXPECT_EQ(FailureIn(bought), "CONSTRAINT_VIOLATED") << json::serialize(bought.ToJson());
  EXPECT_EQ(TextAt(bought.failure->details, "reason"), "amount_over");
  EXPECT_EQ(t.site.RequestCount("/effect"), 0u);
  co_await test.bench.Stop();
}

// The store with a button of another site in it.
Task<void> OpenFramed(ControlBench& test) {
  TestSite& site = test.t.site;
  site.Serve("/inner", "<button id=pick onclick=\"fetch('/picked')\">Pick</button><input id=text>");
  site.Serve("/outer", "<button id=own>Own</button><iframe src='" + site.CrossSiteUrl("/inner") +
                           "'></iframe>");
  const auto opened = co_await test.bench.Execute(
      TurnStep(0, R"({"action_type": "navigate", "url": ")" + site.Url("/outer") + R"("})"));
  EXPECT_TRUE(opened.success) << json::serialize(opened.ToJson());
}

policy::TokenGrant OnlyAt(std::vector<std::string> hosts) {
  json::array domains(hosts.begin(), hosts.end());
  return {.capabilities = kOrdinaryRights,
          .constraints =
              policy::ParseTokenConstraints(json::object{{"domains", std::move(domains)}}).value()};
}

BROWSER_TEST(ControlTest, AnElementInAFrameIsJudgedByTheFramesAddressToo) {
  ControlBench test(t);
  ControlKit& kit = test.bench.control();
  co_await OpenFramed(test);
  const engine::Caller of_page = kit.CallerWith("acme", "tester", OnlyAt({"127.0.0.1"}));
  const engine::Caller of_frame = kit.CallerWith("acme", "tester", OnlyAt({"localhost"}));
  const engine::Caller of_both =
      kit.CallerWith("acme", "tester", OnlyAt({"127.0.0.1", "localhost"}));
  const std::string pick = ClickOn("frame=iframe >> #pick");

  const auto own = co_await test.As(of_page, TurnStep(1, ClickOn("#own")));
  const auto refused = co_await test.As(of_page, TurnStep(2, pick));
  const auto typed = co_await test.As(
      of_page,
      TurnStep(3, R"({"action_type": "fill", "selector": "frame=iframe >> #text", "text": "x"})"));
  const auto outside = co_await test.As(of_frame, TurnStep(4, pick));

  EXPECT_EQ(FailureIn(own), "success") << json::serialize(own.ToJson());
  EXPECT_EQ(FailureIn(refused), "CONSTRAINT_VIOLATED") << json::serialize(refused.ToJson());
  EXPECT_EQ(FailureIn(typed), "CONSTRAINT_VIOLATED") << json::serialize(typed.ToJson());
  EXPECT_EQ(FailureIn(outside), "CONSTRAINT_VIOLATED") << json::serialize(outside.ToJson());
  EXPECT_EQ(t.site.RequestCount("/picked"), 0u);
  const auto picked = co_await test.As(of_both, TurnStep(5, pick));
  EXPECT_EQ(FailureIn(picked), "success") << json::serialize(picked.ToJson());
  co_await test.bench.Stop();
  const auto replayed = test.ReplayOf("w1");
  EXPECT_EQ(replayed.status(), engine::ReplayStatus::kReproduced)
      << json::serialize(replayed.ToJson());
}

constexpr char kNotInFrames[] = R"(
policy: {name: own-pages, version: "1"}
rules:
  - {name: here, when: {domain: 127.0.0.1}, then: allow}
connect:
  - {name: all, when: always, then: allow}
)";

BROWSER_TEST(ControlTest, ThePolicyIsAskedAboutTheFrameAnElementIsIn) {
  ControlBench test(t, kNotInFrames);
  co_await OpenFramed(test);

  const auto own = co_await test.bench.Execute(TurnStep(1, ClickOn("#own")));
  const auto refused = co_await test.bench.Execute(TurnStep(2, ClickOn("frame=iframe >> #pick")));

  EXPECT_EQ(FailureIn(own), "success") << json::serialize(own.ToJson());
  EXPECT_EQ(FailureIn(refused), "POLICY_DENIED") << json::serialize(refused.ToJson());
  EXPECT_EQ(t.site.RequestCount("/picked"), 0u);
  co_await test.bench.Stop();
}

constexpr char kTouchOnlyHere[] = R"(
policy: {name: touch-here, version: "1"}
rules:
  - {name: here, when: {domain: 127.0.0.1}, then: allow}
navigate:
  - {name: anywhere, when: always, then: allow}
connect:
  - {name: all, when: always, then: allow}
)";

// Nothing can be pressed on the first page; looking for a way to do it makes it move on.
BROWSER_TEST(ControlTest, AnElementIsJudgedByThePageItIsMetOnNotByTheOneTheTurnBeganOn) {
  ControlBench test(t, kTouchOnlyHere);
  t.site.Serve("/next", "<button id=go onclick=\"fetch('/picked')\">Go</button>");
  t.site.Serve("/first",
               "<div style='height:5000px'></div><button id=go>Go</button>"
               "<div style='position:fixed;inset:0'></div>"
               "<script>onscroll = () => { location = '" +
                   t.site.CrossSiteUrl("/next") + "'; }</script>");
  const auto opened = co_await test.bench.Execute(
      TurnStep(0, R"({"action_type": "navigate", "url": ")" + t.site.Url("/first") + R"("})"));
  EXPECT_TRUE(opened.success) << json::serialize(opened.ToJson());
  EXPECT_EQ(t.site.RequestCount("/next"), 0u);

  const auto refused = co_await test.bench.Execute(TurnStep(1, ClickOn("#go")));

  EXPECT_EQ(FailureIn(refused), "POLICY_DENIED") << json::serialize(refused.ToJson());
  EXPECT_EQ(t.site.RequestCount("/next"), 1u);
  EXPECT_EQ(t.site.RequestCount("/picked"), 0u);
  co_await test.bench.Stop();
  const auto replayed = test.ReplayOf(refused.turn_id.value());
  EXPECT_EQ(replayed.status(), engine::ReplayStatus::kReproduced)
      << json::serialize(replayed.ToJson());
}

constexpr char kAskHere[] = R"(
policy: {name: ask-here, version: "1"}
rules:
  - {name: here, when: {domain: 127.0.0.1}, then: {require_approval: {who: human}}}
navigate:
  - {name: anywhere, when: always, then: allow}
connect:
  - {name: all, when: always, then: allow}
)";

BROWSER_TEST(ControlTest, AnApprovalForOnePageIsNoneForThePageThatCameMeanwhile) {
  ControlBench test(t, kAskHere);
  t.site.Hold("/gate");
  t.site.Serve("/next", "<script>fetch('/arrived')</script>");
  t.site.Serve("/first", "<script>fetch('/gate').then(() => { location = '" +
                             t.site.CrossSiteUrl("/next") + "'; })</script>");
  const auto opened = co_await test.bench.Execute(
      TurnStep(0, R"({"action_type": "navigate", "url": ")" + t.site.Url("/first") + R"("})"));
  EXPECT_TRUE(opened.success) << json::serialize(opened.ToJson());

  InBackground running(
      t.ctx.executor(),
      test.bench.Execute(TurnStep(
          1, R"js({"action_type": "custom_js_restricted", "js_expression": "document.title"})js")));
  const auto question = co_await test.Asked();
  t.site.Release("/gate");
  const auto moved = co_await t.site.UntilRequests(t.ctx, "/arrived", 1);
  EXPECT_TRUE(moved) << Why(moved);
  co_await test.Answer(question.request_id, model::ApprovalAnswer::kApprove);
  const auto refused = co_await running.Join();

  EXPECT_EQ(FailureIn(refused), "POLICY_DENIED") << json::serialize(refused.ToJson());
  co_await test.bench.Stop();
}

// Its decisions, with how each came out of a replay.
std::map<std::string, std::string> RulingsIn(const engine::ReplayReport& report) {
  std::map<std::string, std::string> out;
  for (const engine::TurnReplay& turn : report.turns) {
    for (const engine::ReplayCheck& check : turn.checks) {
      if (!check.decision.starts_with("ruling")) continue;
      out[check.decision] =
          std::string(NameIn(engine::kReplayStatuses, check.status)) + " " + check.detail;
    }
  }
  return out;
}

BROWSER_TEST(ControlTest, AReplayJudgesAgainWhatWasDeniedAndHeldDuringTurns) {
  ControlBench test(t, kAskBeforeBuying);
  co_await test.OpenStore();
  const auto removed = co_await test.bench.Execute(TurnStep(1, ClickOn("#remove")));
  InBackground buying(t.ctx.executor(), test.bench.Execute(TurnStep(2, ClickOn("#buy"))));
  const auto question = co_await test.Asked();
  co_await test.Answer(question.request_id, model::ApprovalAnswer::kDeny);
  const auto bought = co_await buying.Join();
  co_await test.bench.Stop();

  EXPECT_EQ(FailureIn(removed), "POLICY_DENIED") << json::serialize(removed.ToJson());
  EXPECT_EQ(FailureIn(bought), "APPROVAL_DENIED") << json::serialize(bought.ToJson());
  const auto denied = test.ReplayOf(removed.turn_id.value());
  EXPECT_EQ(denied.status(), engine::ReplayStatus::kReproduced) << json::serialize(denied.ToJson());
  EXPECT_EQ(RulingsIn(denied).at("ruling.1"), "reproduced element refuse POLICY_DENIED");
  EXPECT_EQ(RulingsIn(denied).at("rulings.denial"),
            "reproduced " + removed.turn_id.value() + "/r1 POLICY_DENIED");
  const auto held = test.ReplayOf(bought.turn_id.value());
  EXPECT_EQ(held.status(), engine::ReplayStatus::kReproduced) << json::serialize(held.ToJson());
  EXPECT_EQ(RulingsIn(held).at("ruling.1"), "reproduced element allow buying");
  EXPECT_EQ(RulingsIn(held).at("ruling.2"), "reproduced request ask");
}

}  // namespace
}  // namespace falconer::test
