// Screenshots show the right pixels of the right part of the page.

#include "base/json/json.h"
#include "base/sha256.h"
#include "tests/support/png.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

constexpr Pixel kRed = {255, 0, 0};
constexpr Pixel kGreen = {0, 255, 0};
constexpr Pixel kBlue = {0, 0, 255};
constexpr Pixel kBlack = {0, 0, 0};
constexpr Pixel kWhite = {255, 255, 255};
constexpr Pixel kMagenta = {255, 0, 255};

// The bytes of the picture that the action made.
Task<std::string> Shoot(BrowserFixture& t, json::object how, std::string selector = "") {
  json::object action{{"action_type", "screenshot"}};
  if (!how.empty()) action["screenshot"] = std::move(how);
  if (!selector.empty()) action["selector"] = std::string_view(selector);
  const auto done = co_await t.Do(json::serialize(action));
  EXPECT_TRUE(done && done->artifact) << Why(done);
  if (!done || !done->artifact) co_return "";
  const auto bytes = ReadFile(t.artifacts / done->artifact->path);
  EXPECT_TRUE(bytes) << Why(bytes);
  EXPECT_EQ(done->artifact->sha256, Sha256Hex(bytes.value_or("")));
  EXPECT_EQ(done->artifact->bytes, bytes.value_or("").size());
  co_return bytes.value_or("");
}

Task<Image> ShootPng(BrowserFixture& t, json::object how, std::string selector = "") {
  const std::string bytes = co_await Shoot(t, std::move(how), std::move(selector));
  auto image = DecodePng(bytes);
  EXPECT_TRUE(image) << Why(image);
  co_return image ? *std::move(image) : Image(0, 0, {});
}

BROWSER_TEST(ScreenshotTest, ShowsTheViewport) {
  co_await t.Open("/colours.html");

  const Image image = co_await ShootPng(t, {});

  EXPECT_EQ(image.width(), 1440u);
  EXPECT_EQ(image.height(), 900u);
  EXPECT_EQ(image.At(50, 50), kRed);
  EXPECT_EQ(image.At(150, 50), kGreen);
  EXPECT_EQ(image.At(50, 150), kBlue);
  EXPECT_EQ(image.At(150, 150), kBlack);
  EXPECT_EQ(image.At(350, 50), (Pixel{128, 64, 32}));
  EXPECT_EQ(image.At(99, 99), kRed);
  EXPECT_EQ(image.At(100, 99), kGreen);
  EXPECT_EQ(image.At(250, 50), kWhite);
}

BROWSER_TEST(ScreenshotTest, ShowsWhatIsScrolledTo) {
  co_await t.Open("/colours.html");
  co_await t.Page("scrollTo(0, 2500)");

  const Image image = co_await ShootPng(t, {});
  const Image scaled = co_await ShootPng(t, {{"scale", 0.5}});

  const int top = std::stoi(co_await t.PageText("3000 - scrollY"));
  EXPECT_EQ(image.At(50, static_cast<std::uint32_t>(top) + 50), kMagenta);
  EXPECT_EQ(scaled.width(), 720u);
  EXPECT_EQ(scaled.At(25, static_cast<std::uint32_t>(top) / 2 + 25), kMagenta);
}

BROWSER_TEST(ScreenshotTest, ShowsTheWholePage) {
  co_await t.Open("/colours.html");
  co_await t.Page("scrollTo(0, 700)");

  const Image image = co_await ShootPng(t, {{"full_page", true}});

  EXPECT_EQ(image.width(), 1440u);
  EXPECT_EQ(image.height(), 3100u);
  EXPECT_EQ(image.At(50, 50), kRed);
  EXPECT_EQ(image.At(50, 3050), kMagenta);
  EXPECT_EQ(co_await t.PageText("[scrollY, innerHeight]"), "700,900")
      << "the page is left as it was";
}

BROWSER_TEST(ScreenshotTest, ShowsOneElementAlone) {
  co_await t.Open("/colours.html");

  const Image near = co_await ShootPng(t, {}, "#blue");
  const Image far = co_await ShootPng(t, {}, "#below");

  EXPECT_EQ(near.width(), 100u);
  EXPECT_EQ(near.height(), 100u);
  EXPECT_EQ(near.At(0, 0), kBlue);
  EXPECT_EQ(near.At(99, 99), kBlue);
  EXPECT_EQ(far.At(0, 0), kMagenta);
  EXPECT_EQ(far.At(99, 99), kMagenta);
}

