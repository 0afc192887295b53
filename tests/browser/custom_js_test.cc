// A caller's own script: apart from the page's and from Falconer's, with typed failures.

#include "base/json/json.h"
#include "base/utf8.h"
#include "tests/support/running_action.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

Task<Result<model::ActionOutcome>> Run(BrowserFixture& t, std::string expression,
                                       json::object more = {}) {
  more["action_type"] = "custom_js_restricted";
  more["js_expression"] = std::string_view(expression);
  return t.Do(json::serialize(more));
}

std::string Extracted(const Result<model::ActionOutcome>& done) {
  if (!done) return Why(done);
  return done->extracted ? json::serialize(*done->extracted) : "(none)";
}

BROWSER_TEST(CustomJsTest, GivesTheValueOfAnExpression) {
  co_await t.Open("/form.html");
  const std::pair<const char*, const char*> cases[] = {
      {"1 + 1", "2"},
      {"'text ' + 1", R"("text 1")"},
      {"({a: [1, null, true]})", R"({"a":[1,null,true]})"},
      {"document.title", R"("Form with every control")"},
      {"null", "null"},
      {"undefined", "null"},
      {"Promise.resolve(7)", "7"},
      {"(() => document.querySelectorAll('input').length > 5)", "true"},
      {"async () => { await new Promise(r => setTimeout(r, 20)); return 'later' }", R"("later")"},
  };
  for (const auto& [expression, expected] : cases) {
    EXPECT_EQ(Extracted(co_await Run(t, expression)), expected) << expression;
  }
}

BROWSER_TEST(CustomJsTest, TakesAnArgument) {
  co_await t.Open("/form.html");

  const auto done = co_await Run(t, "({list, name}) => name + list.length",
                                 {{"js_argument", {{"list", {1, 2, 3}}, {"name", "n\"'`${1}"}}}});

  EXPECT_EQ(Extracted(done), R"("n\"'`${1}3")");
}

BROWSER_TEST(CustomJsTest, ActsOnThePage) {
  t.site.Serve("/page", "<input id=i>");
  co_await t.Open("/page");

  const auto done = co_await Run(t, "document.getElementById('i').value = 'set'");

  EXPECT_TRUE(done) << Why(done);
  EXPECT_EQ(co_await t.PageText("i.value"), "set");
}

BROWSER_TEST(CustomJsTest, SeesNoGlobalsOfThePageAndLeavesNone) {
  t.site.Serve("/page",
               "<script>window.token = 'page secret'; Array.prototype.map = () => 'broken'; "
               "JSON.stringify = () => 'broken'</script>");
  co_await t.Open("/page");

  EXPECT_EQ(Extracted(co_await Run(t, "typeof window.token")), R"("undefined")");
  EXPECT_EQ(Extracted(co_await Run(t, "[1, 2].map(x => x * 2)")), "[2,4]");
  EXPECT_EQ(Extracted(co_await Run(t, "window.mine = 1")), "1");
  EXPECT_EQ(co_await t.PageText("typeof window.mine"), "undefined");
}

BROWSER_TEST(CustomJsTest, CannotReachFalconersOwnScript) {
  co_await t.Open("/form.html");
  const auto filled = co_await t.Fill("#name", "x");
  EXPECT_TRUE(filled) << Why(filled);

  EXPECT_EQ(Extracted(co_await Run(t, "typeof __falconer")), R"("undefined")");
  EXPECT_EQ(co_await t.PageText("typeof __falconer"), "undefined");
}

BROWSER_TEST(CustomJsTest, ExceptionsAreTyped) {
  co_await t.Open("/form.html");
  const std::pair<const char*, const char*> cases[] = {
      {"(() => { throw new TypeError('boom') })", "TypeError: boom"},
      {"nobody.knows", "ReferenceError"},
      {"(() => { throw 'a word' })", ""},
      {"Promise.reject(new Error('later boom'))", "later boom"},
      {"1 +", "SyntaxError"},
      {"}; alert(1); ({", "SyntaxError"},
      {"window", ""},
      {"(() => { const a = {}; a.a = a; return a })", ""},
      {"10n", ""},
  };
  for (const auto& [expression, text] : cases) {
    const auto done = co_await Run(t, expression);
    EXPECT_FALSE(done) << expression << " gave " << Extracted(done);
    const auto code = CodeOf(done);
    EXPECT_TRUE(code == ErrorCode::kScriptError || code == ErrorCode::kInvalidArgument)
        << expression << ": " << Why(done);
    EXPECT_TRUE(Why(done).contains(text)) << expression << ": " << Why(done);
  }
  EXPECT_EQ(Extracted(co_await Run(t, "2 + 2")), "4") << "the page is as usable as before";
}

