// How long requests can be held, what goes on meanwhile, and how holds end by themselves: with a
// reason, and without the request leaving.

#include <csignal>

#include "base/async/stopped_time.h"
#include "tests/support/browser_children.h"
#include "tests/support/held_requests.h"
#include "tests/support/running_action.h"

namespace falconer::test {
namespace {

using browser::HoldEnding;

constexpr std::string_view kPostPage =
    "<form id=f method=post action=/submit><input id=a name=a value=1><button id=go>Go</button>";
// One of each kind that can outlive its page, and one that cannot.
constexpr std::string_view kSendThree =
    "fetch('/sent?plain', {method: 'POST', body: '1'}); "
    "fetch('/sent?keep', {method: 'POST', body: '2', keepalive: true}); "
    "navigator.sendBeacon('/sent?beacon', '3')";

// Round trips to the site from another page: time enough for what would have escaped.
Task<void> ExpectNothingSent(BrowserFixture& t, std::string path) {
  co_await t.Open("/empty.html");
  for (int i = 0; i < 20; ++i) co_await t.PageText("(await fetch('/json')).status");
  EXPECT_EQ(t.site.RequestCount(path), 0U);
}

Task<void> HoldThree(HoldBench& b) {
  co_await b.t->Open("/empty.html");
  co_await b.Start(std::string(kSendThree));
  co_await b.UntilHeld(3);
}

void ExpectEnds(const HoldBench& b, std::size_t count, HoldEnding why) {
  EXPECT_EQ(b.ends.size(), count);
  for (const browser::HoldEnd& end : b.ends) {
    EXPECT_EQ(end.why, why) << NameIn(browser::kHoldEndings, end.why) << " " << end.detail;
    EXPECT_FALSE(end.may_have_left);
  }
}

// The caller's time stands still while a request waits, so that the click outlives its timeout.
BROWSER_TEST(HeldRequestEndTest, AHoldLastsAsLongAsItTakes) {
  const auto b = co_await HoldBench::Open(t);
  t.site.Serve("/page", std::string(kPostPage));
  co_await b->t->Open("/page");
  const auto stops = std::make_shared<StoppedTime>(t.ctx.clock());
  const CallContext ctx = b->t->ctx;
  b->t->ctx = ctx.WithStops(stops);
  const auto stop = b->holds().on_held().Subscribe([&](const auto&) { stops->Stop(); });
  const auto go = b->holds().on_ended().Subscribe([&](const auto&) { stops->Go(); });
  RunningAction click(*b->t, R"({"action_type": "click", "selector": "#go", "timeout_ms": 2000})");
  b->t->ctx = ctx;
  const auto held = co_await b->UntilHeld();

  co_await Pause(ctx, static_cast<std::size_t>(LongHold() / std::chrono::milliseconds(1)));
  EXPECT_FALSE(click.is_over());
  EXPECT_EQ(t.site.RequestCount("/submit"), 0U);

  EXPECT_EQ((co_await b->ReleaseTo("/submit", held)).body, "a=1");
  const auto clicked = co_await click.Outcome();
  EXPECT_TRUE(clicked && clicked->navigation && clicked->navigation->committed) << Why(clicked);
  const auto shown =
      co_await b->t->WaitFor(R"({"kind": "text", "selector": "#received", "text": "a=1"})");
  EXPECT_TRUE(shown && shown->satisfied) << Why(shown);
}

BROWSER_TEST(HeldRequestEndTest, OtherTabsAndSessionsAreNotHeldUp) {
  const auto b = co_await HoldBench::Open(t);
  t.site.Serve("/page", std::string(kPostPage));
  co_await b->t->Open("/page");
  co_await b->Start("f.submit()");
  const auto held = co_await b->UntilHeld();

  co_await t.Open("/form.html");
  const auto opened = co_await b->t->Do(R"({"action_type": "new_tab"})");
  EXPECT_TRUE(opened) << Why(opened);
  co_await b->t->Open("/page");
  EXPECT_EQ(co_await b->t->PageText("a.value"), "1");
  const auto state = co_await b->t->State();
  EXPECT_TRUE(state) << Why(state);
  EXPECT_EQ(b->holds().Find(held->id), held);
}

// The page answers nothing while its successor is held. Whoever asks it is told so in time, and
// everything that goes around it works.
BROWSER_TEST(HeldRequestEndTest, AHeldPageIsWaitedForByDeadlineOnly) {
  const auto b = co_await HoldBench::Open(t);
  t.site.Serve("/page", std::string(kPostPage));
  co_await b->t->Open("/page");
  co_await b->Start("f.submit()");
  const auto held = co_await b->UntilHeld();
  const auto tab = b->t->tab();
  const auto soon = [&] { return t.ctx.WithTimeout(std::chrono::milliseconds(500)); };

  const auto read = co_await b->t->extractor.Read(soon(), tab, {});
  EXPECT_EQ(CodeOf(read), ErrorCode::kTimeout) << Why(read);
  const auto clicked =
      co_await b->t->Do(R"({"action_type": "click", "selector": "#a", "timeout_ms": 500})");
  EXPECT_EQ(CodeOf(clicked), ErrorCode::kTimeout) << Why(clicked);
  EXPECT_GT(tab->network().in_flight(), 0U) << "it is under way";
  const auto idle = co_await b->t->WaitFor(R"({"kind": "network_idle", "timeout_ms": 700})");
  EXPECT_FALSE(idle && idle->satisfied);
  const auto pixels =
      co_await tab->session()->Send(t.ctx.WithTimeout(kPatience), cdp::PageCaptureScreenshot{});
  EXPECT_TRUE(pixels) << Why(pixels);
  EXPECT_EQ(b->holds().Find(held->id), held);
  const auto closed = co_await b->t->session->tabs().Close(t.ctx.WithTimeout(kPatience), tab->id());
  EXPECT_TRUE(closed) << Why(closed);
  ExpectEnds(*b, 1, HoldEnding::kTabGone);
  co_await ExpectNothingSent(t, "/submit");
}

BROWSER_TEST(HeldRequestEndTest, AnActionThatIsCalledOffLeavesTheHoldToItsOwner) {
  const auto b = co_await HoldBench::Open(t);
  t.site.Serve("/page", std::string(kPostPage));
  co_await b->t->Open("/page");
  RunningAction click(*b->t, R"({"action_type": "click", "selector": "#go"})");
  const auto held = co_await b->UntilHeld();
  click.Cancel();
  EXPECT_EQ(CodeOf(co_await click.Outcome()), ErrorCode::kCancelled);
  EXPECT_TRUE(b->holds().Refuse(held->id, "called_off"));
  EXPECT_EQ(co_await b->t->PageText("a.value"), "1");
  EXPECT_EQ(t.site.RequestCount("/submit"), 0U);
}

BROWSER_TEST(HeldRequestEndTest, NothingLeavesWhenATabIsClosed) {
  const auto b = co_await HoldBench::Open(t);
  co_await HoldThree(*b);
  const auto closed =
      co_await b->t->session->tabs().Close(t.ctx.WithTimeout(kPatience), b->t->tab()->id());
  EXPECT_TRUE(closed) << Why(closed);
  ExpectEnds(*b, 3, HoldEnding::kTabGone);
  co_await ExpectNothingSent(t, "/sent");
}

// The browser itself would send them on.
BROWSER_TEST(HeldRequestEndTest, NothingLeavesWhenAPageClosesItself) {
  const auto b = co_await HoldBench::Open(t);
  t.site.Serve("/popup",
               "<script>" + std::string(kSendThree) + "; onmessage = () => close()</script>");
  co_await b->t->Open("/empty.html");
  co_await b->Start("popup = open('/popup')");
  co_await b->UntilHeld(3);
  co_await b->Start("popup.postMessage('')");
  co_await b->UntilEnded(3);
  for (const browser::HoldEnd& end : b->ends) {
    // A page that goes may give them up first.
    EXPECT_TRUE(end.why == HoldEnding::kTabGone || end.why == HoldEnding::kCancelled)
        << NameIn(browser::kHoldEndings, end.why);
    EXPECT_FALSE(end.may_have_left);
  }
  co_await ExpectNothingSent(t, "/sent");
}

BROWSER_TEST(HeldRequestEndTest, NothingLeavesWhenTheSessionCloses) {
  const auto b = co_await HoldBench::Open(t);
  co_await HoldThree(*b);
  co_await b->t->session->Close(t.ctx.WithTimeout(kPatience));
  ExpectEnds(*b, 3, HoldEnding::kSessionClosed);
  EXPECT_TRUE(b->holds().all().empty());
  co_await ExpectNothingSent(t, "/sent");
}

BROWSER_TEST(HeldRequestEndTest, NothingLeavesWhenThePageCrashes) {
  const auto b = co_await HoldBench::Open(t);
  co_await HoldThree(*b);
  b->t->tab()->session()->Post(cdp::PageNavigate{.url = "chrome://crash"});
  co_await b->UntilEnded(3);
  ExpectEnds(*b, 3, HoldEnding::kPageCrashed);
  co_await ExpectNothingSent(t, "/sent");
}

BROWSER_TEST(HeldRequestEndTest, NothingLeavesWhenAFrameGoes) {
  const auto b = co_await HoldBench::Open(t);
  t.site.Serve("/inner", "<script>fetch('/sent', {method: 'POST', body: '1'})</script>");
  for (const std::string& origin : {t.site.Url(""), t.site.CrossSiteUrl("")}) {
    t.site.Serve("/page", "<iframe id=i src='" + origin + "/inner'></iframe>");
    co_await b->t->Open("/page");
    co_await b->UntilHeld();
    const auto before = b->ends.size();
    co_await b->Start("i.remove()");
    const auto end = co_await b->UntilEnded(before + 1);
    EXPECT_TRUE(end.why == HoldEnding::kCancelled || end.why == HoldEnding::kFrameGone)
        << NameIn(browser::kHoldEndings, end.why);
  }
  co_await ExpectNothingSent(t, "/sent");
}

struct GivenUp {
  std::string_view begin;
  std::string_view end;
};

// The last one is of a worker, whose page hears nothing of its requests.
constexpr GivenUp kGivenUp[] = {
    {"c = new AbortController(); fetch('/sent', {method: 'POST', body: '1', signal: c.signal})"
     ".catch(() => 0)",
     "c.abort()"},
    {"x = new XMLHttpRequest(); x.open('PUT', '/sent'); x.send('1')", "x.abort()"},
    {"w = new Worker(URL.createObjectURL(new Blob([`fetch('${location.origin}/sent', "
     "{method: 'POST', body: '1'})`])))",
     "w.terminate()"},
};

BROWSER_TEST(HeldRequestEndTest, WhatThePageGivesUpEnds) {
  const auto b = co_await HoldBench::Open(t);
  co_await b->t->Open("/empty.html");
  for (const GivenUp& row : kGivenUp) {
    const auto before = b->ends.size();
    co_await b->Start(std::string(row.begin));
    const auto held = co_await b->UntilHeld();
    co_await b->Start(std::string(row.end));
    const auto end = co_await b->UntilEnded(before + 1);
    EXPECT_EQ(end.why, HoldEnding::kCancelled) << row.begin;
    EXPECT_EQ(CodeOf(b->holds().Release(held->id, held->digest)), ErrorCode::kNotFound);
  }
  co_await ExpectNothingSent(t, "/sent");
}

BROWSER_TEST(HeldRequestEndTest, AHeldPageEndsWhenTheTabGoesElsewhere) {
  const auto b = co_await HoldBench::Open(t);
  t.site.Serve("/page", std::string(kPostPage));
  co_await b->t->Open("/page");
  co_await b->Start("setTimeout(() => location = '/empty.html', 300); f.submit()");
  co_await b->UntilHeld();
  EXPECT_EQ((co_await b->UntilEnded()).why, HoldEnding::kCancelled);
  co_await b->t->Open("/page");
  co_await b->Start("f.submit()");
  co_await b->UntilHeld();
  co_await b->t->Open("/empty.html");
  EXPECT_EQ((co_await b->UntilEnded(2)).why, HoldEnding::kCancelled);
  co_await ExpectNothingSent(t, "/submit");
}

// A request that outlives its page is still held, and can still be let go.
BROWSER_TEST(HeldRequestEndTest, ABeaconOutlivesItsPage) {
  const auto b = co_await HoldBench::Open(t);
  co_await b->t->Open("/empty.html");
  co_await b->Start("navigator.sendBeacon('/sent', 'bye')");
  const auto held = co_await b->UntilHeld();
  co_await b->t->Open("/form.html");
  EXPECT_EQ(b->holds().Find(held->id), held);
  EXPECT_EQ((co_await b->ReleaseTo("/sent", held)).body, "bye");
}

BROWSER_TEST(HeldRequestEndTest, NothingLeavesWhenTheNetworkProcessEnds) {
  auto launched = co_await browser::Browser::Launch(t.ctx, TestBrowserConfig(), {});
  EXPECT_TRUE(launched) << Why(launched);
  if (!launched) co_return;
  HoldBench b;
  browser::SessionOptions options;
  options.artifacts = t.artifacts;
  options.request_rule = b.rule;
  const auto session =
      co_await (*launched)->NewSession(t.ctx.WithTimeout(kPatience), SessionId("own"), options);
  EXPECT_TRUE(session) << Why(session);
  if (!session) co_return;
  b.t = std::make_unique<BrowserFixture>(t.ctx, **launched, t.site, *session, t.artifacts);
  b.Watch();
  co_await b.t->Open("/empty.html");
  co_await b.Start("fetch('/sent', {method: 'POST', body: '1'})");
  const auto held = co_await b.UntilHeld();
  const int network = NetworkProcessOf((*launched)->pid());
  EXPECT_GT(network, 0);
  if (network == 0) co_return;

  ::kill(network, SIGKILL);
  EXPECT_EQ((co_await b.UntilEnded()).why, HoldEnding::kCancelled);
  EXPECT_EQ(CodeOf(b.holds().Release(held->id, held->digest)), ErrorCode::kNotFound);
  co_await ExpectNothingSent(t, "/sent");
}

BROWSER_TEST(HeldRequestEndTest, TooManyAreRefusedWithAReason) {
  const auto b = co_await HoldBench::Open(t);
  co_await b->t->Open("/empty.html");
  co_await b->Start(
      "for (let i = 0; i < 33; ++i) fetch('/sent?' + i, {method: 'POST', body: 'x'})");
  co_await b->UntilHeld(32);
  const auto refused = co_await b->t->tab()->changes().Until(
      t.ctx.WithTimeout(kPatience), [&] { return b->t->tab()->gate().last_seq() > 0; },
      "the refusal");
  EXPECT_TRUE(refused) << Why(refused);
  const auto list = b->t->tab()->gate().Since(0);
  EXPECT_TRUE(list.size() == 1 && list[0].verdict.reason == browser::RequestHolds::kTooMany);
  EXPECT_EQ(b->holds().all().size(), 32U);
}

}  // namespace
}  // namespace falconer::test