BROWSER_TEST(ScreenshotTest, ShowsAnElementInsideAScroller) {
  t.site.Serve("/page",
               "<body style='margin: 0'><div style='width: 300px; height: 200px; overflow: "
               "auto'><div style='height: 900px'></div>"
               "<div id=e style='width: 60px; height: 40px; background: #00ff00'></div></div>");
  co_await t.Open("/page");

  const Image image = co_await ShootPng(t, {}, "#e");

  EXPECT_EQ(image.width(), 60u);
  EXPECT_EQ(image.height(), 40u);
  EXPECT_EQ(image.At(0, 0), kGreen);
  EXPECT_EQ(image.At(59, 39), kGreen);
}

BROWSER_TEST(ScreenshotTest, ShowsAClipOfThePage) {
  co_await t.Open("/colours.html");

  const Image here =
      co_await ShootPng(t, {{"clip", {{"x", 50}, {"y", 50}, {"width", 100}, {"height", 100}}}});
  const Image below =
      co_await ShootPng(t, {{"clip", {{"x", 0}, {"y", 2990}, {"width", 30}, {"height", 20}}}});

  EXPECT_EQ(here.width(), 100u);
  EXPECT_EQ(here.At(0, 0), kRed);
  EXPECT_EQ(here.At(99, 0), kGreen);
  EXPECT_EQ(here.At(0, 99), kBlue);
  EXPECT_EQ(here.At(99, 99), kBlack);
  EXPECT_EQ(below.At(5, 5), kWhite);
  EXPECT_EQ(below.At(5, 15), kMagenta);
}

BROWSER_TEST(ScreenshotTest, ScalesThePicture) {
  co_await t.Open("/colours.html");

  const Image small = co_await ShootPng(t, {{"scale", 0.5}});
  const Image large = co_await ShootPng(
      t, {{"scale", 2}, {"clip", {{"x", 0}, {"y", 0}, {"width", 200}, {"height", 200}}}});

  EXPECT_EQ(small.width(), 720u);
  EXPECT_EQ(small.height(), 450u);
  EXPECT_EQ(small.At(25, 25), kRed);
  EXPECT_EQ(small.At(75, 75), kBlack);
  EXPECT_EQ(large.width(), 400u);
  EXPECT_EQ(large.At(100, 100), kRed);
  EXPECT_EQ(large.At(300, 300), kBlack);
}

BROWSER_TEST(ScreenshotTest, IsInCssPixelsOnADenseScreen) {
  browser::SessionOptions options;
  options.viewport = {.width = 400, .height = 300, .scale = 2};
  const auto other = co_await OpenFixture(t, options);
  if (!other) co_return;
  co_await other->Open("/colours.html");

  const Image whole = co_await ShootPng(*other, {});
  const Image element = co_await ShootPng(*other, {}, "#green");

  EXPECT_EQ(whole.width(), 400u);
  EXPECT_EQ(whole.At(50, 50), kRed);
  EXPECT_EQ(element.width(), 100u);
  EXPECT_EQ(element.At(50, 50), kGreen);
}

BROWSER_TEST(ScreenshotTest, MakesJpegAndWebp) {
  co_await t.Open("/colours.html");

  const std::string jpeg = co_await Shoot(t, {{"format", "jpeg"}, {"quality", 80}});
  const std::string poor = co_await Shoot(t, {{"format", "jpeg"}, {"quality", 5}});
  const std::string webp = co_await Shoot(t, {{"format", "webp"}, {"quality", 50}});

  EXPECT_TRUE(jpeg.starts_with("\xFF\xD8\xFF"));
  EXPECT_LT(poor.size(), jpeg.size());
  EXPECT_TRUE(webp.starts_with("RIFF") && webp.substr(8, 4) == "WEBP");
}

