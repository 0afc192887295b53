// Ways in which drivers of browsers have failed their users, each with the test that keeps us from
// it; tests without a suite are in this file.
//
// - browsers left running, zombies, profiles left behind: OrphanTest, PoolTest
// - the browser dies with the thread that started it: ABrowserOutlivesTheThreadThatStartedIt
// - calls hang for ever after a page crashed: CrashTest
// - a dialog freezes everything, also its own answer: ADialogIsAnsweredWhileOtherCallsWait
// - refs that count positions hit the wrong element: ARefNeverMovesToAnotherElement
// - refs survive a navigation and do nothing: ARefOfThePageBeforeIsRefused
// - input goes to another tab after the own one is gone: NothingIsDoneInAnotherTab
// - screenshots hang: AScreenshotOfAHangingPageEndsInTime
// - screenshots wait for fonts for ever: AScreenshotDoesNotWaitForFontsForEver
// - bodies are gone after a navigation: ABodyIsThereAfterANavigation
// - stale script worlds when a frame changes its process: OopifTest
// - frames out of view never come to rest: FramePlacesTest
// - sticky headers and own labels take the click: WhatCoversTheTargetIsNamed, ClickTest
// - every mouse move costs a frame: AClickTakesNoFrames
// - pages of the browser itself crash it: PagesOfTheBrowserItselfAreRefused
// - a restarted worker waits for a debugger for ever: WorkersTest
// - cached answers carry the headers of another: ACachedAnswerIsItsOwn
// - traffic of sockets and workers is not seen: NetworkTest, WorkersTest
// - unbounded questions starve the connection: BigPagesTest

#include <signal.h>
#include <thread>

#include <boost/asio/io_context.hpp>

#include "tests/support/co_test.h"
#include "tests/support/in_background.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

BROWSER_TEST(FailureModesTest, ABrowserThatIsJustLetGoOfLeavesNothing) {
  auto launched = co_await browser::Browser::Launch(t.ctx, TestBrowserConfig(), {});
  EXPECT_TRUE(launched) << Why(launched);
  if (!launched) co_return;
  const int pid = (*launched)->pid();
  const auto session = co_await (*launched)->NewSession(
      t.ctx.WithTimeout(kPatience), SessionId("loose"), {.artifacts = t.artifacts});
  EXPECT_TRUE(session) << Why(session);

  launched->reset();

  // It was waited for: not even a zombie is left.
  EXPECT_EQ(::kill(pid, 0), -1);
  EXPECT_EQ(errno, ESRCH);
  if (session) EXPECT_EQ(CodeOf((*session)->Alive()), ErrorCode::kBrowserGone);
}

TEST(FailureModesTest, ABrowserOutlivesTheThreadThatStartedIt) {
  SystemClock clock;
  boost::asio::io_context io;
  const CallContext ctx(io.get_executor(), clock);
  std::unique_ptr<browser::Browser> browser;
  const auto launch = [](CallContext context,
                         std::unique_ptr<browser::Browser>* out) -> Task<void> {
    auto launched = co_await browser::Browser::Launch(context, TestBrowserConfig(), {});
    EXPECT_TRUE(launched) << Why(launched);
    if (launched) *out = *std::move(launched);
  };
  std::thread([&] { RunCo(io, launch(ctx, &browser)); }).join();
  ASSERT_TRUE(browser);

  const auto probe = [](CallContext context, browser::Browser* started) -> Task<void> {
    const auto session =
        co_await started->NewSession(context.WithTimeout(kPatience), SessionId("later"), {});
    EXPECT_TRUE(session) << Why(session);
    co_await started->Close(context.WithTimeout(kPatience));
  };
  RunCo(io, probe(ctx, browser.get()));
}

BROWSER_TEST(FailureModesTest, ADialogIsAnsweredWhileOtherCallsWait) {
  t.site.Serve("/one", "<button id=b onclick=\"document.title = confirm('sure?')\">Ask</button>");
  co_await t.Open("/one");
  co_await t.Click("#b");
  InBackground clicking(t.ctx.executor(), t.Click("#b"));
  InBackground reading(t.ctx.executor(), t.State());
  InBackground waiting(
      t.ctx.executor(),
      t.WaitFor(R"({"kind": "url", "url_pattern": "**/never", "timeout_ms": 300})"));

  const auto answered =
      co_await t.Do(R"({"action_type": "handle_dialog", "dialog": {"accept": true}})");

  EXPECT_TRUE(answered) << Why(answered);
  const auto clicked = co_await clicking.Join();
  EXPECT_EQ(CodeOf(clicked), ErrorCode::kDialogOpen) << Why(clicked);
  const auto state = co_await reading.Join();
  EXPECT_TRUE(state) << Why(state);
  co_await waiting.Join();
  EXPECT_EQ(co_await t.PageText("document.title"), "true");
}

