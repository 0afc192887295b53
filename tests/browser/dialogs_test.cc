// Dialogs: the page waits for an answer; nothing else is done to it until somebody gives one.

#include "base/json/json.h"
#include "tests/support/running_action.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

Task<Result<model::ActionOutcome>> Answer(BrowserFixture& t, bool accept,
                                          std::optional<std::string> text = {}) {
  json::object dialog{{"accept", accept}};
  if (text) dialog["prompt_text"] = std::string_view(*text);
  return t.Do(json::serialize(
      json::object{{"action_type", "handle_dialog"}, {"dialog", std::move(dialog)}}));
}

std::string LastEffect() {
  return "__log.at(-1).name + ':' + __log.at(-1).detail";
}

BROWSER_TEST(DialogTest, AClickThatOpensADialogIsOverAndSaysSo) {
  const std::tuple<const char*, model::DialogType, const char*> cases[] = {
      {"#alert", model::DialogType::kAlert, "Careful"},
      {"#confirm", model::DialogType::kConfirm, "Delete all?"},
      {"#prompt", model::DialogType::kPrompt, "Your name?"}};
  co_await t.Open("/dialogs.html");
  for (const auto& [selector, type, message] : cases) {
    const auto clicked = co_await t.Click(selector);
    EXPECT_TRUE(clicked && clicked->dialog) << selector << ": " << Why(clicked);
    if (clicked && clicked->dialog) {
      EXPECT_EQ(clicked->dialog->type, type);
      EXPECT_EQ(clicked->dialog->message, message);
    }

    const auto answered = co_await Answer(t, true);
    EXPECT_TRUE(answered && answered->dialog) << selector << ": " << Why(answered);
    if (answered && answered->dialog) EXPECT_EQ(answered->dialog->message, message);
  }
}

BROWSER_TEST(DialogTest, OtherActionsAreRefusedUntilItIsAnswered) {
  co_await t.Open("/dialogs.html");
  const auto clicked = co_await t.Click("#alert");
  EXPECT_TRUE(clicked) << Why(clicked);

  for (const std::string action :
       {R"("action_type": "click", "selector": "#confirm")", R"("action_type": "extract")",
        R"("action_type": "screenshot")", R"("action_type": "press", "key": "Enter")",
        R"("action_type": "reload")",
        R"("action_type": "custom_js_restricted", "js_expression": "1")"}) {
    const auto refused = co_await t.Do("{" + action + "}");
    EXPECT_EQ(CodeOf(refused), ErrorCode::kDialogOpen) << action << ": " << Why(refused);
    EXPECT_TRUE(Why(refused).contains("Careful")) << Why(refused);
  }

  const auto answered = co_await Answer(t, true);
  const auto after = co_await t.Click("#open_modal");
  EXPECT_TRUE(answered && after) << Why(answered) << Why(after);
}

BROWSER_TEST(DialogTest, TheAnswerReachesThePage) {
  co_await t.Open("/dialogs.html");
  struct Case {
    const char* selector;
    bool accept;
    std::optional<std::string> text;
    const char* expected;
  };
  const Case cases[] = {{"#confirm", true, {}, "confirmed:true"},
                        {"#confirm", false, {}, "confirmed:false"},
                        {"#prompt", true, "Ada 🦅", "prompted:Ada 🦅"},
                        {"#prompt", true, "", "prompted:"},
                        {"#prompt", false, {}, "prompted:null"}};
  for (const Case& one : cases) {
    const auto clicked = co_await t.Click(one.selector);
    const auto answered = co_await Answer(t, one.accept, one.text);

    EXPECT_TRUE(clicked && answered) << Why(clicked) << Why(answered);
    EXPECT_EQ(co_await t.PageText(LastEffect()), one.expected);
  }
}

BROWSER_TEST(DialogTest, AnAcceptedPromptWithoutTextKeepsItsSuggestion) {
  co_await t.Open("/dialogs.html");

  const auto clicked = co_await t.Click("#prompt");
  const auto answered = co_await Answer(t, true);

  EXPECT_TRUE(clicked && answered) << Why(clicked) << Why(answered);
  EXPECT_EQ(co_await t.PageText(LastEffect()), "prompted:nobody");
}

BROWSER_TEST(DialogTest, TwoInARowAreAnsweredOneAfterTheOther) {
  co_await t.Open("/dialogs.html");

  const auto clicked = co_await t.Click("#two");
  const auto first = co_await Answer(t, true);
  EXPECT_TRUE(clicked && first && first->dialog) << Why(clicked) << Why(first);
  if (first && first->dialog) EXPECT_EQ(first->dialog->message, "one");
  const auto second = co_await Answer(t, true);
  EXPECT_TRUE(second && second->dialog) << Why(second);
  if (second && second->dialog) EXPECT_EQ(second->dialog->message, "two");

  EXPECT_EQ(co_await t.PageText(LastEffect()), "closed:2");
}