BROWSER_TEST(ScreenshotTest, NamesTheFileByItsContent) {
  co_await t.Open("/colours.html");

  const auto png = co_await t.Do(R"({"action_type": "screenshot"})");
  const auto jpeg =
      co_await t.Do(R"({"action_type": "screenshot", "screenshot": {"format": "jpeg"}})");

  EXPECT_TRUE(png && png->artifact && jpeg && jpeg->artifact) << Why(png) << Why(jpeg);
  if (!png || !png->artifact || !jpeg || !jpeg->artifact) co_return;
  EXPECT_EQ(png->artifact->path, png->artifact->sha256 + ".png");
  EXPECT_EQ(png->artifact->mime, "image/png");
  EXPECT_EQ(jpeg->artifact->path, jpeg->artifact->sha256 + ".jpg");
  EXPECT_EQ(jpeg->artifact->mime, "image/jpeg");
}

BROWSER_TEST(ScreenshotTest, WaitsForItsElement) {
  t.site.Serve("/page",
               "<div id=d></div><script>setTimeout(() => d.innerHTML = '<div id=e style=\"width: "
               "40px; height: 40px; background: #f00\"></div>', 120)</script>");
  co_await t.Open("/page");

  const Image image = co_await ShootPng(t, {}, "#e");

  EXPECT_EQ(image.At(20, 20), kRed);
}

BROWSER_TEST(ScreenshotTest, AnElementThatCannotBeSeenIsRefused) {
  t.site.Serve(
      "/page",
      "<div id=e style='display: none'>x</div><div id=z style='width: 0; height: 0'></div>");
  co_await t.Open("/page");

  for (const std::string selector : {"#e", "#z"}) {
    const auto done = co_await t.Do(json::serialize(
        json::object{{"action_type", "screenshot"}, {"selector", selector}, {"timeout_ms", 400}}));
    EXPECT_EQ(CodeOf(done), ErrorCode::kElementNotVisible) << selector << ": " << Why(done);
  }
  const auto missing =
      co_await t.Do(R"({"action_type": "screenshot", "selector": "#nobody", "timeout_ms": 300})");
  EXPECT_EQ(CodeOf(missing), ErrorCode::kElementNotFound) << Why(missing);
}

BROWSER_TEST(ScreenshotTest, FollowsTheViewport) {
  co_await t.Open("/colours.html");

  const auto resized = co_await t.Do(
      R"({"action_type": "set_viewport", "viewport": {"width": 640, "height": 480}})");
  const Image image = co_await ShootPng(t, {});

  EXPECT_TRUE(resized) << Why(resized);
  EXPECT_EQ(image.width(), 640u);
  EXPECT_EQ(image.height(), 480u);
  EXPECT_EQ(co_await t.PageText("[innerWidth, innerHeight]"), "640,480");
}

BROWSER_TEST(ScreenshotTest, WorksInATabBehindAnother) {
  co_await t.Open("/colours.html");
  const auto behind = t.tab()->id();
  const auto opened = co_await t.Do(R"({"action_type": "new_tab"})");
  EXPECT_TRUE(opened) << Why(opened);

  const auto done = co_await t.Do(json::serialize(
      json::object{{"action_type", "screenshot"}, {"tab_id", std::string_view(behind.value())}}));

  EXPECT_TRUE(done && done->artifact) << Why(done);
  if (!done || !done->artifact) co_return;
  const auto bytes = ReadFile(t.artifacts / done->artifact->path);
  const auto image = DecodePng(bytes.value_or(""));
  EXPECT_TRUE(image && image->At(50, 50) == kRed);
}

BROWSER_TEST(ScreenshotTest, AVeryLongPageIsCutWhereTheBrowserEnds) {
  t.site.Serve("/page",
               "<body style='margin: 0'><div style='height: 40000px; background: #0000ff'></div>");
  co_await t.Open("/page");
  const auto resized = co_await t.Do(
      R"({"action_type": "set_viewport", "viewport": {"width": 200, "height": 200}})");
  EXPECT_TRUE(resized) << Why(resized);

  const Image image = co_await ShootPng(t, {{"full_page", true}});

  EXPECT_EQ(image.width(), 200u);
  EXPECT_EQ(image.height(), 16384u);
  EXPECT_EQ(image.At(100, 16000), kBlue);
}

}  // namespace
}  // namespace falconer::test
