// Dragging: with the platform's drag and drop, and with mouse events alone.

#include "base/json/json.h"
#include "tests/support/running_action.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

std::string DragJson(std::string_view from, std::string_view to, json::object more = {}) {
  more["action_type"] = "drag";
  more["selector"] = from;
  more["drag_to"] = {{"selector", to}};
  return json::serialize(more);
}

BROWSER_TEST(DragTest, DropsWithThePlatformsOwnDrag) {
  co_await t.Open("/drag.html");

  const auto dragged = co_await t.Do(DragJson("#card", "#zone"));

  EXPECT_TRUE(dragged) << Why(dragged);
  EXPECT_EQ(co_await t.PageText("__log.map(e => e.name)"), "dragstart,dragenter,dropped,dragend");
  EXPECT_EQ(co_await t.PageText("zone.textContent"), "card-7");
}

BROWSER_TEST(DragTest, DropsWithMouseEvents) {
  co_await t.Open("/drag.html");

  const auto dragged = co_await t.Do(DragJson("#handle", "#area"));

  EXPECT_TRUE(dragged) << Why(dragged);
  EXPECT_EQ(co_await t.PageText("__log.map(e => e.name)"), "grabbed,placed");
}

BROWSER_TEST(DragTest, TheMouseIsFreeAfterwards) {
  co_await t.Open("/drag.html");
  co_await t.Page("addEventListener('mousemove', e => window.held = e.buttons)");

  for (const auto& [from, to] : {std::pair("#card", "#zone"), {"#handle", "#area"}}) {
    const auto dragged = co_await t.Do(DragJson(from, to));
    const auto hovered = co_await t.Do(R"({"action_type": "hover", "selector": "#status"})");

    EXPECT_TRUE(dragged && hovered) << Why(dragged) << Why(hovered);
    EXPECT_EQ(co_await t.PageText("held"), "0") << from;
  }
}

BROWSER_TEST(DragTest, TheSameCardCanBeDraggedAgain) {
  co_await t.Open("/drag.html");

  for (int i = 1; i <= 3; ++i) {
    const auto dragged = co_await t.Do(DragJson("#card", "#zone"));
    EXPECT_TRUE(dragged) << Why(dragged);
    EXPECT_EQ(co_await t.PageText("__log.filter(e => e.name == 'dropped').length"),
              std::to_string(i));
  }
}

BROWSER_TEST(DragTest, UsesThePositionsGiven) {
  t.site.Serve(
      "/page",
      "<style>div { position: absolute; width: 200px; height: 100px; top: 50px; border: 0 "
      "}</style><div id=a style='left: 0; background: red'></div>"
      "<div id=z style='left: 400px; background: blue'></div><script>window.seen = [];"
      "addEventListener('mousedown', e => seen.push(`down ${e.clientX} ${e.clientY}`));"
      "addEventListener('mouseup', e => seen.push(`up ${e.clientX} ${e.clientY}`));</script>");
  co_await t.Open("/page");

  const auto dragged = co_await t.Do(
      R"({"action_type": "drag", "selector": "#a", "position": {"x": 10, "y": 20}, "drag_to": {"selector": "#z", "position": {"x": 30, "y": 40}}})");

  EXPECT_TRUE(dragged) << Why(dragged);
  EXPECT_EQ(co_await t.PageText("seen"), "down 10 70,up 430 90");
}

BROWSER_TEST(DragTest, DragsToAPoint) {
  co_await t.Open("/drag.html");

  const auto dragged = co_await t.Do(
      R"({"action_type": "drag", "selector": "#handle", "drag_to": {"x": 350, "y": 230}})");

  EXPECT_TRUE(dragged) << Why(dragged);
  EXPECT_EQ(co_await t.PageText("__log.at(-1).name + __log.at(-1).detail"), "placed350,230");
}

BROWSER_TEST(DragTest, HoldsTheButtonAndModifiersAsked) {
  t.site.Serve("/page",
               "<div id=a style='position: absolute; left: 0; top: 0; width: 50px; height: 50px; "
               "background: red'></div>"
               "<div id=z style='position: absolute; left: 300px; top: 0; width: 50px; height: "
               "50px; background: blue'></div><script>window.seen = [];"
               "addEventListener('contextmenu', e => e.preventDefault()); for (const type of "
               "['mousedown', 'mousemove', 'mouseup'])"
               " addEventListener(type, e => { if (type != 'mousemove' || e.buttons) "
               "seen.push([type, e.button, e.buttons, e.shiftKey].join(':')) });</script>");
  co_await t.Open("/page");

  const auto dragged =
      co_await t.Do(DragJson("#a", "#z", {{"button", "right"}, {"modifiers", {"Shift"}}}));

  EXPECT_TRUE(dragged) << Why(dragged);
  const std::string seen = co_await t.PageText("seen");
  EXPECT_TRUE(seen.starts_with("mousedown:2:2:true,mousemove:0:2:true")) << seen;
  EXPECT_TRUE(seen.ends_with("mouseup:2:0:true")) << seen;
}

BROWSER_TEST(DragTest, ARefusedDropIsNoDrop) {
  t.site.Serve(
      "/page",
      "<div id=a draggable=true style='width: 90px; height: 40px; background: gold'>a</div><div "
      "id=z style='width: 90px; height: 40px; background: teal'>z</div>"
      "<script>window.seen = []; a.ondragstart = e => e.dataTransfer.setData('text/plain', 'x'); "
      "a.ondragend = e => seen.push('end ' + e.dataTransfer.dropEffect);"
      "z.ondrop = () => seen.push('drop')</script>");
  co_await t.Open("/page");

  const auto dragged = co_await t.Do(DragJson("#a", "#z"));

  EXPECT_TRUE(dragged) << Why(dragged);
  EXPECT_EQ(co_await t.PageText("seen"), "end none");
}

BROWSER_TEST(DragTest, ADragThePageCancelsIsFinishedWithTheMouse) {
  t.site.Serve(
      "/page",
      "<div id=a draggable=true style='width: 90px; height: 40px; background: gold'>a</div><div "
      "id=z style='width: 90px; height: 40px; background: teal'>z</div>"
      "<script>window.seen = []; a.ondragstart = e => e.preventDefault(); z.onmouseup = () => "
      "seen.push('up');"
      "z.onmousemove = e => { if (e.buttons == 1 && !seen.length) seen.push('over') }</script>");
  co_await t.Open("/page");

  const auto dragged = co_await t.Do(DragJson("#a", "#z"));

  EXPECT_TRUE(dragged) << Why(dragged);
  EXPECT_EQ(co_await t.PageText("seen"), "over,up");
}

BROWSER_TEST(DragTest, ScrollsToADropPlaceOutOfView) {
  t.site.Serve("/page",
               "<div id=a style='width: 90px; height: 40px; background: gold'>a</div><div "
               "style='height: 2500px'></div>"
               "<div id=z style='width: 90px; height: 40px; background: "
               "teal'>z</div><script>window.seen = [];"
               "addEventListener('mousedown', e => seen.push('down ' + e.target.id)); "
               "addEventListener('mouseup', e => seen.push('up ' + e.target.id))</script>");
  co_await t.Open("/page");

  const auto dragged = co_await t.Do(DragJson("#a", "#z"));

  EXPECT_TRUE(dragged) << Why(dragged);
  EXPECT_EQ(co_await t.PageText("seen"), "down a,up z");
}

BROWSER_TEST(DragTest, AMissingPlaceLeavesTheMouseFree) {
  co_await t.Open("/drag.html");

  const auto dragged = co_await t.Do(DragJson("#card", "#nowhere", {{"timeout_ms", 400}}));
  EXPECT_EQ(CodeOf(dragged), ErrorCode::kElementNotFound) << Why(dragged);

  co_await t.Page("addEventListener('mousemove', e => window.held = e.buttons)");
  const auto hovered = co_await t.Do(R"({"action_type": "hover", "selector": "#area"})");
  EXPECT_TRUE(hovered) << Why(hovered);
  EXPECT_EQ(co_await t.PageText("held"), "0");
  EXPECT_EQ(co_await t.PageText("__log.filter(e => e.name == 'dropped').length"), "0");

  const auto again = co_await t.Do(DragJson("#card", "#zone"));
  EXPECT_TRUE(again) << Why(again);
  EXPECT_EQ(co_await t.PageText("zone.textContent"), "card-7");
}

BROWSER_TEST(DragTest, ACallOffInTheMiddleLetsGoOfTheMouse) {
  t.site.Serve("/page",
               "<div id=a style='width: 90px; height: 40px; background: "
               "gold'>a</div><script>window.seen = [];"
               "addEventListener('mousedown', () => { seen.push('down'); document.title = "
               "'pressed' }); addEventListener('mouseup', () => seen.push('up'))</script>");
  co_await t.Open("/page");
  RunningAction drag(t, DragJson("#a", "#later"));
  const auto pressed = co_await t.WaitFor(
      R"({"kind": "function", "expression": "document.title == 'pressed' || document.readyState"})");
  EXPECT_TRUE(pressed) << Why(pressed);

  drag.Cancel();
  const auto dragged = co_await drag.Outcome();
  const auto hovered = co_await t.Do(R"({"action_type": "hover", "selector": "#a"})");

  EXPECT_EQ(CodeOf(dragged), ErrorCode::kCancelled) << Why(dragged);
  EXPECT_TRUE(hovered) << Why(hovered);
  const std::string seen = co_await t.PageText("seen");
  EXPECT_TRUE(seen.empty() || seen == "down,up") << seen;
}

BROWSER_TEST(DragTest, WhatCoversTheSourceIsNotDragged) {
  co_await t.Open("/drag.html");
  co_await t.Page(
      "document.body.insertAdjacentHTML('beforeend', '<div id=cover style=\"position: fixed; "
      "inset: 0\"></div>')");

  const auto dragged = co_await t.Do(DragJson("#handle", "#area", {{"timeout_ms", 300}}));

  EXPECT_EQ(CodeOf(dragged), ErrorCode::kElementObscured) << Why(dragged);
  EXPECT_EQ(co_await t.PageText("__log.length"), "0");
}

BROWSER_TEST(DragTest, WhatJumpsOverTheSourceAtThePressIsNotDragged) {
  co_await t.Open("/drag.html");
  co_await t.Page(
      "window.hits = 0; handle.addEventListener('mousemove', () => { const c = "
      "document.createElement('div'); c.id = 'jumper';"
      "c.style = 'position: fixed; inset: 0'; c.onmousedown = () => ++hits; "
      "document.body.append(c) }, {once: true}), 0");

  const auto dragged = co_await t.Do(DragJson("#handle", "#area", {{"timeout_ms", 400}}));

  EXPECT_EQ(CodeOf(dragged), ErrorCode::kElementObscured) << Why(dragged);
  EXPECT_EQ(co_await t.PageText("[hits, __log.length]"), "0,0");
}

BROWSER_TEST(DragTest, WhatCannotBeDroppedIsNotClicked) {
  t.site.Serve("/grab",
               "<button id=a onclick='window.clicks = (window.clicks || 0) + 1'>Take</button>");
  co_await t.Open("/grab");

  const auto dragged = co_await t.Do(
      R"({"action_type": "drag", "selector": "#a", "drag_to": {"selector": "#nope"}, "timeout_ms": 800})");

  EXPECT_FALSE(dragged);
  EXPECT_EQ(co_await t.PageText("window.clicks || 0"), "0");
  const auto clicked = co_await t.Click("#a");
  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("window.clicks || 0"), "1") << "the button is up again";
}

}  // namespace
}  // namespace falconer::test
