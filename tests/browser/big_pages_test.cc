// Pages that are too big: they open, they are read within limits, and acting in them works.

#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

// Room for a slow machine; what matters is that nothing grows with the page.
constexpr auto kSoon = std::chrono::seconds(8);
constexpr auto kLoading = std::chrono::minutes(1);

BROWSER_TEST(BigPagesTest, TwentyMegabytesAreReadWithinTheLimits) {
  const auto opened = co_await t.driver.Perform(
      t.ctx,
      {.type = model::ActionType::kNavigate, .url = t.site.Url("/big?mb=20"), .timeout = kLoading});
  EXPECT_TRUE(opened) << Why(opened);
  const auto started = t.ctx.clock().Now();
  const auto state = co_await t.extractor.Read(t.ctx.WithTimeout(kLongPatience), t.tab(), {});
  EXPECT_TRUE(state) << Why(state);
  EXPECT_LT(t.ctx.clock().Now() - started, kSoon);
  if (!state) co_return;
  EXPECT_LE(state->elements.size(), 48u);
  EXPECT_LE(state->texts.size(), 40u);
  EXPECT_LT(json::serialize(state->ToModelJson(model::Places::kOmit)).size(), 40'000u);
}

BROWSER_TEST(BigPagesTest, TenThousandElementsAreReadWithinTheLimits) {
  co_await t.Open("/elements?n=10000");
  for (const auto scope : {model::StateScope::kViewport, model::StateScope::kPage}) {
    const auto started = t.ctx.clock().Now();
    const auto state =
        co_await t.extractor.Read(t.ctx.WithTimeout(kLongPatience), t.tab(), {.scope = scope});
    EXPECT_TRUE(state) << Why(state);
    EXPECT_LT(t.ctx.clock().Now() - started, kSoon);
    if (!state) co_return;
    EXPECT_LE(state->elements.size(), 48u);
    EXPECT_EQ(state->budget.elements.omitted,
              state->budget.elements.total - state->elements.size());
    if (scope == model::StateScope::kPage) EXPECT_GE(state->budget.elements.total, 2'500u);
    EXPECT_LT(json::serialize(state->ToModelJson(model::Places::kOmit)).size(), 40'000u);
  }
}

BROWSER_TEST(BigPagesTest, OneOfManyElementsIsFoundAndClicked) {
  std::string page = "<!doctype html>";
  for (int i = 0; i < 10'000; ++i) page += "<button>Number " + std::to_string(i) + "</button>";
  t.site.Serve("/one",
               page + "<script>onclick = e => { document.title = e.target.textContent }</script>");
  co_await t.Open("/one");
  const auto clicked = co_await t.Click("role=button[name=\"Number 9876\"]");
  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("document.title"), "Number 9876");
}

BROWSER_TEST(BigPagesTest, ASelectorThatMatchesThousandsNamesOnlyAFew) {
  co_await t.Open("/elements?n=10000");
  const auto clicked = co_await t.Click("button");
  EXPECT_EQ(CodeOf(clicked), ErrorCode::kElementAmbiguous) << Why(clicked).substr(0, 500);
  if (!clicked) EXPECT_LE(clicked.error().details().at("candidates").as_array().size(), 10u);
}

BROWSER_TEST(BigPagesTest, ReadingIsCutAtTheLimitThatWasAskedFor) {
  const auto opened = co_await t.driver.Perform(
      t.ctx,
      {.type = model::ActionType::kNavigate, .url = t.site.Url("/big?mb=20"), .timeout = kLoading});
  EXPECT_TRUE(opened) << Why(opened);
  const auto read = co_await t.Do(
      R"({"action_type": "extract", "extract": {"what": "text", "max_chars": 5000}})");
  EXPECT_TRUE(read) << Why(read);
  if (read) EXPECT_LT(json::serialize(*read->extracted).size(), 20'000u);
}

BROWSER_TEST(BigPagesTest, ADeepPageIsRead) {
  t.site.Serve(
      "/one",
      "<script>let at = document.body || "
      "document.documentElement.appendChild(document.createElement('body'));"
      "for (let i = 0; i < 400; i++) at = at.appendChild(document.createElement('div'));"
      "at.innerHTML = '<button onclick=\"document.title = 1\">Deep down</button>'</script>");
  co_await t.Open("/one");
  const auto state = co_await t.State({.scope = model::StateScope::kPage});
  EXPECT_TRUE(state) << Why(state);
  if (state) EXPECT_EQ(state->elements.size(), 1u);
  const auto clicked = co_await t.Click("text=Deep down");
  EXPECT_TRUE(clicked) << Why(clicked);
}

BROWSER_TEST(BigPagesTest, TwoHundredFramesAreReadWithinTheLimits) {
  std::string page = "<!doctype html><button>Page</button>";
  for (int i = 0; i < 200; ++i)
    page += "<iframe width=90 height=40 srcdoc='<button>Framed</button>'></iframe>";
  t.site.Serve("/one", page);
  co_await t.Open("/one");
  const auto started = t.ctx.clock().Now();
  const auto state = co_await t.extractor.Read(t.ctx.WithTimeout(kLongPatience), t.tab(), {});
  EXPECT_TRUE(state) << Why(state);
  EXPECT_LT(t.ctx.clock().Now() - started, kSoon);
  if (!state) co_return;
  EXPECT_EQ(state->frames.size(), 8u);
  EXPECT_EQ(state->budget.frames.total, 201u);
}

BROWSER_TEST(BigPagesTest, HugeTextsInNamesAndValuesAreShortened) {
  t.site.Serve("/one",
               "<button id=b>Go</button><input id=i><a id=a href='#'>Link</a><script>b.textContent "
               "= 'n'.repeat(1e6);"
               "i.value = 'v'.repeat(1e6); a.href = '/' + 'h'.repeat(1e5); document.title = "
               "'t'.repeat(1e6)</script>");
  co_await t.Open("/one");
  const auto state = co_await t.State();
  EXPECT_TRUE(state) << Why(state);
  if (state) EXPECT_LT(json::serialize(state->ToJson()).size(), 12'000u);
}

}  // namespace
}  // namespace falconer::test
