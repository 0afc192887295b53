// Typing and pressing keys: the page sees what a keyboard would send.

#include "base/json/json.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

Task<Result<model::ActionOutcome>> Type(BrowserFixture& t, std::string selector, std::string text,
                                        json::object more = {}) {
  more["action_type"] = "type";
  more["text"] = std::string_view(text);
  if (!selector.empty()) more["selector"] = std::string_view(selector);
  return t.Do(json::serialize(more));
}

Task<Result<model::ActionOutcome>> Press(BrowserFixture& t, std::string key,
                                         std::string selector = "") {
  json::object action{{"action_type", "press"}, {"key", std::string_view(key)}};
  if (!selector.empty()) action["selector"] = std::string_view(selector);
  return t.Do(json::serialize(action));
}

BROWSER_TEST(KeyboardTest, TypesWhatAKeyboardHasByItsKeys) {
  co_await t.Open("/keyboard.html");

  const auto typed = co_await Type(t, "#pad", "aB?");

  EXPECT_TRUE(typed) << Why(typed);
  EXPECT_EQ(co_await t.PageText("pad.value"), "aB?");
  EXPECT_EQ(
      co_await t.PageText("keys.textContent.split('\\n').filter(l => l.startsWith('keydown'))"),
      "keydown a KeyA - once 0,keydown B KeyB S once 0,keydown ? Slash S once 0");
}

BROWSER_TEST(KeyboardTest, TypesEveryPrintableCharacterOfTheKeyboard) {
  co_await t.Open("/keyboard.html");
  std::string all;
  for (char c = ' '; c <= '~'; ++c) all += c;

  const auto typed = co_await Type(t, "#pad", all);

  EXPECT_TRUE(typed) << Why(typed);
  EXPECT_EQ(co_await t.PageText("pad.value"), all);
  if (typed) EXPECT_EQ(typed->value_length, all.size());
}

BROWSER_TEST(KeyboardTest, TypesWhatNoKeyHas) {
  co_await t.Open("/keyboard.html");
  const std::string text = "Zürich 北京 🦅👨‍👩‍👧 «ñ»";

  const auto typed = co_await Type(t, "#pad", text);

  EXPECT_TRUE(typed) << Why(typed);
  EXPECT_EQ(co_await t.PageText("pad.value"), text);
}

BROWSER_TEST(KeyboardTest, ANewLineIsTheEnterKey) {
  co_await t.Open("/keyboard.html");

  const auto typed = co_await Type(t, "#pad", "one\ntwo\r\nthree");

  EXPECT_TRUE(typed) << Why(typed);
  EXPECT_EQ(co_await t.PageText("pad.value"), "one\ntwo\nthree");
}

BROWSER_TEST(KeyboardTest, AppendsAtTheEndOrReplacesWhenAskedTo) {
  t.site.Serve("/page",
               "<input id=a value='old'><textarea id=b>old</textarea><div id=c "
               "contenteditable>old</div><input id=d type=number value=1>");
  co_await t.Open("/page");

  for (const std::string id : {"a", "b", "c"}) {
    const std::string read = id == "c" ? "c.innerText" : id + ".value";
    const auto more = co_await Type(t, "#" + id, "er");
    EXPECT_TRUE(more) << Why(more);
    EXPECT_EQ(co_await t.PageText(read), "older");

    const auto fresh = co_await Type(t, "#" + id, "new", {{"clear_first", true}});
    EXPECT_TRUE(fresh) << Why(fresh);
    EXPECT_EQ(co_await t.PageText(read), "new");
  }
  const auto number = co_await Type(t, "#d", "2");
  EXPECT_TRUE(number) << Why(number);
  EXPECT_EQ(co_await t.PageText("d.value"), "12")
      << "the caret of a number field cannot be set by script";
}

BROWSER_TEST(KeyboardTest, ClearFirstWithNothingToTypeEmptiesTheField) {
  t.site.Serve("/page", "<input id=a value='old'>");
  co_await t.Open("/page");

  const auto typed = co_await Type(t, "#a", "", {{"clear_first", true}});

  EXPECT_TRUE(typed) << Why(typed);
  EXPECT_EQ(co_await t.PageText("a.value"), "");
}

