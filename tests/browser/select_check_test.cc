// Lists, checkboxes, radio buttons and switches.

#include "base/json/json.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

Task<Result<model::ActionOutcome>> Select(BrowserFixture& t, std::string selector,
                                          json::array values, int timeout_ms = 5000) {
  return t.Do(json::serialize(json::object{{"action_type", "select"},
                                           {"selector", std::string_view(selector)},
                                           {"select_values", std::move(values)},
                                           {"timeout_ms", timeout_ms}}));
}

Task<Result<model::ActionOutcome>> Check(BrowserFixture& t, std::string selector,
                                         std::string_view type = "check") {
  return t.Do(json::serialize(
      json::object{{"action_type", type}, {"selector", std::string_view(selector)}}));
}

BROWSER_TEST(SelectTest, ChoosesByValueLabelAndIndex) {
  co_await t.Open("/form.html");

  const auto by_value = co_await Select(t, "#country", {{{"value", "ch"}}});
  EXPECT_TRUE(by_value) << Why(by_value);
  EXPECT_EQ(co_await t.PageText("country.value"), "ch");

  const auto by_label = co_await Select(t, "#country", {{{"label", "  New   Zealand "}}});
  EXPECT_TRUE(by_label) << Why(by_label);
  EXPECT_EQ(co_await t.PageText("country.value"), "nz");

  const auto by_index = co_await Select(t, "#country", {{{"index", 2}}});
  EXPECT_TRUE(by_index) << Why(by_index);
  EXPECT_EQ(co_await t.PageText("country.value"), "is");
}

BROWSER_TEST(SelectTest, ThePageHearsInputAndChange) {
  co_await t.Open("/form.html");

  const auto selected = co_await Select(t, "label=Country", {{{"value", "is"}}});

  EXPECT_TRUE(selected) << Why(selected);
  EXPECT_EQ(co_await t.PageText("__log.map(e => e.name)"),
            "focusin country,input country,change country");
  if (selected)
    EXPECT_EQ(json::serialize(*selected->extracted),
              R"([{"value":"is","label":"Iceland","index":2}])");
}

BROWSER_TEST(SelectTest, ChoosesSeveralAndReplacesTheOldChoice) {
  co_await t.Open("/form.html");

  const auto two = co_await Select(t, "#colours", {{{"value", "r"}}, {{"label", "Blue"}}});
  EXPECT_TRUE(two) << Why(two);
  EXPECT_EQ(co_await t.PageText("[...colours.selectedOptions].map(o => o.value)"), "r,b");

  const auto one = co_await Select(t, "#colours", {{{"value", "g"}}});
  EXPECT_TRUE(one) << Why(one);
  EXPECT_EQ(co_await t.PageText("[...colours.selectedOptions].map(o => o.value)"), "g");
}

BROWSER_TEST(SelectTest, RefusesSeveralWhereOneIsTaken) {
  co_await t.Open("/form.html");

  const auto selected = co_await Select(t, "#country", {{{"value", "ch"}}, {{"value", "is"}}});

  EXPECT_EQ(CodeOf(selected), ErrorCode::kWrongElement) << Why(selected);
  EXPECT_EQ(co_await t.PageText("country.value"), "");
}

BROWSER_TEST(SelectTest, NamesTheOptionsThereAre) {
  co_await t.Open("/form.html");

  const auto selected = co_await Select(t, "#country", {{{"value", "atlantis"}}}, 250);

  EXPECT_EQ(CodeOf(selected), ErrorCode::kOptionNotFound) << Why(selected);
  EXPECT_TRUE(Why(selected).contains("Switzerland")) << Why(selected);
}

BROWSER_TEST(SelectTest, ADisabledOptionIsNotChosen) {
  co_await t.Open("/form.html");

  const auto selected = co_await Select(t, "#country", {{{"value", "xx"}}}, 250);

  EXPECT_EQ(CodeOf(selected), ErrorCode::kElementNotEnabled) << Why(selected);
  EXPECT_EQ(co_await t.PageText("country.value"), "");
}

