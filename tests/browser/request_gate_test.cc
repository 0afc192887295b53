// Rules for requests: what a rule refuses never reaches the server, whatever asked for it; what it
// allows is not disturbed; and whoever acted is told what was refused and why.

#include <algorithm>
#include <csignal>

#include "browser/network/request_rule.h"
#include "tests/support/browser_children.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

using browser::RequestFacts;
using browser::RequestUse;
using browser::RequestVerdict;
using browser::SocketRule;

// Allows one origin (and pages of nowhere) and remembers what it was asked.
class OneOrigin : public browser::RequestRule {
 public:
  explicit OneOrigin(std::string origin) : origin_(std::move(origin)) {}

  RequestVerdict Decide(const RequestFacts& facts) override {
    asked.push_back(facts);
    if (facts.use == refused_use) return RequestVerdict::Refuse("use", "denied_by_rule");
    const std::string_view url = facts.url;
    if (url == "about:blank" || url.starts_with(origin_ + "/")) return {};
    if (url.starts_with("ws") && url.substr(url.find(':')).starts_with(origin_.substr(4)))
      return {};
    if (url.starts_with("blob:") && facts.use != RequestUse::kNavigation) return {};
    return RequestVerdict::Refuse("only " + origin_, "no_allow_rule");
  }
  std::vector<SocketRule> SocketRules() const override {
    return {{"ws" + origin_.substr(4) + "/*", SocketRule::Effect::kAllow}};
  }

  std::vector<RequestFacts> asked;
  std::optional<RequestUse> refused_use;

 private:
  std::string origin_;
};

struct Ruled {
  std::shared_ptr<OneOrigin> rule;
  std::unique_ptr<BrowserFixture> t;
};

Task<Ruled> Open(BrowserFixture& t, browser::SessionOptions options = {}) {
  const std::string url = t.site.Url("/");
  Ruled ruled{.rule = std::make_shared<OneOrigin>(url.substr(0, url.size() - 1))};
  options.request_rule = ruled.rule;
  ruled.t = co_await OpenFixture(t, std::move(options));
  co_return ruled;
}

// Requests that reached the site under another name than the allowed one.
std::size_t Strays(BrowserFixture& t) {
  const std::string url = t.site.Url("");
  const auto requests = t.site.Requests("");
  return static_cast<std::size_t>(std::ranges::count_if(requests, [&](const auto& request) {
    return !url.ends_with(request.headers.Find("Host").value_or(""));
  }));
}

std::string Navigate(const std::string& url) {
  return R"({"action_type": "navigate", "url": ")" + url + "\"}";
}

// Waits until the tab has refused so many requests.
Task<void> ExpectRefused(BrowserFixture& t, std::uint64_t count) {
  const auto seen = co_await t.tab()->changes().Until(
      t.ctx.WithTimeout(kPatience), [&] { return t.tab()->gate().last_seq() >= count; },
      "the refusal");
  EXPECT_TRUE(seen) << Why(seen);
}

BROWSER_TEST(RequestGateTest, AllowedPagesWorkAsEver) {
  const auto r = co_await Open(t);
  co_await r.t->Open("/form.html");
  co_await r.t->Open("/redirect/chain?codes=301,302&to=/empty.html");
  EXPECT_EQ(r.t->tab()->url(), t.site.Url("/empty.html"));
  EXPECT_EQ(co_await r.t->PageText(
                "(await (await fetch('/echo', {method: 'POST', body: 'x=1'})).json()).body"),
            "x=1");
  EXPECT_EQ(r.t->tab()->gate().last_seq(), 0U);
}

