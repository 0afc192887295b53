// What a click is: the events the page sees, where they go, and what can be clicked.

#include "base/json/json.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

// Logs the mouse events of #b into window.seen as "type:button:detail".
constexpr const char* kLoggedButton =
    "<button id=b>Go</button><script>window.seen = [];"
    "for (const type of ['mousemove', 'mousedown', 'mouseup', 'click', 'auxclick', 'contextmenu', "
    "'dblclick'])"
    " b.addEventListener(type, e => { if (type == 'contextmenu') e.preventDefault();"
    " seen.push(`${type}:${e.button}:${e.detail}`); });</script>";

std::string ClickJson(std::string_view selector, json::object more = {}) {
  more["action_type"] = "click";
  more["selector"] = selector;
  return json::serialize(more);
}

BROWSER_TEST(ClickTest, SendsTheEventsOfAPersonInOrder) {
  t.site.Serve("/page", kLoggedButton);
  co_await t.Open("/page");

  const auto clicked = co_await t.Click("#b");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("seen"), "mousemove:0:0,mousedown:0:1,mouseup:0:1,click:0:1");
  if (!clicked) co_return;
  EXPECT_TRUE(clicked->hit && clicked->hit->delivered);
  EXPECT_EQ(clicked->element->role, "button");
  EXPECT_EQ(clicked->element->name, "Go");
  EXPECT_TRUE(clicked->attempts.empty());
}

BROWSER_TEST(ClickTest, EventsAreTrustedAndCarryPressure) {
  t.site.Serve(
      "/page",
      "<button id=b>Go</button><script>window.seen = [];"
      "b.addEventListener('pointerdown', e => seen.push(e.isTrusted, e.pressure, e.buttons));"
      "b.addEventListener('pointerup', e => seen.push(e.isTrusted, e.pressure, "
      "e.buttons));</script>");
  co_await t.Open("/page");

  const auto clicked = co_await t.Click("#b");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("seen"), "true,0.5,1,true,0,0");
}

BROWSER_TEST(ClickTest, DoubleClickIsTwoClicksAndADoubleClick) {
  t.site.Serve("/page", kLoggedButton);
  co_await t.Open("/page");

  const auto clicked = co_await t.Do(R"({"action_type": "double_click", "selector": "#b"})");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("seen.filter(e => e.includes('click'))"),
            "click:0:1,click:0:2,dblclick:0:2");
}

BROWSER_TEST(ClickTest, TripleClickSelectsTheLine) {
  t.site.Serve("/page", "<p id=p>one line of words</p><p>another</p>");
  co_await t.Open("/page");

  const auto clicked = co_await t.Do(ClickJson("#p", {{"click_count", 3}}));

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("getSelection().toString().trim()"), "one line of words");
}

BROWSER_TEST(ClickTest, RightClickOpensTheContextMenuAndTheNextClickWorks) {
  t.site.Serve("/page", kLoggedButton);
  co_await t.Open("/page");

  const auto clicked = co_await t.Do(ClickJson("#b", {{"button", "right"}}));
  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("seen"),
            "mousemove:0:0,mousedown:2:1,contextmenu:2:0,mouseup:2:1,auxclick:2:1");

  co_await t.Page("seen.length = 0");
  const auto again = co_await t.Click("#b");
  EXPECT_TRUE(again) << Why(again);
  EXPECT_EQ(co_await t.PageText("seen.filter(e => e.startsWith('click'))"), "click:0:1");
}

BROWSER_TEST(ClickTest, TheMiddleButtonSendsAuxClick) {
  t.site.Serve("/page", kLoggedButton);
  co_await t.Open("/page");

  const auto clicked = co_await t.Do(ClickJson("#b", {{"button", "middle"}}));

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("seen"), "mousemove:0:0,mousedown:1:1,mouseup:1:1,auxclick:1:1");
}

BROWSER_TEST(ClickTest, TheButtonsAtTheSideOfTheMouseGoThroughTheHistory) {
  t.site.Serve("/one", "<p id=p>one</p>");
  t.site.Serve("/two", "<p id=p>two</p>");
  co_await t.Open("/one");
  co_await t.Open("/two");
  for (const auto& [button, path] : {std::pair("back", "/one"), {"forward", "/two"}}) {
    const auto clicked = co_await t.Do(ClickJson("#p", {{"button", button}}));
    const auto there = co_await t.WaitFor(
        json::serialize(json::object{{"kind", "url"}, {"url_pattern", t.site.Url(path)}}));

    EXPECT_TRUE(clicked) << button << ": " << Why(clicked);
    EXPECT_TRUE(there && there->satisfied) << button << ": " << Why(there);
  }
}

