// What pages say to the console and what they fail to catch.

#include <algorithm>

#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

using browser::ConsoleEntry;
using browser::ConsoleKind;

// The entry whose message has this part; one without a number when there is none.
ConsoleEntry Entry(BrowserFixture& t, std::string_view part) {
  for (const ConsoleEntry& entry : t.tab()->console().EntriesSince(0)) {
    if (entry.message.contains(part)) return entry;
  }
  return {};
}

Task<ConsoleEntry> UntilSaid(BrowserFixture& t, std::string part) {
  const auto said = co_await t.tab()->changes().Until(
      t.ctx.WithTimeout(kPatience), [&] { return Entry(t, part).seq > 0; }, "the entry");
  EXPECT_TRUE(said) << part << ": " << Why(said);
  co_return Entry(t, part);
}

BROWSER_TEST(ConsoleTest, EveryCallHasItsLevel) {
  co_await t.Open("/console.html");
  co_await t.Click("#log");
  co_await UntilSaid(t, "debug");
  for (const auto& [text, level] :
       {std::pair("plain 1", "info"), std::pair("info", "info"), std::pair("warning", "warning"),
        std::pair("bad thing", "error"), std::pair("debug", "debug")}) {
    EXPECT_EQ(Entry(t, text).level, level) << text;
    EXPECT_EQ(Entry(t, text).kind, ConsoleKind::kConsole) << text;
  }
}

BROWSER_TEST(ConsoleTest, AnUncaughtErrorSaysWhatAndWhere) {
  t.site.Serve("/one",
               "<!doctype html>\n<button id=b>Break</button>\n<script>\nb.onclick = () => { "
               "nothing.here() }\n</script>");
  co_await t.Open("/one");
  co_await t.Click("#b");
  const auto entry = co_await UntilSaid(t, "nothing is not defined");
  EXPECT_EQ(entry.kind, ConsoleKind::kPageError);
  EXPECT_EQ(entry.level, "error");
  EXPECT_EQ(entry.url, t.site.Url("/one"));
  EXPECT_EQ(entry.line, 4);
}

BROWSER_TEST(ConsoleTest, APromiseNobodyHandlesIsAnError) {
  co_await t.Open("/console.html");
  co_await t.Click("#reject");
  EXPECT_EQ((co_await UntilSaid(t, "rejected on purpose")).kind, ConsoleKind::kPageError);
}

BROWSER_TEST(ConsoleTest, TheBrowsersOwnRemarksAreThereToo) {
  co_await t.Open("/console.html");
  co_await t.Click("#network");
  const auto entry = co_await UntilSaid(t, "500");
  EXPECT_EQ(entry.kind, ConsoleKind::kLog);
  EXPECT_EQ(entry.level, "error");
}

BROWSER_TEST(ConsoleTest, AFloodIsCountedAndNotKept) {
  co_await t.Open("/console.html?flood=5000");
  const auto mark = t.tab()->console().last_seq();
  co_await t.Click("#flood");
  co_await UntilSaid(t, "line 4999");
  const std::size_t kept = t.tab()->console().EntriesSince(mark).size();
  EXPECT_LE(kept, 200u);
  EXPECT_EQ(kept + t.tab()->console().DroppedSince(mark), 5000u);
  const auto clicked = co_await t.Click("#log");
  EXPECT_TRUE(clicked) << Why(clicked);
}

BROWSER_TEST(ConsoleTest, OddObjectsAreShortTexts) {
  co_await t.Open("/console.html");
  const auto mark = t.tab()->console().last_seq();
  co_await t.Click("#objects");
  const auto said = co_await t.tab()->changes().Until(
      t.ctx.WithTimeout(kPatience), [&] { return t.tab()->console().last_seq() > mark; },
      "the entry");
  EXPECT_TRUE(said) << Why(said);
  for (const ConsoleEntry& entry : t.tab()->console().EntriesSince(mark)) {
    EXPECT_LE(entry.message.size(), 4 * browser::kMaxConsoleMessage);
    EXPECT_FALSE(entry.message.empty());
  }
}

BROWSER_TEST(ConsoleTest, FramesOfOtherProcessesAreHeard) {
  t.site.Serve("/inner",
               "<script>console.warn('from the frame'); setTimeout(() => { throw new Error('frame "
               "broke') })</script>");
  t.site.Serve("/one", "<iframe src='" + t.site.CrossSiteUrl("/inner") + "'></iframe>");
  co_await t.Open("/one");
  EXPECT_EQ((co_await UntilSaid(t, "from the frame")).level, "warning");
  EXPECT_EQ((co_await UntilSaid(t, "frame broke")).kind, ConsoleKind::kPageError);
}

BROWSER_TEST(ConsoleTest, EntriesSurviveANavigation) {
  co_await t.Open("/console.html");
  co_await t.Open(t.site.CrossSiteUrl("/empty.html"));
  EXPECT_EQ(Entry(t, "page loaded").level, "warning");
  EXPECT_EQ(std::ranges::count_if(t.tab()->console().EntriesSince(0),
                                  [](const auto& e) { return e.message == "page loaded"; }),
            1);
}

BROWSER_TEST(ConsoleTest, OurOwnScriptsSayNothing) {
  co_await t.Open("/form.html");
  co_await t.Click("#save");
  co_await t.Fill("#name", "quiet");
  co_await t.State();
  co_await t.WaitFor(R"({"kind": "function", "expression": "true"})");
  EXPECT_TRUE(t.tab()->console().EntriesSince(0).empty());
}

}  // namespace
}  // namespace falconer::test
