// Secrets are typed into pages and seen nowhere: not in pictures, not in PDFs, not in states.

#include <cstdlib>

#include "browser/tabs/bitmap.h"
#include "tests/browser/secretly.h"
#include "tests/support/png.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

constexpr Pixel kCovered = {64, 64, 64};

Task<std::string> Artifact(BrowserFixture& t, std::string action) {
  const auto done = co_await t.Do(std::move(action));
  EXPECT_TRUE(done && done->artifact) << Why(done);
  if (!done || !done->artifact) co_return "";
  co_return ReadFile(t.artifacts / done->artifact->path).value_or("");
}

Task<Image> Shoot(BrowserFixture& t, std::string action = R"({"action_type": "screenshot"})") {
  const std::string bytes = co_await Artifact(t, std::move(action));
  auto image = DecodePng(bytes);
  EXPECT_TRUE(image) << Why(image);
  co_return image ? *std::move(image) : Image(0, 0, {});
}

struct PixelBox {
  std::uint32_t left, top, right, bottom;
};

std::size_t UncoveredIn(const Image& image, PixelBox box) {
  std::size_t count = 0;
  for (std::uint32_t y = box.top; y < box.bottom; ++y)
    for (std::uint32_t x = box.left; x < box.right; ++x) count += image.At(x, y) != kCovered;
  return count;
}

std::string Field(std::string_view attributes, std::string_view place) {
  return "<input " + std::string(attributes) +
         " style=\"position:absolute;box-sizing:border-box;width:200px;height:40px;" +
         std::string(place) + "\">";
}

constexpr PixelBox kAt100 = {100, 100, 300, 140};

BROWSER_TEST(SecretPixelsTest, AFilledPasswordIsCoveredAnEmptyOneIsNot) {
  t.site.Serve("/page", "<body style='margin:0'>" +
                            Field("id=a type=password", "left:100px;top:100px") +
                            Field("id=b type=password", "left:100px;top:300px"));
  co_await t.Open("/page");
  const Image before = co_await Shoot(t);
  EXPECT_TRUE(co_await t.Fill("#a", "hunter2"));

  const Image after = co_await Shoot(t);

  EXPECT_GT(UncoveredIn(before, kAt100), 1000u);
  EXPECT_EQ(UncoveredIn(after, kAt100), 0u);
  EXPECT_GT(UncoveredIn(after, {100, 300, 300, 340}), 1000u);
  EXPECT_EQ(after.At(50, 50), before.At(50, 50)) << "the rest is as it was";
}

BROWSER_TEST(SecretPixelsTest, APasswordThatThePageShowsStaysCovered) {
  t.site.Serve("/page", "<body style='margin:0'>" +
                            Field("id=a type=password", "left:100px;top:100px") +
                            R"(<button id=eye onclick="a.type = 'text'">eye</button>)");
  co_await t.Open("/page");
  EXPECT_TRUE(co_await t.Fill("#a", "hunter2"));
  EXPECT_TRUE(co_await t.Click("#eye"));

  EXPECT_EQ(UncoveredIn(co_await Shoot(t), kAt100), 0u);
}

BROWSER_TEST(SecretPixelsTest, ASecretInAPlainFieldIsCoveredAndNeverTold) {
  t.site.Serve("/page", "<body style='margin:0'>" +
                            Field("id=a aria-label=Motto", "left:100px;top:100px") +
                            Field("id=b aria-label=Other", "left:100px;top:300px"));
  for (const char* action : {
           R"({"action_type": "fill", "selector": "#a", "text": {"secret": "motto"}})",
           R"({"action_type": "type", "selector": "#a", "text": {"secret": "motto"}})",
       }) {
    co_await t.Open("/page");
    std::vector<browser::SecretUse> uses;

    const auto done = co_await DoSecretly(t, action, kSecret, &uses);

    EXPECT_TRUE(done) << action << ": " << Why(done);
    EXPECT_EQ(co_await t.PageText("a.value"), kSecret);
    EXPECT_EQ(UncoveredIn(co_await Shoot(t), kAt100), 0u) << action;
    const auto state = co_await Read(t);
    EXPECT_TRUE(Named(state, "Motto").secret);
    EXPECT_FALSE(json::serialize(state.ToJson()).contains("horse")) << action;
    EXPECT_EQ(uses.size(), 1u);
    if (uses.empty()) continue;
    EXPECT_EQ(uses[0].text.value, "motto");
    EXPECT_EQ(uses[0].url, t.site.Url("/page"));
    EXPECT_FALSE(done && done->value_length) << "how long it is";
  }
}

