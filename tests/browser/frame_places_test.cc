// Where things in frames really are: every point that is pressed and every place that is told must
// be the one a person sees, however the frames around it are placed.

#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

// A button of 100 by 40 at (20, 30) that posts the point at which it was pressed.
constexpr std::string_view kButtonPage =
    "<!doctype html><style>body { margin: 0 } button { position: absolute; left: 20px; top: 30px; "
    "width: 100px;"
    " height: 40px; padding: 0; border: 0 }</style><button id=b>Press</button><script>"
    "b.onclick = (e) => top.postMessage(`${e.clientX},${e.clientY}`, '*')</script>";

struct Where {
  const char* name;
  // Style of the frame and further content of the page around it.
  const char* style;
  const char* around = "";
};

constexpr Where kPlaces[] = {
    {"plain", "position: absolute; left: 200px; top: 100px"},
    {"border", "position: absolute; left: 200px; top: 100px; border: 9px solid red"},
    {"padding", "position: absolute; left: 200px; top: 100px; padding: 30px 10px 0 25px"},
    {"scaled",
     "position: absolute; left: 200px; top: 100px; transform: scale(0.5); transform-origin: 0 0"},
    {"enlarged", "position: absolute; left: 200px; top: 100px; transform: scale(2)"},
    {"rotated", "position: absolute; left: 300px; top: 300px; transform: rotate(90deg)"},
    {"mirrored", "position: absolute; left: 300px; top: 100px; transform: scaleX(-1)"},
    {"zoomed", "position: absolute; left: 200px; top: 100px; zoom: 1.5"},
    {"perspective",
     "position: absolute; left: 200px; top: 100px; transform: perspective(400px) rotateY(30deg)"},
    {"below the fold", "position: absolute; left: 200px; top: 3000px"},
    {"far right", "position: absolute; left: 4000px; top: 100px"},
    {"in a scroller", "margin: 900px 0", "<div style='height: 300px; overflow: auto'>"},
    {"in a scaled box", "margin: 50px", "<div style='transform: scale(0.6)'>"},
    {"fixed", "position: fixed; right: 10px; bottom: 10px"},
};

std::string PageAround(const Where& where, const std::string& src) {
  return std::string(
             "<!doctype html><style>body { margin: 0 } iframe { border: 0; width: 300px; height: "
             "150px; ") +
         where.style + " }</style>" + where.around + "<iframe id=frame src='" + src +
         "'></iframe>" + "<script>window.got = []; onmessage = (e) => got.push(e.data)</script>";
}

Task<std::string> Posted(BrowserFixture& t) {
  const auto posted = co_await t.Page(
      "new Promise(done => { const look = () => got.length ? done(got.join(' ')) : "
      "setTimeout(look, 5); look(); })");
  co_return posted.is_string() ? std::string(posted.get_string()) : "";
}

// The middle of the button, give or take the rounding of a transformation.
void ExpectMiddle(const std::string& posted, const char* where) {
  double x = 0;
  double y = 0;
  EXPECT_EQ(std::sscanf(posted.c_str(), "%lf,%lf", &x, &y), 2) << where << ": " << posted;
  EXPECT_NEAR(x, 70, 2) << where;
  EXPECT_NEAR(y, 50, 2) << where;
}

