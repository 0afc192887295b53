// Contracts carried out in a real browser: every rule for real, every time limit, no effect twice.

#include "engine/action_engine.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

using model::ActionExecutionResult;
using model::RuleVerdict;

Task<Result<void>> Announced(int* count) {
  ++*count;
  co_return Result<void>();
}

// Carries out the contract given as JSON text; how often it was announced goes to `announced`.
Task<ActionExecutionResult> Carry(BrowserFixture& t, std::string text, int* announced = nullptr) {
  const auto contract = model::ActionContract::FromJson(ParseJson(text).value());
  EXPECT_TRUE(contract) << Why(contract);
  if (!contract) co_return ActionExecutionResult();
  engine::DriveKit kit(t.session, {});
  const auto guards = model::DeriveGuards(*contract);
  int ignored = 0;
  int* count = announced != nullptr ? announced : &ignored;
  const engine::EngineInput input{.contract = *contract,
                                  .guards = guards,
                                  .before_effect = [count] { return Announced(count); }};
  co_return co_await engine::CarryOut(t.ctx, &kit, &input);
}

std::string Contract(std::string_view action, std::string_view more = "") {
  return R"({"workflow_id": "w1", "action_spec": )" + std::string(action) + std::string(more) + "}";
}

std::string Told(const ActionExecutionResult& result) {
  return json::serialize(result.ToJson());
}

std::optional<ErrorCode> CodeOf(const ActionExecutionResult& result) {
  return result.failure ? std::optional(result.failure->code) : std::nullopt;
}

constexpr std::string_view kSave = R"({"action_type": "click", "selector": "#save"})";

BROWSER_TEST(CarryOutTest, AClickIsVerifiedAndTold) {
  co_await t.Open("/form.html");
  int announced = 0;

  const auto result =
      co_await Carry(t, Contract(kSave, R"(, "expected_postconditions": [{"rule_type": "text_state",
        "selector": "#status", "expected": "click", "mode": "contains"}])"),
                     &announced);

  EXPECT_TRUE(result.success) << Told(result);
  EXPECT_EQ(announced, 1);
  EXPECT_EQ(result.attempts.size(), 1u);
  EXPECT_TRUE(result.verification && result.verification->passed);
  EXPECT_FALSE(result.pre_state_id.empty());
  EXPECT_NE(result.pre_state_id, result.post_state_id);
  EXPECT_TRUE(result.state_delta);
  EXPECT_TRUE(result.outcome && result.outcome->contains("element"));
  EXPECT_FALSE(result.timings.empty());
}

BROWSER_TEST(CarryOutTest, AFailedPreconditionCostsNoAction) {
  co_await t.Open("/form.html");
  int announced = 0;

  const auto result =
      co_await Carry(t, Contract(kSave, R"(, "preconditions": [{"rule_type": "element_present",
        "selector": "#gone"}], "verification_rules": [{"rule_type": "url_pattern", "pattern": "*"}])"),
                     &announced);

  EXPECT_EQ(CodeOf(result), ErrorCode::kPreconditionFailed) << Told(result);
  EXPECT_EQ(announced, 0);
  EXPECT_TRUE(result.attempts.empty());
  EXPECT_EQ(co_await t.PageText("__log.length"), "0");
}

BROWSER_TEST(CarryOutTest, ADryRunDoesNothing) {
  co_await t.Open("/form.html");
  int announced = 0;
  const auto there = co_await Carry(t, Contract(kSave, R"(, "dry_run": true)"), &announced);
  const auto gone = co_await Carry(
      t, Contract(R"({"action_type": "click", "selector": "#gone"})", R"(, "dry_run": true)"),
      &announced);

  EXPECT_TRUE(there.success) << Told(there);
  EXPECT_EQ(CodeOf(gone), ErrorCode::kElementNotFound);
  EXPECT_EQ(announced, 0);
  EXPECT_EQ(co_await t.PageText("__log.length"), "0");
}

BROWSER_TEST(CarryOutTest, WhatTheActDidNotBringAboutFailsIt) {
  co_await t.Open("/form.html");

  const auto result =
      co_await Carry(t, Contract(kSave, R"(, "expected_postconditions": [{"rule_type": "text_state",
        "selector": "#status", "expected": "paid", "mode": "equals"}])"));

  EXPECT_EQ(CodeOf(result), ErrorCode::kPostconditionFailed) << Told(result);
  EXPECT_TRUE(result.outcome) << "what was done is told all the same";
  EXPECT_EQ(result.escalation->mode, model::EscalationMode::kHumanReview);
}

