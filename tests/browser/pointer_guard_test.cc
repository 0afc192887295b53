// A click waits until a person could do it, and never lands on anything but its target.

#include "base/json/json.h"
#include "tests/support/running_action.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

// A page with one button that counts its clicks in window.n, and `change` to run on it later.
std::string ButtonPage(const std::string& attributes, const std::string& script = "") {
  return "<body style='margin: 0'><button id=b " + attributes +
         ">Go</button><script>window.n = 0; b.addEventListener('click', () => ++n);" + script +
         "</script>";
}

std::string Later(const std::string& change) {
  return "setTimeout(() => { " + change + " }, 120);";
}

struct Obstacle {
  const char* attributes;
  const char* cure;
  ErrorCode code;
};

constexpr Obstacle kObstacles[] = {
    {"disabled", "b.disabled = false", ErrorCode::kElementNotEnabled},
    {"aria-disabled=true", "b.removeAttribute('aria-disabled')", ErrorCode::kElementNotEnabled},
    {"style='display: none'", "b.style.display = ''", ErrorCode::kElementNotVisible},
    {"style='visibility: hidden'", "b.style.visibility = ''", ErrorCode::kElementNotVisible},
    {"style='width: 0; height: 0; padding: 0; border: 0; overflow: hidden'", "b.style = ''",
     ErrorCode::kElementNotVisible},
    {"style='pointer-events: none'", "b.style.pointerEvents = ''", ErrorCode::kElementObscured},
};

BROWSER_TEST(PointerGuardTest, WaitsUntilTheElementCanBeClicked) {
  for (const Obstacle& obstacle : kObstacles) {
    t.site.Serve("/page", ButtonPage(obstacle.attributes, Later(obstacle.cure)));
    co_await t.Open("/page");

    const auto clicked = co_await t.Click("#b");

    EXPECT_TRUE(clicked) << obstacle.attributes << ": " << Why(clicked);
    EXPECT_EQ(co_await t.PageText("n"), "1") << obstacle.attributes;
  }
}

BROWSER_TEST(PointerGuardTest, NamesTheObstacleWhenTimeIsUpAndDoesNothingAfterwards) {
  for (const Obstacle& obstacle : kObstacles) {
    t.site.Serve("/page", ButtonPage(obstacle.attributes));
    co_await t.Open("/page");

    const auto clicked =
        co_await t.Do(R"({"action_type": "click", "selector": "#b", "timeout_ms": 250})");
    co_await t.Page(obstacle.cure);
    co_await t.TwoFrames();

    EXPECT_EQ(CodeOf(clicked), obstacle.code) << obstacle.attributes << ": " << Why(clicked);
    EXPECT_TRUE(Why(clicked).contains(R"(#"b")")) << Why(clicked);
    EXPECT_EQ(co_await t.PageText("n"), "0") << obstacle.attributes;
    const auto again = co_await t.Click("#b");
    EXPECT_TRUE(again) << obstacle.attributes << ": " << Why(again);
  }
}

BROWSER_TEST(PointerGuardTest, WaitsForAnElementThatIsNotThereYet) {
  t.site.Serve("/page",
               "<div id=place></div><script>setTimeout(() => place.innerHTML = '<button id=b "
               "onclick=\"window.n = 1\">Go</button>', 120)</script>");
  co_await t.Open("/page");

  const auto clicked = co_await t.Click("#b");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("n"), "1");
}

BROWSER_TEST(PointerGuardTest, AMissingElementIsNotFoundWithinItsTime) {
  co_await t.Open("/empty.html");
  const TimePoint start = t.ctx.clock().Now();

  const auto clicked =
      co_await t.Do(R"({"action_type": "click", "selector": "#nobody", "timeout_ms": 300})");

  EXPECT_EQ(CodeOf(clicked), ErrorCode::kElementNotFound) << Why(clicked);
  EXPECT_LT(t.ctx.clock().Now() - start, std::chrono::seconds(2));
}

BROWSER_TEST(PointerGuardTest, WaitsForADisabledAncestorOfAnIcon) {
  t.site.Serve("/page",
               "<fieldset id=f disabled><button id=b><span "
               "id=icon>*</span></button></fieldset><script>window.n = 0;"
               "b.onclick = () => ++n; setTimeout(() => f.disabled = false, 120)</script>");
  co_await t.Open("/page");

  const auto clicked = co_await t.Click("#icon");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("n"), "1");
}