BROWSER_TEST(SelectTest, WaitsForOptionsThatTheServerSends) {
  co_await t.Open("/dependent_select.html?ms=200");

  const auto country = co_await Select(t, "#country", {{{"value", "ch"}}});
  const auto city = co_await Select(t, "#city", {{{"label", "Bern"}}});

  EXPECT_TRUE(country && city) << Why(country) << Why(city);
  EXPECT_EQ(co_await t.PageText("city.value"), "bern");
}

BROWSER_TEST(SelectTest, WaitsForWhatComesOrOpensLater) {
  const std::pair<const char*, const char*> cases[] = {
      {"<select id=s disabled><option>a<option>b</select>", "s.disabled = false"},
      {"<select id=s><option>a<option disabled>b</select>", "s.options[1].disabled = false"},
      {"<select id=s><option>a<optgroup id=g disabled><option>b</optgroup></select>",
       "g.disabled = false"},
      {"<select id=s><option>a</select>", "s.add(new Option('b'))"},
      {"<div id=d></div>", "d.innerHTML = '<select id=s><option>a<option>b</select>'"},
      {"<select id=s><option>a</select>",
       "s.outerHTML = '<select id=s><option>a<option>b</select>'"},
  };
  for (const auto& [html, change] : cases) {
    t.site.Serve("/page",
                 std::string(html) + "<script>setTimeout(() => { " + change + " }, 120)</script>");
    co_await t.Open("/page");
    const auto selected = co_await Select(t, "#s", {{{"label", "b"}}});

    EXPECT_TRUE(selected) << change << ": " << Why(selected);
    EXPECT_EQ(co_await t.PageText("document.getElementById('s').value"), "b") << change;
  }
}

BROWSER_TEST(SelectTest, RefusesWhatIsNoList) {
  co_await t.Open("/form.html");

  const auto selected = co_await Select(t, "#name", {{{"value", "x"}}});

  EXPECT_EQ(CodeOf(selected), ErrorCode::kWrongElement) << Why(selected);
}

BROWSER_TEST(SelectTest, AChoiceThatNavigatesWaitsForTheNewPage) {
  t.site.Serve(
      "/page",
      "<select id=s onchange=\"location = '/empty.html?' + s.value\"><option>a<option>b</select>");
  co_await t.Open("/page");

  const auto selected = co_await Select(t, "#s", {{{"value", "b"}}});

  EXPECT_TRUE(selected) << Why(selected);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/empty.html?b"));
}

BROWSER_TEST(SelectTest, WorksWhereThePageReplacedEvent) {
  t.site.Serve("/page",
               "<select id=s><option>a<option>b</select><script>window.Event = null; window.n = 0; "
               "s.onchange = () => ++n</script>");
  co_await t.Open("/page");

  const auto selected = co_await Select(t, "#s", {{{"index", 1}}});

  EXPECT_TRUE(selected) << Why(selected);
  EXPECT_EQ(co_await t.PageText("s.value + n"), "b1");
}

BROWSER_TEST(CheckTest, ChecksAndUnchecksOnlyWhenNeeded) {
  co_await t.Open("/form.html");

  const auto checked = co_await Check(t, "#agree");
  const auto again = co_await Check(t, "#agree");
  EXPECT_TRUE(checked && again) << Why(checked) << Why(again);
  EXPECT_EQ(co_await t.PageText("agree.checked"), "true");
  EXPECT_EQ(co_await t.PageText("__log.filter(e => e.name == 'change agree').length"), "1");

  const auto unchecked = co_await Check(t, "#news", "uncheck");
  const auto twice = co_await Check(t, "#news", "uncheck");
  EXPECT_TRUE(unchecked && twice) << Why(unchecked) << Why(twice);
  EXPECT_EQ(co_await t.PageText("news.checked"), "false");
}

BROWSER_TEST(CheckTest, ALabelStandsForItsControl) {
  co_await t.Open("/form.html");

  const auto checked = co_await Check(t, "text=\"I agree\"");
  const auto radio = co_await Check(t, "label=Large");

  EXPECT_TRUE(checked && radio) << Why(checked) << Why(radio);
  EXPECT_EQ(co_await t.PageText("[agree.checked, form.elements.size.value]"), "true,l");
}

