// What the network observer and the console log see of a real page.

#include <algorithm>

#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

using browser::Body;
using browser::NetworkObserver;
using model::NetworkEvent;
using model::NetworkEventKind;

// The newest event of this kind whose address ends so; an empty one when there is none.
NetworkEvent Newest(const NetworkObserver& network, NetworkEventKind kind,
                    std::string_view ending) {
  NetworkEvent found;
  for (const NetworkEvent& event : network.events()) {
    if (event.kind == kind && event.url.ends_with(ending)) found = event;
  }
  return found;
}

Task<void> UntilIdle(BrowserFixture& t) {
  const auto tab = t.tab();
  const auto idle = co_await tab->changes().Until(
      t.ctx.WithTimeout(kPatience), [&] { return tab->network().in_flight() == 0; }, "idle");
  EXPECT_TRUE(idle) << Why(idle);
}

Task<void> UntilLogged(BrowserFixture& t, NetworkEventKind kind, std::string ending) {
  const auto tab = t.tab();
  const auto logged = co_await tab->changes().Until(
      t.ctx.WithTimeout(kPatience), [&] { return Newest(tab->network(), kind, ending).seq > 0; },
      "the event");
  EXPECT_TRUE(logged) << ending << ": " << Why(logged);
}

BROWSER_TEST(NetworkObserverBrowserTest, JudgesTheBodiesOfAnAction) {
  co_await t.Open("/empty.html");
  NetworkObserver& network = t.tab()->network();
  const auto mark = network.last_seq();

  co_await t.Page(
      "Promise.all(['/json', '/json/silent', '/json/malformed'].map(u => fetch(u).then(r => "
      "r.text())))");
  const auto settled = co_await network.Settled(t.ctx.WithTimeout(kPatience), mark);

  EXPECT_TRUE(settled) << Why(settled);
  const auto good = Newest(network, NetworkEventKind::kResponse, "/json");
  EXPECT_FALSE(good.silent_failure);
  EXPECT_EQ(good.json_shape_hash.size(), 16u);
  EXPECT_TRUE(Newest(network, NetworkEventKind::kResponse, "/json/silent").silent_failure);
  EXPECT_EQ(Newest(network, NetworkEventKind::kResponse, "/json/malformed").error_signature,
            "parse_error");
  EXPECT_EQ(network.Summary(mark).silent_failures, 2u);
}

BROWSER_TEST(NetworkObserverBrowserTest, TellsRedirectsHopByHop) {
  co_await t.Open("/empty.html");
  NetworkObserver& network = t.tab()->network();
  const auto mark = network.last_seq();

  co_await t.Open("/redirect/chain?codes=301,302,307&to=/form.html");

  std::vector<int> statuses;
  for (const NetworkEvent& event : network.EventsSince(mark)) {
    if (event.kind == NetworkEventKind::kResponse && event.resource_type == "Document") {
      statuses.push_back(event.status);
    }
  }
  EXPECT_EQ(statuses, (std::vector<int>{301, 302, 307, 200}));
  EXPECT_EQ(t.tab()->frames().main()->document->status, 200);
}

BROWSER_TEST(NetworkObserverBrowserTest, WhatTheOldPageHadUnderWayDoesNotHoldTheNewOne) {
  for (const std::string& next : {t.site.Url("/form.html"), t.site.CrossSiteUrl("/form.html")}) {
    co_await t.Open("/empty.html");
    co_await UntilIdle(t);
    co_await t.Page("fetch('/hang').catch(() => 0); new EventSource('/sse'); 0");
    co_await UntilLogged(t, NetworkEventKind::kRequest, "/hang");
    EXPECT_EQ(t.tab()->network().in_flight(), 1u);

    co_await t.Open(next);

    co_await UntilIdle(t);
  }
}

BROWSER_TEST(NetworkObserverBrowserTest, AbortedAndRefusedRequestsAreFailures) {
  co_await t.Open("/empty.html");
  NetworkObserver& network = t.tab()->network();

  co_await t.Page(
      "(async () => { const c = new AbortController(); const p = fetch('/hang', {signal: "
      "c.signal});"
      " setTimeout(() => c.abort(), 50); await p.catch(() => 0);"
      " await fetch('http://127.0.0.1:1/refused').catch(() => 0); })()");
  co_await UntilLogged(t, NetworkEventKind::kRequestFailed, "/refused");

  EXPECT_EQ(Newest(network, NetworkEventKind::kRequestFailed, "/hang").error_signature,
            "net::err_aborted");
  EXPECT_NE(Newest(network, NetworkEventKind::kRequestFailed, "/refused").error_signature, "");
  co_await UntilIdle(t);
}

