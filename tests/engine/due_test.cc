// What an element calls for reaches whatever its page sends, however it goes about it.

#include "tests/support/control_bench.h"
#include "tests/support/in_background.h"

namespace falconer::test {
namespace {

constexpr char kAskBeforeDeleting[] = R"(
policy: {name: careful, version: "1"}
rules:
  - name: two managers delete
    when: {capability: DELETE}
    then: {require_approval: {who: manager, count: 2}}
  - name: somebody looks
    when: {all: [{capability: WRITE}, {domain: 127.0.0.1}]}
    then: {require_approval: {who: human}}
  - {name: rest, when: always, then: allow}
connect:
  - {name: load, when: always, then: allow}
navigate:
  - {name: go, when: always, then: allow}
)";

// A button that deletes, in the way that `script` has it.
Task<void> OpenPage(ControlBench& test, std::string script) {
  test.t.site.Serve("/page", "<button id=go onclick=\"" + script + "\">Delete account</button>");
  const auto opened = co_await test.bench.Execute(
      TurnStep(0, R"({"action_type": "navigate", "url": ")" + test.t.site.Url("/page") + R"("})"));
  EXPECT_TRUE(opened.success) << json::serialize(opened.ToJson());
}

// The next turn is asked about, by the strictest terms; nothing leaves before, nor when denied.
Task<void> ExpectAskedOfManagers(ControlBench& test, std::string contract) {
  InBackground turn(test.t.ctx.executor(), test.bench.Execute(std::move(contract)));
  const auto question = co_await test.Asked();
  EXPECT_EQ(question.terms.who, model::ApproverRank::kManager);
  EXPECT_EQ(question.terms.count, 2);
  EXPECT_EQ(test.t.site.RequestCount("/effect"), 0u);
  co_await test.Answer(question.request_id, model::ApprovalAnswer::kDeny);
  const auto result = co_await turn.Join();
  EXPECT_EQ(FailureIn(result), "APPROVAL_DENIED") << json::serialize(result.ToJson());
  EXPECT_EQ(test.t.site.RequestCount("/effect"), 0u);
}

BROWSER_TEST(DueTest, OfSeveralTermsTheStrictestCount) {
  ControlBench test(t, kAskBeforeDeleting);
  co_await OpenPage(test, "fetch('/effect', {method: 'POST', body: 'name=x'})");
  co_await ExpectAskedOfManagers(test, TurnStep(1, ClickOn("#go")));
  co_await test.bench.Stop();
}

BROWSER_TEST(DueTest, APageThatAsksBeforeItSendsIsHeldInTheTurnThatAnswers) {
  ControlBench test(t, kAskBeforeDeleting);
  co_await OpenPage(test,
                    "if (confirm('Really?')) fetch('/effect', {method: 'POST', body: 'name=x'})");
  const auto clicked = co_await test.bench.Execute(TurnStep(1, ClickOn("#go")));
  EXPECT_EQ(t.site.RequestCount("/effect"), 0u) << json::serialize(clicked.ToJson());
  co_await ExpectAskedOfManagers(
      test, TurnStep(2, R"({"action_type": "handle_dialog", "dialog": {"accept": true}})"));
  co_await test.bench.Stop();
}

BROWSER_TEST(DueTest, APageThatSendsLaterIsHeldInALaterTurn) {
  ControlBench test(t, kAskBeforeDeleting);
  co_await OpenPage(test,
                    "addEventListener('keydown', () => fetch('/effect', {method: 'POST', body: "
                    "'name=x'}), {once: true})");
  const auto clicked = co_await test.bench.Execute(TurnStep(1, ClickOn("#go")));
  EXPECT_EQ(FailureIn(clicked), "success") << json::serialize(clicked.ToJson());
  co_await ExpectAskedOfManagers(test, TurnStep(2, R"({"action_type": "press", "key": "Shift"})"));
  co_await test.bench.Stop();
}

BROWSER_TEST(DueTest, ALinkThatDeletesIsPutToTheRulesForActions) {
  ControlBench test(t, kAskBeforeDeleting);
  t.site.Serve("/effect", "gone");
  co_await OpenPage(test, "location = '/effect?action=delete'");
  co_await ExpectAskedOfManagers(test, TurnStep(1, ClickOn("#go")));
  co_await test.bench.Stop();
}

// What goes over a socket cannot be held: people are asked before the page is touched.
BROWSER_TEST(DueTest, APageWithASocketIsAskedAboutBeforeItIsTouched) {
  ControlBench test(t, kAskBeforeDeleting);
  t.site.Serve("/page",
               "<button id=go onclick=\"socket.send('delete'); seen.textContent = 'sent'\">Delete "
               "account</button><output id=seen></output><script>socket = new "
               "WebSocket(`ws://${location.host}/ws`); socket.onopen = () => seen.textContent = "
               "'open'</script>");
  const auto opened = co_await test.bench.Execute(
      TurnStep(1, R"({"action_type": "navigate", "url": ")" + t.site.Url("/page") + R"("})",
               R"(, "wait_conditions": [{"kind": "text", "text": "open"}])"));
  EXPECT_TRUE(opened.success) << json::serialize(opened.ToJson());
  co_await ExpectAskedOfManagers(test, TurnStep(2, ClickOn("#go")));
  const auto untouched = co_await test.bench.Execute(
      TurnStep(3, R"({"action_type": "wait_only"})",
               R"(, "expected_postconditions": [{"rule_type": "text_state", "selector": "#seen",)"
               R"( "expected": "open"}])"));
  EXPECT_TRUE(untouched.success) << json::serialize(untouched.ToJson());
  co_await test.bench.Stop();
}

constexpr char kUploadsHereOnly[] = R"(
policy: {name: uploads, version: "1"}
rules:
  - {name: all, when: always, then: allow}
upload:
  - {name: here, when: {domain: 127.0.0.1}, then: allow}
)";