BROWSER_TEST(RequestGateTest, ARefusedPageFailsWithRuleAndReasonAndTheTabStays) {
  const auto r = co_await Open(t);
  co_await r.t->Open("/form.html");

  const auto went = co_await r.t->Do(Navigate(t.site.CrossSiteUrl("/empty.html")));

  EXPECT_EQ(CodeOf(went), ErrorCode::kSecurityDomainBlock) << Why(went);
  EXPECT_TRUE(Why(went).contains(t.site.CrossSiteUrl("/empty.html"))) << Why(went);
  EXPECT_TRUE(Why(went).contains("no_allow_rule")) << Why(went);
  EXPECT_TRUE(Why(went).contains(R"("rule":"only )")) << Why(went);
  EXPECT_EQ(r.t->tab()->url(), t.site.Url("/form.html"));
  EXPECT_EQ(Strays(t), 0U);
}

BROWSER_TEST(RequestGateTest, ARedirectIsRefusedAtTheHop) {
  const auto r = co_await Open(t);
  co_await r.t->Open("/form.html");
  t.site.On("/away", [to = t.site.CrossSiteUrl("/empty.html")](const auto&) {
    net::HttpResponse response;
    response.status = 302;
    response.headers.Set("Location", to);
    return response;
  });

  const auto went = co_await r.t->Do(Navigate(t.site.Url("/away")));

  EXPECT_EQ(CodeOf(went), ErrorCode::kSecurityDomainBlock) << Why(went);
  EXPECT_TRUE(Why(went).contains(R"("use":"redirect")")) << Why(went);
  EXPECT_EQ(r.t->tab()->url(), t.site.Url("/form.html"));
  EXPECT_EQ(t.site.RequestCount("/away"), 1U);
  EXPECT_EQ(Strays(t), 0U);
}

BROWSER_TEST(RequestGateTest, AClickThatLeadsToARefusedPageSaysSo) {
  const auto r = co_await Open(t);
  t.site.Serve("/page", "<a id=out href='" + t.site.CrossSiteUrl("/empty.html") + "'>Out</a>");
  co_await r.t->Open("/page");

  const auto clicked = co_await r.t->Click("#out");

  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_TRUE(clicked && clicked->refused.size() == 1) << Why(clicked);
  if (!clicked || clicked->refused.empty()) co_return;
  EXPECT_EQ(clicked->refused[0].url, t.site.CrossSiteUrl("/empty.html"));
  EXPECT_EQ(clicked->refused[0].use, "navigation");
  EXPECT_EQ(clicked->refused[0].reason, "no_allow_rule");
  EXPECT_FALSE(clicked->navigation && clicked->navigation->committed);
  EXPECT_EQ(r.t->tab()->network().Summary(0).refused, 1U);
  EXPECT_EQ(r.t->tab()->url(), t.site.Url("/page"));
  EXPECT_EQ(Strays(t), 0U);
}

BROWSER_TEST(RequestGateTest, ARefusedFormLosesNothing) {
  const auto r = co_await Open(t);
  t.site.Serve("/page", "<form method=post action='" + t.site.CrossSiteUrl("/submit") +
                            "'><input id=a name=a><button id=go>Go</button></form>");
  co_await r.t->Open("/page");
  co_await r.t->Fill("#a", "kept");

  const auto clicked = co_await r.t->Click("#go");

  EXPECT_TRUE(clicked && clicked->refused.size() == 1) << Why(clicked);
  EXPECT_EQ(r.rule->asked.back().method, "POST");
  EXPECT_EQ(co_await r.t->PageText("a.value"), "kept");
  EXPECT_EQ(Strays(t), 0U);
}

BROWSER_TEST(RequestGateTest, WhatAPageLoadsIsRefused) {
  const auto r = co_await Open(t);
  co_await r.t->Open("/empty.html");
  const std::string other = t.site.CrossSiteUrl("/json");

  EXPECT_EQ(co_await r.t->PageText("await fetch('" + other + "').then(() => 'in', e => 'out')"),
            "out");
  EXPECT_EQ(co_await r.t->PageText("await new Promise(done => { const image = new Image();"
                                   "image.onerror = () => done('out'); image.src = '" +
                                   other + "'; })"),
            "out");
  co_await r.t->PageText("navigator.sendBeacon('" + other + "', 'x')");
  co_await ExpectRefused(*r.t, 3);

  EXPECT_EQ(r.rule->asked.back().initiator_origin + "/", t.site.Url("/"));
  const auto& events = r.t->tab()->network().events();
  EXPECT_TRUE(std::ranges::any_of(events, [](const model::NetworkEvent& event) {
    return event.error_signature == model::kBlockedByRule;
  }));
  EXPECT_EQ(Strays(t), 0U);
}

BROWSER_TEST(RequestGateTest, FramesAndWhatTheyLoadAreRefused) {
  const auto r = co_await Open(t);
  t.site.Serve("/page", "<iframe src='" + t.site.CrossSiteUrl("/empty.html") +
                            "'></iframe><iframe src='/inner'></iframe>");
  t.site.Serve("/inner", "<img src='" + t.site.ThirdSiteUrl("/json") + "'>");
  co_await r.t->Open("/page");
  co_await ExpectRefused(*r.t, 2);

  const auto refused = r.t->tab()->gate().Since(0);
  EXPECT_TRUE(std::ranges::any_of(
      refused, [](const auto& request) { return request.facts.use == RequestUse::kFrame; }));
  EXPECT_EQ(Strays(t), 0U);
}

// A frame of another site lives in a process of its own: the rule that lets it in holds there too.
BROWSER_TEST(RequestGateTest, AFrameInAnotherProcessIsHeldToo) {
  const std::string url = t.site.CrossSiteUrl("/");
  browser::SessionOptions options;
  const auto rule = std::make_shared<OneOrigin>(url.substr(0, url.size() - 1));
  options.request_rule = rule;
  const auto a = co_await OpenFixture(t, options);
  t.site.Serve("/inner", "<img src='" + t.site.Url("/json") + "'>");
  // The page itself has no address: only the frame's origin is allowed.
  co_await a->PageText("document.body.innerHTML = `<iframe src='" + t.site.CrossSiteUrl("/inner") +
                       "'></iframe>`");
  co_await ExpectRefused(*a, 1);

  EXPECT_EQ(t.site.RequestCount("/inner"), 1U);
  EXPECT_EQ(t.site.RequestCount("/json"), 0U);
}

BROWSER_TEST(RequestGateTest, PopupsAreRefusedBeforeTheyLoad) {
  const auto r = co_await Open(t);
  t.site.Serve("/page", "<a id=a target=_blank href='" + t.site.CrossSiteUrl("/empty.html") +
                            "'>A</a><button id=b onclick=\"open('" +
                            t.site.ThirdSiteUrl("/empty.html") + "', '_blank', 'noopener')\">B");
  co_await r.t->Open("/page");
  for (const std::string selector : {"#a", "#b"}) {
    const auto clicked = co_await r.t->Click(selector);
    EXPECT_TRUE(clicked) << Why(clicked);
  }
  std::size_t refused = 0;
  const auto seen = co_await r.t->session->changes().Until(
      t.ctx.WithTimeout(kPatience), [&] { return r.t->session->tabs().all().size() == 3; },
      "the popups");
  EXPECT_TRUE(seen) << Why(seen);
  for (const auto& tab : r.t->session->tabs().all()) {
    if (tab == r.t->tab()) continue;
    co_await tab->changes().Until(
        t.ctx.WithTimeout(kPatience), [&] { return tab->gate().last_seq() > 0; }, "the refusal");
    for (const auto& request : tab->gate().Since(0)) {
      EXPECT_EQ(request.facts.use, RequestUse::kPopup);
      ++refused;
    }
  }
  EXPECT_EQ(refused, 2U);
  EXPECT_EQ(Strays(t), 0U);
}

constexpr std::string_view kInWorker = R"js(await new Promise(done => {
  const worker = new Worker(URL.createObjectURL(new Blob([`CODE`])));
  worker.onmessage = (event) => done(event.data);
}))js";

