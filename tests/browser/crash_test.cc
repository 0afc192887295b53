// Pages and browsers that die or hang: whoever waits is told at once, and everything else goes on.

#include <csignal>

#include "tests/support/in_background.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

constexpr auto kAtOnce = std::chrono::seconds(3);

// The page's process ends as if it had a fault; nobody answers this command.
void Crash(BrowserFixture& t) {
  t.tab()->session()->Post(cdp::PageNavigate{.url = "chrome://crash"});
}

Task<void> CrashAndSee(BrowserFixture& t) {
  const auto tab = t.tab();
  Crash(t);
  const auto crashed = co_await tab->changes().Until(
      t.ctx.WithTimeout(kPatience), [&] { return tab->phase() == browser::TabPhase::kCrashed; },
      "the crash");
  EXPECT_TRUE(crashed) << Why(crashed);
}

BROWSER_TEST(CrashTest, APendingCallFailsAtOnce) {
  co_await t.Open("/form.html");
  InBackground clicking(t.ctx.executor(), t.Click("#never_there"));
  Crash(t);
  const auto started = t.ctx.clock().Now();
  const auto clicked = co_await clicking.Join();
  EXPECT_EQ(CodeOf(clicked), ErrorCode::kTabCrashed) << Why(clicked);
  EXPECT_LT(t.ctx.clock().Now() - started, kAtOnce);
}

BROWSER_TEST(CrashTest, EveryActionAfterwardsIsRefused) {
  co_await t.Open("/form.html");
  co_await CrashAndSee(t);
  for (const char* action :
       {R"({"action_type": "click", "selector": "#save"})", R"({"action_type": "screenshot"})",
        R"({"action_type": "extract"})", R"({"action_type": "press", "key": "Enter"})"}) {
    const auto done = co_await t.Do(action);
    EXPECT_EQ(CodeOf(done), ErrorCode::kTabCrashed) << action << Why(done);
  }
  const auto state = co_await t.State();
  EXPECT_EQ(CodeOf(state), ErrorCode::kTabCrashed) << Why(state);
}

BROWSER_TEST(CrashTest, EveryWaitEndsAtOnce) {
  for (
      const char* condition :
      {R"({"kind": "selector", "selector": "#never"})",
       R"({"kind": "url", "url_pattern": "**/never"})",
       R"({"kind": "response", "url_pattern": "never"})",
       R"({"kind": "network_idle", "quiet_ms": 60000})",
       R"({"kind": "console", "pattern": "never"})",
       R"({"kind": "function", "expression": "false"})",
       R"({"kind": "all", "children": [{"kind": "text", "text": "never"}, {"kind": "frame", "url_pattern": "**/never"}]})",
       R"({"kind": "any", "children": [{"kind": "text", "text": "never"}, {"kind": "frame", "url_pattern": "**/never"}]})"}) {
    co_await t.Open("/empty.html");
    InBackground waiting(t.ctx.executor(), t.WaitFor(condition));
    co_await CrashAndSee(t);
    const auto started = t.ctx.clock().Now();
    const auto waited = co_await waiting.Join();
    EXPECT_EQ(CodeOf(waited), ErrorCode::kTabCrashed) << condition << ": " << Why(waited);
    EXPECT_LT(t.ctx.clock().Now() - started, kAtOnce) << condition;
  }
}

BROWSER_TEST(CrashTest, NavigatingBringsTheTabBack) {
  co_await t.Open("/empty.html");
  co_await CrashAndSee(t);
  co_await t.Open("/form.html");
  const auto filled = co_await t.Fill("#name", "alive");
  EXPECT_TRUE(filled) << Why(filled);
  const auto clicked = co_await t.Click("#save");
  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("document.getElementById('name').value"), "alive");
}

BROWSER_TEST(CrashTest, ReloadingBringsTheTabBack) {
  co_await t.Open("/form.html");
  co_await CrashAndSee(t);
  const auto reloaded = co_await t.Do(R"({"action_type": "reload"})");
  EXPECT_TRUE(reloaded) << Why(reloaded);
  const auto clicked = co_await t.Click("#save");
  EXPECT_TRUE(clicked) << Why(clicked);
}

BROWSER_TEST(CrashTest, ATabCanCrashAndComeBackAgainAndAgain) {
  for (int round = 0; round < 3; ++round) {
    co_await t.Open("/form.html");
    const auto clicked = co_await t.Click("#save");
    EXPECT_TRUE(clicked) << round << ": " << Why(clicked);
    co_await CrashAndSee(t);
  }
  EXPECT_EQ(t.site.EffectCount("click save"), 3u);
}

BROWSER_TEST(CrashTest, WhatIsEmulatedSurvivesACrash) {
  browser::SessionOptions options;
  options.timezone = "Asia/Tokyo";
  options.color_scheme = "dark";
  options.viewport = {.width = 700, .height = 500};
  options.init_scripts = {"window.fromInit = 7"};
  const auto other = co_await OpenFixture(t, options);
  if (!other) co_return;
  co_await other->Open("/probe.html");
  co_await CrashAndSee(*other);
  co_await other->Open("/probe.html");
  const auto facts = co_await other->Page("probe()");
  EXPECT_TRUE(facts.is_object());
  if (!facts.is_object()) co_return;
  EXPECT_EQ(facts.at("timezone"), "Asia/Tokyo");
  EXPECT_EQ(facts.at("dark"), true);
  EXPECT_EQ(facts.at("width"), 700);
  EXPECT_EQ(co_await other->PageText("fromInit"), "7");
}