BROWSER_TEST(FailureModesTest, ADialogInterruptsWhatIsWaitingForThePage) {
  co_await t.Open("/form.html");
  InBackground clicking(t.ctx.executor(), t.Click("#never_there"));
  co_await t.Page("setTimeout(() => alert('now'), 0); 0");
  const auto started = t.ctx.clock().Now();
  const auto clicked = co_await clicking.Join();
  EXPECT_EQ(CodeOf(clicked), ErrorCode::kDialogOpen) << Why(clicked);
  EXPECT_LT(t.ctx.clock().Now() - started, std::chrono::seconds(3));
}

BROWSER_TEST(FailureModesTest, ARefNeverMovesToAnotherElement) {
  t.site.Serve("/one",
               "<div id=list><button>Keep</button><button>Delete</button></div><script>onclick = e "
               "=> { document.title = e.target.textContent }</script>");
  co_await t.Open("/one");
  const auto before = co_await t.State();
  EXPECT_TRUE(before && before->elements.size() == 2) << Why(before);
  if (!before || before->elements.size() != 2) co_return;
  const std::string keep = before->elements[0].ref;

  // Where "Keep" was there is now something else, and another state has been read.
  co_await t.Page("list.firstChild.remove(); 0");
  co_await t.State();
  const auto clicked = co_await t.Do(R"({"action_type": "click", "target_eid": ")" + keep + "\"}");

  EXPECT_EQ(CodeOf(clicked), ErrorCode::kStaleRef) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("document.title"), "");
}

BROWSER_TEST(FailureModesTest, ARefOfThePageBeforeIsRefused) {
  t.site.Serve("/one", "<a href='/two'>Next</a><button>Pay</button>");
  t.site.Serve("/two",
               "<a href='/one'>Next</a><button onclick=\"document.title = 'paid'\">Pay</button>");
  co_await t.Open("/one");
  const auto before = co_await t.State();
  EXPECT_TRUE(before && before->elements.size() == 2) << Why(before);
  if (!before || before->elements.size() != 2) co_return;
  co_await t.Click("text=Next");
  const auto clicked = co_await t.Do(R"({"action_type": "click", "target_eid": ")" +
                                     before->elements[1].ref + "\"}");
  EXPECT_EQ(CodeOf(clicked), ErrorCode::kStaleRef) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("document.title"), "");
}

BROWSER_TEST(FailureModesTest, NothingIsDoneInAnotherTab) {
  co_await t.Open("/form.html");
  co_await t.Do(R"({"action_type": "new_tab", "url": ")" + t.site.Url("/form.html") + "\"}");
  const auto state = co_await t.State();
  EXPECT_TRUE(state) << Why(state);
  if (!state) co_return;
  const auto save = std::ranges::find(state->elements, "Save", &model::ElementState::name);
  const std::string ref = save == state->elements.end() ? "" : save->ref;
  co_await t.Do(R"({"action_type": "close_tab"})");

  const auto by_tab =
      co_await t.Do(R"({"action_type": "click", "selector": "#save", "tab_id": "t2"})");
  const auto by_ref = co_await t.Do(R"({"action_type": "click", "target_eid": ")" + ref + "\"}");

  EXPECT_EQ(CodeOf(by_tab), ErrorCode::kNotFound) << Why(by_tab);
  EXPECT_EQ(CodeOf(by_ref), ErrorCode::kStaleRef) << Why(by_ref);
  EXPECT_EQ(t.site.EffectCount(""), 0u);
}

BROWSER_TEST(FailureModesTest, AScreenshotOfAHangingPageEndsInTime) {
  co_await t.Open("/form.html");
  co_await t.Do(R"({"action_type": "new_tab", "url": ")" + t.site.CrossSiteUrl("/hang.html") +
                "\"}");
  t.tab()->session()->Post(cdp::RuntimeEvaluate{.expression = "while (true);"});
  const auto started = t.ctx.clock().Now();
  InBackground hanging(t.ctx.executor(),
                       t.Do(R"({"action_type": "screenshot", "timeout_ms": 700})"));
  const auto other = co_await t.Do(R"({"action_type": "screenshot", "tab_id": "t1"})");
  EXPECT_TRUE(other) << Why(other);
  co_await hanging.Join();
  EXPECT_LT(t.ctx.clock().Now() - started, std::chrono::seconds(5));
}

BROWSER_TEST(FailureModesTest, AScreenshotDoesNotWaitForFontsForEver) {
  t.site.Serve("/one",
               "<style>@font-face { font-family: Never; src: url(/hang) } p { font-family: Never "
               "}</style><p>Text</p>");
  co_await t.Do(R"({"action_type": "navigate", "wait_until": "domcontentloaded", "url": ")" +
                t.site.Url("/one") + "\"}");
  const auto shot = co_await t.Do(R"({"action_type": "screenshot", "timeout_ms": 5000})");
  EXPECT_TRUE(shot) << Why(shot);
}