BROWSER_TEST(CarryOutTest, AnEffectIsNeverFiredTwice) {
  t.site.Serve("/count", "<button id=b onclick='n = (window.n || 0) + 1'>Buy</button>");
  co_await t.Open("/count");

  const auto result = co_await Carry(
      t,
      Contract(R"({"action_type": "click", "selector": "#b"})",
               R"(, "wait_conditions": [{"kind": "text", "text": "Thank you", "timeout_ms": 100}],
                     "retry": {"max_attempts": 3, "initial_backoff_ms": 1})"));

  EXPECT_EQ(co_await t.PageText("n"), "1");
  EXPECT_EQ(CodeOf(result), ErrorCode::kWaitTimeout) << Told(result);
  EXPECT_EQ(result.attempts.size(), 3u) << "it looked again, and did not act again";
}

BROWSER_TEST(CarryOutTest, AnAttemptThatOnlyLooksAgainCanSucceed) {
  t.site.Serve("/late",
               "<button id=b onclick='n = (window.n || 0) + 1; setTimeout(() => "
               "document.body.append(\"Thank you\"), 400)'>Buy</button>");
  co_await t.Open("/late");

  const auto result = co_await Carry(
      t,
      Contract(R"({"action_type": "click", "selector": "#b"})",
               R"(, "wait_conditions": [{"kind": "text", "text": "Thank you", "timeout_ms": 100}],
                     "retry": {"max_attempts": 10, "initial_backoff_ms": 100})"));

  EXPECT_TRUE(result.success) << Told(result);
  EXPECT_EQ(co_await t.PageText("n"), "1");
  EXPECT_GT(result.attempts.size(), 1u);
}

BROWSER_TEST(CarryOutTest, ATargetThatComesLateIsFoundByTheNextAttempt) {
  t.site.Serve("/late",
               "<script>setTimeout(() => document.body.innerHTML = "
               "'<button id=b onclick=\"n = 1\">Go</button>', 600)</script><body>");
  co_await t.Open("/late");

  const auto result = co_await Carry(t, Contract(R"({"action_type": "click", "selector": "#b"})",
                                                 R"(, "timeout": {"bind_ms": 200},
                     "retry": {"max_attempts": 8, "initial_backoff_ms": 50})"));

  EXPECT_TRUE(result.success) << Told(result);
  EXPECT_EQ(result.attempts.front().cause, ErrorCode::kElementNotFound);
  EXPECT_EQ(co_await t.PageText("n"), "1");
}

BROWSER_TEST(CarryOutTest, EveryTimeLimitHolds) {
  co_await t.Open("/form.html");
  const auto start = t.ctx.clock().Now();

  const auto bind = co_await Carry(t, Contract(R"({"action_type": "click", "selector": "#gone"})",
                                               R"(, "timeout": {"bind_ms": 150},
                     "retry": {"max_attempts": 1})"));
  EXPECT_EQ(CodeOf(bind), ErrorCode::kElementNotFound) << Told(bind);
  const auto wait = co_await Carry(
      t, Contract(kSave, R"(, "wait_conditions": [{"kind": "selector", "selector": "#gone"}],
        "timeout": {"wait_ms": 150}, "retry": {"max_attempts": 1})"));
  EXPECT_EQ(CodeOf(wait), ErrorCode::kWaitTimeout) << Told(wait);
  const auto total = co_await Carry(t, Contract(R"({"action_type": "click", "selector": "#gone"})",
                                                R"(, "timeout": {"total_ms": 300, "bind_ms": 100},
                     "retry": {"max_attempts": 10, "initial_backoff_ms": 100})"));
  EXPECT_FALSE(total.success);
  EXPECT_LT(total.attempts.size(), 10u);

  EXPECT_LT(t.ctx.clock().Now() - start, std::chrono::seconds(8));
}

BROWSER_TEST(CarryOutTest, RebindingTriesTheOtherNames) {
  co_await t.Open("/form.html");

  const auto result = co_await Carry(
      t, Contract(R"({"action_type": "click", "selector": "#old", "selector_candidates":
        ["#older", "#save"]})",
                  R"(, "timeout": {"bind_ms": 100}, "retry": {"max_attempts": 1},
        "escalation": {"on_exhausted_retries": "retry_rebind", "on_non_retryable": "retry_rebind"})"));

  EXPECT_TRUE(result.success) << Told(result);
}

struct RuleCase {
  const char* rule;
  RuleVerdict verdict;
};

// Judged after a click on #save of the form.
constexpr RuleCase kRules[] = {
    {R"({"rule_type": "element_present", "selector": "#save", "state": "visible"})",
     RuleVerdict::kPassed},
    {R"({"rule_type": "element_present", "selector": "#invisible", "state": "visible"})",
     RuleVerdict::kFailed},
    {R"({"rule_type": "element_present", "selector": "#gone", "state": "detached"})",
     RuleVerdict::kPassed},
    {R"({"rule_type": "element_present", "selector": "#closed", "state": "enabled"})",
     RuleVerdict::kFailed},
    {R"({"rule_type": "text_state", "selector": "h1", "expected": "Every control", "mode": "equals"})",
     RuleVerdict::kPassed},
    {R"({"rule_type": "text_state", "selector": "h1", "expected": "^Every \\w+$", "mode": "regex"})",
     RuleVerdict::kPassed},
    {R"({"rule_type": "attribute_state", "selector": "#name", "attribute": "placeholder",
        "expected": "Your name"})",
     RuleVerdict::kPassed},
    {R"({"rule_type": "attribute_state", "selector": "#name", "attribute": "disabled",
        "absent": true})",
     RuleVerdict::kPassed},
    {R"({"rule_type": "property_state", "selector": "#readonly", "property": "value",
        "expected": "fixed"})",
     RuleVerdict::kPassed},
    {R"({"rule_type": "property_state", "selector": "#password", "property": "value",
        "expected": ""})",
     RuleVerdict::kUnknown},
    {R"({"rule_type": "computed_style", "selector": "#invisible", "property": "display",
        "expected": "none"})",
     RuleVerdict::kPassed},
    {R"({"rule_type": "count", "selector": "input[type=radio]", "op": "eq", "n": 3})",
     RuleVerdict::kPassed},
    {R"({"rule_type": "count", "selector": "input[type=radio]", "op": "gte", "n": 4})",
     RuleVerdict::kFailed},
    {R"({"rule_type": "url_pattern", "pattern": "**/form.html"})", RuleVerdict::kPassed},
    {R"({"rule_type": "console_clean"})", RuleVerdict::kPassed},
    {R"({"rule_type": "no_new_errors"})", RuleVerdict::kPassed},
    {R"({"rule_type": "invariant", "name": "url_unchanged"})", RuleVerdict::kPassed},
    {R"({"rule_type": "invariant", "name": "no_dialog_open"})", RuleVerdict::kPassed},
    {R"({"rule_type": "invariant", "name": "dom_unchanged"})", RuleVerdict::kFailed},
    {R"({"rule_type": "cookie", "name": "none", "absent": true})", RuleVerdict::kPassed},
    {R"({"rule_type": "file_exists"})", RuleVerdict::kFailed},
    {R"({"rule_type": "visual_change", "expect": "changed", "similarity_threshold": 0.9999})",
     RuleVerdict::kPassed},
    {R"({"rule_type": "visual_change", "expect": "unchanged", "masks": [{"selector": "#status"}, {"selector": "#save"}]})",
     RuleVerdict::kPassed},
    {R"({"rule_type": "state_hash", "expected_hash_after": "s_000000000000000000000000"})",
     RuleVerdict::kFailed},
};

