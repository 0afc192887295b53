// What was typed as a secret stays one, in the pages that come after it too.

#include <fmt/format.h>

#include "tests/browser/secretly.h"
#include "tests/support/png.h"

namespace falconer::test {
namespace {

constexpr std::string_view kFill =
    R"({"action_type": "fill", "selector": "#a", "text": {"secret": "motto"}})";

constexpr std::string_view kForm = R"(<input id=a><button id=go>Go</button>
  <script>go.onclick = () => { localStorage.kept = a.value; location = '/next'; }</script>)";

// Shows what the page before left in the store, letter by letter, on black.
constexpr std::string_view kNext = R"(<body style="margin:0;background:#000"><p id=p
  style="position:absolute;left:100px;top:100px;margin:0;color:#fff;font-size:20px"></p>
  <script>p.innerHTML = [...localStorage.kept].map((c) => '<span>' + c + '</span>').join('')</script>)";

Task<void> TypeAndGoOn(BrowserFixture& t) {
  t.site.Serve("/form", std::string(kForm));
  t.site.Serve("/next", std::string(kNext));
  co_await t.Open("/form");
  EXPECT_TRUE(co_await DoSecretly(t, std::string(kFill)));
  EXPECT_TRUE(co_await t.Click("#go"));
  EXPECT_TRUE(co_await t.WaitFor(R"({"kind": "selector", "selector": "#p > span:last-child"})"));
  EXPECT_EQ(co_await t.PageText("p.textContent"), kSecret) << "the next page shows it";
}

std::size_t LettersIn(const Image& image) {
  std::size_t count = 0;
  for (std::uint32_t y = 100; y < 130; ++y)
    for (std::uint32_t x = 100; x < 400; ++x) count += image.At(x, y).red > 128;
  return count;
}

BROWSER_TEST(TypedSecretsTest, TheNextPageIsCoveredToo) {
  co_await TypeAndGoOn(t);

  const auto done = co_await t.Do(R"({"action_type": "screenshot"})");

  EXPECT_TRUE(done && done->artifact) << Why(done);
  if (!done || !done->artifact) co_return;
  const auto image = DecodePng(ReadFile(t.artifacts / done->artifact->path).value_or(""));
  EXPECT_TRUE(image) << Why(image);
  if (image) EXPECT_EQ(LettersIn(*image), 0u);
}

BROWSER_TEST(TypedSecretsTest, NoScriptReadsItFromTheStoreOfTheSite) {
  co_await TypeAndGoOn(t);
  const std::string script = R"({"action_type": "custom_js_restricted", "js_expression": "1 + 1"})";

  EXPECT_EQ(CodeOf(co_await t.Do(script)), ErrorCode::kSecurityJsBlocked);
  t.site.Serve("/elsewhere", "<p>x</p>");
  EXPECT_TRUE(co_await t.Do(fmt::format(R"({{"action_type": "navigate", "url": "{}"}})",
                                        t.site.CrossSiteUrl("/elsewhere"))));
  const auto elsewhere = co_await t.Do(script);
  EXPECT_TRUE(elsewhere) << Why(elsewhere);
}

BROWSER_TEST(TypedSecretsTest, NoSelectorGuessesIt) {
  co_await TypeAndGoOn(t);
  const auto count = [](std::string_view selector) {
    return fmt::format(R"({{"action_type": "extract", "extract": {{"what": "count"}},
                           "selector": "{}"}})",
                       selector);
  };

  const auto by_text = co_await t.Do(count("text=correct"));
  EXPECT_TRUE(by_text) << Why(by_text);
  if (by_text) EXPECT_EQ(by_text->extracted->at("count"), 0);
  co_await t.Page("p.dataset.copy = p.textContent");
  EXPECT_EQ(CodeOf(co_await t.Do(count("[data-copy^=c]"))), ErrorCode::kSecretField);
  EXPECT_EQ(CodeOf(co_await t.Do(count("xpath=//p"))), ErrorCode::kSecretField);
}

BROWSER_TEST(TypedSecretsTest, ItIsNotEditedByKeys) {
  t.site.Serve("/form", std::string(kForm));
  co_await t.Open("/form");
  EXPECT_TRUE(co_await DoSecretly(t, std::string(kFill)));

  for (const char* action : {
           R"({"action_type": "press", "selector": "#a", "key": "Delete"})",
           R"({"action_type": "press", "key": "Backspace"})",
           R"({"action_type": "press", "key": "Control+x"})",
           R"({"action_type": "press", "key": "q"})",
           R"({"action_type": "type", "selector": "#a", "text": "q"})",
           R"({"action_type": "type", "text": "q"})",
       }) {
    EXPECT_EQ(CodeOf(co_await DoAllowed(t, action)), ErrorCode::kSecretField) << action;
  }
  EXPECT_EQ(co_await t.PageText("a.value"), kSecret);
  for (const char* action : {
           R"({"action_type": "press", "selector": "#a", "key": "Home"})",
           R"({"action_type": "fill", "selector": "#a", "text": "open"})",
           R"({"action_type": "clear", "selector": "#a"})",
           R"({"action_type": "type", "selector": "#a", "text": "new"})",
       }) {
    const auto done = co_await DoAllowed(t, action);
    EXPECT_TRUE(done) << action << ": " << Why(done);
  }
  EXPECT_EQ(co_await t.PageText("a.value"), "new");
}

}  // namespace
}  // namespace falconer::test
