// Filling fields: every kind takes its value as if a person had put it there, or says why not.

#include "base/json/json.h"
#include "tests/support/running_action.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

struct Filling {
  const char* id;
  const char* text;
  const char* expected;
};

BROWSER_TEST(FillTest, FillsEveryTextField) {
  co_await t.Open("/form.html");
  const Filling cases[] = {
      {"name", "Ada Lovelace", "Ada Lovelace"},
      {"email", "ada@example.org", "ada@example.org"},
      {"password", "s3cret!", "s3cret!"},
      {"age", " 36 ", "36"},
      {"phone", "+41 79", "+41 79"},
      {"site", "https://example.org", "https://example.org"},
      {"search", "falcon", "falcon"},
      {"notes", "one\ntwo\n\nfour", "one\ntwo\n\nfour"},
      {"name", "replaced 🦅 ü", "replaced 🦅 ü"},
      {"name", "", ""},
      {"age", "1e3", "1e3"},
      {"age", "", ""},
  };
  for (const auto& [id, text, expected] : cases) {
    const auto filled = co_await t.Fill("#" + std::string(id), text);

    EXPECT_TRUE(filled) << id << ": " << Why(filled);
    EXPECT_EQ(co_await t.PageText(std::string("document.getElementById('") + id + "').value"),
              expected)
        << id;
  }
}

BROWSER_TEST(FillTest, ThePageSeesTrustedInputAndAChangeWhenTheFocusLeaves) {
  t.site.Serve("/page",
               "<input id=a><input id=b><script>window.seen = []; for (const type of ['focus', "
               "'input', 'change', 'blur'])"
               " a.addEventListener(type, e => seen.push(type + ':' + e.isTrusted + (e.inputType ? "
               "':' + e.inputType : '')));</script>");
  co_await t.Open("/page");

  const auto first = co_await t.Fill("#a", "x");
  const auto second = co_await t.Fill("#b", "y");

  EXPECT_TRUE(first && second) << Why(first) << Why(second);
  EXPECT_EQ(co_await t.PageText("seen"), "focus:true,input:true:insertText,change:true,blur:true");
}

BROWSER_TEST(FillTest, ReplacesWhatWasThereWhateverWasSelected) {
  t.site.Serve(
      "/page",
      "<input id=a value='old text'><script>a.focus(); a.setSelectionRange(2, 3)</script>");
  co_await t.Open("/page");

  const auto filled = co_await t.Fill("#a", "new");

  EXPECT_TRUE(filled) << Why(filled);
  EXPECT_EQ(co_await t.PageText("a.value"), "new");
}

BROWSER_TEST(FillTest, FillsPickersAsAWhole) {
  co_await t.Open("/pickers.html");
  const Filling cases[] = {
      {"date", "2026-11-15", "2026-11-15"},
      {"time", "13:15", "13:15"},
      {"datetime", "2026-11-15T05:15", "2026-11-15T05:15"},
      {"month", "2026-11", "2026-11"},
      {"week", "2026-W46", "2026-W46"},
      {"color", "#FF00AA", "#ff00aa"},
      {"range", "45", "45"},
      {"number", "1.5", "1.5"},
      {"date", "", ""},
  };
  for (const auto& [id, text, expected] : cases) {
    co_await t.Page("__log.length = 0");
    const auto filled = co_await t.Fill("#" + std::string(id), text);

    EXPECT_TRUE(filled) << id << ": " << Why(filled);
    EXPECT_EQ(co_await t.PageText("document.getElementById('" + std::string(id) + "').value"),
              expected)
        << id;
    EXPECT_TRUE(
        (co_await t.PageText("__log.map(e => e.name)")).contains("input " + std::string(id)))
        << id;
  }
}

BROWSER_TEST(FillTest, RefusesValuesThatAFieldCannotHold) {
  co_await t.Open("/pickers.html");
  const Filling cases[] = {
      {"date", "15.11.2026", ""}, {"time", "25:00", ""},  {"datetime", "tomorrow", ""},
      {"month", "2026-13", ""},   {"week", "W99", ""},    {"color", "red-ish", "#112233"},
      {"range", "7 or 8", "50"},  {"number", "many", ""},
  };
  for (const auto& [id, text, kept] : cases) {
    const auto filled = co_await t.Fill("#" + std::string(id), text);

    EXPECT_EQ(CodeOf(filled), ErrorCode::kInvalidArgument) << id << ": " << Why(filled);
    EXPECT_EQ(co_await t.PageText("document.getElementById('" + std::string(id) + "').value"), kept)
        << id;
  }
}