BROWSER_TEST(CrashTest, OtherTabsOfTheSessionGoOn) {
  co_await t.Open("/form.html");
  const auto first = t.tab();
  co_await t.Do(R"({"action_type": "new_tab", "url": ")" + t.site.CrossSiteUrl("/form.html") +
                "\"}");
  co_await CrashAndSee(t);
  EXPECT_TRUE(first->Alive());
  const auto clicked = co_await t.Do(
      R"({"action_type": "click", "selector": "#save", "tab_id": ")" + first->id().value() + "\"}");
  EXPECT_TRUE(clicked) << Why(clicked);
  const auto listed = co_await t.session->tabs().List(t.ctx.WithTimeout(kPatience));
  EXPECT_TRUE(listed) << Why(listed);
  if (listed) EXPECT_EQ(listed->size(), 2u);
}

BROWSER_TEST(CrashTest, ACrashedTabCanBeClosed) {
  co_await t.Open("/form.html");
  co_await t.Do(R"({"action_type": "new_tab"})");
  co_await CrashAndSee(t);
  const auto closed = co_await t.Do(R"({"action_type": "close_tab"})");
  EXPECT_TRUE(closed) << Why(closed);
  EXPECT_EQ(t.session->tabs().all().size(), 1u);
}

BROWSER_TEST(CrashTest, ACrashedTabCanBeLeft) {
  co_await t.Open("/form.html");
  const auto first = t.tab()->id();
  co_await t.Do(R"({"action_type": "new_tab"})");
  co_await CrashAndSee(t);
  const auto left = co_await t.Do(
      json::serialize(json::object{{"action_type", "switch_tab"}, {"tab_id", first.value()}}));
  EXPECT_TRUE(left) << Why(left);
  const auto filled = co_await t.Fill("#name", "x");
  EXPECT_TRUE(filled) << Why(filled);
}

BROWSER_TEST(CrashTest, ASessionWithACrashedTabCanBeClosed) {
  const auto other = co_await OpenFixture(t, {});
  if (!other) co_return;
  co_await other->Open("/form.html");
  co_await CrashAndSee(*other);
  const auto started = t.ctx.clock().Now();
  co_await other->session->Close(t.ctx.WithTimeout(kPatience));
  EXPECT_LT(t.ctx.clock().Now() - started, kAtOnce);
  EXPECT_FALSE(other->session->is_open());
}

BROWSER_TEST(CrashTest, ANavigationUnderWayFailsWithTheCrash) {
  co_await t.Open("/empty.html");
  t.site.Hold("/held");
  InBackground going(t.ctx.executor(),
                     t.Do(R"({"action_type": "navigate", "url": ")" + t.site.Url("/held") + "\"}"));
  const auto asked = co_await t.site.UntilRequests(t.ctx.WithTimeout(kPatience), "/held", 1);
  EXPECT_TRUE(asked) << Why(asked);
  Crash(t);
  const auto gone = co_await going.Join();
  EXPECT_FALSE(gone);
  t.site.Release("/held");
}

// Hanging pages

BROWSER_TEST(CrashTest, CallsIntoAHangingPageEndByTheirDeadline) {
  co_await t.Open("/hang.html");
  co_await t.Click("#hang");
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "hanging", 1);
  EXPECT_TRUE(told) << Why(told);

  const auto started = t.ctx.clock().Now();
  const auto clicked =
      co_await t.Do(R"({"action_type": "click", "selector": "#busy", "timeout_ms": 400})");
  const auto state =
      co_await t.extractor.Read(t.ctx.WithTimeout(std::chrono::milliseconds(400)), t.tab(), {});

  EXPECT_EQ(CodeOf(clicked), ErrorCode::kTimeout) << Why(clicked);
  EXPECT_EQ(CodeOf(state), ErrorCode::kTimeout) << Why(state);
  EXPECT_LT(t.ctx.clock().Now() - started, kAtOnce);
}

BROWSER_TEST(CrashTest, AHangingPageDoesNotHoldUpOtherTabs) {
  co_await t.Open("/hang.html");
  co_await t.Click("#hang");
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "hanging", 1);
  EXPECT_TRUE(told) << Why(told);
  const auto opened = co_await t.Do(R"({"action_type": "new_tab", "url": ")" +
                                    t.site.CrossSiteUrl("/form.html") + "\"}");
  EXPECT_TRUE(opened) << Why(opened);
  const auto clicked = co_await t.Click("#save");
  EXPECT_TRUE(clicked) << Why(clicked);
  const auto state = co_await t.State();
  EXPECT_TRUE(state) << Why(state);
  if (state) EXPECT_EQ(state->tabs.size(), 2u);
}