BROWSER_TEST(PointerGuardTest, WaitsUntilAnOverlayHasGone) {
  co_await t.Open("/overlay.html?ms=200");

  const auto clicked = co_await t.Click("#target");

  EXPECT_TRUE(clicked) << Why(clicked);
  const auto reported =
      co_await t.site.UntilEffects(t.ctx.WithTimeout(std::chrono::seconds(5)), "clicked", 1);
  EXPECT_TRUE(reported) << Why(reported);
  EXPECT_EQ(t.site.EffectCount("overlay clicked"), 0u);
}

BROWSER_TEST(PointerGuardTest, NamesTheOverlayThatStays) {
  co_await t.Open("/overlay.html?forever=1");

  const auto clicked =
      co_await t.Do(R"({"action_type": "click", "selector": "#target", "timeout_ms": 1000})");

  EXPECT_EQ(CodeOf(clicked), ErrorCode::kElementObscured) << Why(clicked);
  EXPECT_TRUE(Why(clicked).contains("overlay")) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("__log.length"), "0");

  const auto dismissed = co_await t.Click("#dismiss");
  const auto after = co_await t.Click("#target");
  EXPECT_TRUE(dismissed && after) << Why(dismissed) << Why(after);
}

BROWSER_TEST(PointerGuardTest, ForceClicksThroughTheChecks) {
  co_await t.Open("/overlay.html?forever=1");
  co_await t.Page("overlay.onclick = e => window.hit = e.isTrusted, 0");

  const auto clicked =
      co_await t.Do(R"({"action_type": "click", "selector": "#target", "force": true})");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("window.hit"), "true") << "what lies on top gets it";
}

BROWSER_TEST(PointerGuardTest, ForceCannotClickWhatHasNoPlace) {
  t.site.Serve("/page", ButtonPage("style='display: none'") + "<input id=h type=hidden>");
  co_await t.Open("/page");

  for (const std::string selector : {"#b", "#h"}) {
    const auto clicked = co_await t.Do(json::serialize(
        json::object{{"action_type", "click"}, {"selector", selector}, {"force", true}}));
    EXPECT_EQ(CodeOf(clicked), ErrorCode::kElementNotVisible) << Why(clicked);
  }
}

BROWSER_TEST(PointerGuardTest, ClicksTheTwinOfAnElementReplacedUnderThePointer) {
  co_await t.Open("/detach.html?times=3");

  const auto clicked = co_await t.Click("#target");

  EXPECT_TRUE(clicked) << Why(clicked);
  const auto reported =
      co_await t.site.UntilEffects(t.ctx.WithTimeout(std::chrono::seconds(5)), "clicked", 1);
  EXPECT_TRUE(reported) << Why(reported);
  EXPECT_EQ(t.site.EffectCount("clicked"), 1u);
  if (clicked) EXPECT_GE(clicked->attempts.size(), 1u) << "the first press must have been stopped";
}

BROWSER_TEST(PointerGuardTest, AnElementReplacedForEverIsNeverClicked) {
  co_await t.Open("/detach.html?times=1000000");

  const auto clicked =
      co_await t.Do(R"({"action_type": "click", "selector": "#target", "timeout_ms": 400})");

  EXPECT_FALSE(clicked);
  EXPECT_EQ(co_await t.PageText("__log.filter(e => e.name == 'clicked').length"), "0")
      << Why(clicked);
}

BROWSER_TEST(PointerGuardTest, AnElementThatGoesWhenPressedWasPressed) {
  co_await t.Open("/detach.html");

  const auto clicked = co_await t.Click("#self");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("__log.filter(e => e.name == 'self pressed').length"), "1");
}

BROWSER_TEST(PointerGuardTest, SurvivesAButtonThatDisappearsAndComesBack) {
  co_await t.Open("/disappearing_button.html");

  const auto clicked = co_await t.Click("#go");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("__log.filter(e => e.name == 'clicked').length"), "1");
}

BROWSER_TEST(PointerGuardTest, WaitsForTheEndOfEveryMovement) {
  for (const std::string id : {"css", "raf", "transition"}) {
    co_await t.Open("/animation.html?ms=300");
    const auto clicked = co_await t.Click("#" + id);

    EXPECT_TRUE(clicked) << id << ": " << Why(clicked);
    EXPECT_EQ(co_await t.PageText("__log.filter(e => e.name.startsWith('click')).map(e => e.name)"),
              "click " + id);
  }
}

BROWSER_TEST(PointerGuardTest, AButtonThatIsNeverStillIsReportedByName) {
  co_await t.Open("/animation.html");

  const auto clicked =
      co_await t.Do(R"({"action_type": "click", "selector": "#endless", "timeout_ms": 500})");

  EXPECT_EQ(CodeOf(clicked), ErrorCode::kElementNotStable) << Why(clicked);
  EXPECT_TRUE(Why(clicked).contains("Never still")) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("__log.filter(e => e.name.startsWith('click')).length"), "0");
}

