// The state of pages with frames: one picture of all of them, with everything in its real place.

#include "tests/support/in_background.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

using model::ElementState;
using model::StructuredState;

constexpr double kWidth = 1440;
constexpr double kHeight = 900;

bool Has(const StructuredState& state, std::string_view name) {
  return std::ranges::any_of(state.elements, [&](const ElementState& e) { return e.name == name; });
}

// Frames of other processes learn a little later what of them is in view.
Task<StructuredState> ReadOnceShown(BrowserFixture& t, std::string name) {
  for (int frame = 0; frame < 100; ++frame) {
    auto state = co_await Read(t);
    if (Has(state, name)) co_return state;
    co_await t.Page("new Promise(requestAnimationFrame)");
  }
  co_return co_await Read(t);
}

void ExpectPlace(const ElementState& element, model::Rect place) {
  EXPECT_NEAR(element.bbox[0] * kWidth, place.x, 1) << element.name;
  EXPECT_NEAR(element.bbox[1] * kHeight, place.y, 1) << element.name;
  EXPECT_NEAR(element.bbox[2] * kWidth, place.width, 1) << element.name;
  EXPECT_NEAR(element.bbox[3] * kHeight, place.height, 1) << element.name;
}

std::string ButtonAt(std::string_view name, std::string_view place) {
  return "<!doctype html><style>body { margin: 0 } button { position: absolute; border: 0; "
         "padding: 0; " +
         std::string(place) + " }</style><button>" + std::string(name) + "</button>";
}

BROWSER_TEST(StateFramesTest, AllFramesOfThePageAreInOneState) {
  co_await t.Open("/frames.html");
  const auto state = co_await Read(t);
  EXPECT_EQ(state.frames.size(), 5u);
  EXPECT_EQ(state.budget.frames.total, 5u);
  EXPECT_EQ(state.budget.frames.omitted, 0u);
  for (const char* name : {"Level one", "Level two", "Leaf level3", "Leaf same", "In srcdoc"}) {
    EXPECT_TRUE(Has(state, name)) << name;
  }
  EXPECT_EQ(Named(state, "Level one").fid, "");
  const std::string level3 = Named(state, "Leaf level3").fid;
  const auto frame = std::ranges::find(state.frames, level3, &model::FrameState::fid);
  EXPECT_NE(frame, state.frames.end());
  if (frame == state.frames.end()) co_return;
  EXPECT_EQ(frame->parent_fid, Named(state, "Level two").fid);
  EXPECT_EQ(frame->title, "Leaf frame");
  EXPECT_EQ(frame->origin, t.site.ThirdSiteUrl(""));
}

BROWSER_TEST(StateFramesTest, ASrcdocFrameHasTheOriginOfItsPage) {
  co_await t.Open("/frames.html");
  const auto state = co_await Read(t);
  const auto frame =
      std::ranges::find(state.frames, Named(state, "In srcdoc").fid, &model::FrameState::fid);
  EXPECT_NE(frame, state.frames.end());
  if (frame != state.frames.end()) EXPECT_EQ(frame->origin, t.site.Url(""));
}

BROWSER_TEST(StateFramesTest, WhatIsInAFrameIsWhereItIsSeen) {
  t.site.Serve("/inner", ButtonAt("Inner", "left: 20px; top: 30px; width: 100px; height: 40px"));
  t.site.Serve("/one",
               "<!doctype html><style>body { margin: 0 } iframe { position: absolute; left: 200px; "
               "top: 100px; border: 5px solid;"
               " padding: 10px }</style><iframe src='" +
                   t.site.CrossSiteUrl("/inner") + "'></iframe>");
  co_await t.Open("/one");
  const auto state = co_await Read(t);
  ExpectPlace(Named(state, "Inner"), {235, 145, 100, 40});
  EXPECT_TRUE(Named(state, "Inner").in_viewport);
}

BROWSER_TEST(StateFramesTest, WhatIsInAScaledFrameIsWhereItIsSeen) {
  t.site.Serve("/inner", ButtonAt("Inner", "left: 20px; top: 30px; width: 100px; height: 40px"));
  t.site.Serve(
      "/one",
      "<!doctype html><style>body { margin: 0 } iframe { position: absolute; left: 200px; top: "
      "100px; border: 0;"
      " transform: scale(0.5); transform-origin: 0 0 }</style><iframe src='/inner'></iframe>");
  co_await t.Open("/one");
  ExpectPlace(Named(co_await Read(t), "Inner"), {210, 115, 50, 20});
}