BROWSER_TEST(ClickTest, HoldsModifiersAndLetsThemGo) {
  t.site.Serve("/page",
               "<button id=b>Go</button><script>window.seen = []; window.keys = [];"
               "b.onclick = e => seen.push([e.altKey, e.ctrlKey, e.metaKey, "
               "e.shiftKey].map(Number).join(''));"
               "addEventListener('keydown', e => keys.push('+' + e.key));"
               "addEventListener('keyup', e => keys.push('-' + e.key));</script>");
  co_await t.Open("/page");

  const auto one = co_await t.Do(ClickJson("#b", {{"modifiers", {"Shift"}}}));
  const auto three = co_await t.Do(ClickJson("#b", {{"modifiers", {"Control", "Alt", "Meta"}}}));
  const auto none = co_await t.Click("#b");

  EXPECT_TRUE(one && three && none) << Why(one) << Why(three) << Why(none);
  EXPECT_EQ(co_await t.PageText("seen"), "0001,1110,0000");
  EXPECT_EQ(co_await t.PageText("keys.join(' ')"),
            "+Shift -Shift +Alt +Control +Meta -Alt -Control -Meta");
}

BROWSER_TEST(ClickTest, ControlClickOnALinkOpensATab) {
  t.site.Serve("/page", "<a id=a href='/empty.html'>There</a>");
  co_await t.Open("/page");

  const auto clicked =
      co_await t.DoAndWait(ClickJson("#a", {{"modifiers", {"Control"}}}), R"({"kind": "popup"})");

  EXPECT_TRUE(clicked && clicked->satisfied) << Why(clicked);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/page"));
}

BROWSER_TEST(ClickTest, HitsAPositionOnTheElement) {
  t.site.Serve(
      "/page",
      "<style>#b { border: 8px solid; width: 3000px; height: 2000px; padding: 0 } #box { width: "
      "200px; height:"
      " 100px; overflow: auto } #in { width: 2000px; height: 2000px }</style><div id=b></div>"
      "<div id=box><div id=in></div></div><script>window.seen = [];"
      "for (const el of [b, document.getElementById('in')])"
      " el.onclick = e => seen.push(`${e.offsetX}x${e.offsetY}`);</script>");
  co_await t.Open("/page");

  const auto near = co_await t.Do(ClickJson("#b", {{"position", {{"x", 20}, {"y", 10}}}}));
  const auto far = co_await t.Do(ClickJson("#b", {{"position", {{"x", 1900}, {"y", 1910}}}}));
  const auto inner = co_await t.Do(ClickJson("#in", {{"position", {{"x", 1900}, {"y", 1910}}}}));

  EXPECT_TRUE(near && far && inner) << Why(near) << Why(far) << Why(inner);
  EXPECT_EQ(co_await t.PageText("seen"), "20x10,1900x1910,1900x1910");
}

BROWSER_TEST(ClickTest, ClicksCoordinates) {
  t.site.Serve(
      "/page",
      "<script>window.seen = []; onclick = e => seen.push(`${e.clientX}x${e.clientY}`);</script>");
  co_await t.Open("/page");

  const auto clicked = co_await t.Do(R"({"action_type": "click", "x": 210, "y": 95})");
  const auto outside =
      co_await t.Do(R"({"action_type": "click", "x": 5000, "y": 95, "timeout_ms": 300})");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("seen"), "210x95");
  EXPECT_EQ(CodeOf(outside), ErrorCode::kElementNotVisible) << Why(outside);
}