BROWSER_TEST(NetworkObserverBrowserTest, AFrameInAnotherProcessFinishesWhereItLives) {
  t.site.Serve("/outer", "<iframe src='" + t.site.CrossSiteUrl("/inner") + "'></iframe>");
  t.site.Serve("/inner", "<h1>inner page</h1><script>fetch('/json')</script>");
  co_await t.Open("/outer");
  co_await UntilLogged(t, NetworkEventKind::kResponse, "/json");
  co_await UntilIdle(t);
  NetworkObserver& network = t.tab()->network();

  const auto inner = Newest(network, NetworkEventKind::kResponse, "/inner");
  const auto body = co_await network.ReadBody(t.ctx.WithTimeout(kPatience), inner.request_id);

  EXPECT_TRUE(body) << Why(body);
  if (body) EXPECT_TRUE(body->bytes.contains("inner page"));
  EXPECT_EQ(std::ranges::count(network.events(), inner.request_id, &NetworkEvent::request_id), 2)
      << "a request and a response, each told once";
}

BROWSER_TEST(NetworkObserverBrowserTest, KeepsAWantedBodyAfterThePageMovedOn) {
  co_await t.Open("/empty.html");
  NetworkObserver& network = t.tab()->network();
  auto url = model::Pattern::Compile("**/json", model::PatternMode::kGlob);
  const auto rule = network.WantBodies({.url = *url});
  const auto mark = network.last_seq();
  co_await t.Page("fetch('/json').then(r => r.text())");
  const auto settled = co_await network.Settled(t.ctx.WithTimeout(kPatience), mark);
  EXPECT_TRUE(settled) << Why(settled);
  const auto id = Newest(network, NetworkEventKind::kResponse, "/json").request_id;

  co_await t.Open(t.site.CrossSiteUrl("/empty.html"));
  const auto body = co_await network.ReadBody(t.ctx.WithTimeout(kPatience), id);

  EXPECT_TRUE(body) << Why(body);
  if (body) EXPECT_TRUE(body->bytes.contains("falcon"));
}

BROWSER_TEST(NetworkObserverBrowserTest, SaysWhenTheBrowserNoLongerHasABody) {
  co_await t.Open("/empty.html");
  NetworkObserver& network = t.tab()->network();
  co_await t.Page("fetch('/json').then(r => r.text())");
  const auto id = Newest(network, NetworkEventKind::kResponse, "/json").request_id;

  co_await t.Open("/form.html");
  const auto body = co_await network.ReadBody(t.ctx.WithTimeout(kPatience), id);

  EXPECT_EQ(CodeOf(body), ErrorCode::kNotFound);
}

BROWSER_TEST(NetworkObserverBrowserTest, ADialogOnlyPostponesTheJudgement) {
  co_await t.Open("/empty.html");
  const auto tab = t.tab();
  NetworkObserver& network = tab->network();
  const auto mark = network.last_seq();
  co_await t.Page("fetch('/json/silent').then(r => r.json()).then(r => alert(r.error)), 0");
  const auto opened = co_await tab->changes().Until(
      t.ctx.WithTimeout(kPatience), [&] { return tab->dialogs().open().has_value(); },
      "the dialog");
  EXPECT_TRUE(opened) << Why(opened);

  const auto settled = co_await network.Settled(t.ctx.WithTimeout(kPatience), mark);
  EXPECT_TRUE(settled) << Why(settled);
  const auto answered = co_await tab->dialogs().Answer(t.ctx.WithTimeout(kPatience),
                                                       browser::DialogAnswer::kAccept, {});
  EXPECT_TRUE(answered) << Why(answered);
  const auto judged = co_await tab->changes().Until(
      t.ctx.WithTimeout(kPatience), [&] { return network.Summary(mark).silent_failures == 1; },
      "the judgement");

  EXPECT_TRUE(judged) << Why(judged);
}