BROWSER_TEST(StateFramesTest, WhatIsThreeFramesDownIsWhereItIsSeenAlsoWhenScrolled) {
  // Again and again: what is scrolled before its frame has a size stays where it was.
  t.site.Serve(
      "/inner",
      "<body style='height: 3000px'><script>setInterval(() => scrollTo(0, 500), 10)</script>" +
          ButtonAt("Inner", "left: 10px; top: 520px; width: 50px; height: 30px"));
  t.site.Serve("/middle",
               "<!doctype html><style>body { margin: 0; height: 2000px } iframe { position: "
               "absolute; left: 40px; top: 160px; border: 0 }"
               "</style><iframe src='" +
                   t.site.ThirdSiteUrl("/inner") +
                   "'></iframe><script>setInterval(() => scrollTo(0, 100), 10)</script>");
  t.site.Serve("/one",
               "<!doctype html><style>body { margin: 0; height: 5000px } iframe { position: "
               "absolute; left: 100px; top: 1000px; border: 0;"
               " width: 500px; height: 400px }</style><iframe src='" +
                   t.site.CrossSiteUrl("/middle") +
                   "'></iframe><script>setInterval(() => scrollTo(0, 900), 10)</script>");
  co_await t.Open("/one");
  const auto state = co_await ReadOnceShown(t, "Inner");
  // 100 + 40 + 10 across; 1000 - 900, 160 - 100 and 520 - 500 down.
  ExpectPlace(Named(state, "Inner"), {150, 180, 50, 30});
}

BROWSER_TEST(StateFramesTest, ARefFromAFrameLeadsBackIntoIt) {
  co_await t.Open("/frames.html");
  const auto state = co_await Read(t);
  for (const char* name : {"Leaf level3", "Leaf same", "Level two"}) {
    const auto clicked = co_await t.Do(R"({"action_type": "click", "target_eid": ")" +
                                       Named(state, name).ref + "\"}");
    EXPECT_TRUE(clicked) << name << ": " << Why(clicked);
  }
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "clicked", 3);
  EXPECT_TRUE(told) << Why(told);
}