std::string With(std::string_view frame, std::string_view code) {
  std::string text(frame);
  return text.replace(text.find("CODE"), 4, code);
}

BROWSER_TEST(RequestGateTest, WorkersAreHeld) {
  const auto r = co_await Open(t);
  co_await r.t->Open("/empty.html");
  const auto fetch = [&](const std::string& url) {
    return "fetch('" + url +
           "', {mode: 'no-cors'}).then(() => postMessage('in'), () => postMessage('out'))";
  };
  EXPECT_EQ(co_await r.t->PageText(With(kInWorker, fetch(t.site.Url("/json")))), "in");
  EXPECT_EQ(co_await r.t->PageText(With(kInWorker, fetch(t.site.CrossSiteUrl("/json")))), "out");
  EXPECT_EQ(Strays(t), 0U);
}

// Their requests cannot be held from the first one on.
BROWSER_TEST(RequestGateTest, AFrameIsItsPagesDoingAlsoWithoutAReferrer) {
  const auto r = co_await Open(t);
  co_await r.t->Open("/empty.html");
  co_await r.t->PageText(R"(await new Promise(done => {
    const frame = document.createElement('iframe');
    frame.referrerPolicy = 'no-referrer';
    frame.onload = () => done('loaded');
    frame.src = '/empty.html?framed';
    document.body.append(frame);
  }))");
  const auto asked = std::ranges::find(r.rule->asked, RequestUse::kFrame, &RequestFacts::use);
  EXPECT_NE(asked, r.rule->asked.end());
  if (asked == r.rule->asked.end()) co_return;
  EXPECT_EQ(asked->initiator_origin + "/", t.site.Url("/"));
}

std::string OpenSocket(std::string url, std::string_view done) {
  url.replace(0, 4, "ws");
  return "try { const s = new WebSocket('" + url + "'); s.onopen = () => " + std::string(done) +
         "('in'); s.onerror = () => " + std::string(done) + "('out'); } catch { " +
         std::string(done) + "('out'); }";
}

