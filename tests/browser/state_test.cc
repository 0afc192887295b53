// The state of real pages: what is in it, what must never be in it, and what stays the same when
// pages change.

#include "tests/support/in_background.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

using model::ElementState;
using model::StructuredState;

BROWSER_TEST(StateTest, ControlsHaveRolesNamesAndStates) {
  co_await t.Open("/form.html");
  const auto state = co_await Read(t, {.scope = model::StateScope::kPage});
  EXPECT_EQ(Named(state, "Name").role, "textbox");
  EXPECT_TRUE(Named(state, "Name").required);
  EXPECT_EQ(Named(state, "Name").placeholder, "Your name");
  EXPECT_EQ(Named(state, "Email").type, "email");
  EXPECT_EQ(Named(state, "Age").role, "spinbutton");
  EXPECT_TRUE(Named(state, "Read only").readonly);
  EXPECT_EQ(Named(state, "Read only").value_hint, "fixed");
  EXPECT_FALSE(Named(state, "Disabled").enabled);
  EXPECT_EQ(Named(state, "I agree").checked, model::Toggle::kOff);
  EXPECT_EQ(Named(state, "Newsletter").checked, model::Toggle::kOn);
  EXPECT_EQ(Named(state, "Night mode").role, "switch");
  EXPECT_EQ(Named(state, "Medium").checked, model::Toggle::kOn);
  EXPECT_EQ(Named(state, "Country").role, "combobox");
  EXPECT_GE(Named(state, "Country").options.size(), 4u);
  EXPECT_EQ(Named(state, "Link").role, "link");
  EXPECT_FALSE(Named(state, "Closed").enabled);
  EXPECT_TRUE(
      std::ranges::none_of(state.elements, [](const auto& e) { return e.name == "Invisible"; }));
}

