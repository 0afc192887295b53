// How waits end: parts that hold and parts that do not, time that runs out, pages that go away, and
// waits that nobody needs any more.

#include "tests/support/in_background.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

// Whether any wait that was given a number after `before` is still going on in the page.
Task<bool> IsWaitingInPage(BrowserFixture& t, std::uint64_t before) {
  const std::uint64_t now = browser::NewCallNumber();
  for (std::uint64_t number = before + 1; number < now; ++number) {
    const auto answer = co_await browser::CallScript(
        t.ctx.WithTimeout(kPatience), browser::ScriptCall::Into(t.tab()->frames().main()),
        "cancel_wait", {{"id", "call" + std::to_string(number)}});
    EXPECT_TRUE(answer) << Why(answer);
    if (answer && answer->at("cancelled") == true) co_return true;
  }
  co_return false;
}

BROWSER_TEST(WaitOutcomesTest, AllHoldsWhenEveryPartDoes) {
  co_await t.Open("/form.html");
  const auto waited = co_await t.WaitFor(R"({"kind": "all", "children": [
      {"kind": "url", "url_pattern": "**/form.html"}, {"kind": "selector", "selector": "#name"}, {"kind": "load_state"}]})");
  EXPECT_TRUE(waited && waited->satisfied) << Why(waited);
  if (!waited) co_return;
  EXPECT_EQ(waited->children.size(), 3u);
  for (const auto& child : waited->children)
    EXPECT_TRUE(child.satisfied) << model::WaitKindName(child.kind);
}

BROWSER_TEST(WaitOutcomesTest, AllSaysWhichPartDidNotHold) {
  co_await t.Open("/form.html");
  const auto waited = co_await t.WaitFor(R"({"kind": "all", "timeout_ms": 300, "children": [
      {"kind": "selector", "selector": "#name"}, {"kind": "text", "text": "never shown"}]})");
  EXPECT_TRUE(waited) << Why(waited);
  if (!waited) co_return;
  EXPECT_FALSE(waited->satisfied);
  EXPECT_TRUE(waited->children[0].satisfied);
  EXPECT_FALSE(waited->children[1].satisfied);
  EXPECT_EQ(waited->children[1].error->code(), ErrorCode::kWaitTimeout);
}

BROWSER_TEST(WaitOutcomesTest, AnyHoldsWithTheFirstPartAndCallsTheOthersOff) {
  co_await t.Open("/form.html");
  const auto started = t.ctx.clock().Now();
  const auto before = browser::NewCallNumber();
  const auto waited = co_await t.WaitFor(R"({"kind": "any", "children": [
      {"kind": "text", "text": "never shown"}, {"kind": "selector", "selector": "#name"}, {"kind": "response", "url_pattern": "never"}]})");
  EXPECT_TRUE(waited && waited->satisfied) << Why(waited);
  EXPECT_LT(t.ctx.clock().Now() - started, std::chrono::seconds(5));
  if (!waited) co_return;
  EXPECT_FALSE(waited->children[0].satisfied);
  EXPECT_TRUE(waited->children[1].satisfied);
  EXPECT_FALSE(waited->children[2].satisfied);
  const bool is_waiting = co_await IsWaitingInPage(t, before);
  EXPECT_FALSE(is_waiting);
}

