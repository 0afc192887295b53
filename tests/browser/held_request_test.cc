// Held requests: whatever a page sends can be held before it leaves; what is shown of it is what
// the server gets once it is let go, byte for byte; what is refused never leaves, and the page
// stays as it was.

#include "tests/support/held_requests.h"
#include "tests/support/running_action.h"

namespace falconer::test {
namespace {

using browser::HoldEnding;
using browser::RequestUse;

constexpr std::string_view kFormPage = R"html(<form id=f method=post action="/submit">
  <input id=a name=a value="x y&z"><textarea name=b>first
second ü</textarea><button id=go>Go</button></form>)html";

// Everything that was shown of a request arrived, and nothing of it was changed on the way.
void ExpectSame(const browser::RequestFacts& facts, const net::HttpRequest& got) {
  EXPECT_EQ(got.method, facts.method);
  EXPECT_TRUE(facts.url.ends_with(got.target)) << facts.url << " " << got.target;
  EXPECT_TRUE(facts.is_body_whole);
  EXPECT_EQ(got.body, facts.body);
  EXPECT_FALSE(facts.headers.empty());
  for (const auto& header : facts.headers) {
    EXPECT_EQ(got.headers.Find(header.name).value_or("(none)"), header.value) << header.name;
  }
}

BROWSER_TEST(HeldRequestTest, AFormWaitsAndThenArrivesAsItWasShown) {
  const auto b = co_await HoldBench::Open(t);
  t.site.Serve("/page", std::string(kFormPage));
  co_await b->t->Open("/page");
  co_await b->t->PageText("document.cookie = 'seen=1; path=/'");
  RunningAction click(*b->t, R"({"action_type": "click", "selector": "#go"})");

  const auto held = co_await b->UntilHeld();
  EXPECT_EQ(held->facts.method, "POST");
  EXPECT_EQ(held->facts.use, RequestUse::kNavigation);
  EXPECT_EQ(held->facts.resource_type, "document");
  EXPECT_EQ(held->facts.body, "a=x+y%26z&b=first%0D%0Asecond+%C3%BC");
  EXPECT_EQ(held->facts.HeaderValue("content-type"), "application/x-www-form-urlencoded");
  EXPECT_EQ(held->facts.HeaderValue("COOKIE"), "seen=1");
  EXPECT_EQ(held->facts.tab, b->t->tab()->id());
  EXPECT_EQ(held->verdict.reason, "needs_approval");
  EXPECT_EQ(held->digest.size(), 64U);
  EXPECT_TRUE(held->is_page());
  EXPECT_EQ(b->holds().PageOf(held->facts.tab), held);
  EXPECT_EQ(b->rule->asked.back().body, held->facts.body) << "the rule saw the same";
  EXPECT_EQ(t.site.RequestCount("/submit"), 0U);

  const auto got = co_await b->ReleaseTo("/submit", held);
  ExpectSame(held->facts, got);
  const auto clicked = co_await click.Outcome();
  EXPECT_TRUE(clicked && clicked->navigation && clicked->navigation->committed) << Why(clicked);
  EXPECT_EQ((co_await b->UntilEnded()).why, HoldEnding::kReleased);
  EXPECT_EQ(b->t->tab()->url(), t.site.Url("/submit"));
  EXPECT_EQ(t.site.RequestCount("/submit"), 1U);
}

struct Sending {
  std::string_view script;
  std::string_view method;
  std::string_view type;
  std::string_view body;
};

constexpr Sending kSendings[] = {
    {R"(fetch('/echo', {method: 'POST', headers: {'Content-Type': 'application/json'},
         body: JSON.stringify({a: 1, b: 'ü'})}))",
     "POST", "xhr", "{\"a\":1,\"b\":\"ü\"}"},
    {R"(fetch('/echo?op=Pay', {method: 'POST', headers: {'Content-Type': 'application/json'},
         body: JSON.stringify({query: 'mutation Pay { pay(amount: 12) { id } }'})}))",
     "POST", "xhr", R"({"query":"mutation Pay { pay(amount: 12) { id } }"})"},
    {"navigator.sendBeacon('/echo', 'ping')", "POST", "ping", "ping"},
    {"fetch('/echo', {method: 'POST', body: new Uint8Array([0, 255, 10, 13, 0])})", "POST", "xhr",
     std::string_view("\0\xff\n\r\0", 5)},
    {"const x = new XMLHttpRequest(); x.open('PUT', '/echo/1'); x.send('put')", "PUT", "xhr",
     "put"},
    {"const x = new XMLHttpRequest(); x.open('PATCH', '/echo/1'); x.send('patch')", "PATCH", "xhr",
     "patch"},
    {"const x = new XMLHttpRequest(); x.open('DELETE', '/echo/1'); x.send()", "DELETE", "xhr", ""},
    {"fetch('/echo?delete=7')", "GET", "xhr", ""},
    {"new Image().src = '/echo?delete=8'", "GET", "image", ""},
};

