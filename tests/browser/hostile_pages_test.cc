// Pages that fight back: elements that vanish, applications that come late, answers that lie. Each
// is driven to the end a person would reach, and nothing happens twice.

#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

BROWSER_TEST(HostilePagesTest, ClicksAButtonThatGoesAwayAndComesBack) {
  co_await t.Open("/disappearing_button.html?ms=60");

  const auto clicked = co_await t.Click("#go");

  EXPECT_TRUE(clicked) << Why(clicked);
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "clicked", 1);
  EXPECT_TRUE(told) << Why(told);
  EXPECT_EQ(t.site.EffectCount("clicked"), 1u);
}

BROWSER_TEST(HostilePagesTest, WaitsForTheButtonToComeBackAsANewElement) {
  co_await t.Open("/disappearing_button.html?ms=300");
  const auto gone =
      co_await t.WaitFor(R"({"kind": "selector", "selector": "#go", "state": "detached"})");
  EXPECT_TRUE(gone && gone->satisfied) << Why(gone);

  const auto clicked = co_await t.Click("role=button[name=\"Go\"]");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("document.getElementById('status').textContent"), "clicked:2");
}

BROWSER_TEST(HostilePagesTest, SaysThatAButtonIsGoneForGood) {
  co_await t.Open("/disappearing_button.html?ms=20&forever=1");
  const auto gone =
      co_await t.WaitFor(R"({"kind": "selector", "selector": "#go", "state": "detached"})");
  EXPECT_TRUE(gone && gone->satisfied) << Why(gone);

  const auto clicked =
      co_await t.Do(R"({"action_type": "click", "selector": "#go", "timeout_ms": 300})");

  EXPECT_EQ(CodeOf(clicked), ErrorCode::kElementNotFound) << Why(clicked);
  EXPECT_EQ(t.site.EffectCount("clicked"), 0u);
}

BROWSER_TEST(HostilePagesTest, ClicksOnceInAPageThatRendersEverythingAnew) {
  co_await t.Open("/rerender.html?times=10&ms=50");

  const auto clicked = co_await t.Click("role=button[name=\"Save basket\"]");

  EXPECT_TRUE(clicked) << Why(clicked);
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "click save", 1);
  EXPECT_TRUE(told) << Why(told);
  const auto settled =
      co_await t.WaitFor(R"({"kind": "text", "text": "settled:11", "selector": "#status"})");
  EXPECT_TRUE(settled && settled->satisfied) << Why(settled);
  EXPECT_EQ(t.site.EffectCount("click save"), 1u);
  EXPECT_EQ(t.site.EffectCount(""), 1u);
}

BROWSER_TEST(HostilePagesTest, SeesThatASuccessfulAnswerWasNone) {
  co_await t.Open("/malformed_json.html");
  const auto mark = t.tab()->network().last_seq();

  const auto waited = co_await t.DoAndWait(
      R"({"action_type": "click", "selector": "#load"})",
      R"({"kind": "all", "children": [{"kind": "response", "url_pattern": "/json/malformed$"},
                                      {"kind": "text", "text": "Could not load prices"}]})");

  EXPECT_TRUE(waited && waited->satisfied) << Why(waited);
  const auto settled = co_await t.tab()->network().Settled(t.ctx.WithTimeout(kPatience), mark);
  EXPECT_TRUE(settled) << Why(settled);
  EXPECT_EQ(t.tab()->network().Summary(mark).silent_failures, 1u);
  const auto state = co_await t.State();
  EXPECT_TRUE(state) << Why(state);
  if (!state) co_return;
  EXPECT_EQ(state->errors.size(), 1u);
  if (!state->errors.empty()) EXPECT_EQ(state->errors[0].text, "Could not load prices");
  EXPECT_EQ(state->network.silent_failures, 1u);
}

BROWSER_TEST(HostilePagesTest, WorksInAnApplicationThatComesTwoSecondsLate) {
  co_await t.Open("/slow_spa.html?ms=2200");

  const auto filled = co_await t.Fill("label=Query", "falcons");
  const auto clicked = co_await t.Click("role=button[name=\"Run\"]");

  EXPECT_TRUE(filled) << Why(filled);
  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("document.getElementById('status').textContent"), "run:falcons");
}