BROWSER_TEST(KeyboardTest, TypesWhereTheFocusIsWithoutATarget) {
  t.site.Serve("/page", "<input id=a><input id=b autofocus>");
  co_await t.Open("/page");
  co_await t.Page("a.focus()");

  const auto typed = co_await Type(t, "", "here");

  EXPECT_TRUE(typed) << Why(typed);
  EXPECT_EQ(co_await t.PageText("a.value + '|' + b.value"), "here|");
}

BROWSER_TEST(KeyboardTest, LeavesTimeBetweenKeysWhenAskedTo) {
  t.site.Serve("/page",
               "<input id=a><script>window.times = []; a.addEventListener('keydown', () => "
               "times.push(performance.now()))</script>");
  co_await t.Open("/page");

  const auto typed = co_await Type(t, "#a", "abcd", {{"delay_ms", 40}});

  EXPECT_TRUE(typed) << Why(typed);
  EXPECT_EQ(co_await t.PageText("a.value"), "abcd");
  EXPECT_EQ(co_await t.PageText("times[3] - times[0] > 90"), "true");
}

BROWSER_TEST(KeyboardTest, StopsTypingWhenAKeyOpensADialog) {
  t.site.Serve("/page",
               "<input id=a><script>a.addEventListener('input', () => { if (a.value == 'ab') "
               "alert('stop'); })</script>");
  co_await t.Open("/page");

  const auto typed = co_await Type(t, "#a", "abcdef", {{"delay_ms", 50}});
  const auto answered =
      co_await t.Do(R"({"action_type": "handle_dialog", "dialog": {"accept": true}})");

  EXPECT_EQ(CodeOf(typed), ErrorCode::kDialogOpen) << Why(typed);
  EXPECT_TRUE(answered) << Why(answered);
  EXPECT_LT((co_await t.PageText("a.value")).size(), 6u);
}

BROWSER_TEST(KeyboardTest, AChordHoldsItsModifiers) {
  co_await t.Open("/keyboard.html");

  const auto pressed = co_await Press(t, "Control+Shift+K", "#pad");

  EXPECT_TRUE(pressed) << Why(pressed);
  EXPECT_EQ(
      co_await t.PageText(
          "keys.textContent.trim().split('\\n').map(l => l.split(' ').slice(0, 4).join(' '))"),
      "keydown Control ControlLeft C,keydown Shift ShiftLeft CS,keydown K KeyK CS,keyup K KeyK CS,"
      "keyup Control ControlLeft S,keyup Shift ShiftLeft -");
  EXPECT_EQ(co_await t.PageText("pad.value"), "");
}

BROWSER_TEST(KeyboardTest, SelectsAllAndTypesOverIt) {
  t.site.Serve("/page", "<input id=a value='old words'>");
  co_await t.Open("/page");

  const auto selected = co_await Press(t, "Control+a", "#a");
  const auto typed = co_await Type(t, "", "new");

  EXPECT_TRUE(selected && typed) << Why(selected) << Why(typed);
  EXPECT_EQ(co_await t.PageText("a.value"), "new");
}

BROWSER_TEST(KeyboardTest, EditsWithTheKeysOfAnEditor) {
  t.site.Serve("/page",
               "<input id=a value='abcdef'><script>a.focus(); a.setSelectionRange(6, 6)</script>");
  co_await t.Open("/page");

  for (const std::string key : {"Backspace", "Home", "Delete", "ArrowRight", "x", "End", "!",
                                "Shift+ArrowLeft", "Shift+ArrowLeft", "y"}) {
    const auto pressed = co_await Press(t, key);
    EXPECT_TRUE(pressed) << key << ": " << Why(pressed);
  }

  EXPECT_EQ(co_await t.PageText("a.value"), "bxcdy");
}

BROWSER_TEST(KeyboardTest, CutsAndPastesWithinThePage) {
  t.site.Serve("/page", "<input id=a value='words'><input id=b>");
  co_await t.Open("/page");

  for (const auto& [key, id] : {std::pair("Control+a", "#a"),
                                {"Control+x", "#a"},
                                {"Control+v", "#b"},
                                {"Control+v", "#b"}}) {
    const auto pressed = co_await Press(t, key, id);
    EXPECT_TRUE(pressed) << key << ": " << Why(pressed);
  }

  EXPECT_EQ(co_await t.PageText("a.value + '|' + b.value"), "|wordswords");
}

