// What a tab says to the network in everyday cases; the corners are in network_observer_test.cc.

#include <algorithm>

#include "tests/support/in_background.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

using model::NetworkEvent;
using model::NetworkEventKind;

std::vector<NetworkEvent> EventsOf(BrowserFixture& t, NetworkEventKind kind,
                                   std::string_view path) {
  std::vector<NetworkEvent> found;
  for (const NetworkEvent& event : t.tab()->network().events()) {
    if (event.kind == kind && event.url.contains(path)) found.push_back(event);
  }
  return found;
}

Task<void> UntilEvents(BrowserFixture& t, NetworkEventKind kind, std::string path,
                       std::size_t count) {
  const auto logged = co_await t.tab()->changes().Until(
      t.ctx.WithTimeout(kPatience), [&] { return EventsOf(t, kind, path).size() >= count; },
      "the events");
  EXPECT_TRUE(logged) << path << ": " << Why(logged);
}

BROWSER_TEST(NetworkTest, APageAndItsPartsAreSeen) {
  t.site.Serve("/one",
               "<link rel=stylesheet href='/style'><script src='/script'></script><img "
               "src='/picture'><script>fetch('/json')</script>");
  co_await t.Open("/one");
  co_await UntilEvents(t, NetworkEventKind::kResponse, "/json", 1);
  for (const auto& [path, type] : {std::pair("/one", "Document"), std::pair("/style", "Stylesheet"),
                                   std::pair("/script", "Script"), std::pair("/picture", "Image"),
                                   std::pair("/json", "Fetch")}) {
    const auto responses = EventsOf(t, NetworkEventKind::kResponse, path);
    EXPECT_EQ(responses.size(), 1u) << path;
    if (!responses.empty()) EXPECT_EQ(responses[0].resource_type, type) << path;
  }
  const auto page = EventsOf(t, NetworkEventKind::kResponse, "/one");
  if (page.empty()) co_return;
  EXPECT_EQ(page[0].status, 200);
  EXPECT_EQ(page[0].method, "GET");
  EXPECT_TRUE(page[0].latency.has_value());
}

BROWSER_TEST(NetworkTest, AnAnswerFromTheCacheSaysSo) {
  t.site.On("/cached", [](const net::HttpRequest&) {
    net::HttpResponse response = JsonResponse(json::object{{"a", 1}});
    response.headers.Set("cache-control", "max-age=600");
    return response;
  });
  co_await t.Open("/empty.html");
  for (int i = 0; i < 3; ++i) co_await t.Page("fetch('/cached').then(r => r.text())");
  co_await UntilEvents(t, NetworkEventKind::kResponse, "/cached", 3);
  const auto responses = EventsOf(t, NetworkEventKind::kResponse, "/cached");
  EXPECT_EQ(t.site.RequestCount("/cached"), 1u);
  if (responses.size() < 3) co_return;
  EXPECT_FALSE(responses[0].from_cache);
  EXPECT_TRUE(responses[1].from_cache);
  EXPECT_TRUE(responses[2].from_cache);
  for (const auto& response : responses) EXPECT_EQ(response.status, 200);
}

BROWSER_TEST(NetworkTest, FailuresSayWhatFailed) {
  co_await t.Open("/empty.html");
  const auto mark = t.tab()->network().last_seq();
  co_await t.Page(
      "Promise.allSettled([fetch('http://127.0.0.1:1/refused'), fetch('/status/404'), "
      "fetch('/status/503'),"
      "fetch('" +
      t.site.CrossSiteUrl("/json") +
      "'), fetch('/hang', {signal: AbortSignal.timeout(50)})]).then(() => 0)");
  co_await UntilEvents(t, NetworkEventKind::kRequestFailed, "/hang", 1);
  const auto summary = t.tab()->network().Summary(mark);
  EXPECT_EQ(summary.client_errors, 1u);
  EXPECT_EQ(summary.server_errors, 1u);
  EXPECT_EQ(summary.failed, 3u);
  std::string signatures;
  for (const auto& failure : summary.failures) signatures += failure.error_signature + ";";
  EXPECT_EQ(summary.failures.size(), 5u) << signatures;
}