BROWSER_TEST(CustomJsTest, ALongExceptionIsCutBetweenCharacters) {
  co_await t.Open("/form.html");
  for (const std::string start : {"", "x", "xx", "xxx"}) {
    const auto done =
        co_await Run(t, "(() => { throw new Error('" + start + "' + '🦅'.repeat(200)) })");

    EXPECT_EQ(CodeOf(done), ErrorCode::kScriptError) << Why(done);
    EXPECT_TRUE(IsValidUtf8(Why(done))) << Why(done);
    EXPECT_LT(Why(done).size(), 400u);
  }
}

BROWSER_TEST(CustomJsTest, AnEndlessWaitEndsWithItsTime) {
  co_await t.Open("/form.html");

  const auto done = co_await Run(t, "new Promise(() => 0)", {{"timeout_ms", 300}});

  EXPECT_EQ(CodeOf(done), ErrorCode::kTimeout) << Why(done);
  EXPECT_EQ(Extracted(co_await Run(t, "1")), "1");
}

BROWSER_TEST(CustomJsTest, AnEndlessLoopEndsWithItsTimeAndThePageLives) {
  co_await t.Open("/form.html");

  const auto done = co_await Run(t, "(() => { for (;;); })", {{"timeout_ms", 400}});
  EXPECT_EQ(CodeOf(done), ErrorCode::kTimeout) << Why(done);

  const auto filled = co_await t.Do(
      R"({"action_type": "fill", "selector": "#name", "text": "x", "timeout_ms": 3000})");
  EXPECT_TRUE(filled) << Why(filled);
}

BROWSER_TEST(CustomJsTest, CanBeCalledOff) {
  co_await t.Open("/form.html");
  RunningAction running(
      t,
      R"json({"action_type": "custom_js_restricted", "js_expression": "new Promise(() => 0)"})json");
  co_await t.Page("new Promise(done => setTimeout(done))");

  running.Cancel();
  const auto done = co_await running.Outcome();

  EXPECT_EQ(CodeOf(done), ErrorCode::kCancelled) << Why(done);
}

BROWSER_TEST(CustomJsTest, NavigationIsWaitedFor) {
  co_await t.Open("/form.html");

  const auto done = co_await Run(t, "location.href = '/empty.html', 1");

  EXPECT_TRUE(done) << Why(done);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/empty.html"));
}

BROWSER_TEST(CustomJsTest, ADialogItOpensIsSurfaced) {
  co_await t.Open("/form.html");

  const auto done = co_await Run(t, "confirm('from the script')");
  EXPECT_EQ(CodeOf(done), ErrorCode::kDialogOpen) << Why(done);

  const auto answered =
      co_await t.Do(R"({"action_type": "handle_dialog", "dialog": {"accept": true}})");
  EXPECT_TRUE(answered) << Why(answered);
}

BROWSER_TEST(CustomJsTest, RunsInsideAFrame) {
  t.site.Serve("/inner", "<title>Inner</title>");
  t.site.Serve("/page",
               "<title>Outer</title><iframe src='" + t.site.CrossSiteUrl("/inner") + "'></iframe>");
  co_await t.Open("/page");
  const auto frames = t.tab()->frames().All();
  EXPECT_EQ(frames.size(), 2u);
  if (frames.size() != 2) co_return;

  const auto inner =
      co_await Run(t, "document.title",
                   {{"target", {{"fid", std::string_view(frames[1]->fid)}, {"selector", "html"}}}});
  const auto by_selector =
      co_await Run(t, "document.title", {{"selector", "frame=iframe >> html"}});

  EXPECT_EQ(Extracted(inner), R"("Inner")");
  EXPECT_EQ(Extracted(by_selector), R"("Inner")");
}

BROWSER_TEST(CustomJsTest, TooLongAScriptIsRefused) {
  co_await t.Open("/form.html");

  const auto done = co_await Run(t, "'" + std::string(600, 'x') + "'");

  EXPECT_EQ(CodeOf(done), ErrorCode::kInvalidActionSpec) << Why(done);
}

}  // namespace
}  // namespace falconer::test
