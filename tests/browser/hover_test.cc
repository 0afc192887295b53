// Hovering: the pointer goes there and stays there.

#include "base/json/json.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

Task<Result<model::ActionOutcome>> Hover(BrowserFixture& t, std::string selector,
                                         json::object more = {}) {
  more["action_type"] = "hover";
  more["selector"] = std::string_view(selector);
  return t.Do(json::serialize(more));
}

BROWSER_TEST(HoverTest, OpensAMenuThatCanThenBeUsed) {
  co_await t.Open("/hover_menu.html");

  const auto hovered = co_await Hover(t, "#head");
  const auto clicked = co_await t.Click("#owls");

  EXPECT_TRUE(hovered && clicked) << Why(hovered) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("__log.at(-1).detail"), "owls");
}

BROWSER_TEST(HoverTest, LeavesTheElementWhenItGoesElsewhere) {
  co_await t.Open("/hover_menu.html");

  const auto there = co_await Hover(t, "#tip_target");
  EXPECT_TRUE(there) << Why(there);
  EXPECT_EQ(co_await t.PageText("tip.hidden"), "false");

  const auto away = co_await Hover(t, "#head");
  EXPECT_TRUE(away) << Why(away);
  EXPECT_EQ(co_await t.PageText("tip.hidden"), "true");
}

BROWSER_TEST(HoverTest, TheSamePlaceCanBeHoveredAgain) {
  co_await t.Open("/hover_menu.html");

  for (int i = 0; i < 3; ++i) {
    const auto hovered = co_await Hover(t, "#tip_target");
    EXPECT_TRUE(hovered) << "try " << i << ": " << Why(hovered);
  }
}

BROWSER_TEST(HoverTest, ADisabledElementCanBeHovered) {
  t.site.Serve(
      "/page",
      "<style>#b:hover { color: rgb(1, 2, 3) }</style><button id=b disabled>Closed</button>");
  co_await t.Open("/page");

  const auto hovered = co_await Hover(t, "#b");

  EXPECT_TRUE(hovered) << Why(hovered);
  EXPECT_EQ(co_await t.PageText("getComputedStyle(b).color"), "rgb(1, 2, 3)");
}

BROWSER_TEST(HoverTest, CarriesModifiersAndPosition) {
  t.site.Serve("/page",
               "<div id=b style='width: 300px; height: 100px; background: "
               "teal'></div><script>window.seen = [];"
               "b.onmousemove = e => seen.push([e.offsetX, e.offsetY, e.shiftKey])</script>");
  co_await t.Open("/page");

  const auto hovered =
      co_await Hover(t, "#b", {{"modifiers", {"Shift"}}, {"position", {{"x", 12}, {"y", 34}}}});

  EXPECT_TRUE(hovered) << Why(hovered);
  EXPECT_EQ(co_await t.PageText("seen.at(-1)"), "12,34,true");
}

BROWSER_TEST(HoverTest, NothingIsPressed) {
  t.site.Serve("/page",
               "<button id=b>Go</button><script>window.pressed = 0; for (const type of "
               "['mousedown', 'click', 'pointerdown'])"
               " addEventListener(type, () => ++pressed)</script>");
  co_await t.Open("/page");

  const auto hovered = co_await Hover(t, "#b");

  EXPECT_TRUE(hovered) << Why(hovered);
  EXPECT_EQ(co_await t.PageText("pressed"), "0");
}

BROWSER_TEST(HoverTest, WaitsForWhatCoversTheElement) {
  co_await t.Open("/overlay.html?ms=200");

  const auto hovered = co_await Hover(t, "#target");

  EXPECT_TRUE(hovered) << Why(hovered);
  EXPECT_EQ(co_await t.PageText("target.matches(':hover')"), "true");
}

BROWSER_TEST(HoverTest, NamesWhatStaysInTheWay) {
  co_await t.Open("/overlay.html?forever=1");

  const auto hovered = co_await Hover(t, "#target", {{"timeout_ms", 300}});

  EXPECT_EQ(CodeOf(hovered), ErrorCode::kElementObscured) << Why(hovered);
  EXPECT_TRUE(Why(hovered).contains("overlay")) << Why(hovered);
}

BROWSER_TEST(HoverTest, ScrollsToTheElement) {
  co_await t.Open("/huge_scroll.html");

  const auto hovered = co_await Hover(t, "#far");

  EXPECT_TRUE(hovered) << Why(hovered);
  EXPECT_EQ(co_await t.PageText("far.matches(':hover')"), "true");
}

}  // namespace
}  // namespace falconer::test
