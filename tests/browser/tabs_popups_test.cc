// Tabs: opening, switching, closing, and the pages that pages open.

#include "base/json/json.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

std::string TabAction(std::string_view type, const TabId& id) {
  return json::serialize(
      json::object{{"action_type", type}, {"tab_id", std::string_view(id.value())}});
}

Task<std::vector<browser::TabInfo>> List(BrowserFixture& t) {
  const auto list = co_await t.session->tabs().List(t.ctx.WithTimeout(std::chrono::seconds(5)));
  EXPECT_TRUE(list) << Why(list);
  co_return list.value_or(std::vector<browser::TabInfo>());
}

Task<void> UntilTabs(BrowserFixture& t, std::size_t count) {
  const auto reached = co_await t.session->changes().Until(
      t.ctx.WithTimeout(std::chrono::seconds(10)),
      [&] { return t.session->tabs().all().size() == count; }, "the tabs");
  EXPECT_TRUE(reached) << t.session->tabs().all().size() << " tabs: " << Why(reached);
}

BROWSER_TEST(TabTest, ANewTabIsActiveAndLoadsItsPage) {
  co_await t.Open("/empty.html");
  const TabId first = t.tab()->id();

  const auto opened =
      co_await t.Do(json::serialize(json::object{{"action_type", "new_tab"},
                                                 {"url", t.site.Url("/form.html")},
                                                 {"referrer", t.site.Url("/from")}}));

  EXPECT_TRUE(opened && opened->navigation) << Why(opened);
  EXPECT_NE(t.tab()->id(), first);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/form.html"));
  const auto requests = t.site.Requests("/form.html");
  EXPECT_EQ(requests.empty() ? "" : requests[0].headers.Find("Referer").value_or(""),
            t.site.Url("/from"));
  const auto filled = co_await t.Fill("#name", "x");
  EXPECT_TRUE(filled) << Why(filled);
}

BROWSER_TEST(TabTest, ListsTabsWithTitlesInTheirOrder) {
  co_await t.Open("/form.html");
  const auto opened = co_await t.Do(json::serialize(
      json::object{{"action_type", "new_tab"}, {"url", t.site.Url("/keyboard.html")}}));
  EXPECT_TRUE(opened) << Why(opened);

  const auto list = co_await List(t);

  EXPECT_EQ(list.size(), 2u);
  if (list.size() != 2) co_return;
  EXPECT_EQ(list[0].title, "Form with every control");
  EXPECT_EQ(list[1].title, "Keyboard log");
  EXPECT_FALSE(list[0].is_active);
  EXPECT_TRUE(list[1].is_active);
}

BROWSER_TEST(TabTest, ActionsGoToTheTabTheyName) {
  co_await t.Open("/form.html");
  const TabId first = t.tab()->id();
  const auto opened = co_await t.Do(
      json::serialize(json::object{{"action_type", "new_tab"}, {"url", t.site.Url("/form.html")}}));
  EXPECT_TRUE(opened) << Why(opened);

  const auto filled =
      co_await t.Do(json::serialize(json::object{{"action_type", "fill"},
                                                 {"selector", "#name"},
                                                 {"text", "in the first"},
                                                 {"tab_id", std::string_view(first.value())}}));

  EXPECT_TRUE(filled) << Why(filled);
  EXPECT_EQ(co_await t.PageText("document.querySelector('#name').value"), "");
  const auto switched = co_await t.Do(TabAction("switch_tab", first));
  EXPECT_TRUE(switched) << Why(switched);
  EXPECT_EQ(co_await t.PageText("document.querySelector('#name').value"), "in the first");
}

BROWSER_TEST(TabTest, AnUnknownTabIsNotFound) {
  co_await t.Open("/empty.html");

  for (const std::string type : {"switch_tab", "close_tab", "reload"}) {
    const auto done = co_await t.Do(TabAction(type, TabId("t999")));
    EXPECT_EQ(CodeOf(done), ErrorCode::kNotFound) << type << ": " << Why(done);
    EXPECT_TRUE(Why(done).contains(t.tab()->id().value()))
        << "names those there are: " << Why(done);
  }
}

BROWSER_TEST(TabTest, IdsAreNeverUsedAgain) {
  const auto one = co_await t.Do(R"({"action_type": "new_tab"})");
  EXPECT_TRUE(one) << Why(one);
  const TabId id = t.tab()->id();
  const auto closed = co_await t.Do(R"({"action_type": "close_tab"})");
  const auto two = co_await t.Do(R"({"action_type": "new_tab"})");
  EXPECT_TRUE(closed && two) << Why(closed) << Why(two);

  EXPECT_NE(t.tab()->id(), id);
  const auto stale = co_await t.Do(TabAction("reload", id));
  EXPECT_EQ(CodeOf(stale), ErrorCode::kNotFound) << Why(stale);
}