BROWSER_TEST(RequestGateTest, SocketsAreHeldInPagesFramesAndWorkers) {
  const auto r = co_await Open(t);
  co_await r.t->Open("/empty.html");
  const auto in_page = [&](const std::string& url) {
    return "await new Promise(done => { " + OpenSocket(url, "done") + " })";
  };
  EXPECT_EQ(co_await r.t->PageText(in_page(t.site.Url("/ws"))), "in");
  for (const std::string& url : {t.site.CrossSiteUrl("/ws"), t.site.ThirdSiteUrl("/ws")}) {
    EXPECT_EQ(co_await r.t->PageText(in_page(url)), "out");
    EXPECT_EQ(co_await r.t->PageText(With(kInWorker, OpenSocket(url, "postMessage"))), "out");
  }
  EXPECT_GE(r.t->tab()->network().Summary(0).refused, 2U);
  EXPECT_EQ(Strays(t), 0U);
}

std::string TriedSocket(const std::string& url) {
  return "await new Promise(done => { " + OpenSocket(url, "done") + " })";
}

// Whether a page is told that it gets no such socket. One that is taken away is told nothing.
Task<bool> IsKeptOut(BrowserFixture& own, std::string url) {
  const auto told = co_await own.tab()->session()->Send(
      own.ctx.WithTimeout(kPatience),
      cdp::RuntimeEvaluate{.expression = "(async () => String(" + TriedSocket(url) + "))()",
                           .return_by_value = true,
                           .await_promise = true});
  co_return told && told->result.value == json::value("out");
}

// Allows everything but sockets, and those to hosts that have a dot and end with a letter.
class DottedSockets : public browser::RequestRule {
 public:
  RequestVerdict Decide(const RequestFacts& /*facts*/) override { return {}; }
  std::vector<SocketRule> SocketRules() const override {
    return {{"ws://*.*t:*/*", SocketRule::Effect::kAllow}};
  }
};

BROWSER_TEST(RequestGateTest, APatternWithADotKeepsNamesWithoutOneAndAddressesAway) {
  const auto own = co_await OpenFixture(t, {.request_rule = std::make_shared<DottedSockets>()});
  co_await own->Open("/empty.html");
  std::string dotted = t.site.CrossSiteUrl("/ws");
  dotted.replace(dotted.find("localhost"), 9, "app.localhost");
  EXPECT_EQ(co_await own->PageText(TriedSocket(dotted)), "in") << dotted;
  for (const std::string& url : {t.site.CrossSiteUrl("/ws"), t.site.ThirdSiteUrl("/ws")}) {
    EXPECT_EQ(co_await own->PageText(TriedSocket(url)), "out") << url;
  }
}

BROWSER_TEST(RequestGateTest, SocketsStayHeldWhenTheNetworkProcessEnds) {
  auto launched = co_await browser::Browser::Launch(t.ctx, TestBrowserConfig(), {});
  EXPECT_TRUE(launched) << Why(launched);
  if (!launched) co_return;
  const std::string url = t.site.Url("/");
  browser::SessionOptions options;
  options.artifacts = t.artifacts;
  options.request_rule = std::make_shared<OneOrigin>(url.substr(0, url.size() - 1));
  const auto session =
      co_await (*launched)->NewSession(t.ctx.WithTimeout(kPatience), SessionId("own"), options);
  EXPECT_TRUE(session) << Why(session);
  if (!session) co_return;
  BrowserFixture own(t.ctx, **launched, t.site, *session, t.artifacts);
  co_await own.Open("/empty.html");
  const int network = NetworkProcessOf((*launched)->pid());
  EXPECT_GT(network, 0);
  if (network == 0) co_return;

  ::kill(network, SIGKILL);
  // The page that was open may find the door open, and is taken away when it goes through.
  if (!co_await IsKeptOut(own, t.site.CrossSiteUrl("/ws"))) {
    const auto left = co_await own.tab()->changes().Until(
        t.ctx.WithTimeout(kPatience), [&] { return own.tab()->url() == "about:blank"; },
        "the page to be taken away");
    EXPECT_TRUE(left) << Why(left);
  }
  co_await own.Open("/empty.html");
  EXPECT_TRUE(co_await IsKeptOut(own, t.site.CrossSiteUrl("/ws")));
  EXPECT_EQ(co_await own.PageText(TriedSocket(t.site.Url("/ws"))), "in");
  co_await (*launched)->Close(t.ctx.WithTimeout(kLongPatience));
}