BROWSER_TEST(CheckTest, ARadioButtonIsCheckedButNotUnchecked) {
  co_await t.Open("/form.html");

  const auto checked = co_await Check(t, "[name=size][value=s]");
  const auto unchecked = co_await Check(t, "[name=size][value=s]", "uncheck");

  EXPECT_TRUE(checked) << Why(checked);
  EXPECT_EQ(CodeOf(unchecked), ErrorCode::kWrongElement) << Why(unchecked);
  EXPECT_EQ(co_await t.PageText("form.elements.size.value"), "s");
}

BROWSER_TEST(CheckTest, WorksByRole) {
  t.site.Serve(
      "/page",
      "<div id=c role=checkbox aria-checked=false>c</div><div id=r role=radio "
      "aria-checked=false>r</div>"
      "<div id=s role=switch aria-checked=true>s</div><button id=p aria-pressed=false>p</button>"
      "<script>onclick = e => { const at = e.target.id == 'p' ? 'aria-pressed' : 'aria-checked';"
      "e.target.setAttribute(at, e.target.getAttribute(at) != 'true') }</script>");
  co_await t.Open("/page");

  for (const auto& [id, type] :
       {std::pair("#c", "check"), {"#r", "check"}, {"#s", "uncheck"}, {"#p", "check"}}) {
    const auto done = co_await Check(t, id, type);
    EXPECT_TRUE(done) << id << ": " << Why(done);
  }

  EXPECT_EQ(co_await t.PageText("[c.ariaChecked, r.ariaChecked, s.ariaChecked, p.ariaPressed]"),
            "true,true,false,true");
}

BROWSER_TEST(CheckTest, AHiddenCheckboxIsCheckedByItsLabel) {
  t.site.Serve("/page",
               "<input id=c type=checkbox style='display: none'><label for=c>Drawn box</label>");
  co_await t.Open("/page");

  const auto checked = co_await Check(t, "#c");

  EXPECT_TRUE(checked) << Why(checked);
  EXPECT_EQ(co_await t.PageText("c.checked"), "true");
}

BROWSER_TEST(CheckTest, WaitsForTheControl) {
  t.site.Serve("/page",
               "<div id=d></div><script>setTimeout(() => d.innerHTML = '<input id=c type=checkbox "
               "disabled>', 80);"
               "setTimeout(() => document.getElementById('c').disabled = false, 160)</script>");
  co_await t.Open("/page");

  const auto checked = co_await Check(t, "#c");

  EXPECT_TRUE(checked) << Why(checked);
  EXPECT_EQ(co_await t.PageText("document.getElementById('c').checked"), "true");
}

BROWSER_TEST(CheckTest, RefusesWhatCannotBeChecked) {
  co_await t.Open("/form.html");

  const auto checked = co_await Check(t, "#name");

  EXPECT_EQ(CodeOf(checked), ErrorCode::kWrongElement) << Why(checked);
}

BROWSER_TEST(CheckTest, SaysSoWhenTheClickChangedNothing) {
  t.site.Serve("/page", "<input id=c type=checkbox onclick='return false'>");
  co_await t.Open("/page");

  const auto checked = co_await Check(t, "#c");

  EXPECT_EQ(CodeOf(checked), ErrorCode::kActionExecutionFailed) << Why(checked);
  EXPECT_EQ(co_await t.PageText("c.checked"), "false");
}

BROWSER_TEST(CheckTest, AControlReplacedByItsClickIsReadAnew) {
  t.site.Serve("/page",
               "<div id=d><input id=c type=checkbox></div><script>d.onchange = () => setTimeout(() "
               "=> d.innerHTML = '<input id=c type=checkbox checked>')</script>");
  co_await t.Open("/page");

  const auto checked = co_await Check(t, "#c");

  EXPECT_TRUE(checked) << Why(checked);
}

BROWSER_TEST(CheckTest, AnIndeterminateBoxBecomesChecked) {
  t.site.Serve("/page", "<input id=c type=checkbox><script>c.indeterminate = true</script>");
  co_await t.Open("/page");

  const auto checked = co_await Check(t, "#c");

  EXPECT_TRUE(checked) << Why(checked);
  EXPECT_EQ(co_await t.PageText("[c.checked, c.indeterminate]"), "true,false");
}

}  // namespace
}  // namespace falconer::test