BROWSER_TEST(TabTest, ClosingTheActiveTabGoesToAnother) {
  co_await t.Open("/empty.html");
  const TabId first = t.tab()->id();
  const auto opened = co_await t.Do(R"({"action_type": "new_tab"})");
  EXPECT_TRUE(opened) << Why(opened);

  const auto closed = co_await t.Do(R"({"action_type": "close_tab"})");

  EXPECT_TRUE(closed) << Why(closed);
  EXPECT_EQ(t.tab() ? t.tab()->id() : TabId(), first);
}

BROWSER_TEST(TabTest, WithoutATabThereIsNothingToActOnUntilOneIsOpened) {
  const auto closed = co_await t.Do(R"({"action_type": "close_tab"})");
  EXPECT_TRUE(closed) << Why(closed);

  const auto nothing = co_await t.Click("#b");
  EXPECT_EQ(CodeOf(nothing), ErrorCode::kTabClosed) << Why(nothing);

  const auto opened = co_await t.Do(
      json::serialize(json::object{{"action_type", "new_tab"}, {"url", t.site.Url("/form.html")}}));
  EXPECT_TRUE(opened) << Why(opened);
  const auto filled = co_await t.Fill("#name", "x");
  EXPECT_TRUE(filled) << Why(filled);
}

BROWSER_TEST(PopupTest, EveryKindIsAdoptedWithItsOpener) {
  co_await t.Open("/popup.html");
  const TabId opener = t.tab()->id();
  const std::pair<const char*, const char*> cases[] = {{"#open", "#name"},
                                                       {"#cross", "#name"},
                                                       {"#link", "#name"},
                                                       {"#noopener", "#name"},
                                                       {"#blank", "#written"}};
  for (const auto& [selector, shown] : cases) {
    const auto clicked = co_await t.Click(selector);
    EXPECT_TRUE(clicked && clicked->popups.size() == 1) << selector << ": " << Why(clicked);
    if (!clicked || clicked->popups.empty()) continue;
    const auto popup = t.session->tabs().Find(clicked->popups[0]);
    EXPECT_TRUE(popup && (*popup)->opener() == opener) << selector;

    const auto text = co_await t.Do(
        json::serialize(json::object{{"action_type", "extract"},
                                     {"selector", shown},
                                     {"tab_id", std::string_view(clicked->popups[0].value())}}));
    EXPECT_TRUE(text) << selector << ": " << Why(text);
    EXPECT_EQ(t.tab()->id(), opener) << "a popup does not take the attention by itself";
  }
}

BROWSER_TEST(PopupTest, CanBeDrivenLikeAnyTab) {
  co_await t.Open("/popup.html");
  const auto clicked = co_await t.Click("#cross");
  EXPECT_TRUE(clicked && clicked->popups.size() == 1) << Why(clicked);
  if (!clicked || clicked->popups.empty()) co_return;

  const auto switched = co_await t.Do(TabAction("switch_tab", clicked->popups[0]));
  const auto went = co_await t.Do(json::serialize(
      json::object{{"action_type", "navigate"}, {"url", t.site.Url("/form.html")}}));
  const auto filled = co_await t.Fill("#name", "x");

  EXPECT_TRUE(switched && went && filled) << Why(switched) << Why(went) << Why(filled);
}

BROWSER_TEST(PopupTest, OneThatClosesItselfGivesTheAttentionBack) {
  co_await t.Open("/popup.html?close=200");
  const TabId opener = t.tab()->id();
  const auto clicked = co_await t.Click("#brief");
  EXPECT_TRUE(clicked && clicked->popups.size() == 1) << Why(clicked);
  if (!clicked || clicked->popups.empty()) co_return;
  const auto switched = co_await t.Do(TabAction("switch_tab", clicked->popups[0]));

  co_await UntilTabs(t, 1);

  EXPECT_TRUE(switched || CodeOf(switched) == ErrorCode::kNotFound) << Why(switched);
  EXPECT_EQ(t.tab()->id(), opener);
  const auto after = co_await t.Click("#open");
  EXPECT_TRUE(after) << Why(after);
}

BROWSER_TEST(PopupTest, OneThatClosesAtOnceDoesNoHarm) {
  t.site.Serve("/page",
               "<button id=b onclick=\"window.open('about:blank').close()\">Flash</button><button "
               "id=c onclick='window.n = 1'>Go</button>");
  co_await t.Open("/page");

  const auto clicked = co_await t.Click("#b");
  const auto after = co_await t.Click("#c");
  co_await UntilTabs(t, 1);

  EXPECT_TRUE(clicked && after) << Why(clicked) << Why(after);
  EXPECT_EQ(co_await t.PageText("n"), "1");
}