BROWSER_TEST(WaitOutcomesTest, TwoWaitsOnOneTabDoNotCallEachOtherOff) {
  co_await t.Open("/form.html");
  InBackground first(t.ctx.executor(), t.WaitFor(R"({"kind": "selector", "selector": "#late"})"));
  co_await t.Page("0");
  InBackground second(t.ctx.executor(), t.WaitFor(R"({"kind": "selector", "selector": "#late"})"));
  co_await t.Page("0");

  co_await t.Page("void document.body.insertAdjacentHTML('beforeend', '<p id=late>Late</p>')");
  const auto one = co_await first.Join();
  const auto two = co_await second.Join();

  EXPECT_TRUE(one && one->satisfied) << Why(one);
  EXPECT_TRUE(two && two->satisfied) << Why(two);
}

BROWSER_TEST(WaitOutcomesTest, AFunctionThatLostIsNotAskedAgain) {
  co_await t.Open("/form.html");
  const auto waited = co_await t.WaitFor(R"({"kind": "any", "children": [
      {"kind": "function", "expression": "document.body.dataset.asked = Number(document.body.dataset.asked || 0) + 1, false"},
      {"kind": "dom_quiet", "quiet_ms": 100}, {"kind": "selector", "selector": "#name"}]})");
  EXPECT_TRUE(waited && waited->satisfied) << Why(waited);
  co_await t.Page(
      "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => "
      "0)");
  const std::string asked = co_await t.PageText("document.body.dataset.asked");
  co_await t.Page(
      "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => "
      "requestAnimationFrame(done)))).then(() => 0)");
  EXPECT_EQ(co_await t.PageText("document.body.dataset.asked"), asked);
}

BROWSER_TEST(WaitOutcomesTest, NotLooksOnce) {
  co_await t.Open("/form.html");
  const auto absent = co_await t.WaitFor(
      R"({"kind": "not", "children": [{"kind": "selector", "selector": "#nowhere"}]})");
  EXPECT_TRUE(absent && absent->satisfied) << Why(absent);
  const auto present = co_await t.WaitFor(
      R"({"kind": "not", "children": [{"kind": "selector", "selector": "#name"}]})");
  EXPECT_TRUE(present) << Why(present);
  if (present) EXPECT_FALSE(present->satisfied);
}

BROWSER_TEST(WaitOutcomesTest, NotWatchesAsLongAsItsPartIsGiven) {
  t.site.Serve("/one",
               "<p id=p></p><script>setTimeout(() => { p.textContent = 'Error' }, 150)</script>");
  co_await t.Open("/one");
  const auto waited = co_await t.WaitFor(
      R"({"kind": "not", "children": [{"kind": "text", "text": "Error", "timeout_ms": 5000}]})");
  EXPECT_TRUE(waited) << Why(waited);
  if (waited) EXPECT_FALSE(waited->satisfied);
}

BROWSER_TEST(WaitOutcomesTest, NotOverAnyAndAll) {
  co_await t.Open("/form.html");
  struct Row {
    const char* inner;
    bool holds;
  };
  constexpr Row kRows[] = {
      {R"({"kind": "any", "children": [{"kind": "selector", "selector": "#nowhere"}, {"kind": "selector", "selector": "#name"}]})",
       false},
      {R"({"kind": "any", "children": [{"kind": "selector", "selector": "#nowhere"}, {"kind": "text", "text": "nowhere"}]})",
       true},
      {R"({"kind": "all", "children": [{"kind": "selector", "selector": "#nowhere"}, {"kind": "selector", "selector": "#name"}]})",
       true},
      {R"({"kind": "all", "children": [{"kind": "selector", "selector": "#email"}, {"kind": "selector", "selector": "#name"}]})",
       false},
      {R"({"kind": "not", "children": [{"kind": "selector", "selector": "#name"}]})", true},
      {R"({"kind": "url", "url_pattern": "**/form.html"})", false},
      {R"({"kind": "dialog"})", true},
  };
  for (const Row& row : kRows) {
    const auto started = t.ctx.clock().Now();
    const auto waited =
        co_await t.WaitFor(R"({"kind": "not", "children": [)" + std::string(row.inner) + "]}");
    EXPECT_TRUE(waited) << row.inner << Why(waited);
    if (waited) EXPECT_EQ(waited->satisfied, row.holds) << json::serialize(waited->ToJson());
    EXPECT_LT(t.ctx.clock().Now() - started, std::chrono::seconds(3)) << row.inner;
  }
}

BROWSER_TEST(WaitOutcomesTest, NestedPartsAreReportedBranchByBranch) {
  co_await t.Open("/form.html");
  const auto waited = co_await t.WaitFor(R"({"kind": "all", "children": [
      {"kind": "any", "children": [{"kind": "text", "text": "never"}, {"kind": "text", "text": "Every control"}]},
      {"kind": "not", "children": [{"kind": "selector", "selector": "#error"}]}]})");
  EXPECT_TRUE(waited && waited->satisfied) << Why(waited);
  if (!waited) co_return;
  EXPECT_EQ(waited->children[0].kind, model::WaitKind::kAny);
  EXPECT_EQ(waited->children[0].children.size(), 2u);
  EXPECT_TRUE(waited->children[0].children[1].satisfied);
  EXPECT_TRUE(waited->children[1].satisfied);
}

BROWSER_TEST(WaitOutcomesTest, TimeThatRunsOutIsAnOutcome) {
  co_await t.Open("/form.html");
  for (
      const char* condition :
      {R"({"kind": "selector", "selector": "#nowhere", "timeout_ms": 150})",
       R"({"kind": "url", "url_pattern": "**/never", "timeout_ms": 150})",
       R"({"kind": "function", "expression": "false", "timeout_ms": 150})",
       R"({"kind": "popup", "timeout_ms": 150})",
       R"({"kind": "frame", "url_pattern": "**/never", "timeout_ms": 150})",
       R"({"kind": "download", "timeout_ms": 150})",
       R"({"kind": "any", "timeout_ms": 150, "children": [{"kind": "dialog"}, {"kind": "text", "text": "never"}]})"}) {
    const auto waited = co_await t.WaitFor(condition);
    EXPECT_TRUE(waited) << condition << ": " << Why(waited);
    if (!waited) continue;
    EXPECT_FALSE(waited->satisfied) << condition;
    EXPECT_EQ(waited->error->code(), ErrorCode::kWaitTimeout) << condition;
    EXPECT_LT(waited->waited, std::chrono::seconds(3)) << condition;
  }
}

BROWSER_TEST(WaitOutcomesTest, ATimeOfZeroLooksOnce) {
  co_await t.Open("/form.html");
  const auto there =
      co_await t.WaitFor(R"({"kind": "selector", "selector": "#name", "timeout_ms": 0})");
  EXPECT_TRUE(there && there->satisfied) << Why(there);
  const auto nowhere =
      co_await t.WaitFor(R"({"kind": "selector", "selector": "#nowhere", "timeout_ms": 0})");
  EXPECT_TRUE(nowhere && !nowhere->satisfied) << Why(nowhere);
}

BROWSER_TEST(WaitOutcomesTest, WhatWasSeenLastIsTold) {
  co_await t.Open("/form.html");
  const auto waited =
      co_await t.WaitFor(R"({"kind": "count", "selector": "select", "n": 5, "timeout_ms": 150})");
  EXPECT_TRUE(waited) << Why(waited);
  if (waited)
    EXPECT_TRUE(json::serialize(waited->ToJson()).contains("\"count\":2"))
        << json::serialize(waited->ToJson());
}

BROWSER_TEST(WaitOutcomesTest, AWaitFollowsThePageThroughNavigations) {
  co_await t.Open("/empty.html");
  InBackground waiting(t.ctx.executor(), t.WaitFor(R"({"kind": "selector", "selector": "#save"})"));
  co_await t.Page("0");
  co_await t.Open("/spa/home");
  co_await t.Open(t.site.CrossSiteUrl("/empty.html"));
  EXPECT_FALSE(waiting.is_done());
  co_await t.Open(t.site.ThirdSiteUrl("/form.html"));
  const auto waited = co_await waiting.Join();
  EXPECT_TRUE(waited && waited->satisfied) << Why(waited);
}

BROWSER_TEST(WaitOutcomesTest, AFunctionFollowsThePageThroughNavigations) {
  co_await t.Open("/empty.html");
  InBackground waiting(
      t.ctx.executor(),
      t.WaitFor(R"js({"kind": "function", "expression": "document.title.startsWith('Form')"})js"));
  co_await t.Page("0");
  co_await t.Open(t.site.CrossSiteUrl("/form.html"));
  const auto waited = co_await waiting.Join();
  EXPECT_TRUE(waited && waited->satisfied) << Why(waited);
}

BROWSER_TEST(WaitOutcomesTest, AWaitInAFrameOutlivesThatTheFrameIsReplaced) {
  t.site.Serve("/empty_frame", "<p>nothing yet</p>");
  t.site.Serve("/one", "<iframe id=f src='/empty_frame'></iframe>");
  co_await t.Open("/one");
  InBackground waiting(t.ctx.executor(),
                       t.WaitFor(R"({"kind": "selector", "selector": "frame=#f >> #leaf"})"));
  co_await t.Page("f.src = '/frame_leaf.html'; 0");
  const auto moved = co_await waiting.Join();
  EXPECT_TRUE(moved && moved->satisfied) << Why(moved);

  InBackground again(
      t.ctx.executor(),
      t.WaitFor(R"({"kind": "text", "text": "Level two", "selector": "frame=#f >> body"})"));
  co_await t.Page("f.remove(); const n = document.createElement('iframe'); n.id = 'f'; n.src = '" +
                  t.site.CrossSiteUrl("/frames_level2.html") + "'; document.body.append(n); 0");
  const auto replaced = co_await again.Join();
  EXPECT_TRUE(replaced && replaced->satisfied) << Why(replaced);
}

BROWSER_TEST(WaitOutcomesTest, WhatIsInAFrameThatIsGoneIsHidden) {
  t.site.Serve("/one", "<iframe id=f src='/frame_leaf.html'></iframe>");
  co_await t.Open("/one");
  InBackground waiting(
      t.ctx.executor(),
      t.WaitFor(R"({"kind": "selector", "selector": "frame=#f >> #leaf", "state": "hidden"})"));
  co_await t.Page("f.remove(); 0");
  const auto waited = co_await waiting.Join();
  EXPECT_TRUE(waited && waited->satisfied) << Why(waited);
  const auto absent = co_await t.WaitFor(
      R"({"kind": "selector", "selector": "frame=#f >> #leaf", "state": "detached"})");
  EXPECT_TRUE(absent && absent->satisfied) << Why(absent);
}

BROWSER_TEST(WaitOutcomesTest, ATargetThatMatchesTwiceIsFineUnlessItMustBeTheOnlyOne) {
  co_await t.Open("/form.html");
  const auto loose = co_await t.WaitFor(R"({"kind": "selector", "selector": "select"})");
  EXPECT_TRUE(loose && loose->satisfied) << Why(loose);
  const auto strict =
      co_await t.WaitFor(R"({"kind": "selector", "selector": "select", "strict": true})");
  EXPECT_EQ(CodeOf(strict), ErrorCode::kElementAmbiguous) << Why(strict);
}

BROWSER_TEST(WaitOutcomesTest, ACancelledWaitSaysSo) {
  co_await t.Open("/form.html");
  CancelSource cancel;
  const auto before = browser::NewCallNumber();
  const auto condition =
      model::WaitCondition::FromJson(json::object{{"kind", "text"}, {"text", "never"}});
  const auto ctx = t.ctx.WithTimeout(kPatience).WithCancel(cancel.token());
  const auto armed = co_await t.waits.Arm(ctx, t.tab(), *condition);
  EXPECT_TRUE(armed) << Why(armed);
  if (!armed) co_return;
  InBackground waiting(t.ctx.executor(), (*armed)->Wait(ctx));
  co_await t.Page("0");
  cancel.Cancel(Error(ErrorCode::kCancelled, "enough"));
  const auto waited = co_await waiting.Join();
  EXPECT_EQ(CodeOf(waited), ErrorCode::kCancelled) << Why(waited);
  const bool is_waiting = co_await IsWaitingInPage(t, before);
  EXPECT_FALSE(is_waiting);
}

// A change of the page counts from when it was seen, and what it was found like is handed on.
BROWSER_TEST(WaitOutcomesTest, AChangeCountsFromWhenThePageWasSeen) {
  t.site.Serve("/one", "<p id=p>before</p>");
  co_await t.Open("/one");
  const auto ctx = t.ctx.WithTimeout(kPatience);
  const auto seen = co_await t.extractor.ReadMarked(ctx, t.tab(), {});
  EXPECT_TRUE(seen) << Why(seen);
  if (!seen) co_return;
  co_await t.Page("p.textContent = 'after'");
  const auto change =
      model::WaitCondition::FromJson(json::object{{"kind", "state_change"}, {"timeout_ms", 0}});

  const auto from_then = co_await t.waits.Arm(ctx, t.tab(), *change, seen->mark);
  const auto from_now = co_await t.waits.Arm(ctx, t.tab(), *change);
  const auto came = co_await (*from_then)->Wait(ctx);
  const auto did_not = co_await (*from_now)->Wait(ctx);

  EXPECT_TRUE(came && came->satisfied) << Why(came);
  EXPECT_FALSE(did_not && did_not->satisfied);
  EXPECT_FALSE((*from_now)->TakeReading());
  auto reading = (*from_then)->TakeReading();
  EXPECT_TRUE(reading);
  if (!reading) co_return;
  co_await t.Page("p.textContent = 'later'");
  const auto again = co_await t.extractor.ReadMarked(ctx, t.tab(), {}, std::move(reading));
  EXPECT_TRUE(again) << Why(again);
  if (again) EXPECT_EQ(again->state.texts.at(0).text, "after");
}

BROWSER_TEST(WaitOutcomesTest, WhatWasReadOfADocumentThatIsGoneIsReadAnew) {
  t.site.Serve("/one", "<p id=p>before</p>");
  t.site.Serve("/two", "<p>another</p>");
  co_await t.Open("/one");
  const auto ctx = t.ctx.WithTimeout(kPatience);
  const auto seen = co_await t.extractor.ReadMarked(ctx, t.tab(), {});
  EXPECT_TRUE(seen) << Why(seen);
  if (!seen) co_return;
  browser::PageReading old{.document = seen->mark.document, .answer = {}};
  co_await t.Open("/two");

  const auto now = co_await t.extractor.ReadMarked(ctx, t.tab(), {}, std::move(old));

  EXPECT_TRUE(now) << Why(now);
  if (now) EXPECT_EQ(now->state.texts.at(0).text, "another");
}

BROWSER_TEST(WaitOutcomesTest, AWaitInATabThatClosesSaysSo) {
  co_await t.Open("/empty.html");
  co_await t.Do(R"({"action_type": "new_tab", "url": ")" + t.site.Url("/form.html") + "\"}");
  for (const char* condition : {R"({"kind": "text", "text": "never"})"}) {
    InBackground waiting(t.ctx.executor(), t.WaitFor(condition));
    co_await t.Page("0");
    co_await t.Do(R"({"action_type": "close_tab"})");
    const auto waited = co_await waiting.Join();
    EXPECT_EQ(CodeOf(waited), ErrorCode::kTabClosed) << Why(waited);
  }
}

BROWSER_TEST(WaitOutcomesTest, ADialogThatOpensEndsTheWaitForThePage) {
  t.site.Serve("/one", "<button id=b onclick=\"alert('hello')\">Ask</button>");
  co_await t.Open("/one");
  const auto waited = co_await t.DoAndWait(R"({"action_type": "click", "selector": "#b"})",
                                           R"({"kind": "text", "text": "never"})");
  EXPECT_EQ(CodeOf(waited), ErrorCode::kDialogOpen) << Why(waited);
  const auto either = co_await t.WaitFor(
      R"({"kind": "any", "children": [{"kind": "text", "text": "never"}, {"kind": "url", "url_pattern": "**/one"}]})");
  EXPECT_TRUE(either && either->satisfied) << Why(either);
}

BROWSER_TEST(WaitOutcomesTest, AConditionThatMakesNoSenseIsRefused) {
  co_await t.Open("/form.html");
  for (const char* condition : {R"({"kind": "selector", "selector": "role=["})",
                                R"({"kind": "not", "children": []})", R"({"kind": "nothing"})"}) {
    const auto waited = co_await t.WaitFor(condition);
    const auto code = CodeOf(waited);
    EXPECT_TRUE(code == ErrorCode::kInvalidWaitCondition || code == ErrorCode::kInvalidSelector)
        << condition << Why(waited);
  }
}

}  // namespace
}  // namespace falconer::test
