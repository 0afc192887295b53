// Scrolling: by a distance, to an end, to an element; in the page and in what scrolls inside it.

#include "base/json/json.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

constexpr const char* kTall =
    "<body style='margin: 0'><div style='height: 5000px; width: 4000px'></div><button "
    "id=b>Below</button>"
    "<div id=box style='position: fixed; left: 0; top: 0; width: 200px; height: 200px; overflow: "
    "auto'>"
    "<div style='height: 3000px'></div><i id=end>end</i></div>";

Task<Result<model::ActionOutcome>> Scroll(BrowserFixture& t, json::object how,
                                          std::string selector = "") {
  json::object action{{"action_type", "scroll"}, {"scroll", std::move(how)}};
  if (!selector.empty()) action["selector"] = std::string_view(selector);
  return t.Do(json::serialize(action));
}

BROWSER_TEST(ScrollTest, MovesThePageByADistance) {
  t.site.Serve("/page", kTall);
  co_await t.Open("/page");

  const auto down = co_await Scroll(t, {{"dy", 700}, {"dx", 300}});
  EXPECT_TRUE(down) << Why(down);
  EXPECT_EQ(co_await t.PageText("[scrollX, scrollY]"), "300,700");

  const auto up = co_await Scroll(t, {{"dy", -200}, {"dx", -300}});
  EXPECT_TRUE(up) << Why(up);
  EXPECT_EQ(co_await t.PageText("[scrollX, scrollY]"), "0,500");
  if (up) EXPECT_EQ(up->extracted->at("moved").at("y").to_number<int>(), -200);
}

BROWSER_TEST(ScrollTest, GoesToTheEnds) {
  t.site.Serve("/page", kTall);
  co_await t.Open("/page");

  const auto bottom = co_await Scroll(t, {{"to", "bottom"}});
  EXPECT_TRUE(bottom) << Why(bottom);
  EXPECT_EQ(co_await t.PageText(
                "Math.round(scrollY) == document.documentElement.scrollHeight - innerHeight"),
            "true");

  const auto top = co_await Scroll(t, {{"to", "top"}});
  EXPECT_TRUE(top) << Why(top);
  EXPECT_EQ(co_await t.PageText("scrollY"), "0");
}

BROWSER_TEST(ScrollTest, BringsAnElementIntoView) {
  t.site.Serve("/page", kTall);
  co_await t.Open("/page");

  const auto scrolled = co_await Scroll(t, {{"to", "into_view"}}, "#b");

  EXPECT_TRUE(scrolled) << Why(scrolled);
  EXPECT_EQ(
      co_await t.PageText(
          "b.getBoundingClientRect().top >= 0 && b.getBoundingClientRect().bottom <= innerHeight"),
      "true");
}

BROWSER_TEST(ScrollTest, WaitsForTheElementToBringIntoView) {
  t.site.Serve("/page",
               "<div id=d style='height: 3000px'></div><script>setTimeout(() => "
               "d.insertAdjacentHTML('afterend', '<p id=late>late</p>'), 120)</script>");
  co_await t.Open("/page");

  const auto scrolled = co_await Scroll(t, {{"to", "into_view"}}, "#late");

  EXPECT_TRUE(scrolled) << Why(scrolled);
  EXPECT_EQ(co_await t.PageText("late.getBoundingClientRect().bottom <= innerHeight"), "true");
}

BROWSER_TEST(ScrollTest, MovesTheContainerAroundAnElement) {
  t.site.Serve("/page", kTall);
  co_await t.Open("/page");

  const auto scrolled = co_await Scroll(t, {{"dy", 150}}, "#end");

  EXPECT_TRUE(scrolled) << Why(scrolled);
  EXPECT_EQ(co_await t.PageText("[box.scrollTop, scrollY]"), "150,0");
}

BROWSER_TEST(ScrollTest, IsNotSmoothEvenWhereThePageSaysSo) {
  t.site.Serve("/page",
               "<style>html { scroll-behavior: smooth }</style><div style='height: 5000px'></div>");
  co_await t.Open("/page");

  const auto scrolled = co_await Scroll(t, {{"dy", 2000}});

  EXPECT_TRUE(scrolled) << Why(scrolled);
  EXPECT_EQ(co_await t.PageText("scrollY"), "2000");
}

BROWSER_TEST(ScrollTest, TurnsTheWheelWhereOnlyTheWheelIsHeard) {
  t.site.Serve(
      "/page",
      "<body style='margin: 0; overflow: hidden'><canvas width=800 height=600></canvas><script>"
      "window.turned = new Promise(done => addEventListener('wheel', e => "
      "done(e.deltaY)))</script>");
  co_await t.Open("/page");

  const auto scrolled = co_await Scroll(t, {{"dy", 240}});

  EXPECT_TRUE(scrolled) << Why(scrolled);
  EXPECT_EQ(co_await t.Page("turned"), 240);
}

BROWSER_TEST(ScrollTest, LoadsMoreOfAnEndlessList) {
  co_await t.Open("/infinite_scroll.html?total=40");

  for (int wanted = 20; wanted <= 40; wanted += 10) {
    const auto scrolled = co_await Scroll(t, {{"to", "bottom"}});
    EXPECT_TRUE(scrolled) << Why(scrolled);
    const auto loaded =
        co_await t.WaitFor(R"({"kind": "count", "selector": "#items > li", "op": "gte", "n": )" +
                           std::to_string(wanted) + "}");
    EXPECT_TRUE(loaded && loaded->satisfied) << wanted << ": " << Why(loaded);
  }

  const auto clicked = co_await t.Click("text=\"Item 40\"");
  EXPECT_TRUE(clicked) << Why(clicked);
}

BROWSER_TEST(ScrollTest, ShowsTheRowsOfAVirtualList) {
  co_await t.Open("/virtual_list.html");

  const auto scrolled = co_await Scroll(t, {{"dy", 30 * 5000}}, "#list");
  const auto clicked = co_await t.Click("text=\"Row 5000\"");

  EXPECT_TRUE(scrolled && clicked) << Why(scrolled) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("__log.at(-1).detail"), "5000");
}

BROWSER_TEST(ScrollTest, SaysHowFarItWentAtTheEnd) {
  t.site.Serve("/page", "<div style='height: 1000px'></div>");
  co_await t.Open("/page");

  const auto scrolled = co_await Scroll(t, {{"dy", 99999}});

  EXPECT_TRUE(scrolled) << Why(scrolled);
  if (!scrolled) co_return;
  EXPECT_EQ(scrolled->extracted->at("y"), scrolled->extracted->at("max_y"));
}

BROWSER_TEST(ScrollTest, AMissingElementIsNotFound) {
  co_await t.Open("/empty.html");

  const auto scrolled = co_await t.Do(
      R"({"action_type": "scroll", "selector": "#nobody", "scroll": {"to": "into_view"}, "timeout_ms": 200})");

  EXPECT_EQ(CodeOf(scrolled), ErrorCode::kElementNotFound) << Why(scrolled);
}

}  // namespace
}  // namespace falconer::test
