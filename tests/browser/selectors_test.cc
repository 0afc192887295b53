// Every way to name an element, through the driver on a real page.

#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

constexpr std::string_view kPage = R"html(<!doctype html><title>Selectors</title>
<main>
  <ul id=rows>
    <li class=row><span>Apples</span> <button data-testid=buy-apples>Buy</button></li>
    <li class=row><span>Pears</span> <button title="Buy pears">Buy</button></li>
    <li class=row hidden><span>Plums</span> <button>Buy</button></li>
  </ul>
  <label for=city>City of birth</label><input id=city placeholder="e.g. Bern">
  <img alt="Company logo" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width=20 height=20 tabindex=0>
  <button aria-expanded=true>Menu</button><button aria-expanded=false>Menu</button>
  <h2>Second</h2><h3>Third</h3>
  <input type=checkbox aria-label=News checked><input type=checkbox aria-label=Ads>
  <button disabled>Off</button><p>Total: 12.50</p>
</main>
<script>onclick = (e) => { const li = e.target.closest('li'); document.title = (li ? li.innerText : e.target.outerHTML).slice(0, 60) }</script>)html";

// What the selector finds, as the page describes it.
Task<std::string> Found(BrowserFixture& t, std::string selector) {
  const auto named = model::MakeNamedSelector(selector);
  EXPECT_TRUE(named) << selector << ": " << Why(named);
  if (!named) co_return "";
  const auto bound = co_await t.driver.navigator().Bind(t.ctx.WithTimeout(std::chrono::seconds(5)),
                                                        t.tab(), {.selector = *named});
  EXPECT_TRUE(bound) << selector << ": " << Why(bound);
  if (!bound) co_return "";
  const auto found =
      co_await t.driver.navigator().Query(t.ctx.WithTimeout(std::chrono::seconds(5)), *bound, 10);
  EXPECT_TRUE(found) << selector << ": " << Why(found);
  if (!found) co_return "";
  std::string all = std::to_string(found->at("count").to_number<int>()) + ":";
  for (const auto& element : found->at("elements").as_array())
    all += " " + std::string(element.at("description").as_string());
  co_return all;
}

struct SelectorRow {
  const char* selector;
  const char* found;
};

constexpr SelectorRow kSelectorRows[] = {
    {"css=#city", "1: textbox \"City of birth\" #\"city\""},
    {"#city", "1: textbox \"City of birth\" #\"city\""},
    {"id=city", "1: textbox \"City of birth\" #\"city\""},
    {"//input[@id='city']", "1: textbox \"City of birth\" #\"city\""},
    {"label=city of birth", "1: textbox \"City of birth\" #\"city\""},
    {"label=\"City of birth\"", "1: textbox \"City of birth\" #\"city\""},
    {"placeholder=bern", "1: textbox \"City of birth\" #\"city\""},
    {"alt=logo", "1: img \"Company logo\""},
    {"title=pears", "1: button \"Buy\""},
    {"testid=buy-apples", "1: button \"Buy\""},
    {"role=heading[level=3]", "1: heading \"Third\""},
    {"role=checkbox[checked]", "1: checkbox \"News\""},
    {"role=checkbox[checked=false]", "1: checkbox \"Ads\""},
    {"role=button[name=\"Menu\"][expanded]", "1: button \"Menu\""},
    {"role=button[name*=\"men\"]", "2: button \"Menu\" button \"Menu\""},
    {"role=button[name=/^off$/i]", "1: button \"Off\""},
    {"role=button[disabled]", "1: button \"Off\""},
    {"text=/total: [0-9.]+/i", "1: p \"Total: 12.50\""},
    {".row >> has-text=Pears >> button", "1: button \"Buy\""},
    {".row >> has=(text=\"Apples\") >> role=button", "1: button \"Buy\""},
    {".row >> visible=true >> nth=-1 >> span", "1: span \"Pears\""},
    {".row >> nth=0 >> span", "1: span \"Apples\""},
    {".row", "3: li \"Apples Buy\" li \"Pears Buy\" li"},
    {"#nowhere", "0:"},
};

BROWSER_TEST(SelectorsTest, EveryEngineFindsWhatItNames) {
  t.site.Serve("/one", std::string(kPage));
  co_await t.Open("/one");
  for (const SelectorRow& row : kSelectorRows) {
    const std::string found = co_await Found(t, row.selector);
    const std::string wanted = row.found;
    EXPECT_EQ(found.substr(0, found.find(':')), wanted.substr(0, wanted.find(':')))
        << row.selector << " found " << found;
  }
}