BROWSER_TEST(StateTest, ItShowsWhatWasFilledIn) {
  co_await t.Open("/form.html");
  co_await t.Fill("#name", "Grace Hopper");
  co_await t.Do(R"({"action_type": "check", "selector": "#agree"})");
  co_await t.Do(
      R"({"action_type": "select", "selector": "#country", "select_values": [{"value": "is"}]})");
  const auto state = co_await Read(t, {.scope = model::StateScope::kPage});
  EXPECT_EQ(Named(state, "Name").value_hint, "Grace Hopper");
  EXPECT_EQ(Named(state, "I agree").checked, model::Toggle::kOn);
  const auto options = Named(state, "Country").options;
  EXPECT_TRUE(std::ranges::any_of(
      options, [](const auto& o) { return o.label == "Iceland" && o.selected; }));
}

BROWSER_TEST(StateTest, ReadingGivesThePageNoRightsThatOnlyAPersonGives) {
  co_await t.Open("/form.html");

  co_await Read(t, {.scope = model::StateScope::kPage});

  EXPECT_EQ(co_await t.PageText("String(navigator.userActivation.hasBeenActive)"), "false");
}

BROWSER_TEST(StateTest, APageThatLeavesWhileItIsReadIsFollowed) {
  t.site.Serve("/busy",
               "<script>onclick = () => { for (const end = Date.now() + 1500; "
               "Date.now() < end;); }</script><button>Busy</button>");
  t.site.Serve("/next", "<h1>Next</h1>");
  co_await t.Open("/busy");
  InBackground busy(t.ctx.executor(), t.Page("setTimeout(onclick, 0)"));
  co_await busy.Join();

  // The page cannot answer before the next one, of another process, has come.
  InBackground reading(t.ctx.executor(), t.State());
  co_await t.Do(R"({"action_type": "navigate", "url": ")" + t.site.CrossSiteUrl("/next") + "\"}");
  const auto state = co_await reading.Join();

  EXPECT_TRUE(state) << Why(state);
  if (state) EXPECT_EQ(state->url, t.site.CrossSiteUrl("/next"));
}

// Everything the state says to anybody, in one text, without what is computed from it.
std::string Everything(StructuredState state) {
  state.hashes = {};
  state.state_id.clear();
  state.prev_state_id.clear();
  return json::serialize(state.ToJson()) + json::serialize(state.ToModelJson(model::Places::kOmit));
}

BROWSER_TEST(StateTest, SecretsAreNowhereInIt) {
  co_await t.Open("/secrets.html");
  co_await t.Fill("#new_password", "correct horse");
  co_await t.Fill("#pin", "82-64");
  const auto state = co_await Read(t, {.scope = model::StateScope::kPage});
  const std::string all = Everything(state);
  for (const char* secret : {"hunter2", "4111111111111111", "7-37", "12/30", "123456", "swordfish",
                             "hidden-token", "correct horse", "82-64"}) {
    EXPECT_FALSE(all.contains(secret)) << secret << " in " << all;
  }
  for (const char* name : {"Password", "Card number", "Security code", "One-time code",
                           "Shown password", "New password", "PIN"}) {
    EXPECT_TRUE(Named(state, name).secret) << name;
    EXPECT_TRUE(Named(state, name).filled) << name;
    EXPECT_EQ(Named(state, name).value_hint, "") << name;
  }
  EXPECT_EQ(Named(state, "User").value_hint, "ada");
}

BROWSER_TEST(StateTest, SecretsAreNotFoundByTheirWords) {
  co_await t.Open("/secrets.html");
  for (const char* words : {"hunter2", "4111", "swordfish", "hidden-token"}) {
    const auto found = co_await t.extractor.Find(t.ctx.WithTimeout(kPatience), t.tab(), words, 10);
    EXPECT_TRUE(found) << Why(found);
    if (found) EXPECT_FALSE(json::serialize(*found).contains("\"ref\"")) << json::serialize(*found);
  }
}

BROWSER_TEST(StateTest, AnOverlayComesFirstAndWhatItCoversIsMarked) {
  std::string page =
      "<div style='position: fixed; inset: 0; background: #0008' role=dialog aria-modal=true "
      "aria-label=Offer><button>Accept offer</button></div>";
  for (int i = 0; i < 60; ++i) page += "<button>Item " + std::to_string(i) + "</button>";
  t.site.Serve("/one", "<!doctype html><body>" + page);
  co_await t.Open("/one");
  const auto state = co_await Read(t, {.limits = {.elements = 5}});
  EXPECT_EQ(state.elements.size(), 5u);
  EXPECT_TRUE(Named(state, "Accept offer").in_overlay);
  EXPECT_FALSE(Named(state, "Accept offer").obscured);
  for (const auto& element : state.elements) {
    if (element.name.starts_with("Item")) EXPECT_TRUE(element.obscured) << element.name;
  }
}

BROWSER_TEST(StateTest, FormsAndErrorsPointAtTheirFields) {
  t.site.Serve("/one",
               "<form aria-label='Sign up'><label>Email <input id=e required aria-invalid=true "
               "aria-describedby=x></label>"
               "<p id=x role=alert>Please enter an address</p><label>City <input "
               "required></label><button>Join</button></form>"
               "<div role=alert>Something is wrong</div>");
  co_await t.Open("/one");
  const auto state = co_await Read(t);
  EXPECT_EQ(state.forms.size(), 1u);
  EXPECT_EQ(state.errors.size(), 2u);
  if (state.forms.empty() || state.errors.size() < 2) co_return;
  const auto& form = state.forms[0];
  EXPECT_EQ(form.name, "Sign up");
  EXPECT_EQ(form.fields,
            (std::vector<std::string>{Named(state, "Email").ref, Named(state, "City").ref}));
  EXPECT_EQ(form.required_missing, 2u);
  EXPECT_EQ(form.submit, Named(state, "Join").ref);
  EXPECT_EQ(form.invalid, std::vector<std::string>{Named(state, "Email").ref});
  EXPECT_EQ(Named(state, "Email").form, form.ref);
  const auto field =
      std::ranges::find(state.errors, model::ErrorKind::kField, &model::ErrorState::kind);
  EXPECT_NE(field, state.errors.end());
  if (field == state.errors.end()) co_return;
  EXPECT_EQ(field->field, Named(state, "Email").ref);
  EXPECT_EQ(field->text, "Please enter an address");
}

BROWSER_TEST(StateTest, ItSaysWhereTheFocusIs) {
  co_await t.Open("/form.html");
  const auto before = co_await Read(t);
  EXPECT_EQ(before.focus, "");
  co_await t.Do(R"({"action_type": "focus", "selector": "#email"})");
  const auto after = co_await Read(t);
  EXPECT_EQ(after.focus, Named(after, "Email").ref);
  EXPECT_TRUE(Named(after, "Email").focused);
}

BROWSER_TEST(StateTest, ItSaysHowFarThePageIsScrolled) {
  co_await t.Open("/huge_scroll.html");
  const auto top = co_await Read(t);
  EXPECT_EQ(top.scroll.y, 0);
  EXPECT_GT(top.scroll.max_y, 1000);
  co_await t.Do(R"({"action_type": "scroll", "scroll": {"dy": 700}})");
  const auto lower = co_await Read(t);
  EXPECT_EQ(lower.scroll.y, 700);
  EXPECT_EQ(lower.scroll.max_y, top.scroll.max_y);
}

std::string ManyButtons(int count) {
  std::string page = "<!doctype html><style>button { display: block; height: 40px }</style>";
  for (int i = 0; i < count; ++i) page += "<button>Button " + std::to_string(i) + "</button>";
  return page;
}

BROWSER_TEST(StateTest, ALongPageIsReadPageByPage) {
  t.site.Serve("/one", ManyButtons(130));
  co_await t.Open("/one");
  std::vector<std::string> names;
  for (std::size_t offset = 0; offset < 130; offset += 48) {
    const auto state = co_await Read(t, {.scope = model::StateScope::kPage, .offset = offset});
    EXPECT_EQ(state.budget.elements.total, 130u);
    for (const auto& element : state.elements) names.push_back(element.name);
  }
  EXPECT_EQ(names.size(), 130u);
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::unique(names).size(), 0u) << "some were shown twice";
}

BROWSER_TEST(StateTest, OnlyWhatIsInSightUnlessTheWholePageIsAskedFor) {
  t.site.Serve("/one", ManyButtons(40));
  co_await t.Open("/one");
  const auto sight = co_await Read(t);
  EXPECT_LT(sight.elements.size(), 30u);
  const auto whole = co_await Read(t, {.scope = model::StateScope::kPage});
  EXPECT_EQ(whole.elements.size(), 40u);
  EXPECT_TRUE(whole.elements.front().in_viewport);
  EXPECT_FALSE(whole.elements.back().in_viewport);
}

BROWSER_TEST(StateTest, FindLooksInTheWholePage) {
  t.site.Serve("/one", ManyButtons(500));
  co_await t.Open("/one");
  const auto found =
      co_await t.extractor.Find(t.ctx.WithTimeout(kPatience), t.tab(), "button 432", 5);
  EXPECT_TRUE(found) << Why(found);
  if (!found) co_return;
  EXPECT_TRUE(json::serialize(*found).contains("Button 432")) << json::serialize(*found);
}

BROWSER_TEST(StateTest, RefsStayWhenThePageRendersAnew) {
  co_await t.Open("/rerender.html?times=0");
  const auto before = co_await Read(t);
  for (int i = 0; i < 5; ++i) {
    co_await t.Page("rerender(); 0");
    const auto after = co_await Read(t);
    for (const char* name : {"Remove bread", "Remove milk", "Save basket"}) {
      EXPECT_EQ(Named(after, name).ref, Named(before, name).ref) << name;
    }
  }
  const auto clicked = co_await t.Do(R"({"action_type": "click", "target_eid": ")" +
                                     Named(before, "Remove milk").ref + "\"}");
  EXPECT_TRUE(clicked) << Why(clicked);
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "click milk", 1);
  EXPECT_TRUE(told) << Why(told);
}