BROWSER_TEST(PointerGuardTest, AMovingNeighbourDoesNotMatter) {
  co_await t.Open("/animation.html?ms=100000");
  t.site.Serve(
      "/page",
      ButtonPage(
          "", "b.animate([{opacity: 0.2}, {opacity: 1}], {duration: 200, iterations: Infinity})"));
  co_await t.Open("/page");

  const auto clicked = co_await t.Click("#b");

  EXPECT_TRUE(clicked) << "fading is not moving: " << Why(clicked);
}

BROWSER_TEST(PointerGuardTest, ReachesButtonsUnderStickyHeadersAndFooters) {
  co_await t.Open("/sticky_header.html");
  int number = 0;
  for (const std::string id : {"b10", "b1", "b5", "b4", "b6", "b9", "b2"}) {
    const auto clicked = co_await t.Click("#" + id);
    EXPECT_TRUE(clicked) << id << ": " << Why(clicked);
    EXPECT_EQ(co_await t.PageText("__log.at(-1).detail"), id.substr(1));
    ++number;
  }
  EXPECT_EQ(co_await t.PageText("__log.filter(e => e.name == 'covered').length"), "0");
  EXPECT_EQ(co_await t.PageText("__log.length"), std::to_string(number));
}

BROWSER_TEST(PointerGuardTest, WhatJumpsOverTheTargetAtThePressIsStoppedAndNamed) {
  t.site.Serve("/page",
               ButtonPage("",
                          "const cover = document.createElement('div'); cover.id = 'jumper'; "
                          "cover.textContent = 'x';"
                          "cover.style = 'position: fixed; inset: 0'; window.hits = [];"
                          "for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', "
                          "'click', 'auxclick', 'contextmenu', 'dblclick'])"
                          " cover.addEventListener(type, () => hits.push(type));"
                          "b.addEventListener('mousemove', () => document.body.append(cover));"));
  for (const std::string more : {R"("click_count": 1)", R"("click_count": 2)",
                                 R"("button": "right")", R"("button": "middle")"}) {
    co_await t.Open("/page");
    const auto clicked = co_await t.Do(
        R"({"action_type": "click", "selector": "#b", "timeout_ms": 300, )" + more + "}");

    EXPECT_EQ(CodeOf(clicked), ErrorCode::kElementObscured) << more << ": " << Why(clicked);
    EXPECT_TRUE(Why(clicked).contains(R"(#"jumper")")) << Why(clicked);
    EXPECT_EQ(co_await t.PageText("hits.concat(n)"), "0") << more;
  }
}

BROWSER_TEST(PointerGuardTest, DoesNotTouchWhatThePageClicksItself) {
  t.site.Serve(
      "/page",
      ButtonPage(
          "",
          "window.other = 0; const o = document.createElement('button'); o.onclick = () => ++other;"
          "b.addEventListener('mousedown', () => o.click());"));
  co_await t.Open("/page");

  const auto clicked = co_await t.Click("#b");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("[n, other]"), "1,1");
}

BROWSER_TEST(PointerGuardTest, ACallOffBeforeTheActionClicksNothing) {
  t.site.Serve("/page", ButtonPage(""));
  co_await t.Open("/page");
  CancelSource off;
  off.Cancel(Error(ErrorCode::kCancelled, "never mind"));

  const auto spec = model::ActionSpec::FromJson({{"action_type", "click"}, {"selector", "#b"}});
  const auto clicked = co_await t.driver.Perform(t.ctx.WithCancel(off.token()), *spec);

  EXPECT_EQ(CodeOf(clicked), ErrorCode::kCancelled) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("n"), "0");
}

BROWSER_TEST(PointerGuardTest, ACallOffWhileWaitingClicksNothingAfterwards) {
  for (const Obstacle& obstacle : kObstacles) {
    t.site.Serve("/page", ButtonPage(obstacle.attributes));
    co_await t.Open("/page");
    RunningAction click(t, R"({"action_type": "click", "selector": "#b"})");
    co_await t.TwoFrames();

    click.Cancel();
    const auto clicked = co_await click.Outcome();
    co_await t.Page(obstacle.cure);
    co_await t.TwoFrames();

    EXPECT_EQ(CodeOf(clicked), ErrorCode::kCancelled)
        << obstacle.attributes << ": " << Why(clicked);
    EXPECT_EQ(co_await t.PageText("n"), "0") << obstacle.attributes;
    const auto again = co_await t.Click("#b");
    EXPECT_TRUE(again) << Why(again);
    EXPECT_EQ(co_await t.PageText("n"), "1") << obstacle.attributes;
  }
}

BROWSER_TEST(PointerGuardTest, ARefOfThisPageIsClicked) {
  t.site.Serve("/page", ButtonPage(""));
  co_await t.Open("/page");
  const auto state = co_await t.State();
  EXPECT_TRUE(state && state->elements.size() == 1) << Why(state);
  if (!state || state->elements.empty()) co_return;

  const auto clicked = co_await t.Do(json::serialize(json::object{
      {"action_type", "click"}, {"target_eid", std::string_view(state->elements[0].ref)}}));

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("n"), "1");
}

