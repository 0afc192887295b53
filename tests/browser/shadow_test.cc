// Shadow roots and lists that exist only where one looks.

#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

BROWSER_TEST(ShadowTest, FillsAndSavesAFormInNestedRoots) {
  co_await t.Open("/shadow_form.html");

  const auto first = co_await t.Fill("label=First", "Ada");
  const auto last = co_await t.Fill("#last >> input", "Lovelace");
  const auto saved = co_await t.Click("role=button[name=\"Save card\"]");

  EXPECT_TRUE(first) << Why(first);
  EXPECT_TRUE(last) << Why(last);
  EXPECT_TRUE(saved) << Why(saved);
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "saved", 1);
  EXPECT_TRUE(told) << Why(told);
  EXPECT_EQ(t.site.Effects("saved").back().detail, "Ada Lovelace");
}

BROWSER_TEST(ShadowTest, ClicksWhatIsSlottedIntoARoot) {
  co_await t.Open("/shadow_form.html");
  const auto clicked = co_await t.Click("#slotted");
  EXPECT_TRUE(clicked) << Why(clicked);
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "slotted", 1);
  EXPECT_TRUE(told) << Why(told);
}

BROWSER_TEST(ShadowTest, TheStateShowsWhatIsInOpenRoots) {
  co_await t.Open("/shadow_form.html");
  const auto state = co_await t.State();
  EXPECT_TRUE(state) << Why(state);
  if (!state) co_return;
  std::string names;
  for (const auto& element : state->elements) names += element.role + " " + element.name + ";";
  EXPECT_EQ(names, "textbox First;textbox Last;button Save card;button Slotted action;");
}

BROWSER_TEST(ShadowTest, ARefLeadsIntoARoot) {
  co_await t.Open("/shadow_form.html");
  const auto state = co_await t.State();
  EXPECT_TRUE(state) << Why(state);
  if (!state || state->elements.empty()) co_return;
  const auto filled = co_await t.Do(R"({"action_type": "fill", "text": "by ref", "target_eid": ")" +
                                    state->elements[0].ref + "\"}");
  EXPECT_TRUE(filled) << Why(filled);
  EXPECT_EQ(co_await t.PageText(
                "card.shadowRoot.getElementById('first').shadowRoot.getElementById('input').value"),
            "by ref");
}

BROWSER_TEST(ShadowTest, AClosedRootIsNotSeenInside) {
  co_await t.Open("/shadow_closed.html");
  const auto state = co_await t.State();
  EXPECT_TRUE(state) << Why(state);
  if (!state) co_return;
  EXPECT_TRUE(state->elements.empty()) << json::serialize(state->ToJson());
  const auto clicked = co_await t.Do(
      R"({"action_type": "click", "selector": "text=Closed button", "timeout_ms": 200})");
  EXPECT_EQ(CodeOf(clicked), ErrorCode::kElementNotFound) << Why(clicked);
}

BROWSER_TEST(ShadowTest, TheHostOfAClosedRootCanBeClicked) {
  co_await t.Open("/shadow_closed.html");
  const auto clicked = co_await t.Do(
      R"({"action_type": "click", "selector": "#host", "position": {"x": 10, "y": 10}})");
  EXPECT_TRUE(clicked) << Why(clicked);
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "clicked", 1);
  EXPECT_TRUE(told) << Why(told);
}

BROWSER_TEST(ShadowTest, AnOverlayInAnotherRootIsNoticed) {
  t.site.Serve("/one",
               "<div id=a></div><div id=b></div><script>"
               "a.attachShadow({mode: 'open'}).innerHTML = '<button id=target "
               "onclick=\"document.title = 1\">Target</button>';"
               "b.attachShadow({mode: 'open'}).innerHTML = '<div id=cover style=\"position: fixed; "
               "inset: 0\"></div>'</script>");
  co_await t.Open("/one");
  const auto clicked =
      co_await t.Do(R"({"action_type": "click", "selector": "#target", "timeout_ms": 300})");
  EXPECT_EQ(CodeOf(clicked), ErrorCode::kElementObscured) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("document.title"), "");
}

BROWSER_TEST(ShadowTest, FindsARowOfAVirtualListByScrollingToIt) {
  co_await t.Open("/virtual_list.html?rows=10000");
  const auto gone = co_await t.Do(
      R"({"action_type": "click", "selector": "text=\"Row 5000\"", "timeout_ms": 200})");
  EXPECT_EQ(CodeOf(gone), ErrorCode::kElementNotFound) << Why(gone);

  const auto shown = co_await t.DoAndWait(
      R"({"action_type": "scroll", "selector": "#list", "scroll": {"dy": 150000}})",
      R"({"kind": "text", "text": "Row 5000", "mode": "exact"})");
  EXPECT_TRUE(shown && shown->satisfied) << Why(shown);
  const auto clicked = co_await t.Click("text=\"Row 5000\"");
  EXPECT_TRUE(clicked) << Why(clicked);
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "clicked", 1);
  EXPECT_TRUE(told) << Why(told);
  EXPECT_EQ(t.site.Effects("clicked").back().detail, 5000);
}

BROWSER_TEST(ShadowTest, TheStateOfAVirtualListIsWhatIsInSight) {
  co_await t.Open("/virtual_list.html?rows=10000");
  const auto state = co_await t.State();
  EXPECT_TRUE(state) << Why(state);
  if (!state) co_return;
  EXPECT_LE(state->elements.size(), 16u);
  EXPECT_TRUE(
      std::ranges::any_of(state->elements, [](const auto& e) { return e.name == "Row 0"; }));
  EXPECT_FALSE(
      std::ranges::any_of(state->elements, [](const auto& e) { return e.name == "Row 14"; }));
}

}  // namespace
}  // namespace falconer::test