BROWSER_TEST(CarryOutTest, EveryRuleIsJudgedFromThePage) {
  co_await t.Open("/form.html");
  std::string rules;
  for (const RuleCase& one : kRules) {
    std::string soft = one.rule;
    soft.insert(1, R"("severity": "soft", )");
    rules += (rules.empty() ? "" : ", ") + soft;
  }

  const auto result =
      co_await Carry(t, Contract(kSave, R"(, "verification_rules": [)" + rules + "]"));

  EXPECT_TRUE(result.success) << Told(result);
  EXPECT_TRUE(result.verification && result.verification->outcomes.size() == std::size(kRules));
  if (!result.verification) co_return;
  for (std::size_t i = 0; i < std::size(kRules); ++i) {
    const auto& outcome = result.verification->outcomes[i];
    EXPECT_EQ(outcome.verdict, kRules[i].verdict)
        << kRules[i].rule << " " << json::serialize(outcome.ToJson());
  }
}

BROWSER_TEST(CarryOutTest, NetworkRulesSeeOnlyThisAction) {
  t.site.On("/api/order", [](const net::HttpRequest&) {
    net::HttpResponse response;
    response.headers.Set("content-type", "application/json");
    response.body = R"({"order": {"id": 17, "state": "paid"}})";
    return response;
  });
  t.site.Serve("/shop",
               "<button id=b onclick=\"fetch('/api/order', {method: 'POST'})\">Buy</button>"
               "<script>fetch('/api/before')</script>");
  co_await t.Open("/shop");

  const auto result = co_await Carry(
      t, Contract(R"({"action_type": "click", "selector": "#b"})", R"(, "verification_rules": [
        {"rule_type": "network_status", "method": "POST", "url_pattern": "/api/order"},
        {"rule_type": "json_field", "url_pattern": "/api/order", "pointer": "/order/state",
         "op": "eq", "value": "paid"},
        {"rule_type": "json_field", "url_pattern": "/api/order", "pointer": "/order/id",
         "op": "gt", "value": 16},
        {"rule_type": "network_status", "severity": "soft", "url_pattern": "/api/before",
         "status_min": 100, "status_max": 599}])"));

  EXPECT_TRUE(result.success) << Told(result);
  if (!result.verification) co_return;
  EXPECT_EQ(result.verification->outcomes.back().verdict, RuleVerdict::kFailed)
      << "what came before is not this action's";
}