BROWSER_TEST(FillTest, RefusesWhatCannotBeFilled) {
  co_await t.Open("/form.html");
  for (const std::string selector :
       {"#agree", "#file", "#save", "#reset", "#country", "h1", "[name=size] >> nth=0"}) {
    const auto filled = co_await t.Fill(selector, "x");
    EXPECT_EQ(CodeOf(filled), ErrorCode::kWrongElement) << selector << ": " << Why(filled);
  }
}

BROWSER_TEST(FillTest, SaysWhyAFieldIsClosed) {
  co_await t.Open("/form.html");
  const std::pair<const char*, ErrorCode> cases[] = {
      {"#readonly", ErrorCode::kElementNotEditable},
      {"#disabled", ErrorCode::kElementNotEnabled},
      {"#in_fieldset", ErrorCode::kElementNotEnabled},
      {"#nobody", ErrorCode::kElementNotFound}};
  for (const auto& [selector, code] : cases) {
    const auto filled = co_await t.Do(json::serialize(json::object{
        {"action_type", "fill"}, {"selector", selector}, {"text", "x"}, {"timeout_ms", 250}}));
    EXPECT_EQ(CodeOf(filled), code) << selector << ": " << Why(filled);
  }
  const auto legend = co_await t.Fill("#in_legend", "x");
  EXPECT_TRUE(legend) << "the legend of a disabled fieldset stays open: " << Why(legend);
}

BROWSER_TEST(FillTest, WaitsUntilTheFieldIsOpen) {
  const std::pair<const char*, const char*> cases[] = {{"disabled", "a.disabled = false"},
                                                       {"readonly", "a.readOnly = false"},
                                                       {"style='display: none'", "a.style = ''"},
                                                       {"hidden", "a.hidden = false"}};
  for (const auto& [attribute, cure] : cases) {
    t.site.Serve("/page", std::string("<input id=a ") + attribute + "><script>setTimeout(() => { " +
                              cure + " }, 120)</script>");
    co_await t.Open("/page");
    const auto filled = co_await t.Fill("#a", "now");

    EXPECT_TRUE(filled) << attribute << ": " << Why(filled);
    EXPECT_EQ(co_await t.PageText("a.value"), "now") << attribute;
  }
}