BROWSER_TEST(RequestGateTest, AServiceWorkersRequestsAreHeld) {
  const auto r = co_await Open(t, {.service_workers = browser::ServiceWorkers::kAllow});
  t.site.On("/held_sw.js", [to = t.site.CrossSiteUrl("/json")](const auto&) {
    net::HttpResponse response;
    response.headers.Set("Content-Type", "text/javascript");
    response.body = "self.onfetch = () => {}; self.oninstall = (e) => e.waitUntil(fetch('" + to +
                    "', {mode: 'no-cors'}).catch(() => fetch('/from-worker-origin?refused')));";
    return response;
  });
  co_await r.t->Open("/empty.html");
  EXPECT_EQ(co_await r.t->PageText("(await navigator.serviceWorker.register('/held_sw.js').then("
                                   "() => navigator.serviceWorker.ready)).active !== null"),
            "true");
  const auto asked =
      co_await t.site.UntilRequests(t.ctx.WithTimeout(kPatience), "/from-worker-origin", 1);
  EXPECT_TRUE(asked) << Why(asked);
  EXPECT_EQ(Strays(t), 0U);
}

BROWSER_TEST(RequestGateTest, ARefusedDownloadEndsTheWaiting) {
  const auto r = co_await Open(t);
  t.site.Serve("/page",
               "<a id=out download href='" + t.site.CrossSiteUrl("/download/plain") + "'>Out</a>");
  co_await r.t->Open("/page");

  const auto got = co_await r.t->Do(R"({"action_type": "download_trigger", "selector": "#out"})");

  EXPECT_EQ(CodeOf(got), ErrorCode::kSecurityDomainBlock) << Why(got);
  EXPECT_EQ(r.t->tab()->url(), t.site.Url("/page"));
  EXPECT_EQ(Strays(t), 0U);
}

BROWSER_TEST(RequestGateTest, AFileMayBeRefusedWhereItsPageIsNot) {
  const auto r = co_await Open(t);
  r.rule->refused_use = RequestUse::kDownload;
  const auto got = co_await r.t->Do(R"({"action_type": "download_trigger", "url": ")" +
                                    t.site.Url("/download/plain") + "\"}");
  EXPECT_EQ(CodeOf(got), ErrorCode::kSecurityDomainBlock) << Why(got);
}

BROWSER_TEST(RequestGateTest, APageOfAPagesOwnMakingIsTakenAway) {
  const auto r = co_await Open(t);
  co_await r.t->Open("/empty.html");
  co_await r.t->Page("location = URL.createObjectURL(new Blob(['made'], {type: 'text/html'})); 1");
  co_await ExpectRefused(*r.t, 1);
  const auto blank = co_await r.t->tab()->changes().Until(
      t.ctx.WithTimeout(kPatience), [&] { return r.t->tab()->url() == "about:blank"; },
      "the blank page");
  EXPECT_TRUE(blank) << r.t->tab()->url();
}

BROWSER_TEST(RequestGateTest, BackToAPageThatIsRefusedNowFails) {
  const auto r = co_await Open(t);
  t.site.Serve("/one", "<title>one</title><script>onunload = () => {}</script>");
  co_await r.t->Open("/one");
  co_await r.t->Open("/empty.html");
  r.rule->refused_use = RequestUse::kNavigation;
  const auto back = co_await r.t->Do(R"({"action_type": "go_back"})");
  const auto again = co_await r.t->Do(R"({"action_type": "reload"})");
  EXPECT_EQ(CodeOf(back), ErrorCode::kSecurityDomainBlock) << Why(back);
  EXPECT_EQ(CodeOf(again), ErrorCode::kSecurityDomainBlock) << Why(again);
}

BROWSER_TEST(RequestGateTest, CredentialsAndRulesGoTogether) {
  browser::SessionOptions options;
  options.http_credentials = browser::Credentials{.username = "falcon", .password = "hood"};
  const auto r = co_await Open(t, options);
  co_await r.t->Open("/auth/basic");
  EXPECT_EQ(co_await r.t->PageText("document.title"), "Inside");
  const auto went = co_await r.t->Do(Navigate(t.site.CrossSiteUrl("/auth/basic")));
  EXPECT_EQ(CodeOf(went), ErrorCode::kSecurityDomainBlock) << Why(went);
  EXPECT_EQ(Strays(t), 0U);
}

BROWSER_TEST(RequestGateTest, StorageOfAForeignSiteIsStillReachedWithoutTheNetwork) {
  const auto r = co_await Open(t);
  const std::string origin = t.site.CrossSiteUrl("");
  browser::StorageState state;
  state.origins.push_back({.origin = origin, .local_storage = {{"key", "value"}}});
  const auto set = co_await r.t->session->storage().Load(t.ctx.WithTimeout(kPatience), state);
  EXPECT_TRUE(set) << Why(set);
  EXPECT_EQ(Strays(t), 0U);
}

}  // namespace
}  // namespace falconer::test