BROWSER_TEST(NetworkTest, CountsEveryFailureOfAFlakyServer) {
  co_await t.Open("/empty.html");
  t.site.MakeFlaky(7, 0.18);
  const auto mark = t.tab()->network().last_seq();
  const auto failed = co_await t.Page(
      "(async () => { let n = 0; for (let i = 0; i < 60; i++) if ((await fetch('/json?' + "
      "i)).status === 503) n++; return n })()");
  co_await UntilEvents(t, NetworkEventKind::kResponse, "/json?59", 1);
  EXPECT_TRUE(failed.is_number() && failed.to_number<std::size_t>() > 0);
  if (failed.is_number())
    EXPECT_EQ(t.tab()->network().Summary(mark).server_errors, failed.to_number<std::size_t>());
}

BROWSER_TEST(NetworkTest, WhatNeverEndsDoesNotHoldTheNetworkUp) {
  co_await t.Open("/empty.html");
  co_await t.Page(
      "window.source = new EventSource('/sse'); window.socket = new "
      "WebSocket(`ws://${location.host}/ws`);"
      "navigator.sendBeacon('/hang'); new Promise(done => { socket.onopen = done }).then(() => 0)");
  const auto idle = co_await t.WaitFor(R"({"kind": "network_idle", "quiet_ms": 100})");
  EXPECT_TRUE(idle && idle->satisfied) << Why(idle);
}

BROWSER_TEST(NetworkTest, ARequestUnderWayIsCountedInItsFrame) {
  t.site.Hold("/held");
  t.site.Serve("/inner", "<script>fetch('/held')</script>");
  t.site.Serve("/one", "<iframe src='" + t.site.CrossSiteUrl("/inner") + "'></iframe>");
  co_await t.Open("/one");
  const auto asked = co_await t.site.UntilRequests(t.ctx.WithTimeout(kPatience), "/held", 1);
  EXPECT_TRUE(asked) << Why(asked);
  co_await UntilEvents(t, NetworkEventKind::kRequest, "/held", 1);
  const auto frames = t.tab()->frames().All();
  EXPECT_EQ(frames.size(), 2u);
  if (frames.size() == 2) EXPECT_EQ(t.tab()->network().in_flight(frames[1]->id), 1u);
  EXPECT_EQ(t.tab()->network().in_flight(frames[0]->id), 0u);
  EXPECT_EQ(t.tab()->network().in_flight(), 1u);
  t.site.Release("/held");
  const auto idle = co_await t.WaitFor(R"({"kind": "network_idle", "quiet_ms": 10})");
  EXPECT_TRUE(idle && idle->satisfied) << Why(idle);
}

BROWSER_TEST(NetworkTest, BodiesOfTextAndBytesAreRead) {
  t.site.On("/bytes", [](const net::HttpRequest&) {
    return net::HttpResponse{.headers = {{"content-type", "application/octet-stream"}},
                             .body = std::string("\0\1\2\xff", 4)};
  });
  co_await t.Open("/empty.html");
  co_await t.Page(
      "Promise.all(['/bytes', '/json'].map(u => fetch(u).then(r => r.arrayBuffer()))).then(() => "
      "0)");
  co_await UntilEvents(t, NetworkEventKind::kResponse, "/bytes", 1);
  co_await UntilEvents(t, NetworkEventKind::kResponse, "/json", 1);
  const auto bytes = co_await t.tab()->network().ReadBody(
      t.ctx.WithTimeout(kPatience),
      EventsOf(t, NetworkEventKind::kResponse, "/bytes")[0].request_id);
  EXPECT_TRUE(bytes) << Why(bytes);
  if (bytes) EXPECT_EQ(bytes->bytes, std::string("\0\1\2\xff", 4));
  const auto text = co_await t.tab()->network().ReadBody(
      t.ctx.WithTimeout(kPatience),
      EventsOf(t, NetworkEventKind::kResponse, "/json")[0].request_id);
  EXPECT_TRUE(text) << Why(text);
  if (text) EXPECT_TRUE(text->bytes.starts_with("{")) << text->bytes;
}

BROWSER_TEST(NetworkTest, ABigBodyIsCutAtTheLimit) {
  co_await t.Open("/empty.html");
  co_await t.Page("fetch('/json/big?mb=5').then(r => r.arrayBuffer()).then(() => 0)");
  co_await UntilEvents(t, NetworkEventKind::kResponse, "/json/big", 1);
  const auto body = co_await t.tab()->network().ReadBody(
      t.ctx.WithTimeout(kPatience),
      EventsOf(t, NetworkEventKind::kResponse, "/json/big")[0].request_id);
  EXPECT_TRUE(body) << Why(body);
  if (!body) co_return;
  EXPECT_TRUE(body->is_truncated);
  EXPECT_EQ(body->bytes.size(), 1024u * 1024u);
}