BROWSER_TEST(FillTest, WritesNothingAfterItsTime) {
  t.site.Serve("/page", "<input id=a disabled>");
  co_await t.Open("/page");

  const auto filled = co_await t.Do(
      R"({"action_type": "fill", "selector": "#a", "text": "late", "timeout_ms": 200})");
  co_await t.Page("a.disabled = false");
  co_await t.TwoFrames();

  EXPECT_EQ(CodeOf(filled), ErrorCode::kElementNotEnabled) << Why(filled);
  EXPECT_EQ(co_await t.PageText("a.value"), "");
}

BROWSER_TEST(FillTest, WritesNothingAfterItWasCalledOff) {
  for (const std::string action :
       {R"("action_type": "fill", "text": "late")", R"("action_type": "type", "text": "late")",
        R"("action_type": "focus")", R"("action_type": "select", "select_value": "b")",
        R"("action_type": "clear")"}) {
    const bool is_list = action.contains("select_value");
    t.site.Serve("/page", is_list ? "<select id=a disabled><option>a<option>b</select>"
                                  : "<input id=a value=a disabled>");
    co_await t.Open("/page");
    RunningAction running(t, "{" + action + R"(, "selector": "#a"})");
    co_await t.TwoFrames();

    running.Cancel();
    const auto done = co_await running.Outcome();
    co_await t.Page("a.disabled = false");
    co_await t.TwoFrames();

    EXPECT_EQ(CodeOf(done), ErrorCode::kCancelled) << action << ": " << Why(done);
    EXPECT_EQ(co_await t.PageText("a.value + (document.activeElement == a)"), "afalse") << action;
  }
}

BROWSER_TEST(FillTest, APageThatHungDoesNotFillAfterTheDeadline) {
  t.site.Serve("/page",
               "<input id=a><script>window.hang = ms => { const end = performance.now() + ms; "
               "while (performance.now() < end); }</script>");
  co_await t.Open("/page");
  const auto warm = co_await t.Fill("#a", "before");
  EXPECT_TRUE(warm) << Why(warm);
  co_await t.Page("setTimeout(() => hang(900)), 0");

  const auto filled = co_await t.Do(
      R"({"action_type": "fill", "selector": "#a", "text": "late", "timeout_ms": 200})");
  co_await t.TwoFrames();

  EXPECT_EQ(CodeOf(filled), ErrorCode::kTimeout) << Why(filled);
  EXPECT_EQ(co_await t.PageText("a.value"), "before");
}

BROWSER_TEST(FillTest, FillsRichTextWithItsOwnEvents) {
  co_await t.Open("/editor.html");

  const auto filled = co_await t.Fill("#editor", "Fresh words");

  EXPECT_TRUE(filled) << Why(filled);
  EXPECT_EQ(co_await t.PageText("editor.innerText.trim()"), "Fresh words");
  EXPECT_TRUE((co_await t.PageText("__log.map(e => e.detail)")).contains("insertText true"));
}

BROWSER_TEST(FillTest, FillsRichTextOfSeveralLinesAndClearsIt) {
  co_await t.Open("/editor.html");

  for (const std::string id : {"editor", "plain"}) {
    const auto filled = co_await t.Fill("#" + id, "one\ntwo");
    EXPECT_TRUE(filled) << id << ": " << Why(filled);
    EXPECT_EQ(co_await t.PageText("document.getElementById('" + id +
                                  "').innerText.trim().replace(/\\n+/g, '|')"),
              "one|two");

    const auto cleared = co_await t.Do(
        json::serialize(json::object{{"action_type", "clear"}, {"selector", "#" + id}}));
    EXPECT_TRUE(cleared) << id << ": " << Why(cleared);
    EXPECT_EQ(co_await t.PageText("document.getElementById('" + id + "').innerText.trim()"), "")
        << id;
  }
}

BROWSER_TEST(FillTest, FillsAnEditorThatMovesTheCaretWhenFocused) {
  t.site.Serve("/page",
               "<div id=a contenteditable>old words</div><script>a.addEventListener('focus', () => "
               "getSelection().collapse(a, 0))</script>");
  co_await t.Open("/page");

  const auto filled = co_await t.Fill("#a", "new");

  EXPECT_TRUE(filled) << Why(filled);
  EXPECT_EQ(co_await t.PageText("a.innerText"), "new");
}

BROWSER_TEST(FillTest, AControlledInputKeepsWhatItsFrameworkMadeOfIt) {
  co_await t.Open("/editor.html");

  const auto filled = co_await t.Fill("#controlled", "falcon");
  const auto away = co_await t.Do(R"({"action_type": "focus", "selector": "#plain"})");

  EXPECT_TRUE(filled && away) << Why(filled) << Why(away);
  EXPECT_EQ(co_await t.PageText("controlled.value"), "FALCON");
}

// Frameworks watch the value property of the element to tell their own writes from the user's.
BROWSER_TEST(FillTest, AFrameworkThatTracksTheValueHearsTheChange) {
  t.site.Serve("/page",
               "<input id=a><script>const d = "
               "Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');"
               "let tracked = ''; window.heard = []; Object.defineProperty(a, 'value', {get() { "
               "return d.get.call(this) },"
               " set(v) { tracked = v; d.set.call(this, v) }});"
               "a.addEventListener('input', () => { if (a.value !== tracked) { tracked = a.value; "
               "heard.push(a.value) } })</script>");
  co_await t.Open("/page");

  const auto filled = co_await t.Fill("#a", "abc");

  EXPECT_TRUE(filled) << Why(filled);
  EXPECT_EQ(co_await t.PageText("heard.at(-1)"), "abc");
}

BROWSER_TEST(FillTest, RespectsTheMaximumLengthOfAField) {
  co_await t.Open("/form.html");

  const auto filled = co_await t.Fill("#limited", "123456789");

  EXPECT_TRUE(filled) << Why(filled);
  EXPECT_EQ(co_await t.PageText("limited.value"), "12345");
}

BROWSER_TEST(FillTest, ALabelStandsForItsField) {
  co_await t.Open("/form.html");

  const auto by_label = co_await t.Fill("label=Email", "a@b.ch");
  const auto by_text = co_await t.Fill("text=Phone", "117");

  EXPECT_TRUE(by_label && by_text) << Why(by_label) << Why(by_text);
  EXPECT_EQ(co_await t.PageText("[email.value, phone.value]"), "a@b.ch,117");
}

BROWSER_TEST(FillTest, WhatWasTypedIsInNoOutcomeAndNoError) {
  co_await t.Open("/form.html");

  const auto filled = co_await t.Fill("#password", "hunter2secret");
  const auto typed =
      co_await t.Do(R"({"action_type": "type", "selector": "#password", "text": "hunter2secret"})");
  const auto refused = co_await t.Do(
      R"({"action_type": "fill", "selector": "#readonly", "text": "hunter2secret", "timeout_ms": 200})");
  const auto wrong = co_await t.Fill("#age", "hunter2secret");

  EXPECT_TRUE(filled && typed) << Why(filled) << Why(typed);
  if (!filled || !typed) co_return;
  for (const std::string& text : {json::serialize(filled->ToJson()),
                                  json::serialize(typed->ToJson()), Why(refused), Why(wrong)}) {
    EXPECT_FALSE(text.contains("hunter2secret")) << text;
  }
  EXPECT_EQ(filled->value_length, 13u);
}

BROWSER_TEST(FillTest, AnUnresolvedSecretIsNotTyped) {
  co_await t.Open("/form.html");

  const auto filled = co_await t.Do(
      R"({"action_type": "fill", "selector": "#password", "text": {"secret": "LOGIN"}})");

  EXPECT_EQ(CodeOf(filled), ErrorCode::kUnsupported) << Why(filled);
  EXPECT_EQ(co_await t.PageText("password.value"), "");
}

BROWSER_TEST(FillTest, AFillThatNavigatesWaitsForTheNewPage) {
  t.site.Serve("/page", "<input id=a oninput=\"location = '/empty.html?filled'\">");
  co_await t.Open("/page");

  const auto filled = co_await t.Fill("#a", "x");

  EXPECT_TRUE(filled) << Why(filled);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/empty.html?filled"));
  if (filled) EXPECT_TRUE(filled->navigation && filled->navigation->committed);
}

BROWSER_TEST(FillTest, FillsManyFieldsOneAfterTheOther) {
  std::string page;
  for (int i = 0; i < 30; ++i) page += "<input id=i" + std::to_string(i) + ">";
  t.site.Serve("/page", page);
  co_await t.Open("/page");

  for (int i = 0; i < 30; ++i) {
    const auto filled = co_await t.Fill("#i" + std::to_string(i), "v" + std::to_string(i));
    EXPECT_TRUE(filled) << Why(filled);
  }

  EXPECT_EQ(
      co_await t.PageText(
          "Array.from(document.querySelectorAll('input')).every((el, i) => el.value == 'v' + i)"),
      "true");
}

BROWSER_TEST(FillTest, APageThatTakesTheFocusAwayIsReported) {
  t.site.Serve(
      "/page",
      "<input id=a><input id=b><script>a.addEventListener('focus', () => b.focus())</script>");
  co_await t.Open("/page");

  const auto filled = co_await t.Fill("#a", "x");

  EXPECT_EQ(CodeOf(filled), ErrorCode::kElementNotEnabled) << Why(filled);
  EXPECT_EQ(co_await t.PageText("a.value + b.value"), "");
}

BROWSER_TEST(FillTest, FillsTheWholeBodyWhenItCanBeEdited) {
  t.site.Serve("/page", "<body contenteditable>old</body>");
  co_await t.Open("/page");

  const auto filled = co_await t.Fill("body", "new body");

  EXPECT_TRUE(filled) << Why(filled);
  EXPECT_EQ(co_await t.PageText("document.body.innerText.trim()"), "new body");
}

}  // namespace
}  // namespace falconer::test