BROWSER_TEST(SecretPixelsTest, WithoutAKeeperOfSecretsNoneIsTyped) {
  t.site.Serve("/page", "<input id=a>");
  co_await t.Open("/page");

  const auto done =
      co_await t.Do(R"({"action_type": "fill", "selector": "#a", "text": {"secret": "motto"}})");

  EXPECT_EQ(CodeOf(done), ErrorCode::kUnsupported);
}

BROWSER_TEST(SecretPixelsTest, WhateverRepeatsASecretIsCovered) {
  t.site.Serve(
      "/page",
      "<body style='margin:0'>" + Field("id=a type=password", "left:500px;top:500px") +
          "<p id=p style='position:absolute;left:100px;top:100px;margin:0;"
          "width:200px;height:40px;line-height:40px;white-space:nowrap;font-size:20px'></p>");
  co_await t.Open("/page");
  EXPECT_TRUE(co_await DoSecretly(
      t, R"({"action_type": "fill", "selector": "#a", "text": {"secret": "motto"}})"));
  co_await t.Page("p.textContent = a.value");
  const double right =
      (co_await t.Page("(() => { const r = document.createRange(); r.selectNodeContents(p);"
                       " return r.getBoundingClientRect().right; })()"))
          .to_number<double>();

  const Image image = co_await Shoot(t);

  const auto end = static_cast<std::uint32_t>(right);
  EXPECT_EQ(UncoveredIn(image, {101, 112, end, 128}), 0u);
}

BROWSER_TEST(SecretPixelsTest, WholePagesPartsAndElementsAreCovered) {
  t.site.Serve("/page", "<body style='margin:0;height:3000px'>" +
                            Field("id=a type=password value=hunter2", "left:100px;top:2000px") +
                            Field("id=f type=password value=hunter2",
                                  "position:fixed;left:600px;top:100px"));
  co_await t.Open("/page");
  co_await t.Page("scrollTo(0, 1500)");

  const Image view = co_await Shoot(t);
  EXPECT_EQ(UncoveredIn(view, {100, 500, 300, 540}), 0u);
  EXPECT_EQ(UncoveredIn(view, {600, 100, 800, 140}), 0u);

  const Image whole =
      co_await Shoot(t, R"({"action_type": "screenshot", "screenshot": {"full_page": true}})");
  EXPECT_EQ(whole.height(), 3000u);
  EXPECT_EQ(UncoveredIn(whole, {100, 2000, 300, 2040}), 0u);

  const Image element = co_await Shoot(t, R"({"action_type": "screenshot", "selector": "#a"})");
  EXPECT_EQ(element.width(), 200u);
  EXPECT_EQ(UncoveredIn(element, {0, 0, 200, 40}), 0u);

  const Image part = co_await Shoot(
      t,
      R"({"action_type": "screenshot", "screenshot": {"clip": {"x": 200, "y": 1990, "width": 200, "height": 100}}})");
  EXPECT_EQ(UncoveredIn(part, {0, 10, 100, 50}), 0u);
  EXPECT_NE(part.At(150, 30), kCovered);

  const Image scaled = co_await Shoot(
      t, R"({"action_type": "screenshot", "screenshot": {"full_page": true, "scale": 0.5}})");
  EXPECT_EQ(UncoveredIn(scaled, {50, 1000, 150, 1020}), 0u);
}

// Where a page is laid out anew for a picture of all of it, the fixed and the tall move.
BROWSER_TEST(SecretPixelsTest, NothingEscapesByLayoutThatDependsOnTheWindow) {
  t.site.Serve("/page", R"(<body style="margin:0;height:3000px">
    <div style="height:100vh;position:relative;background:#fff">
      <input id=a value="XXXXXXXXXXXXXXXXXXXX" autocomplete=cc-number style="position:absolute;bottom:0;left:100px;width:300px;height:40px;
        border:0;background:#ff00ff;color:#ff00ff;box-sizing:border-box"></div>
    <input value="XXXXXXXXXXXXXXXXXXXX" autocomplete=cc-number style="position:fixed;bottom:10px;right:10px;width:300px;height:40px;
        border:0;background:#ff00ff;color:#ff00ff;box-sizing:border-box">)");
  co_await t.Open("/page");

  const Image whole =
      co_await Shoot(t, R"({"action_type": "screenshot", "screenshot": {"full_page": true}})");

  std::size_t magenta = 0;
  for (std::uint32_t y = 0; y < whole.height(); ++y)
    for (std::uint32_t x = 0; x < whole.width(); ++x)
      magenta += whole.At(x, y) == Pixel{255, 0, 255};
  EXPECT_EQ(magenta, 0u);
}

BROWSER_TEST(SecretPixelsTest, FramesAndShadowTreesAreCovered) {
  t.site.Serve("/inner", "<body style='margin:0'>" +
                             Field("id=i type=password value=hunter2", "left:20px;top:30px"));
  for (const std::string& url : {t.site.Url("/inner"), t.site.CrossSiteUrl("/inner")}) {
    t.site.Serve(
        "/outer",
        "<body style='margin:0'><div id=s></div><iframe style='position:absolute;left:80px;"
        "top:70px;border:0;width:400px;height:200px' src='" +
            url +
            "'></iframe><script>"
            "s.attachShadow({mode: 'open'}).innerHTML = `" +
            Field("type=password value=hunter2", "left:600px;top:100px") + "`;</script>");
    co_await t.Open("/outer");

    const Image image = co_await Shoot(t);

    EXPECT_EQ(UncoveredIn(image, kAt100), 0u) << url;
    EXPECT_EQ(UncoveredIn(image, {600, 100, 800, 140}), 0u) << url;
    EXPECT_NE(image.At(400, 200), kCovered) << url;
  }
}

BROWSER_TEST(SecretPixelsTest, OtherFormatsAreCoveredToo) {
  t.site.Serve("/page", "<body style='margin:0'>" +
                            Field("id=a type=password value=hunter2", "left:100px;top:100px"));
  co_await t.Open("/page");
  for (const auto format : {model::ImageFormat::kJpeg, model::ImageFormat::kWebp}) {
    const std::string name(NameIn(model::kImageFormats, format));
    const std::string bytes = co_await Artifact(
        t, R"({"action_type": "screenshot", "screenshot": {"format": ")" + name + R"("}})");
    const auto picture = browser::Bitmap::Decode(bytes, format);
    EXPECT_TRUE(picture) << name << ": " << Why(picture);
    if (!picture) continue;
    EXPECT_EQ(picture->width(), 1440);
    for (const int channel : picture->At(200, 120))
      EXPECT_TRUE(channel == 255 || std::abs(channel - 64) < 12) << name;
    EXPECT_GT(picture->At(50, 50)[0], 240) << name;
  }
}

// The dates are all that may differ.
std::string WithoutDates(std::string pdf) {
  for (auto at = pdf.find("(D:"); at != pdf.npos; at = pdf.find("(D:", at + 1)) {
    for (; at < pdf.size() && pdf[at] != ')'; ++at) pdf[at] = '-';
  }
  return pdf;
}

Task<std::string> PrintedWith(BrowserFixture& t, std::string_view value) {
  co_await t.Open("/page");
  const auto done = co_await DoSecretly(
      t, R"({"action_type": "fill", "selector": "#a", "text": {"secret": "motto"}})", value);
  EXPECT_TRUE(done) << Why(done);
  co_await t.Page("p.textContent = e.textContent = a.value; a.blur()");
  co_return WithoutDates(co_await Artifact(t, R"({"action_type": "pdf"})"));
}

BROWSER_TEST(SecretPixelsTest, PrintingShowsNothingOfASecret) {
  t.site.Serve("/page", "<input id=a><p id=p></p><div id=e contenteditable></div>");

  const std::string one = co_await PrintedWith(t, "abcdefghij");
  const std::string other = co_await PrintedWith(t, "ZYXWVUTSRQ");

  EXPECT_GT(one.size(), 500u);
  EXPECT_TRUE(one == other) << "the PDF depends on the secret";
  EXPECT_EQ(co_await t.PageText("getComputedStyle(a).webkitTextSecurity"), "none") << "put back";
}

}  // namespace
}  // namespace falconer::test