BROWSER_TEST(SelectorsTest, AChainLeadsToTheRightRow) {
  t.site.Serve("/one", std::string(kPage));
  co_await t.Open("/one");
  const auto clicked = co_await t.Click(".row >> has-text=Pears >> role=button[name=\"Buy\"]");
  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_TRUE((co_await t.PageText("document.title")).starts_with("Pears"));
}

BROWSER_TEST(SelectorsTest, TwoMatchesAreRefusedWithSelectorsThatTellThemApart) {
  t.site.Serve("/one", std::string(kPage));
  co_await t.Open("/one");
  const auto clicked = co_await t.Click("role=button[name=\"Buy\"]");
  EXPECT_EQ(CodeOf(clicked), ErrorCode::kElementAmbiguous) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("document.title"), "Selectors");
  if (clicked) co_return;
  for (const auto& candidate : clicked.error().details().at("candidates").as_array()) {
    const std::string selector(candidate.at("selector").as_string());
    EXPECT_TRUE((co_await Found(t, selector)).starts_with("1:")) << selector;
  }
}

BROWSER_TEST(SelectorsTest, TheFirstOfSeveralWhenThatIsAskedFor) {
  t.site.Serve("/one", std::string(kPage));
  co_await t.Open("/one");
  const auto clicked =
      co_await t.Do(R"({"action_type": "click", "selector": "text=\"Buy\"", "strict": false})");
  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_TRUE((co_await t.PageText("document.title")).starts_with("Apples"));
}

BROWSER_TEST(SelectorsTest, ALaterCandidateIsTakenWhenTheFirstIsNotThere) {
  t.site.Serve("/one", std::string(kPage));
  co_await t.Open("/one");
  const auto clicked = co_await t.Do(
      R"({"action_type": "click", "selector": "#gone", "selector_candidates": ["testid=gone-too", "testid=buy-apples"]})");
  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_TRUE((co_await t.PageText("document.title")).starts_with("Apples"));
}

BROWSER_TEST(SelectorsTest, WhatMeansEverythingIsRefused) {
  t.site.Serve("/one", std::string(kPage));
  co_await t.Open("/one");
  for (const char* selector : {"*", "body *", "//*", "html > *"}) {
    const auto clicked = co_await t.Click(selector);
    EXPECT_EQ(CodeOf(clicked), ErrorCode::kInvalidSelector) << selector << Why(clicked);
  }
}

BROWSER_TEST(SelectorsTest, WhatCannotBeReadIsRefusedAtOnce) {
  t.site.Serve("/one", std::string(kPage));
  co_await t.Open("/one");
  const auto started = t.ctx.clock().Now();
  for (const char* selector :
       {"css=#[", "//li[", "role=", "role=button[nosuch=1]", "text=/(/", "frame=iframe"}) {
    const auto clicked = co_await t.Click(selector);
    EXPECT_EQ(CodeOf(clicked), ErrorCode::kInvalidSelector) << selector << ": " << Why(clicked);
  }
  EXPECT_LT(t.ctx.clock().Now() - started, std::chrono::seconds(5));
}

BROWSER_TEST(SelectorsTest, TheSelectorsOfAnElementEachNameItAlone) {
  co_await t.Open("/form.html");
  const auto state = co_await t.State({.scope = model::StateScope::kPage});
  EXPECT_TRUE(state) << Why(state);
  if (!state) co_return;
  EXPECT_GT(state->elements.size(), 20u);
  for (const auto& element : state->elements) {
    const auto bound = co_await t.driver.navigator().Bind(t.ctx, t.tab(), {.eid = element.ref});
    EXPECT_TRUE(bound) << Why(bound);
    if (!bound) co_return;
    const auto described = co_await t.driver.navigator().DescribeElement(
        t.ctx.WithTimeout(std::chrono::seconds(5)), *bound);
    EXPECT_TRUE(described) << Why(described);
    if (!described) continue;
    const auto& selectors = described->at("selectors").as_array();
    EXPECT_FALSE(selectors.empty()) << element.name;
    for (const auto& entry : selectors) {
      const std::string selector(entry.at("selector").as_string());
      EXPECT_TRUE((co_await Found(t, selector)).starts_with("1:"))
          << element.name << ": " << selector;
    }
  }
}

}  // namespace
}  // namespace falconer::test