BROWSER_TEST(DialogTest, ADialogAtThePressLeavesNoButtonHeld) {
  co_await t.Open("/dialogs.html");
  co_await t.Page("addEventListener('mousemove', e => window.held = e.buttons)");

  const auto pressed = co_await t.Click("#press");
  EXPECT_TRUE(pressed && pressed->dialog) << Why(pressed);
  const auto answered = co_await Answer(t, true);
  EXPECT_TRUE(answered) << Why(answered);

  const auto hovered = co_await t.Do(R"({"action_type": "hover", "selector": "#status"})");
  EXPECT_TRUE(hovered) << Why(hovered);
  EXPECT_EQ(co_await t.PageText("held"), "0");
  const auto clicked = co_await t.Click("#open_modal");
  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("modal.open"), "true");
}

BROWSER_TEST(DialogTest, AfterEveryDialogTheNextClickWorks) {
  co_await t.Open("/dialogs.html");
  for (const std::string selector : {"#alert", "#press", "#confirm", "#prompt"}) {
    const auto opened = co_await t.Click(selector);
    const auto answered = co_await Answer(t, false);
    const auto modal = co_await t.Click("#open_modal");
    const auto closed = co_await t.Click("#modal_close");

    EXPECT_TRUE(opened && answered && modal && closed)
        << selector << Why(opened) << Why(answered) << Why(modal) << Why(closed);
    EXPECT_EQ(co_await t.PageText(LastEffect()), "modal closed:null");
  }
}

BROWSER_TEST(DialogTest, ALateDialogInterruptsWhatIsUnderWay) {
  co_await t.Open("/dialogs.html?ms=150");
  const auto clicked = co_await t.Click("#late");
  EXPECT_TRUE(clicked) << Why(clicked);

  const auto waiting = co_await t.Click("#not_there");

  EXPECT_EQ(CodeOf(waiting), ErrorCode::kDialogOpen) << Why(waiting);
  const auto answered = co_await Answer(t, true);
  EXPECT_TRUE(answered) << Why(answered);
}

BROWSER_TEST(DialogTest, WithoutADialogThereIsNothingToAnswer) {
  co_await t.Open("/dialogs.html");

  const auto answered = co_await Answer(t, true);

  EXPECT_EQ(CodeOf(answered), ErrorCode::kNoDialog) << Why(answered);
}

BROWSER_TEST(DialogTest, ADialogWhileThePageLoadsEndsTheNavigationAndCanBeAnswered) {
  t.site.Serve("/page",
               "<script>alert('early')</script><button id=b onclick='window.n = 1'>Go</button>");

  const auto opened = co_await t.Do(
      json::serialize(json::object{{"action_type", "navigate"}, {"url", t.site.Url("/page")}}));
  const auto answered = co_await Answer(t, true);
  const auto clicked = co_await t.Click("#b");

  EXPECT_EQ(CodeOf(opened), ErrorCode::kDialogOpen) << Why(opened);
  EXPECT_TRUE(answered && clicked) << Why(answered) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("n"), "1");
}

BROWSER_TEST(DialogTest, AFramesDialogIsAnsweredLikeThePages) {
  t.site.Serve("/inner",
               "<button id=b onclick='window.answer = confirm(\"from inside\")'>Ask</button>");
  t.site.Serve("/page", "<iframe src='" + t.site.CrossSiteUrl("/inner") + "'></iframe>");
  co_await t.Open("/page");

  const auto clicked = co_await t.Click("frame=iframe >> #b");
  const auto answered = co_await Answer(t, true);

  EXPECT_TRUE(clicked && clicked->dialog) << Why(clicked);
  EXPECT_TRUE(answered) << Why(answered);
  const auto again = co_await t.Click("frame=iframe >> #b");
  EXPECT_TRUE(again && again->dialog) << Why(again);
  const auto dismissed = co_await Answer(t, false);
  EXPECT_TRUE(dismissed) << Why(dismissed);
}

BROWSER_TEST(DialogTest, APolicyAnswersByItself) {
  for (const auto policy : {browser::DialogPolicy::kAccept, browser::DialogPolicy::kDismiss}) {
    browser::SessionOptions options;
    options.dialogs = policy;
    const auto other = co_await OpenFixture(t, options);
    if (!other) co_return;
    co_await other->Open("/dialogs.html");

    for (const std::string selector : {"#alert", "#confirm", "#prompt", "#two", "#press"}) {
      const auto clicked = co_await other->Click(selector);
      EXPECT_TRUE(clicked && clicked->dialog) << selector << ": " << Why(clicked);
    }
    const auto modal = co_await other->Click("#open_modal");

    EXPECT_TRUE(modal) << Why(modal);
    EXPECT_EQ(co_await other->PageText("__log.find(e => e.name == 'confirmed').detail"),
              policy == browser::DialogPolicy::kAccept ? "true" : "false");
  }
}