BROWSER_TEST(HeldRequestTest, EveryWayToSendIsHeldAndArrivesAsItWasShown) {
  const auto b = co_await HoldBench::Open(t);
  b->rule->holds = [](const auto& facts) { return facts.url.contains("/echo"); };
  for (const char* path : {"/echo", "/echo/1"}) {
    t.site.On(path, [](const auto&) { return net::TextResponse(200, "text/plain", "done"); });
  }
  co_await b->t->Open("/empty.html");
  for (const Sending& sending : kSendings) {
    const auto before = t.site.RequestCount("");
    co_await b->Start(std::string(sending.script));
    const auto held = co_await b->UntilHeld();
    EXPECT_EQ(held->facts.method, sending.method);
    EXPECT_EQ(held->facts.resource_type, sending.type) << sending.script;
    EXPECT_EQ(held->facts.body, sending.body);
    EXPECT_EQ(t.site.RequestCount(""), before);
    const std::string path = held->facts.url.contains("/echo/1") ? "/echo/1" : "/echo";
    ExpectSame(held->facts, co_await b->ReleaseTo(path, held));
  }
  const auto last = co_await b->UntilEnded(std::size(kSendings));
  EXPECT_EQ(last.why, HoldEnding::kReleased);
}

BROWSER_TEST(HeldRequestTest, AFormWithAFileSaysWhichPartIsMissing) {
  const auto b = co_await HoldBench::Open(t);
  const std::string content("disk\0bytes", 10);
  const auto written = WriteFileAtomic(t.artifacts / "one.bin", content);
  EXPECT_TRUE(written) << Why(written);
  t.site.Serve("/page",
               "<form id=f method=post action=/upload enctype=multipart/form-data><input name=a "
               "value=1><input id=file type=file name=one></form>");
  co_await b->t->Open("/page");
  const auto put = co_await b->t->Do(
      R"({"action_type": "upload", "selector": "#file", "files": [{"path": "one.bin"}]})");
  EXPECT_TRUE(put) << Why(put);
  co_await b->Start("f.submit()");

  const auto held = co_await b->UntilHeld();
  const auto& facts = held->facts;
  EXPECT_FALSE(facts.is_body_whole);
  EXPECT_EQ(facts.body_gaps.size(), 1U);
  EXPECT_TRUE(facts.body.contains("filename=\"one.bin\""));
  const auto got = co_await b->ReleaseTo("/upload", held);
  if (facts.body_gaps.size() != 1) co_return;
  const std::size_t gap = facts.body_gaps.front();
  EXPECT_EQ(got.body, facts.body.substr(0, gap) + content + facts.body.substr(gap));
}

BROWSER_TEST(HeldRequestTest, AFileMadeByThePageIsShownWhole) {
  const auto b = co_await HoldBench::Open(t);
  co_await b->t->Open("/empty.html");
  co_await b->Start(
      "const d = new FormData(); d.append('a', '1'); d.append('f', new File(['in memory'], "
      "'m.txt')); fetch('/upload', {method: 'POST', body: d})");
  const auto held = co_await b->UntilHeld();
  EXPECT_TRUE(held->facts.body.contains("in memory"));
  ExpectSame(held->facts, co_await b->ReleaseTo("/upload", held));
}

BROWSER_TEST(HeldRequestTest, ARefusedFormNeverLeavesAndThePageStaysAsItWas) {
  const auto b = co_await HoldBench::Open(t);
  t.site.Serve("/page", std::string(kFormPage));
  co_await b->t->Open("/page");
  co_await b->t->Fill("#a", "typed");
  RunningAction click(*b->t, R"({"action_type": "click", "selector": "#go"})");
  const auto held = co_await b->UntilHeld();

  const auto refused = b->holds().Refuse(held->id, "approval_denied");
  EXPECT_TRUE(refused) << Why(refused);
  const auto clicked = co_await click.Outcome();

  EXPECT_TRUE(clicked && clicked->refused.size() == 1) << Why(clicked);
  if (clicked && !clicked->refused.empty())
    EXPECT_EQ(clicked->refused[0].reason, "approval_denied");
  EXPECT_EQ(b->ends.back().why, HoldEnding::kRefused);
  EXPECT_EQ(b->ends.back().detail, "approval_denied");
  EXPECT_FALSE(b->ends.back().may_have_left);
  EXPECT_EQ(co_await b->t->PageText("a.value"), "typed");
  EXPECT_EQ(b->t->tab()->url(), t.site.Url("/page"));
  EXPECT_EQ(t.site.RequestCount("/submit"), 0U);
  EXPECT_EQ(CodeOf(b->holds().Refuse(held->id, "again")), ErrorCode::kNotFound);
}

BROWSER_TEST(HeldRequestTest, ARefusedFetchFailsForThePage) {
  const auto b = co_await HoldBench::Open(t);
  co_await b->t->Open("/empty.html");
  co_await b->Start("answer = fetch('/echo', {method: 'POST', body: 'x'}).catch(() => 'out')");
  const auto held = co_await b->UntilHeld();
  EXPECT_TRUE(b->holds().Refuse(held->id, "approval_denied"));
  EXPECT_EQ(co_await b->t->PageText("await answer"), "out");
  EXPECT_EQ(t.site.RequestCount("/echo"), 0U);
  EXPECT_EQ(b->t->tab()->network().Summary(0).refused, 1U);
}

BROWSER_TEST(HeldRequestTest, AnotherDigestReleasesNothing) {
  const auto b = co_await HoldBench::Open(t);
  co_await b->t->Open("/empty.html");
  co_await b->Start("fetch('/echo', {method: 'POST', body: 'x'})");
  const auto held = co_await b->UntilHeld();
  EXPECT_EQ(CodeOf(b->holds().Release(held->id, std::string(64, '0'))),
            ErrorCode::kPreconditionFailed);
  EXPECT_EQ(CodeOf(b->holds().Release(held->id + 1, held->digest)), ErrorCode::kNotFound);
  EXPECT_EQ(b->holds().Find(held->id), held);
  EXPECT_EQ(t.site.RequestCount("/echo"), 0U);
  co_await b->ReleaseTo("/echo", held);
  EXPECT_EQ(CodeOf(b->holds().Release(held->id, held->digest)), ErrorCode::kNotFound);
}

BROWSER_TEST(HeldRequestTest, TwoHoldsGoInAnyOrder) {
  const auto b = co_await HoldBench::Open(t);
  co_await b->t->Open("/empty.html");
  co_await b->Start("fetch('/one', {method: 'POST', body: '1'})");
  const auto first = co_await b->UntilHeld(1);
  co_await b->Start("fetch('/two', {method: 'POST', body: '2'})");
  const auto second = co_await b->UntilHeld(2);
  EXPECT_NE(first->digest, second->digest);
  EXPECT_EQ((co_await b->ReleaseTo("/two", second)).body, "2");
  EXPECT_EQ(t.site.RequestCount("/one"), 0U);
  EXPECT_EQ((co_await b->ReleaseTo("/one", first)).body, "1");
}

// Also when the page itself has the address that its form is sent to.
BROWSER_TEST(HeldRequestTest, WhatWasRefusedOnceCanBeLetGoTheNextTime) {
  const auto b = co_await HoldBench::Open(t);
  t.site.Serve("/self", "<form id=f method=post><input name=a value=1></form>");
  co_await b->t->Open("/self");
  co_await b->Start("f.submit()");
  const auto first = co_await b->UntilHeld();
  EXPECT_TRUE(b->holds().Refuse(first->id, "approval_denied"));
  co_await b->t->Open("/self");
  co_await b->Start("f.submit()");
  const auto second = co_await b->UntilHeld();
  EXPECT_EQ(second->facts.body, first->facts.body);
  EXPECT_EQ((co_await b->ReleaseTo("/self", second)).method, "POST");
}

// The same request twice: letting one go lets one go.
BROWSER_TEST(HeldRequestTest, TwinsAreDecidedOneByOne) {
  const auto b = co_await HoldBench::Open(t);
  co_await b->t->Open("/empty.html");
  co_await b->Start("for (const i of [1, 2]) fetch('/echo', {method: 'POST', body: 'same'})");
  const auto second = co_await b->UntilHeld(2);
  const auto first = b->holds().all().front();
  EXPECT_EQ(first->digest, second->digest);
  co_await b->ReleaseTo("/echo", second);
  EXPECT_TRUE(b->holds().Refuse(first->id, "approval_denied"));
  co_await b->t->PageText("(await fetch('/json')).status");
  EXPECT_EQ(t.site.RequestCount("/echo"), 1U);
}

BROWSER_TEST(HeldRequestTest, ARedirectThatKeepsTheBodyIsAskedAboutAnew) {
  const auto b = co_await HoldBench::Open(t);
  t.site.Serve("/page", std::string(kFormPage));
  for (const int status : {307, 308}) {
    t.site.On("/submit", [status](const auto&) {
      net::HttpResponse response{.status = status};
      response.headers.Set("Location", "/moved");
      return response;
    });
    t.site.On("/moved", [](const auto&) { return net::TextResponse(200, "text/html", "there"); });
    co_await b->t->Open("/page");
    const auto moved_before = t.site.RequestCount("/moved");
    co_await b->Start("f.submit()");
    const auto first = co_await b->UntilHeld();
    EXPECT_EQ(first->facts.redirect_of, "");
    co_await b->ReleaseTo("/submit", first);

    const auto hop = co_await b->UntilHeld();
    EXPECT_NE(hop->id, first->id);
    EXPECT_EQ(hop->facts.redirect_of, first->digest);
    EXPECT_EQ(hop->facts.use, RequestUse::kRedirect);
    EXPECT_EQ(hop->facts.url, t.site.Url("/moved"));
    EXPECT_EQ(hop->facts.body, first->facts.body);
    EXPECT_EQ(t.site.RequestCount("/moved"), moved_before);
    EXPECT_EQ((co_await b->ReleaseTo("/moved", hop)).body, first->facts.body);
  }
}

// A hop that is let pass by the rule says whose hop it was all the same.
BROWSER_TEST(HeldRequestTest, EveryHopKnowsTheHeldRequestItCameFrom) {
  const auto b = co_await HoldBench::Open(t);
  b->rule->holds = [](const auto& facts) { return facts.url.contains("/chain?codes=307,307"); };
  co_await b->t->Open("/empty.html");
  co_await b->Start("fetch('/redirect/chain?codes=307,307&to=/json', {method: 'POST', body: 'x'})");
  const auto held = co_await b->UntilHeld();
  co_await b->ReleaseTo("/redirect/chain", held);
  const auto there = co_await t.site.UntilRequests(t.ctx.WithTimeout(kPatience), "/json", 1);
  EXPECT_TRUE(there) << Why(there);
  EXPECT_EQ(b->rule->asked.back().url, t.site.Url("/json"));
  EXPECT_EQ(b->rule->asked.back().redirect_of, held->digest);
}

BROWSER_TEST(HeldRequestTest, AFormThatOpensATabIsHeldThere) {
  const auto b = co_await HoldBench::Open(t);
  t.site.Serve("/page",
               "<form method=post target=_blank action=/submit><input name=a value=1>"
               "<button id=go>Go</button></form>");
  co_await b->t->Open("/page");
  const auto clicked = co_await b->t->Click("#go");
  EXPECT_TRUE(clicked) << Why(clicked);
  const auto held = co_await b->UntilHeld();
  EXPECT_EQ(held->facts.use, RequestUse::kPopup);
  EXPECT_EQ(held->facts.body, "a=1");
  EXPECT_NE(held->facts.tab, b->t->tab()->id());
  EXPECT_EQ(co_await b->t->PageText("1 + 1"), "2") << "the page that opened it is not held up";
  ExpectSame(held->facts, co_await b->ReleaseTo("/submit", held));
  const auto popup = b->t->session->tabs().Find(held->facts.tab);
  EXPECT_TRUE(popup) << Why(popup);
  if (!popup) co_return;
  const auto shown = co_await (*popup)->changes().Until(
      t.ctx.WithTimeout(kPatience), [&] { return (*popup)->url() == t.site.Url("/submit"); },
      "the page");
  EXPECT_TRUE(shown) << (*popup)->url();
}

// A frame of the same site, and one that lives in another process.
BROWSER_TEST(HeldRequestTest, AFormInAFrameIsHeldAndItsRefusalKeepsTheFrame) {
  const auto b = co_await HoldBench::Open(t);
  t.site.Serve("/inner",
               "<form method=post action=/submit><input id=a name=a><button id=go>Go</button>");
  for (const std::string& origin : {t.site.Url(""), t.site.CrossSiteUrl("")}) {
    t.site.Serve("/page", "<iframe id=i src='" + origin + "/inner'></iframe>");
    co_await b->t->Open("/page");
    const auto filled = co_await b->t->Fill("frame=#i >> #a", "kept");
    EXPECT_TRUE(filled) << Why(filled);
    RunningAction click(*b->t, R"({"action_type": "click", "selector": "frame=#i >> #go"})");

    const auto held = co_await b->UntilHeld();
    EXPECT_EQ(held->facts.use, RequestUse::kFrame);
    EXPECT_EQ(held->facts.body, "a=kept");
    EXPECT_EQ(co_await b->t->PageText("1 + 1"), "2") << "the page around it is not held up";
    EXPECT_TRUE(b->holds().Refuse(held->id, "approval_denied"));
    const auto clicked = co_await click.Outcome();
    EXPECT_TRUE(clicked) << Why(clicked);
    // What was filled in is still there: sent again, it is the same.
    RunningAction again(*b->t, R"({"action_type": "click", "selector": "frame=#i >> #go"})");
    const auto same = co_await b->UntilHeld();
    EXPECT_EQ(same->facts.body, "a=kept");
    EXPECT_TRUE(b->holds().Refuse(same->id, "approval_denied"));
    const auto clicked_again = co_await again.Outcome();
    EXPECT_TRUE(clicked_again) << Why(clicked_again);
  }
  EXPECT_EQ(t.site.RequestCount("/submit"), 0U);
}

BROWSER_TEST(HeldRequestTest, AServiceWorkersRequestIsHeld) {
  browser::SessionOptions options;
  options.service_workers = browser::ServiceWorkers::kAllow;
  const auto b = co_await HoldBench::Open(t, options);
  t.site.On("/post_sw.js", [](const auto&) {
    return net::TextResponse(
        200, "text/javascript",
        "self.oninstall = (e) => e.waitUntil(fetch('/from-sw', {method: 'POST', body: 'sw'}))");
  });
  co_await b->t->Open("/empty.html");
  co_await b->Start("navigator.serviceWorker.register('/post_sw.js')");
  const auto held = co_await b->UntilHeld();
  EXPECT_EQ(held->facts.body, "sw");
  EXPECT_EQ(t.site.RequestCount("/from-sw"), 0U);
  ExpectSame(held->facts, co_await b->ReleaseTo("/from-sw", held));
  EXPECT_TRUE(b->holds().all().empty()) << "it is asked about once";
}

}  // namespace
}  // namespace falconer::test