BROWSER_TEST(DueTest, FilesGoOnlyWhereUploadsMay) {
  ControlBench test(t, kUploadsHereOnly);
  co_await OpenPage(
      test, "const f = new FormData(); f.append('f', new Blob(['bytes']), 'a.txt'); fetch('" +
                t.site.CrossSiteUrl("/effect") + "', {method: 'POST', mode: 'no-cors', body: f})");
  const auto sent = co_await test.bench.Execute(TurnStep(1, ClickOn("#go")));
  EXPECT_EQ(FailureIn(sent), "POLICY_DENIED") << json::serialize(sent.ToJson());
  EXPECT_EQ(t.site.RequestCount("/effect"), 0u);
  co_await test.bench.Stop();
}

BROWSER_TEST(DueTest, ASecondPurchaseOfOneTurnIsAskedAbout) {
  ControlBench test(t);
  co_await OpenPage(test,
                    "for (const i of [1, 2]) fetch('/effect/orders?i=' + i, {method: 'POST', "
                    "headers: {'content-type': 'application/json'}, "
                    "body: JSON.stringify({total: '20.00', currency: 'EUR'})})");
  t.site.Serve("/effect/orders", "ok");
  InBackground turn(t.ctx.executor(), test.bench.Execute(TurnStep(1, ClickOn("#go"))));
  const auto question = co_await test.Asked();
  EXPECT_LE(t.site.RequestCount("/effect/orders"), 1u);
  co_await test.Answer(question.request_id, model::ApprovalAnswer::kDeny);
  const auto result = co_await turn.Join();
  EXPECT_EQ(FailureIn(result), "APPROVAL_DENIED") << json::serialize(result.ToJson());
  EXPECT_EQ(t.site.RequestCount("/effect/orders"), 1u);
  co_await test.bench.Stop();
}

}  // namespace
}  // namespace falconer::test