// Things that are odd to hit: every one of them counts its own clicks.
BROWSER_TEST(ClickTest, HitsThingsOfEveryShape) {
  t.site.Serve("/page", R"html(
    <style>.dot { position: absolute; width: 1px; height: 1px; background: red } #turned { transform: rotate(30deg) }
    #wrapped { display: block; width: 120px } #contents { display: contents }</style>
    <svg id=svg width=40 height=40><circle cx=20 cy=20 r=18></circle></svg>
    <span id=span><b>inner</b></span>
    <div id=wrapped>words before <a id=link href="javascript:void(0)">a link that is wrapped over two lines</a></div>
    <div class=dot id=dot1 style="left: 400px; top: 300px"></div>
    <div class=dot id=dot2 style="left: 420.5px; top: 300.5px"></div>
    <div class=dot id=dot3 style="left: 440.25px; top: 300.75px"></div>
    <button id=turned>Turned</button>
    <div id=contents><button id=within>Within</button></div>
    <div style="width: 90px; overflow: hidden; white-space: nowrap"><span id=cut>inline boxes <i>that are cut off on the right</i></span></div>
    <div id=disabled_div disabled>A div cannot be disabled</div>
    <div id=role role=button tabindex=0>Role</div>
    <script>window.count = {}; for (const el of document.querySelectorAll('[id]'))
      el.addEventListener('click', () => count[el.id] = (count[el.id] || 0) + 1);</script>)html");
  co_await t.Open("/page");
  for (const std::string id : {"svg", "span", "link", "dot1", "dot2", "dot3", "turned", "contents",
                               "cut", "disabled_div", "role"}) {
    co_await t.Page("window.count = {}; 0");
    const auto clicked = co_await t.Click("#" + id);

    EXPECT_TRUE(clicked) << id << ": " << Why(clicked);
    EXPECT_EQ(co_await t.PageText("count." + id), "1") << id;
  }
}

BROWSER_TEST(ClickTest, ScrollsToWhatIsOutOfView) {
  t.site.Serve("/page",
               "<style>html { scroll-behavior: smooth } div { height: 3000px; width: 4000px } #box "
               "{ height: 100px; width:"
               " 100px; overflow: auto; scroll-behavior: smooth }</style><div></div><button id=b"
               " onclick='window.clicked = 1'>Below</button><div id=box><div></div><button id=inner"
               " onclick='window.inner_clicked = 1'>Deep</button></div>");
  co_await t.Open("/page");

  const auto below = co_await t.Click("#b");
  const auto deep = co_await t.Click("#inner");

  EXPECT_TRUE(below) << Why(below);
  EXPECT_TRUE(deep) << Why(deep);
  EXPECT_EQ(co_await t.PageText("[window.clicked, window.inner_clicked]"), "1,1");
}

BROWSER_TEST(ClickTest, ReachesTheFarCornersOfAHugePage) {
  co_await t.Open("/huge_scroll.html");
  for (const std::string id : {"near", "far", "corner", "near"}) {
    const auto clicked = co_await t.Click("#" + id);
    EXPECT_TRUE(clicked) << id << ": " << Why(clicked);
    EXPECT_EQ(co_await t.PageText("__log.at(-1).detail"), id);
  }
}

BROWSER_TEST(ClickTest, ALabelStandsForItsCheckbox) {
  co_await t.Open("/form.html");

  const auto label = co_await t.Click("text=\"I agree\"");
  EXPECT_TRUE(label) << Why(label);
  EXPECT_EQ(co_await t.PageText("agree.checked"), "true");

  const auto box = co_await t.Click("#agree");
  EXPECT_TRUE(box) << Why(box);
  EXPECT_EQ(co_await t.PageText("agree.checked"), "false");
}

BROWSER_TEST(ClickTest, ALabelStandsForACheckboxWithoutSize) {
  t.site.Serve("/page",
               "<label for=c>Agree</label><input id=c type=checkbox style='width: 0; height: 0; "
               "margin: 0; opacity: 0'>");
  co_await t.Open("/page");

  const auto clicked = co_await t.Click("#c");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("c.checked"), "true");
}

BROWSER_TEST(ClickTest, AmbiguityNamesTheCandidates) {
  t.site.Serve("/page",
               "<button id=one>Buy</button><button id=two>Buy</button><script>window.n = 0; "
               "onclick = () => n++</script>");
  co_await t.Open("/page");

  const auto clicked = co_await t.Click("role=button[name=\"Buy\"]");

  EXPECT_EQ(CodeOf(clicked), ErrorCode::kElementAmbiguous) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("n"), "0");
  if (clicked) co_return;
  const json::value* candidates = clicked.error().details().if_contains("candidates");
  EXPECT_TRUE(candidates != nullptr && candidates->is_array() && candidates->as_array().size() == 2)
      << Why(clicked);
  EXPECT_TRUE(Why(clicked).contains("#one") && Why(clicked).contains("#two")) << Why(clicked);
}

BROWSER_TEST(ClickTest, TakesTheFirstMatchWhenAskedTo) {
  t.site.Serve("/page",
               "<button id=one>Buy</button><button id=two>Buy</button><script>onclick = e => "
               "window.hit = e.target.id</script>");
  co_await t.Open("/page");

  const auto clicked = co_await t.Do(
      R"({"action_type": "click", "target": {"selector": "text=Buy", "strict": false}})");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("hit"), "one");
}