BROWSER_TEST(KeyboardTest, TabFollowsTheTabOrder) {
  t.site.Serve("/page",
               "<input id=c tabindex=2><input id=a tabindex=1><input id=x disabled><a id=d "
               "href='#'>d</a><input id=y tabindex=-1>");
  co_await t.Open("/page");
  std::string order;

  for (const std::string key : {"Tab", "Tab", "Tab", "Shift+Tab"}) {
    const auto pressed = co_await Press(t, key);
    EXPECT_TRUE(pressed) << Why(pressed);
    order += co_await t.PageText("document.activeElement.id");
  }

  EXPECT_EQ(order, "acdc");
}

BROWSER_TEST(KeyboardTest, EnterSubmitsAForm) {
  co_await t.Open("/form.html?send=post");
  const auto filled = co_await t.Fill("#name", "Ada");
  EXPECT_TRUE(filled) << Why(filled);

  const auto pressed = co_await Press(t, "Enter", "#name");

  EXPECT_TRUE(pressed) << Why(pressed);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/submit"));
  if (pressed) EXPECT_TRUE(pressed->navigation && pressed->navigation->committed);
}

BROWSER_TEST(KeyboardTest, SpaceAndEnterPressAButton) {
  t.site.Serve("/page",
               "<button id=b>Go</button><script>window.n = 0; b.onclick = () => ++n</script>");
  co_await t.Open("/page");

  const auto space = co_await Press(t, "Space", "#b");
  const auto enter = co_await Press(t, "Enter", "#b");

  EXPECT_TRUE(space && enter) << Why(space) << Why(enter);
  EXPECT_EQ(co_await t.PageText("n"), "2");
}

BROWSER_TEST(KeyboardTest, KnowsFunctionKeysAndTheNumberPad) {
  co_await t.Open("/keyboard.html");

  for (const std::string key : {"F5", "F12", "Numpad7", "Escape", "PageDown"}) {
    const auto pressed = co_await Press(t, key, "#pad");
    EXPECT_TRUE(pressed) << key << ": " << Why(pressed);
  }

  EXPECT_EQ(co_await t.PageText("keys.textContent.split('\\n').filter(l => "
                                "l.startsWith('keydown')).map(l => l.split(' ')[2])"),
            "F5,F12,Numpad7,Escape,PageDown");
  EXPECT_EQ(co_await t.PageText("pad.value"), "7");
}

BROWSER_TEST(KeyboardTest, AModifierCanBePressedAlone) {
  co_await t.Open("/keyboard.html");

  const auto pressed = co_await Press(t, "Shift", "#pad");

  EXPECT_TRUE(pressed) << Why(pressed);
  EXPECT_EQ(co_await t.PageText("keys.textContent.trim()"),
            "keydown Shift ShiftLeft S once 1\nkeyup Shift ShiftLeft - once 1");
}

BROWSER_TEST(KeyboardTest, RefusesKeysThatDoNotExist) {
  co_await t.Open("/keyboard.html");

  for (const std::string key : {"Enterr", "Hyper+a", "Control+", "\xF0\x9F\xA6\x85"}) {
    const auto pressed = co_await Press(t, key, "#pad");
    const auto code = CodeOf(pressed);
    EXPECT_TRUE(code == ErrorCode::kInvalidActionSpec || code == ErrorCode::kInvalidArgument)
        << key << ": " << Why(pressed);
  }
  EXPECT_EQ(co_await t.PageText("keys.textContent"), "");
}

BROWSER_TEST(KeyboardTest, HoldsAKeyDownForAsLongAsAsked) {
  t.site.Serve("/page",
               "<input id=a><script>window.at = {}; for (const type of ['keydown', 'keyup']) "
               "a.addEventListener(type, () => at[type] = performance.now())</script>");
  co_await t.Open("/page");

  const auto pressed =
      co_await t.Do(R"({"action_type": "press", "selector": "#a", "key": "x", "delay_ms": 60})");

  EXPECT_TRUE(pressed) << Why(pressed);
  EXPECT_EQ(co_await t.PageText("at.keyup - at.keydown >= 50"), "true");
}

BROWSER_TEST(KeyboardTest, PreventedKeysTypeNothing) {
  t.site.Serve("/page",
               "<input id=a><script>a.addEventListener('keydown', e => { if (e.key == 'b') "
               "e.preventDefault(); })</script>");
  co_await t.Open("/page");

  const auto typed = co_await Type(t, "#a", "abc");

  EXPECT_TRUE(typed) << Why(typed);
  EXPECT_EQ(co_await t.PageText("a.value"), "ac");
}

}  // namespace
}  // namespace falconer::test