BROWSER_TEST(NetworkTest, ABodyThatCannotBeReadSaysWhy) {
  co_await t.Open("/empty.html");
  co_await t.Page("fetch('http://127.0.0.1:1/refused').catch(() => 0)");
  co_await UntilEvents(t, NetworkEventKind::kRequestFailed, "/refused", 1);
  const auto failed = co_await t.tab()->network().ReadBody(
      t.ctx.WithTimeout(kPatience),
      EventsOf(t, NetworkEventKind::kRequestFailed, "/refused")[0].request_id);
  EXPECT_EQ(CodeOf(failed), ErrorCode::kNetworkError) << Why(failed);
  const auto unknown = co_await t.tab()->network().ReadBody(t.ctx.WithTimeout(kPatience), "nobody");
  EXPECT_EQ(CodeOf(unknown), ErrorCode::kNotFound) << Why(unknown);
}

BROWSER_TEST(NetworkTest, JsonOfTheSameShapeHasTheSameHash) {
  t.site.On("/shape", [](const net::HttpRequest& request) {
    return JsonResponse(request.query == "other"
                            ? json::object{{"total", "x"}}
                            : json::object{{"id", request.query}, {"items", json::array{1}}});
  });
  co_await t.Open("/empty.html");
  const auto mark = t.tab()->network().last_seq();
  co_await t.Page(
      "(async () => { for (const q of ['1', '2', 'other']) await (await fetch('/shape?' + "
      "q)).json() })().then(() => 0)");
  const auto settled = co_await t.tab()->network().Settled(t.ctx.WithTimeout(kPatience), mark);
  EXPECT_TRUE(settled) << Why(settled);
  const auto responses = EventsOf(t, NetworkEventKind::kResponse, "/shape");
  EXPECT_EQ(responses.size(), 3u);
  if (responses.size() < 3) co_return;
  EXPECT_FALSE(responses[0].json_shape_hash.empty());
  EXPECT_EQ(responses[0].json_shape_hash, responses[1].json_shape_hash);
  EXPECT_NE(responses[0].json_shape_hash, responses[2].json_shape_hash);
}

BROWSER_TEST(NetworkTest, TheRingForgetsTheOldestAndCountsThem) {
  co_await t.Open("/empty.html");
  const auto mark = t.tab()->network().last_seq();
  co_await t.Page(
      "(async () => { for (let i = 0; i < 200; i++) await fetch('/json?' + i) })().then(() => 0)");
  co_await UntilEvents(t, NetworkEventKind::kResponse, "/json?199", 1);
  const auto summary = t.tab()->network().Summary(mark);
  EXPECT_EQ(t.tab()->network().events().size(), 256u);
  EXPECT_EQ(summary.requests + summary.responses + summary.dropped, 400u);
}

BROWSER_TEST(NetworkTest, SocketsTellBothDirections) {
  co_await t.Open("/empty.html");
  std::vector<std::string> heard;
  const auto hearing =
      t.tab()->network().on_websocket().Subscribe([&](const browser::WebSocketMessage& message) {
        heard.push_back(
            (message.direction == browser::WebSocketDirection::kSent ? "sent " : "received ") +
            message.payload);
      });
  co_await t.Page(
      "new Promise(done => { const s = new WebSocket(`ws://${location.host}/ws`); s.onopen = () => "
      "s.send('ping'); s.onmessage = done }).then(() => 0)");
  const auto both = co_await t.WaitFor(R"({"kind": "dom_quiet", "quiet_ms": 20})");
  EXPECT_TRUE(both) << Why(both);
  EXPECT_EQ(heard, (std::vector<std::string>{"sent ping", "received echo ping"}));
}

// What a browser asks on its own for a log-in elsewhere would go around interception.
BROWSER_TEST(NetworkTest, NoFederatedLogInAsksAnybody) {
  co_await t.Open("/form.html");
  co_await t.Page(
      "Promise.resolve().then(() => navigator.credentials.get({identity: {providers: [{configURL: "
      "location.origin + '/fedcm.json', clientId: 'x'}]}})).then(() => 0, () => 0)");
  EXPECT_EQ(t.site.RequestCount("/.well-known/web-identity"), 0u);
  EXPECT_EQ(t.site.RequestCount("/fedcm.json"), 0u);
}

}  // namespace
}  // namespace falconer::test
