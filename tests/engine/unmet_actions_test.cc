// What the policy says holds for every action, whether it meets an element or not.

#include "tests/support/control_bench.h"

namespace falconer::test {
namespace {

constexpr char kNothingIsAllowed[] = R"(
policy: {name: nothing, version: "1"}
rules:
  - {name: somebody-else, when: {agent: somebody-else}, then: allow}
)";

constexpr char kAskBeforeAnything[] = R"(
policy: {name: ask, version: "1"}
rules:
  - {name: ask, when: always, then: {require_approval: {who: human}}}
connect:
  - {name: all, when: always, then: allow}
)";

// One per action type, on the store's page. Not upload: its files are looked for first.
constexpr std::string_view kEveryAction[] = {
    R"({"action_type":"navigate","url":"http://127.0.0.1/"})",
    R"({"action_type":"go_back"})",
    R"({"action_type":"go_forward"})",
    R"({"action_type":"reload"})",
    R"({"action_type":"click","selector":"#more"})",
    R"({"action_type":"double_click","selector":"#more"})",
    R"({"action_type":"hover","selector":"#more"})",
    R"({"action_type":"type","text":"abc"})",
    R"({"action_type":"fill","selector":"#note","text":"abc"})",
    R"({"action_type":"clear","selector":"#note"})",
    R"({"action_type":"press","key":"Control+Enter"})",
    R"({"action_type":"select","selector":"#choice","select_value":"x"})",
    R"({"action_type":"check","selector":"#checked"})",
    R"({"action_type":"uncheck","selector":"#checked"})",
    R"({"action_type":"scroll","scroll":{"dy":10}})",
    R"({"action_type":"drag","selector":"#more","drag_to":{"selector":"#note"}})",
    R"({"action_type":"download_trigger","selector":"#more"})",
    R"({"action_type":"extract"})",
    R"({"action_type":"extract","selector":"h1"})",
    R"({"action_type":"screenshot"})",
    R"({"action_type":"screenshot","selector":"h1"})",
    R"({"action_type":"pdf"})",
    R"({"action_type":"snapshot"})",
    R"({"action_type":"wait_only"})",
    R"({"action_type":"custom_js_restricted","js_expression":"1"})",
    R"({"action_type":"new_tab"})",
    R"({"action_type":"switch_tab","tab_id":"t1"})",
    R"({"action_type":"close_tab"})",
    R"({"action_type":"handle_dialog","dialog":{"accept":true}})",
    R"({"action_type":"submit","selector":"#note"})",
    R"({"action_type":"purchase","selector":"#buy"})",
    R"({"action_type":"focus","selector":"#note"})",
    R"({"action_type":"set_viewport","viewport":{"width":300,"height":300}})",
};

// The store, without a policy, with a list and a box that is checked already.
Task<void> OpenCounter(ControlBench& test) {
  test.t.site.Serve("/counter",
                    "<h1>Counter</h1><form method=post action=/effect><input id=note>"
                    "<button id=buy>Buy</button></form><button id=more>More</button>"
                    "<select id=choice><option>x<option>y</select>"
                    "<input id=checked type=checkbox checked>"
                    "<script>addEventListener('keydown', () => fetch('/pressed'))</script>");
  const auto opened = co_await test.bench.Execute(TurnStep(
      0, R"({"action_type": "navigate", "url": ")" + test.t.site.Url("/counter") + R"("})"));
  EXPECT_TRUE(opened.success) << json::serialize(opened.ToJson());
}

BROWSER_TEST(UnmetActionsTest, WhatNoRuleAllowsIsDeniedForEveryActionType) {
  ControlBench test(t);
  co_await OpenCounter(test);
  test.Govern(kNothingIsAllowed);
  std::set<model::ActionType> tried = {model::ActionType::kUpload};

  int step = 0;
  for (const std::string_view action : kEveryAction) {
    const auto done = co_await test.bench.Execute(TurnStep(++step, action));

    EXPECT_EQ(FailureIn(done), "POLICY_DENIED") << action << json::serialize(done.ToJson());
    EXPECT_TRUE(done.failure && done.failure->details.contains("denial_id")) << action;
    tried.insert(model::ActionSpec::FromJson(ParseJson(action).value())->type);
  }

  EXPECT_EQ(tried.size(), model::AllActionTypes().size()) << "a type is missing here";
  EXPECT_EQ(t.site.RequestCount("/pressed"), 0u);
  co_await test.bench.Stop();
}

BROWSER_TEST(UnmetActionsTest, WhoOnlyTriesIsJudgedByWhatHeWouldDo) {
  ControlBench test(t);
  co_await OpenCounter(test);
  test.Govern(kNothingIsAllowed);

  const auto tried =
      co_await test.bench.Execute(TurnStep(1, ClickOn("#more"), R"(, "dry_run": true)"));

  EXPECT_EQ(FailureIn(tried), "POLICY_DENIED") << json::serialize(tried.ToJson());
  co_await test.bench.Stop();
}

BROWSER_TEST(UnmetActionsTest, PeopleAreAskedAboutKeysThatMeetNoElementAndAboutReading) {
  ControlBench test(t);
  co_await OpenCounter(test);
  test.Govern(kAskBeforeAnything);

  int step = 0;
  for (const std::string_view action :
       {R"({"action_type":"press","key":"x"})", R"({"action_type":"type","text":"x"})",
        R"({"action_type":"extract","selector":"h1"})", R"({"action_type":"screenshot"})",
        R"({"action_type":"scroll","scroll":{"dy":10}})"}) {
    InBackground doing(t.ctx.executor(), test.bench.Execute(TurnStep(++step, action)));
    const auto question = co_await test.Asked();
    co_await test.Answer(question.request_id, model::ApprovalAnswer::kDeny);
    const auto done = co_await doing.Join();

    EXPECT_EQ(FailureIn(done), "APPROVAL_DENIED") << action << json::serialize(done.ToJson());
  }
  EXPECT_EQ(t.site.RequestCount("/pressed"), 0u);
  InBackground doing(t.ctx.executor(),
                     test.bench.Execute(TurnStep(9, R"({"action_type":"press","key":"x"})")));
  const auto question = co_await test.Asked();
  co_await test.Answer(question.request_id, model::ApprovalAnswer::kApprove);
  const auto pressed = co_await doing.Join();
  EXPECT_EQ(FailureIn(pressed), "success") << json::serialize(pressed.ToJson());
  EXPECT_EQ(t.site.RequestCount("/pressed"), 1u);
  co_await test.bench.Stop();
}

}  // namespace
}  // namespace falconer::test