BROWSER_TEST(DialogTest, TheTabWithADialogCanBeClosed) {
  const auto opened = co_await t.Do(json::serialize(
      json::object{{"action_type", "new_tab"}, {"url", t.site.Url("/dialogs.html")}}));
  const auto clicked = co_await t.Click("#alert");
  EXPECT_TRUE(opened && clicked) << Why(opened) << Why(clicked);

  const auto closed = co_await t.Do(R"({"action_type": "close_tab"})");

  EXPECT_TRUE(closed) << Why(closed);
  EXPECT_EQ(t.session->tabs().all().size(), 1u);
}

BROWSER_TEST(DialogTest, AnotherTabIsNotHeldUp) {
  co_await t.Open("/dialogs.html");
  const auto clicked = co_await t.Click("#alert");
  const auto opened = co_await t.Do(
      json::serialize(json::object{{"action_type", "new_tab"}, {"url", t.site.Url("/form.html")}}));
  const auto filled = co_await t.Fill("#name", "x");

  EXPECT_TRUE(clicked && opened && filled) << Why(clicked) << Why(opened) << Why(filled);
}

// The browser asks before leaving only after a person has touched the page.
Task<void> TouchDraft(BrowserFixture& t) {
  co_await t.Open("/beforeunload.html");
  const auto typed =
      co_await t.Do(R"({"action_type": "type", "selector": "#draft", "text": "more"})");
  EXPECT_TRUE(typed) << Why(typed);
}

BROWSER_TEST(BeforeUnloadTest, LeavingIsAcceptedByDefault) {
  co_await TouchDraft(t);

  const auto left = co_await t.Do(json::serialize(
      json::object{{"action_type", "navigate"}, {"url", t.site.Url("/form.html")}}));

  EXPECT_TRUE(left) << Why(left);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/form.html"));
  EXPECT_EQ(t.site.EffectCount("asked"), 1u);
}

BROWSER_TEST(BeforeUnloadTest, EveryWayOfLeavingIsAccepted) {
  for (const std::string action : {R"("action_type": "click", "selector": "#away")",
                                   R"("action_type": "reload")", R"("action_type": "go_back")"}) {
    co_await t.Open("/form.html");
    co_await TouchDraft(t);

    const auto left = co_await t.Do("{" + action + "}");

    EXPECT_TRUE(left && left->navigation && left->navigation->committed)
        << action << ": " << Why(left);
  }
}

BROWSER_TEST(BeforeUnloadTest, ADismissedQuestionKeepsThePage) {
  browser::SessionOptions options;
  options.before_unload = browser::DialogPolicy::kDismiss;
  const auto other = co_await OpenFixture(t, options);
  if (!other) co_return;
  co_await TouchDraft(*other);

  for (int i = 0; i < 2; ++i) {
    const auto stayed = co_await other->Do(json::serialize(json::object{
        {"action_type", "navigate"}, {"url", t.site.Url("/form.html")}, {"timeout_ms", 5000}}));
    EXPECT_EQ(CodeOf(stayed), ErrorCode::kNavigationFailed) << Why(stayed);
    const auto clicked = co_await other->Click("#away");
    EXPECT_TRUE(clicked) << "the click happened, the page stayed: " << Why(clicked);
  }

  EXPECT_EQ(other->tab()->url(), t.site.Url("/beforeunload.html"));
  const auto filled = co_await other->Fill("#draft", "still editing");
  EXPECT_TRUE(filled) << Why(filled);
}

BROWSER_TEST(BeforeUnloadTest, ASurfacedQuestionIsAnsweredByTheCaller) {
  browser::SessionOptions options;
  options.before_unload = browser::DialogPolicy::kSurface;
  const auto other = co_await OpenFixture(t, options);
  if (!other) co_return;
  co_await TouchDraft(*other);
  const std::string leave =
      json::serialize(json::object{{"action_type", "navigate"}, {"url", t.site.Url("/form.html")}});

  const auto asked = co_await other->Do(leave);
  EXPECT_EQ(CodeOf(asked), ErrorCode::kDialogOpen) << Why(asked);
  const auto stay = co_await Answer(*other, false);
  EXPECT_TRUE(stay) << Why(stay);
  EXPECT_EQ(other->tab()->url(), t.site.Url("/beforeunload.html"));

  const auto again = co_await other->Do(leave);
  EXPECT_EQ(CodeOf(again), ErrorCode::kDialogOpen) << Why(again);
  const auto go = co_await Answer(*other, true);
  EXPECT_TRUE(go) << Why(go);
  const auto there = co_await other->WaitFor(R"({"kind": "url", "url_pattern": "**/form.html"})");
  EXPECT_TRUE(there && there->satisfied) << Why(there);
}

BROWSER_TEST(BeforeUnloadTest, ATabIsClosedWithoutAsking) {
  const auto opened = co_await t.Do(R"({"action_type": "new_tab"})");
  EXPECT_TRUE(opened) << Why(opened);
  co_await TouchDraft(t);

  const auto closed = co_await t.Do(R"({"action_type": "close_tab"})");

  EXPECT_TRUE(closed) << Why(closed);
  EXPECT_EQ(t.session->tabs().all().size(), 1u);
}

}  // namespace
}  // namespace falconer::test