BROWSER_TEST(CrashTest, AHangingPageCanBeLeft) {
  co_await t.Open("/hang.html");
  co_await t.Click("#hang");
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "hanging", 1);
  EXPECT_TRUE(told) << Why(told);
  co_await t.Open(t.site.CrossSiteUrl("/form.html"));
  const auto clicked = co_await t.Click("#save");
  EXPECT_TRUE(clicked) << Why(clicked);
}

BROWSER_TEST(CrashTest, AHangingTabCanBeClosed) {
  co_await t.Open("/empty.html");
  co_await t.Do(R"({"action_type": "new_tab", "url": ")" + t.site.CrossSiteUrl("/hang.html") +
                "\"}");
  co_await t.Click("#hang");
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "hanging", 1);
  EXPECT_TRUE(told) << Why(told);
  const auto closed = co_await t.Do(R"({"action_type": "close_tab"})");
  EXPECT_TRUE(closed) << Why(closed);
  EXPECT_EQ(t.session->tabs().all().size(), 1u);
}

// A browser of its own that is killed

struct Doomed {
  std::unique_ptr<browser::Browser> browser;
  std::shared_ptr<browser::Session> session;
};

Task<Doomed> LaunchDoomed(BrowserFixture& t) {
  Doomed doomed;
  auto launched = co_await browser::Browser::Launch(t.ctx, TestBrowserConfig(), {});
  EXPECT_TRUE(launched) << Why(launched);
  if (!launched) co_return doomed;
  doomed.browser = *std::move(launched);
  browser::SessionOptions options;
  options.artifacts = t.artifacts;
  const auto session = co_await doomed.browser->NewSession(t.ctx.WithTimeout(kPatience),
                                                           SessionId("doomed"), options);
  EXPECT_TRUE(session) << Why(session);
  if (session) doomed.session = *session;
  co_return doomed;
}

BROWSER_TEST(CrashTest, WhenTheBrowserIsKilledEveryCallSaysSo) {
  const Doomed doomed = co_await LaunchDoomed(t);
  if (!doomed.session) co_return;
  BrowserFixture own(t.ctx, *doomed.browser, t.site, doomed.session, t.artifacts);
  co_await own.Open("/form.html");
  std::optional<Error> told;
  const auto hearing = doomed.session->OnClosed([&](const Error& why) { told = why; });

  InBackground clicking(t.ctx.executor(), own.Click("#never_there"));
  InBackground waiting(
      t.ctx.executor(),
      own.WaitFor(R"({"kind": "any", "children": [{"kind": "popup"}, {"kind": "download"}]})"));
  ::kill(doomed.browser->pid(), SIGKILL);
  const auto clicked = co_await clicking.Join();
  const auto waited = co_await waiting.Join();

  EXPECT_EQ(CodeOf(clicked), ErrorCode::kBrowserGone) << Why(clicked);
  EXPECT_EQ(CodeOf(waited), ErrorCode::kBrowserGone) << Why(waited);
  EXPECT_TRUE(told && told->code() == ErrorCode::kBrowserGone);
  EXPECT_FALSE(doomed.session->is_open());
  EXPECT_FALSE(doomed.browser->is_alive());
  const auto later = co_await own.Click("#save");
  EXPECT_EQ(CodeOf(later), ErrorCode::kBrowserGone) << Why(later);
  const auto state = co_await own.driver.Perform(t.ctx, {.type = model::ActionType::kNewTab});
  EXPECT_EQ(CodeOf(state), ErrorCode::kBrowserGone) << Why(state);
}

BROWSER_TEST(CrashTest, AKilledBrowserOpensNoMoreSessions) {
  const Doomed doomed = co_await LaunchDoomed(t);
  if (!doomed.session) co_return;
  ::kill(doomed.browser->pid(), SIGKILL);
  const auto opened =
      co_await doomed.browser->NewSession(t.ctx.WithTimeout(kPatience), SessionId("late"), {});
  EXPECT_EQ(CodeOf(opened), ErrorCode::kBrowserGone) << Why(opened);
  const auto probed = co_await doomed.browser->Probe(t.ctx.WithTimeout(kPatience));
  EXPECT_EQ(CodeOf(probed), ErrorCode::kBrowserGone) << Why(probed);
}

BROWSER_TEST(CrashTest, AKilledBrowserTellsItsListenersOnce) {
  const Doomed doomed = co_await LaunchDoomed(t);
  if (!doomed.session) co_return;
  int times = 0;
  Notifier heard;
  const auto hearing = doomed.browser->OnGone([&](const Error& why) {
    EXPECT_EQ(why.code(), ErrorCode::kBrowserGone);
    ++times;
    heard.NotifyAll();
  });
  ::kill(doomed.browser->pid(), SIGKILL);
  const auto gone =
      co_await heard.Until(t.ctx.WithTimeout(kPatience), [&] { return times > 0; }, "the news");
  EXPECT_TRUE(gone) << Why(gone);
  EXPECT_EQ(times, 1);
}

}  // namespace
}  // namespace falconer::test