BROWSER_TEST(CarryOutTest, GuardsAreDerivedAndDecideNothing) {
  t.site.Serve("/dull", "<button id=b>Nothing</button>");
  co_await t.Open("/dull");

  const auto result = co_await Carry(t, Contract(R"({"action_type": "click", "selector": "#b"})"));

  EXPECT_TRUE(result.success) << Told(result);
  EXPECT_EQ(result.metadata.at("guard_summary").at("derived"), true);
  EXPECT_FALSE(result.wait_outcomes.empty());
}

BROWSER_TEST(CarryOutTest, LookingAgainTellsWhetherItHappened) {
  co_await t.Open("/form.html");
  co_await t.Fill("#name", "Ada");
  const auto contract = model::ActionContract::FromJson(
      ParseJson(Contract(R"({"action_type": "fill", "selector": "#name", "text": "Ada"})",
                         R"(, "expected_postconditions": [{"rule_type": "property_state",
        "selector": "#name", "property": "value", "expected": "Ada"}])"))
          .value());
  EXPECT_TRUE(contract) << Why(contract);
  if (!contract) co_return;
  engine::DriveKit kit(t.session, {});

  const auto happened = co_await engine::Reobserve(t.ctx, &kit, &*contract);
  co_await t.Fill("#name", "Bob");
  const auto not_any_more = co_await engine::Reobserve(t.ctx, &kit, &*contract);

  EXPECT_TRUE(happened.passed);
  EXPECT_FALSE(not_any_more.passed);
}

}  // namespace
}  // namespace falconer::test