BROWSER_TEST(StateTest, ARefWhoseElementWasReplacedUnseenIsStale) {
  co_await t.Open("/rerender.html?times=0");
  const auto before = co_await Read(t);
  co_await t.Page("rerender(); 0");
  const auto clicked = co_await t.Do(R"({"action_type": "click", "target_eid": ")" +
                                     Named(before, "Save basket").ref + "\"}");
  EXPECT_EQ(CodeOf(clicked), ErrorCode::kStaleRef) << Why(clicked);
  EXPECT_EQ(t.site.EffectCount(""), 0u);
}

BROWSER_TEST(StateTest, RefsStayWhenOtherElementsComeBetween) {
  t.site.Serve("/one",
               "<div id=list><button>One</button><button>Two</button><button>Three</button></div>");
  co_await t.Open("/one");
  const auto before = co_await Read(t);
  co_await t.Page(
      "list.prepend(Object.assign(document.createElement('button'), {textContent: 'Zero'}));"
      "list.insertBefore(Object.assign(document.createElement('button'), {textContent: 'Half'}), "
      "list.children[2]); 0");
  const auto after = co_await Read(t);
  EXPECT_EQ(after.elements.size(), 5u);
  for (const char* name : {"One", "Two", "Three"})
    EXPECT_EQ(Named(after, name).ref, Named(before, name).ref) << name;
  for (const char* name : {"Zero", "Half"}) {
    EXPECT_TRUE(std::ranges::none_of(before.elements, [&](const auto& e) {
      return e.ref == Named(after, name).ref;
    })) << name;
  }
}