BROWSER_TEST(PointerGuardTest, ARefOfAPageThatIsGoneIsStale) {
  t.site.Serve("/page", ButtonPage(""));
  co_await t.Open("/page");
  const auto state = co_await t.State();
  EXPECT_TRUE(state && !state->elements.empty()) << Why(state);
  if (!state || state->elements.empty()) co_return;
  const std::string click = json::serialize(json::object{
      {"action_type", "click"}, {"target_eid", std::string_view(state->elements[0].ref)}});

  co_await t.Open("/page");
  const auto clicked = co_await t.Do(click);

  EXPECT_EQ(CodeOf(clicked), ErrorCode::kStaleRef) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("n"), "0");
}

BROWSER_TEST(PointerGuardTest, ARefOfAnotherTabIsStaleHere) {
  t.site.Serve("/page", ButtonPage(""));
  co_await t.Open("/page");
  const auto state = co_await t.State();
  const auto opened = co_await t.Do(
      json::serialize(json::object{{"action_type", "new_tab"}, {"url", t.site.Url("/page")}}));
  EXPECT_TRUE(state && !state->elements.empty() && opened) << Why(state) << Why(opened);
  if (!state || state->elements.empty()) co_return;

  const auto clicked = co_await t.Do(json::serialize(json::object{
      {"action_type", "click"}, {"target_eid", std::string_view(state->elements[0].ref)}}));

  EXPECT_EQ(CodeOf(clicked), ErrorCode::kStaleRef) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("n"), "0");
}

BROWSER_TEST(PointerGuardTest, ARefOfARemovedElementIsStale) {
  t.site.Serve("/page", ButtonPage(""));
  co_await t.Open("/page");
  const auto state = co_await t.State();
  EXPECT_TRUE(state && !state->elements.empty()) << Why(state);
  if (!state || state->elements.empty()) co_return;
  co_await t.Page("b.remove()");

  const auto clicked = co_await t.Do(json::serialize(json::object{
      {"action_type", "click"}, {"target_eid", std::string_view(state->elements[0].ref)}}));

  EXPECT_EQ(CodeOf(clicked), ErrorCode::kStaleRef) << Why(clicked);
}

BROWSER_TEST(PointerGuardTest, MalformedRefsAreRefused) {
  co_await t.Open("/empty.html");
  for (const std::string ref :
       {"e1", "d", "d1", "dxe1", "d99999999999e1", "d1e", "d1e1; alert(1)"}) {
    const auto clicked = co_await t.Do(json::serialize(
        json::object{{"action_type", "click"}, {"target_eid", ref}, {"timeout_ms", 500}}));
    const auto code = CodeOf(clicked);
    EXPECT_TRUE(code == ErrorCode::kInvalidActionSpec || code == ErrorCode::kStaleRef)
        << ref << ": " << Why(clicked);
  }
}

BROWSER_TEST(PointerGuardTest, ClicksOnOneTabDoNotCallEachOtherOff) {
  t.site.Serve("/page",
               "<button id=a disabled onclick='document.title = `done`'>A</button>"
               "<button id=b disabled>B</button>");
  co_await t.Open("/page");
  RunningAction wanted(t, R"({"action_type": "click", "selector": "#a"})");
  co_await t.TwoFrames();
  RunningAction unwanted(t, R"({"action_type": "click", "selector": "#b"})");
  co_await t.TwoFrames();

  unwanted.Cancel();
  const auto off = co_await unwanted.Outcome();
  co_await t.TwoFrames();
  co_await t.Page("a.disabled = false");
  const auto done = co_await wanted.Outcome();

  EXPECT_EQ(CodeOf(off), ErrorCode::kCancelled) << Why(off);
  EXPECT_TRUE(done) << Why(done);
  EXPECT_EQ(co_await t.PageText("document.title"), "done");
}

}  // namespace
}  // namespace falconer::test