Task<void> ClickEverywhere(BrowserFixture* t, std::string inner) {
  for (const Where& where : kPlaces) {
    t->site.Serve("/outer", PageAround(where, inner));
    co_await t->Open("/outer");
    const auto clicked = co_await t->Do(
        R"({"action_type": "click", "selector": "frame=#frame >> #b", "timeout_ms": 3000})");
    EXPECT_TRUE(clicked) << where.name << ": " << Why(clicked);
    if (clicked) ExpectMiddle(co_await Posted(*t), where.name);
  }
}

BROWSER_TEST(FramePlacesTest, HitsTheMiddleInAFrameOfTheSameProcess) {
  t.site.Serve("/inner", std::string(kButtonPage));
  co_await ClickEverywhere(&t, "/inner");
}

BROWSER_TEST(FramePlacesTest, HitsTheMiddleInAFrameOfAnotherProcess) {
  t.site.Serve("/inner", std::string(kButtonPage));
  co_await ClickEverywhere(&t, t.site.CrossSiteUrl("/inner"));
}

BROWSER_TEST(FramePlacesTest, HitsTheMiddleThroughTwoTransformedFrames) {
  t.site.Serve("/inner", std::string(kButtonPage));
  t.site.Serve("/middle", "<style>body { margin: 0 }</style><iframe id=frame src='" +
                              t.site.ThirdSiteUrl("/inner") +
                              "' style='transform: scale(0.8) rotate(10deg); margin: 60px; border: "
                              "3px solid'></iframe>");
  t.site.Serve("/outer",
               "<iframe id=middle src='" + t.site.CrossSiteUrl("/middle") +
                   "' style='width: 600px; height: 400px; transform: scale(1.3); transform-origin: "
                   "0 0'></iframe>"
                   "<script>window.got = []; onmessage = (e) => got.push(e.data)</script>");
  co_await t.Open("/outer");
  const auto clicked = co_await t.Click("frame=#middle >> frame=#frame >> #b");
  EXPECT_TRUE(clicked) << Why(clicked);
  if (clicked) ExpectMiddle(co_await Posted(t), "nested");
}

BROWSER_TEST(FramePlacesTest, HitsTheMiddleWhenEveryDocumentIsScrolled) {
  t.site.Serve(
      "/inner",
      "<!doctype html><style>body { margin: 0; height: 3000px } button { position: absolute; left: "
      "20px;"
      " top: 2000px; width: 100px; height: 40px; border: 0 }</style><button id=b>Press</button>"
      "<script>b.onclick = (e) => top.postMessage(`${e.offsetX},${e.offsetY}`, '*')</script>");
  t.site.Serve("/middle", "<body style='height: 4000px'><iframe id=frame src='" +
                              t.site.ThirdSiteUrl("/inner") +
                              "' style='position: absolute; top: 1500px; height: 200px'></iframe>");
  t.site.Serve(
      "/outer",
      "<body style='height: 9000px'><iframe id=middle src='" + t.site.CrossSiteUrl("/middle") +
          "' style='position: absolute; top: 5000px; width: 600px; height: 400px'></iframe>"
          "<script>window.got = []; onmessage = (e) => got.push(e.data)</script>");
  co_await t.Open("/outer");
  const auto clicked = co_await t.Click("frame=#middle >> frame=#frame >> #b");
  EXPECT_TRUE(clicked) << Why(clicked);
  if (clicked) EXPECT_EQ(co_await Posted(t), "50,20");
}

BROWSER_TEST(FramePlacesTest, HitsTheMiddleOnAFineScreen) {
  browser::SessionOptions options;
  options.viewport = {.width = 900, .height = 700, .scale = 2};
  const auto own = co_await OpenFixture(t, options);
  if (!own) co_return;
  t.site.Serve("/inner", std::string(kButtonPage));
  for (const std::string& inner : {t.site.Url("/inner"), t.site.CrossSiteUrl("/inner")}) {
    t.site.Serve(
        "/outer",
        PageAround({"", "position: absolute; left: 200px; top: 2000px; transform: scale(0.7)"},
                   inner));
    co_await own->Open("/outer");
    const auto clicked = co_await own->Click("frame=#frame >> #b");
    EXPECT_TRUE(clicked) << inner << ": " << Why(clicked);
    if (clicked) ExpectMiddle(co_await Posted(*own), inner.c_str());
  }
}

BROWSER_TEST(FramePlacesTest, PressesWhatIsFixedInAFrame) {
  t.site.Serve("/inner",
               "<body style='height: 5000px'><button id=b style='position: fixed; bottom: 5px; "
               "left: 20px'>Fixed</button>"
               "<script>b.onclick = () => top.postMessage('fixed', '*')</script>");
  t.site.Serve("/outer",
               PageAround({"", "position: absolute; top: 2000px"}, t.site.CrossSiteUrl("/inner")));
  co_await t.Open("/outer");
  const auto clicked = co_await t.Click("frame=#frame >> #b");
  EXPECT_TRUE(clicked) << Why(clicked);
  if (clicked) EXPECT_EQ(co_await Posted(t), "fixed");
}

// The next ones: something of the page lies over the frame and must not get the click.

constexpr std::string_view kCover =
    "<div id=cover style='position: absolute; left: 0; top: 0; width: 100%; height: 100%' "
    "onclick='covered = true'></div>"
    "<script>window.covered = false</script>";

Task<void> ExpectCovered(BrowserFixture* t, std::string inner, const char* style) {
  t->site.Serve("/inner", std::string(kButtonPage));
  t->site.Serve("/outer", PageAround({"", style}, inner) + std::string(kCover));
  co_await t->Open("/outer");
  const auto clicked = co_await t->Do(
      R"({"action_type": "click", "selector": "frame=#frame >> #b", "timeout_ms": 1500})");
  EXPECT_EQ(CodeOf(clicked), ErrorCode::kElementObscured) << Why(clicked);
  EXPECT_TRUE(Why(clicked).contains("cover")) << Why(clicked);
  EXPECT_EQ(co_await t->PageText("covered"), "false");
  EXPECT_EQ(co_await t->PageText("got.length"), "0");
}

BROWSER_TEST(FramePlacesTest, DoesNotClickWhatLiesOverAFrame) {
  co_await ExpectCovered(&t, "/inner", "position: absolute; left: 100px; top: 50px");
}

BROWSER_TEST(FramePlacesTest, DoesNotClickWhatLiesOverAFrameOfAnotherProcess) {
  co_await ExpectCovered(&t, t.site.CrossSiteUrl("/inner"),
                         "position: absolute; left: 100px; top: 50px");
}

BROWSER_TEST(FramePlacesTest, DoesNotClickWhatLiesOverATransformedFrame) {
  co_await ExpectCovered(&t, t.site.CrossSiteUrl("/inner"),
                         "position: absolute; left: 100px; top: 50px; transform: rotate(20deg)");
}

BROWSER_TEST(FramePlacesTest, DoesNotClickAFrameThatLiesOverTheTarget) {
  t.site.Serve(
      "/one",
      "<button id=b onclick='document.title = 1'>Below</button><iframe src='" +
          t.site.CrossSiteUrl("/frame_leaf.html") +
          "' style='position: absolute; left: 0; top: 0; width: 400px; height: 300px'></iframe>");
  co_await t.Open("/one");
  const auto clicked =
      co_await t.Do(R"({"action_type": "click", "selector": "#b", "timeout_ms": 500})");
  EXPECT_EQ(CodeOf(clicked), ErrorCode::kElementObscured) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("document.title"), "");
}

BROWSER_TEST(FramePlacesTest, WaitsUntilTheCoverOfAFrameIsGone) {
  t.site.Serve("/inner", std::string(kButtonPage));
  t.site.Serve("/outer", PageAround({"", "position: absolute; left: 100px; top: 50px"},
                                    t.site.CrossSiteUrl("/inner")) +
                             std::string(kCover) +
                             "<script>setTimeout(() => cover.remove(), 400)</script>");
  co_await t.Open("/outer");
  const auto clicked = co_await t.Click("frame=#frame >> #b");
  EXPECT_TRUE(clicked) << Why(clicked);
  if (clicked) EXPECT_EQ(co_await Posted(t), "70,50");
  EXPECT_EQ(co_await t.PageText("covered"), "false");
}

BROWSER_TEST(FramePlacesTest, ClicksInAFrameFarBelowTheFold) {
  co_await t.Open("/offscreen_frame.html");
  for (const char* selector :
       {"frame=#frame >> #leaf", "frame=#same >> #leaf", "frame=#frame >> #leaf"}) {
    const auto clicked = co_await t.Click(selector);
    EXPECT_TRUE(clicked) << selector << ": " << Why(clicked);
  }
  const auto told =
      co_await t.site.UntilEffects(t.ctx.WithTimeout(std::chrono::seconds(10)), "clicked", 3);
  EXPECT_TRUE(told) << Why(told);
}

}  // namespace
}  // namespace falconer::test