BROWSER_TEST(StateTest, EqualThingsHaveEqualIds) {
  co_await t.Open("/form.html");
  const auto first = co_await Read(t);
  const auto second = co_await Read(t);
  EXPECT_EQ(first.state_id, second.state_id);
  co_await t.Fill("#name", "x");
  const auto third = co_await Read(t);
  EXPECT_NE(third.state_id, first.state_id);
}

BROWSER_TEST(StateTest, WithADialogOpenTheStateIsTheDialog) {
  t.site.Serve(
      "/one",
      "<title>Asking</title><button id=b onclick=\"prompt('Your name?', 'Ada')\">Ask</button>");
  co_await t.Open("/one");
  co_await t.Click("#b");
  const auto state = co_await Read(t);
  EXPECT_EQ(state.dialogs.size(), 1u);
  if (state.dialogs.empty()) co_return;
  EXPECT_EQ(
      state.dialogs[0],
      (model::DialogState{.type = "prompt", .message = "Your name?", .default_prompt = "Ada"}));
  EXPECT_EQ(state.url, t.site.Url("/one"));
  EXPECT_TRUE(state.elements.empty());
}

BROWSER_TEST(StateTest, ItListsTheTabs) {
  co_await t.Open("/form.html");
  co_await t.Do(R"({"action_type": "new_tab", "url": ")" + t.site.Url("/empty.html") + "\"}");
  const auto state = co_await Read(t);
  EXPECT_EQ(state.tabs.size(), 2u);
  if (state.tabs.size() < 2) co_return;
  EXPECT_EQ(state.tabs[0].title, "Form with every control");
  EXPECT_FALSE(state.tabs[0].active);
  EXPECT_TRUE(state.tabs[1].active);
  EXPECT_EQ(state.tabs[1].url, t.site.Url("/empty.html"));
  EXPECT_EQ(state.tab_id, "t2");
}

BROWSER_TEST(StateTest, APageThatIsStillComingIsReadAsFarAsItIs) {
  co_await t.Do(R"({"action_type": "navigate", "wait_until": "commit", "url": ")" +
                t.site.Url("/never") + "\"}");
  const auto state = co_await Read(t);
  EXPECT_EQ(state.phase, model::PagePhase::kLoading);
  EXPECT_EQ(state.url, t.site.Url("/never"));
}

BROWSER_TEST(StateTest, ItWaitsForANavigationThatHasBeenAskedFor) {
  co_await t.Open("/empty.html");
  t.site.Hold("/form.html");
  co_await t.Page("location.href = '/form.html'; 0");
  const auto asked = co_await t.site.UntilRequests(t.ctx.WithTimeout(kPatience), "/form.html", 1);
  EXPECT_TRUE(asked) << Why(asked);
  InBackground reading(t.ctx.executor(), t.State());
  t.site.Release("/form.html");
  const auto state = co_await reading.Join();
  EXPECT_TRUE(state) << Why(state);
  if (state) EXPECT_EQ(state->url, t.site.Url("/form.html"));
}

BROWSER_TEST(StateTest, ItTellsOfErrorsInConsoleAndNetwork) {
  co_await t.Open("/console.html");
  co_await t.Click("#throw");
  const auto failed =
      co_await t.DoAndWait(R"({"action_type": "click", "selector": "#network"})",
                           R"({"kind": "text", "text": "status:500", "selector": "#status"})");
  EXPECT_TRUE(failed && failed->satisfied) << Why(failed);
  const auto state = co_await Read(t);
  EXPECT_TRUE(std::ranges::any_of(
      state.console_errors, [](const auto& e) { return e.message.contains("thrown on purpose"); }));
  EXPECT_EQ(state.network.server_errors, 1u);
}

}  // namespace
}  // namespace falconer::test