BROWSER_TEST(FailureModesTest, ABodyIsThereAfterANavigation) {
  co_await t.Open("/empty.html");
  const auto keeping = t.tab()->network().WantBodies({});
  const auto mark = t.tab()->network().last_seq();
  co_await t.Page("fetch('/json').then(r => r.text()).then(() => 0)");
  const auto settled = co_await t.tab()->network().Settled(t.ctx.WithTimeout(kPatience), mark);
  EXPECT_TRUE(settled) << Why(settled);
  std::string id;
  for (const auto& event : t.tab()->network().EventsSince(mark)) id = event.request_id;
  co_await t.Open(t.site.CrossSiteUrl("/form.html"));
  const auto body = co_await t.tab()->network().ReadBody(t.ctx.WithTimeout(kPatience), id);
  EXPECT_TRUE(body) << Why(body);
  if (body) EXPECT_FALSE(body->bytes.empty());
}

BROWSER_TEST(FailureModesTest, WhatCoversTheTargetIsNamed) {
  t.site.Serve("/one",
               "<button id=b>Below</button><header id=bar class=sticky style='position: fixed; "
               "inset: 0; background: white'>Banner</header>");
  co_await t.Open("/one");
  const auto clicked =
      co_await t.Do(R"({"action_type": "click", "selector": "#b", "timeout_ms": 1000})");
  EXPECT_EQ(CodeOf(clicked), ErrorCode::kElementObscured) << Why(clicked);
  EXPECT_TRUE(Why(clicked).contains(R"(#"bar")")) << Why(clicked);
}

BROWSER_TEST(FailureModesTest, AClickTakesNoFrames) {
  t.site.Serve("/one",
               "<button id=b>Go</button><script>let moved = 0; window.took = []; onmousemove = e "
               "=> { moved = e.timeStamp };"
               "b.onclick = e => took.push(e.timeStamp - moved)</script>");
  co_await t.Open("/one");
  for (int i = 0; i < 10; ++i) {
    const auto clicked = co_await t.Click("#b");
    EXPECT_TRUE(clicked) << Why(clicked);
    co_await t.Do(R"({"action_type": "hover", "selector": "#b", "position": {"x": 1, "y": 1}})");
  }
  // From the move to the click, in the fastest case: less than one frame.
  const auto fastest = co_await t.Page("Math.min(...took)");
  EXPECT_TRUE(fastest.is_number());
  if (fastest.is_number()) EXPECT_LT(fastest.to_number<double>(), 16.0);
}

BROWSER_TEST(FailureModesTest, PagesOfTheBrowserItselfAreRefused) {
  co_await t.Open("/form.html");
  for (const char* url :
       {"chrome://settings", "chrome://history", "chrome://crash", "file:///etc/passwd",
        "view-source:http://127.0.0.1/", "javascript:alert(1)", "data:text/html,x",
        "devtools://devtools/bundled/inspector.html", "chrome-extension://x/y"}) {
    for (const char* action : {"navigate", "new_tab"}) {
      const auto gone =
          co_await t.Do(json::serialize(json::object{{"action_type", action}, {"url", url}}));
      EXPECT_EQ(CodeOf(gone), ErrorCode::kInvalidActionSpec)
          << action << " " << url << ": " << Why(gone);
    }
  }
  EXPECT_EQ(t.session->tabs().all().size(), 1u);
  EXPECT_EQ(t.tab()->url(), t.site.Url("/form.html"));
}

BROWSER_TEST(FailureModesTest, APageCannotGoToPagesOfTheBrowserItself) {
  co_await t.Open("/form.html");
  for (const char* url : {"chrome://settings", "file:///etc/passwd", "view-source:about:blank"}) {
    co_await t.Page("location.href = '" + std::string(url) + "'; 0");
    const auto clicked = co_await t.Click("#save");
    EXPECT_TRUE(clicked) << url << ": " << Why(clicked);
  }
  EXPECT_EQ(t.tab()->url(), t.site.Url("/form.html"));
}

BROWSER_TEST(FailureModesTest, ACachedAnswerIsItsOwn) {
  t.site.On("/cached", [](const net::HttpRequest&) {
    net::HttpResponse response = JsonResponse(json::object{{"cached", true}});
    response.headers.Set("cache-control", "max-age=600");
    return response;
  });
  co_await t.Open("/empty.html");
  const auto mark = t.tab()->network().last_seq();
  co_await t.Page(
      "(async () => { for (let i = 0; i < 4; i++) { await (await fetch('/cached')).text(); await "
      "(await fetch('/status/404')).text() } })().then(() => 0)");
  const auto settled = co_await t.tab()->network().Settled(t.ctx.WithTimeout(kPatience), mark);
  EXPECT_TRUE(settled) << Why(settled);
  int cached = 0;
  for (const auto& event : t.tab()->network().EventsSince(mark)) {
    if (event.kind != model::NetworkEventKind::kResponse) continue;
    const bool is_cached_one = event.url.ends_with("/cached");
    EXPECT_EQ(event.status, is_cached_one ? 200 : 404) << event.url;
    EXPECT_EQ(event.content_type, is_cached_one ? "application/json" : "text/html") << event.url;
    cached += event.from_cache ? 1 : 0;
  }
  EXPECT_EQ(cached, 3);
}

}  // namespace
}  // namespace falconer::test