BROWSER_TEST(PopupTest, WorkInAPopupThatClosesFailsAtOnce) {
  co_await t.Open("/popup.html?close=300");
  const auto clicked = co_await t.Click("#brief");
  EXPECT_TRUE(clicked && clicked->popups.size() == 1) << Why(clicked);
  if (!clicked || clicked->popups.empty()) co_return;

  const auto waiting = co_await t.Do(
      json::serialize(json::object{{"action_type", "click"},
                                   {"selector", "#not_there"},
                                   {"tab_id", std::string_view(clicked->popups[0].value())}}));

  const auto code = CodeOf(waiting);
  EXPECT_TRUE(code == ErrorCode::kTabClosed || code == ErrorCode::kNotFound) << Why(waiting);
}

BROWSER_TEST(PopupTest, ManyAreAllAdopted) {
  co_await t.Open("/popup.html?many=20");

  const auto clicked = co_await t.Click("#many");
  co_await UntilTabs(t, 21);

  EXPECT_TRUE(clicked) << Why(clicked);
  const auto loaded =
      co_await t.site.UntilEffects(t.ctx.WithTimeout(std::chrono::seconds(20)), "popup open", 20);
  EXPECT_TRUE(loaded) << Why(loaded);
  for (const auto& tab : std::vector(t.session->tabs().all())) {
    if (tab->id() == t.tab()->id()) continue;
    const auto closed = co_await t.Do(TabAction("close_tab", tab->id()));
    EXPECT_TRUE(closed) << Why(closed);
  }
  EXPECT_EQ(t.session->tabs().all().size(), 1u);
}

BROWSER_TEST(PopupTest, ItsDialogIsItsOwn) {
  t.site.Serve(
      "/child",
      "<script>window.answer = confirm('child asks'); document.title = String(answer)</script>");
  t.site.Serve("/page", "<button id=b onclick=\"window.open('/child')\">Open</button>");
  co_await t.Open("/page");
  const auto clicked =
      co_await t.DoAndWait(R"({"action_type": "click", "selector": "#b"})", R"({"kind": "popup"})");
  EXPECT_TRUE(clicked && clicked->satisfied) << Why(clicked);
  const auto popup = t.session->tabs().all().back();
  const auto asked = co_await popup->changes().Until(
      t.ctx.WithTimeout(std::chrono::seconds(10)),
      [&] { return popup->dialogs().open().has_value(); }, "the question");
  EXPECT_TRUE(asked) << Why(asked);

  const auto answered = co_await t.Do(
      json::serialize(json::object{{"action_type", "handle_dialog"},
                                   {"dialog", {{"accept", true}}},
                                   {"tab_id", std::string_view(popup->id().value())}}));

  EXPECT_TRUE(answered) << Why(answered);
  const auto opener = co_await t.Do(R"({"action_type": "extract", "selector": "#b"})");
  EXPECT_TRUE(opener) << Why(opener);
}

BROWSER_TEST(PopupTest, InheritsTheSessionsOptions) {
  browser::SessionOptions options;
  options.user_agent = "Falconer-Test/1.0";
  options.viewport = {.width = 811, .height = 500};
  options.init_scripts = {"window.from_init = 7"};
  const auto other = co_await OpenFixture(t, options);
  if (!other) co_return;
  co_await other->Open("/popup.html");

  for (const std::string selector : {"#open", "#cross"}) {
    const auto clicked = co_await other->Click(selector);
    EXPECT_TRUE(clicked && clicked->popups.size() == 1) << Why(clicked);
    if (!clicked || clicked->popups.empty()) continue;
    const auto facts = co_await other->Do(json::serialize(json::object{
        {"action_type", "switch_tab"}, {"tab_id", std::string_view(clicked->popups[0].value())}}));
    EXPECT_TRUE(facts) << Why(facts);
    EXPECT_EQ(co_await other->PageText("[navigator.userAgent, innerWidth, window.from_init]"),
              "Falconer-Test/1.0,811,7")
        << selector;
    const auto back =
        co_await other->Do(json::serialize(json::object{{"action_type", "close_tab"}}));
    EXPECT_TRUE(back) << Why(back);
  }
  for (const auto& request : t.site.Requests("/popup_child.html")) {
    EXPECT_EQ(request.headers.Find("User-Agent").value_or(""), "Falconer-Test/1.0");
  }
}

}  // namespace
}  // namespace falconer::test