BROWSER_TEST(StateFramesTest, TheFocusInAFrameIsTheFocus) {
  co_await t.Open("/frames.html");
  co_await t.Do(
      R"({"action_type": "focus", "selector": "frame=#level2 >> frame=#level3 >> #text"})");
  const auto state = co_await Read(t);
  EXPECT_TRUE(std::ranges::any_of(state.elements, [&](const auto& e) {
    return e.ref == state.focus && e.name == "Leaf text";
  })) << state.focus;
}

BROWSER_TEST(StateFramesTest, AFrameOutOfSightIsOnlyCounted) {
  co_await t.Open("/offscreen_frame.html");
  const auto sight = co_await Read(t);
  EXPECT_EQ(sight.frames.size(), 3u);
  EXPECT_FALSE(Has(sight, "Leaf offscreen"));
  EXPECT_TRUE(
      std::ranges::none_of(sight.texts, [](const auto& text) { return !text.fid.empty(); }));
  for (const auto& frame : sight.frames) {
    if (frame.parent_fid.empty()) continue;
    EXPECT_FALSE(frame.visible);
    EXPECT_EQ(frame.interactive_count, 2u);
  }
  const auto whole = co_await Read(t, {.scope = model::StateScope::kPage});
  EXPECT_TRUE(Has(whole, "Leaf offscreen"));
  EXPECT_FALSE(Named(whole, "Leaf offscreen").in_viewport);
}

BROWSER_TEST(StateFramesTest, FramesNobodySeesDoNotCrowdOutOneThatIsSeen) {
  std::string page = "<!doctype html>";
  for (int i = 0; i < 15; ++i)
    page +=
        "<iframe style='display: none' src='/empty.html'></iframe><iframe width=0 height=0 "
        "style='position: absolute; left: -999px' src='/empty.html'></iframe>";
  t.site.Serve("/one", page + "<iframe src='" +
                           t.site.CrossSiteUrl("/frame_leaf.html?name=payment") + "'></iframe>");
  co_await t.Open("/one");
  const auto state = co_await Read(t);
  EXPECT_TRUE(Has(state, "Leaf payment"));
  EXPECT_EQ(state.budget.frames.total, 32u);
  EXPECT_LE(state.frames.size(), 8u);
}

BROWSER_TEST(StateFramesTest, APageFullOfControlsLeavesRoomForItsFrames) {
  std::string page = "<!doctype html><iframe src='" +
                     t.site.CrossSiteUrl("/frame_leaf.html?name=payment") +
                     "' style='float: right'></iframe>";
  for (int i = 0; i < 100; ++i) page += "<button>B" + std::to_string(i) + "</button>";
  for (int i = 0; i < 100; ++i)
    page += "<span style='display: inline-block'>Text number " + std::to_string(i) + "</span>";
  t.site.Serve("/one", page);
  co_await t.Open("/one");
  const auto state = co_await Read(t);
  EXPECT_TRUE(Has(state, "Leaf payment"));
  EXPECT_LE(state.elements.size(), 48u);
  EXPECT_LE(state.texts.size(), 40u);
}

BROWSER_TEST(StateFramesTest, ManyFramesTogetherStayWithinTheLimits) {
  t.site.Serve(
      "/inner",
      "<body style='font-size: 6px'><form><input aria-label=A><button>B</button></form><span "
      "role=alert>Wrong</span> <h2>Inner</h2><p>One<p>Two");
  std::string page = "<!doctype html>";
  for (int i = 0; i < 12; ++i) page += "<iframe width=200 height=100 src='/inner'></iframe>";
  t.site.Serve("/one", page);
  co_await t.Open("/one");
  const auto state = co_await Read(
      t, {.limits = {.frames = 10, .elements = 12, .texts = 9, .forms = 3, .errors = 4}});
  EXPECT_EQ(state.frames.size(), 10u);
  EXPECT_LE(state.elements.size(), 12u);
  EXPECT_LE(state.texts.size(), 9u);
  EXPECT_LE(state.forms.size(), 3u);
  EXPECT_LE(state.errors.size(), 4u);
  EXPECT_EQ(state.budget.frames.omitted, 3u);
  EXPECT_GT(state.budget.elements.omitted, 0u);
}

BROWSER_TEST(StateFramesTest, AFrameThatHangsDoesNotKeepTheRestAway) {
  t.site.Serve("/one", "<button>Page</button><iframe src='" + t.site.CrossSiteUrl("/hang.html") +
                           "'></iframe><iframe src='" +
                           t.site.ThirdSiteUrl("/frame_leaf.html?name=fine") + "'></iframe>");
  co_await t.Open("/one");
  const auto frames = t.tab()->frames().All();
  for (const auto& frame : frames) {
    if (frame->document->url.ends_with("/hang.html"))
      frame->session->Post(cdp::RuntimeEvaluate{.expression = "while (true);"});
  }
  const auto started = t.ctx.clock().Now();
  const auto state = co_await Read(t);
  EXPECT_TRUE(Has(state, "Page"));
  EXPECT_TRUE(Has(state, "Leaf fine"));
  EXPECT_LT(t.ctx.clock().Now() - started, std::chrono::seconds(5));
  EXPECT_EQ(state.budget.frames.omitted, 1u);
}

BROWSER_TEST(StateFramesTest, AFrameThatMayNotBeShownDoesNotSpoilTheState) {
  t.site.On("/refuses", [](const net::HttpRequest&) {
    net::HttpResponse response = HtmlResponse("<button>Secret</button>");
    response.headers.Set("x-frame-options", "DENY");
    return response;
  });
  t.site.Serve("/one", "<button>Page</button><iframe src='" + t.site.CrossSiteUrl("/refuses") +
                           "'></iframe>");
  co_await t.Open("/one");
  const auto state = co_await Read(t);
  EXPECT_TRUE(Has(state, "Page"));
  EXPECT_FALSE(Has(state, "Secret"));
}

BROWSER_TEST(StateFramesTest, FramesThatComeAndGoWhileReadingDoNotSpoilTheState) {
  t.site.Serve("/one",
               "<button>Page</button><div id=d></div><script>function again() { d.innerHTML = "
               "'<iframe src=\"" +
                   t.site.CrossSiteUrl("/frame_leaf.html") +
                   "\"></iframe><iframe src=\"/frame_leaf.html\" onload=\"setTimeout(again, 5)\">"
                   "</iframe>' } again()</script>");
  co_await t.Open("/one");
  for (int i = 0; i < 15; ++i) {
    const auto state = co_await Read(t);
    EXPECT_TRUE(Has(state, "Page"));
  }
}

}  // namespace
}  // namespace falconer::test