BROWSER_TEST(NetworkObserverBrowserTest, SeesTheTrafficOfWorkers) {
  t.site.On("/worker.js", [](const net::HttpRequest&) {
    net::HttpResponse response{.status = 200};
    response.headers = {{"content-type", "text/javascript"}};
    response.body = "fetch('/json').then(r => r.text()).then(() => postMessage('done'))";
    return response;
  });
  co_await t.Open("/empty.html");

  co_await t.Page(
      "new Promise(done => { window.w = new Worker('/worker.js'); w.onmessage = done; }).then(() "
      "=> 0)");
  co_await UntilIdle(t);

  const auto event = Newest(t.tab()->network(), NetworkEventKind::kResponse, "/json");
  EXPECT_EQ(event.status, 200);
  EXPECT_TRUE(event.from_worker);
}

BROWSER_TEST(NetworkObserverBrowserTest, HearsWebSocketMessages) {
  co_await t.Open("/empty.html");
  std::vector<std::string> heard;
  const auto subscription =
      t.tab()->network().on_websocket().Subscribe([&](const browser::WebSocketMessage& m) {
        heard.push_back((m.direction == browser::WebSocketDirection::kSent ? ">" : "<") +
                        m.payload);
      });

  co_await t.Page(
      "new Promise(done => { const s = new WebSocket(location.origin.replace('http', 'ws') + "
      "'/ws');"
      " s.onopen = () => s.send('hello'); s.onmessage = () => done(0); })");

  EXPECT_EQ(heard.empty() ? "" : heard.front(), ">hello");
  EXPECT_TRUE(std::ranges::any_of(heard, [](const auto& m) { return m.starts_with("<"); }));
  co_await UntilIdle(t);
}

BROWSER_TEST(NetworkObserverBrowserTest, ACrashFailsWhatWasUnderWay) {
  co_await t.Open("/empty.html");
  co_await t.Page("fetch('/hang').catch(() => 0); 0");
  co_await UntilLogged(t, NetworkEventKind::kRequest, "/hang");

  co_await t.tab()->session()->Send(t.ctx.WithTimeout(kPatience),
                                    cdp::PageNavigate{.url = "chrome://crash"});
  co_await UntilLogged(t, NetworkEventKind::kRequestFailed, "/hang");

  EXPECT_EQ(Newest(t.tab()->network(), NetworkEventKind::kRequestFailed, "/hang").error_signature,
            "target_gone");
  EXPECT_EQ(t.tab()->network().in_flight(), 0u);
}

BROWSER_TEST(ConsoleLogBrowserTest, HearsCallsErrorsAndRemarks) {
  co_await t.Open("/empty.html");
  const auto tab = t.tab();
  const auto mark = tab->console().last_seq();

  co_await t.Page(
      "console.warn('half \\ud800', 1, {a: 1}); setTimeout(() => { throw new TypeError('boom'); });"
      " fetch('/status/404').then(r => r.status)");
  const auto logged = co_await tab->changes().Until(
      t.ctx.WithTimeout(kPatience), [&] { return tab->console().last_seq() >= mark + 3; },
      "three entries");

  EXPECT_TRUE(logged) << Why(logged);
  std::vector<std::string> lines;
  for (const auto& entry : tab->console().EntriesSince(mark)) {
    lines.push_back(std::string(browser::ConsoleKindName(entry.kind)) + " " + entry.level + " " +
                    entry.message);
  }
  std::ranges::sort(lines);
  EXPECT_EQ(lines.size(), 3u);
  if (lines.size() != 3) co_return;
  EXPECT_EQ(lines[0], "console warning half \xEF\xBF\xBD 1 Object");
  EXPECT_TRUE(lines[1].starts_with("log error Failed to load resource")) << lines[1];
  EXPECT_EQ(lines[2], "pageerror error Uncaught TypeError: boom");
}

BROWSER_TEST(ConsoleLogBrowserTest, PageTextWithHalfACharacterIsNotLost) {
  co_await t.Open("/empty.html");

  const std::string text = co_await t.PageText("'a\\ud800b'");

  EXPECT_EQ(text,
            "a\xEF\xBF\xBD"
            "b");
}

}  // namespace
}  // namespace falconer::test