BROWSER_TEST(HostilePagesTest, ScrollsToTheEndOfAnEndlessList) {
  co_await t.Open("/infinite_scroll.html?total=60");

  for (int wanted = 20; wanted <= 60; wanted += 10) {
    const auto more =
        co_await t.DoAndWait(R"({"action_type": "scroll", "scroll": {"to": "bottom"}})",
                             R"({"kind": "count", "selector": "#items > li", "op": "gte", "n": )" +
                                 std::to_string(wanted) + "}");
    EXPECT_TRUE(more && more->satisfied) << wanted << ": " << Why(more);
  }
  const auto clicked = co_await t.Click("#items > li:last-child > button");

  EXPECT_TRUE(clicked) << Why(clicked);
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "clicked", 1);
  EXPECT_TRUE(told) << Why(told);
  EXPECT_EQ(co_await t.PageText("document.querySelectorAll('#items > li').length"), "60");
}

BROWSER_TEST(HostilePagesTest, TellsApartAnswersThatArriveTheOtherWayRound) {
  co_await t.Open("/response_inversion.html?slow=400&fast=40");
  const auto arm = [&](std::string name) -> Result<model::WaitCondition> {
    return model::WaitCondition::FromJson(
        json::object{{"kind", "response"}, {"url_pattern", "body=" + name + "$"}});
  };
  const auto first_wait = arm("first");
  const auto second_wait = arm("second");
  EXPECT_TRUE(first_wait && second_wait);
  const auto ctx = t.ctx.WithTimeout(kPatience);
  const auto first = co_await t.waits.Arm(ctx, t.tab(), *first_wait);
  const auto second = co_await t.waits.Arm(ctx, t.tab(), *second_wait);
  EXPECT_TRUE(first && second);
  if (!first || !second) co_return;

  co_await t.Click("#first");
  co_await t.Click("#second");
  const auto second_answer = co_await (*second)->Wait(ctx);
  const std::string between =
      co_await t.PageText("__log.map(e => e.name + ' ' + e.detail).join(', ')");
  const auto first_answer = co_await (*first)->Wait(ctx);

  EXPECT_TRUE(second_answer && second_answer->satisfied) << Why(second_answer);
  EXPECT_TRUE(first_answer && first_answer->satisfied) << Why(first_answer);
  EXPECT_FALSE(between.contains("answered first")) << between;
  const auto shown =
      co_await t.WaitFor(R"({"kind": "text", "text": "first", "selector": "#result"})");
  EXPECT_TRUE(shown && shown->satisfied) << Why(shown);
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "answered", 2);
  EXPECT_TRUE(told) << Why(told);
}

BROWSER_TEST(HostilePagesTest, ClicksOnceInAFrameThatKeepsReloading) {
  co_await t.Open("/frame_reload.html?times=3&ms=100");

  const auto clicked = co_await t.Click("frame=#frame >> #inner");

  EXPECT_TRUE(clicked) << Why(clicked);
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "clicked", 1);
  EXPECT_TRUE(told) << Why(told);
  co_await t.Page(
      "new Promise(done => { const look = () => __log.some(e => e.name === 'settled') ? done() : "
      "setTimeout(look, 10); look(); })");
  EXPECT_EQ(t.site.EffectCount("clicked"), 1u);
  const auto again = co_await t.Click("frame=#frame >> #inner");
  EXPECT_TRUE(again) << Why(again);
  const auto last = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "clicked", 2);
  EXPECT_TRUE(last) << Why(last);
  EXPECT_EQ(t.site.Effects("clicked").back().detail, "4");
}

BROWSER_TEST(HostilePagesTest, ActsInAPageThatLiesAboutItsOwnGlobals) {
  co_await t.Open("/hostile_world.html");

  const auto filled = co_await t.Fill("label=Name", "Ada");
  const auto clicked = co_await t.Click("role=button[name=\"Go\"]");
  const auto state = co_await t.State();

  EXPECT_TRUE(filled) << Why(filled);
  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("window.__clicked"), "1");
  EXPECT_TRUE(state) << Why(state);
  if (!state) co_return;
  EXPECT_EQ(state->elements.size(), 2u);
  EXPECT_EQ(state->viewport.width, 1440);
}

}  // namespace
}  // namespace falconer::test