BROWSER_TEST(ClickTest, TriesCandidatesInOrder) {
  t.site.Serve(
      "/page",
      "<button id=two>Buy</button><script>onclick = e => window.hit = e.target.id</script>");
  co_await t.Open("/page");

  const auto clicked = co_await t.Do(
      R"({"action_type": "click", "selector": "#one", "selector_candidates": ["#gone", "#two"]})");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("hit"), "two");
}

BROWSER_TEST(ClickTest, WorksWhereThePageBrokeItsGlobals) {
  t.site.Serve("/page",
               "<button id=b onclick='window.clicked = 1'>Go</button><script>delete window.Node;"
               "Object.defineProperty(window, 'innerWidth', {value: 0});"
               "Object.defineProperty(window, 'innerHeight', {value: 0});"
               "Element.prototype.getBoundingClientRect = () => { throw 1 }; Event = null; Promise "
               "= null</script>");
  co_await t.Open("/page");

  const auto clicked = co_await t.Click("#b");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("window.clicked"), "1");
}

BROWSER_TEST(ClickTest, WorksAfterThePageRewroteItself) {
  t.site.Serve("/page", "<button id=b>Old</button>");
  co_await t.Open("/page");
  const auto old = co_await t.Click("#b");
  EXPECT_TRUE(old) << Why(old);

  co_await t.Page(
      "document.open(), document.write('<button id=b onclick=\"window.fresh = 1\">New</button>'), "
      "document.close(), 0");
  const auto fresh = co_await t.Click("#b");

  EXPECT_TRUE(fresh) << Why(fresh);
  EXPECT_EQ(co_await t.PageText("window.fresh"), "1");
}

BROWSER_TEST(ClickTest, EachEventIsATaskOfItsOwn) {
  t.site.Serve("/page",
               "<button id=b>Go</button><script>window.order = []; for (const type of "
               "['mousedown', 'mouseup', 'click'])"
               " b.addEventListener(type, () => { order.push(type); Promise.resolve().then(() => "
               "order.push('then')); });"
               "</script>");
  co_await t.Open("/page");

  const auto clicked = co_await t.Click("#b");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("order"), "mousedown,then,mouseup,then,click,then");
}

BROWSER_TEST(ClickTest, ClicksInTwoTabsAtTheirOwnPlaces) {
  t.site.Serve("/page",
               "<button id=b style='position: fixed; left: 100px; top: "
               "100px'>Go</button><script>window.n = 0; b.onclick = () => n++</script>");
  co_await t.Open("/page");
  const auto first = t.tab();
  const auto opened = co_await t.Do(
      json::serialize(json::object{{"action_type", "new_tab"}, {"url", t.site.Url("/page")}}));
  EXPECT_TRUE(opened) << Why(opened);

  const auto elsewhere = co_await t.Do(ClickJson("#b", {{"tab_id", first->id().value()}}));
  const auto here = co_await t.Click("#b");

  EXPECT_TRUE(elsewhere && here) << Why(elsewhere) << Why(here);
  EXPECT_EQ(co_await t.PageText("n"), "1");
  const auto switched = co_await t.Do(json::serialize(
      json::object{{"action_type", "switch_tab"}, {"tab_id", first->id().value()}}));
  EXPECT_TRUE(switched) << Why(switched);
  EXPECT_EQ(co_await t.PageText("n"), "1");
}

BROWSER_TEST(ClickTest, TheOptionOfADropDownIsRefusedWithAdvice) {
  co_await t.Open("/form.html");

  const auto clicked = co_await t.Click("text=Iceland");

  EXPECT_EQ(CodeOf(clicked), ErrorCode::kWrongElement) << Why(clicked);
}

BROWSER_TEST(ClickTest, SubmitClicksAButtonAndPressesEnterInAField) {
  co_await t.Open("/form.html");
  const auto filled = co_await t.Fill("#name", "Ada");
  EXPECT_TRUE(filled) << Why(filled);

  const auto button = co_await t.Do(R"({"action_type": "submit", "selector": "#submit"})");
  const auto field = co_await t.Do(R"({"action_type": "submit", "selector": "#name"})");

  EXPECT_TRUE(button && field) << Why(button) << Why(field);
  EXPECT_EQ(co_await t.PageText("__log.filter(e => e.name == 'submit').length"), "2");
}

}  // namespace
}  // namespace falconer::test
