// Workers of every kind: their traffic and words are the tab's, they never wait for us in vain, and
// service workers are kept out unless the session allows them.

#include <algorithm>

#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

using model::NetworkEvent;
using model::NetworkEventKind;

bool HasAnswer(BrowserFixture& t, std::string_view part, bool from_worker) {
  return std::ranges::any_of(t.tab()->network().events(), [&](const NetworkEvent& event) {
    return event.kind == NetworkEventKind::kResponse && event.url.contains(part) &&
           event.from_worker == from_worker;
  });
}

Task<void> ExpectAnswer(BrowserFixture& t, std::string part, bool from_worker) {
  const auto seen = co_await t.tab()->changes().Until(
      t.ctx.WithTimeout(kPatience), [&] { return HasAnswer(t, part, from_worker); }, "the answer");
  EXPECT_TRUE(seen) << part << ": " << Why(seen);
}

Task<void> ClickAndSee(BrowserFixture& t, std::string button, std::string status) {
  const auto seen =
      co_await t.DoAndWait(R"({"action_type": "click", "selector": ")" + button + "\"}",
                           R"({"kind": "text", "selector": "#status", "text": ")" + status + "\"}");
  EXPECT_TRUE(seen && seen->satisfied) << status << ": " << Why(seen);
}

std::unique_ptr<browser::SessionOptions> Allowing() {
  auto options = std::make_unique<browser::SessionOptions>();
  options->service_workers = browser::ServiceWorkers::kAllow;
  return options;
}

BROWSER_TEST(WorkersTest, ADedicatedWorkerRunsAndItsTrafficIsSeen) {
  co_await t.Open("/workers.html");
  co_await ClickAndSee(t, "#dedicated", "dedicated:/echo?from=dedicated");
  co_await ExpectAnswer(t, "/echo?from=dedicated", true);
}

BROWSER_TEST(WorkersTest, ASharedWorkerRunsAndItsTrafficIsSeen) {
  co_await t.Open("/workers.html");
  co_await ClickAndSee(t, "#shared", "shared:/echo?from=shared");
  co_await ExpectAnswer(t, "/echo?from=shared", true);
}

BROWSER_TEST(WorkersTest, AWorkerOfAWorkerRunsAndItsTrafficIsSeen) {
  co_await t.Open("/empty.html");
  const std::string inner =
      "fetch('" + t.site.Url("/json?nested") + "').then(() => postMessage(1))";
  const auto answer = co_await t.Page(
      "new Promise(done => { const blob = (text) => URL.createObjectURL(new Blob([text]));"
      "const w = new Worker(blob(`const w = new Worker(URL.createObjectURL(new Blob([" +
      json::serialize(json::value(inner)) +
      "]))); w.onmessage = () => postMessage('inner')`)); w.onmessage = e => done(e.data) })");
  EXPECT_EQ(answer, "inner");
  co_await ExpectAnswer(t, "/json?nested", true);
}

BROWSER_TEST(WorkersTest, AWorkerOfAFrameInAnotherProcessRuns) {
  t.site.Serve("/one", "<iframe src='" + t.site.CrossSiteUrl("/workers.html") + "'></iframe>");
  co_await t.Open("/one");
  const auto clicked = co_await t.Click("frame=iframe >> #dedicated");
  EXPECT_TRUE(clicked) << Why(clicked);
  co_await ExpectAnswer(t, "/echo?from=dedicated", true);
}

BROWSER_TEST(WorkersTest, WhatAWorkerSaysIsInTheConsole) {
  co_await t.Open("/empty.html");
  const auto said = co_await t.DoAndWait(
      R"({"action_type": "wait_only"})",
      R"({"kind": "console", "level": "debug", "pattern": "never", "timeout_ms": 1})");
  EXPECT_TRUE(said) << Why(said);
  co_await t.Page(
      "window.w = new Worker(URL.createObjectURL(new Blob([`console.error('worker speaks'); throw "
      "new Error('worker broke')`]))); 0");
  const auto heard = co_await t.tab()->changes().Until(
      t.ctx.WithTimeout(kPatience),
      [&] {
        const auto entries = t.tab()->console().EntriesSince(0);
        const auto has = [&](std::string_view text) {
          return std::ranges::any_of(
              entries, [&](const auto& entry) { return entry.message.contains(text); });
        };
        return has("worker speaks") && has("worker broke");
      },
      "the worker's words");
  EXPECT_TRUE(heard) << Why(heard);
}

BROWSER_TEST(WorkersTest, AWorkerThatHangsDoesNotHoldThePage) {
  co_await t.Open("/form.html");
  co_await t.Page("window.w = new Worker(URL.createObjectURL(new Blob(['while (true);']))); 0");
  const auto clicked = co_await t.Click("#save");
  EXPECT_TRUE(clicked) << Why(clicked);
  const auto state = co_await t.State();
  EXPECT_TRUE(state) << Why(state);
}

BROWSER_TEST(WorkersTest, AServiceWorkerIsRefusedUnlessAllowed) {
  co_await t.Open("/service_worker.html");
  co_await ClickAndSee(t, "#register", "refused:SecurityError");
  EXPECT_EQ(t.site.RequestCount("/sw.js"), 0u);
}

BROWSER_TEST(WorkersTest, AServiceWorkerIsRefusedInFramesToo) {
  t.site.Serve("/one", "<iframe src='/service_worker.html'></iframe><iframe src='" +
                           t.site.CrossSiteUrl("/service_worker.html") + "'></iframe>");
  co_await t.Open("/one");
  for (const char* frame : {"frame=(iframe >> nth=0)", "frame=(iframe >> nth=1)"}) {
    const auto seen = co_await t.DoAndWait(
        R"({"action_type": "click", "selector": ")" + std::string(frame) + R"( >> #register"})",
        R"({"kind": "text", "selector": ")" + std::string(frame) +
            R"( >> #status", "text": "refused:SecurityError"})");
    EXPECT_TRUE(seen && seen->satisfied) << frame << Why(seen);
  }
  EXPECT_EQ(t.site.RequestCount("/sw.js"), 0u);
}

BROWSER_TEST(WorkersTest, AnAllowedServiceWorkerAnswersAndItsTrafficIsSeen) {
  const auto own = co_await OpenFixture(t, *Allowing());
  if (!own) co_return;
  co_await own->Open("/service_worker.html");
  co_await ClickAndSee(*own, "#register", "registered");
  co_await ClickAndSee(*own, "#fetch", "answered:made by the worker");
  EXPECT_EQ(t.site.RequestCount("/from-worker"), 0u);
  EXPECT_EQ(t.site.RequestCount("/from-worker-origin"), 1u);
  co_await ExpectAnswer(*own, "/from-worker-origin", true);
  co_await ExpectAnswer(*own, "/from-worker", false);
}

BROWSER_TEST(WorkersTest, AServiceWorkerThatWasStoppedStartsAgain) {
  const auto own = co_await OpenFixture(t, *Allowing());
  if (!own) co_return;
  co_await own->Open("/service_worker.html");
  co_await ClickAndSee(*own, "#register", "registered");
  for (int round = 0; round < 3; ++round) {
    const std::size_t before = t.site.RequestCount("/from-worker-origin");
    const auto targets =
        co_await own->session->root()->Send(t.ctx.WithTimeout(kPatience), cdp::TargetGetTargets{});
    EXPECT_TRUE(targets) << Why(targets);
    if (!targets) co_return;
    for (const auto& target : targets->target_infos) {
      if (target.type != "service_worker" ||
          target.browser_context_id != own->session->context_id())
        continue;
      const auto closed = co_await own->session->root()->Send(
          t.ctx.WithTimeout(kPatience), cdp::TargetCloseTarget{.target_id = target.target_id});
      EXPECT_TRUE(closed) << Why(closed);
    }
    co_await own->Page("document.getElementById('status').textContent = ''");
    co_await ClickAndSee(*own, "#fetch", "answered:made by the worker");
    // One that ends while it answers is started again and asks a second time.
    EXPECT_GT(t.site.RequestCount("/from-worker-origin"), before);
    co_await own->Open("/service_worker.html");
  }
}

BROWSER_TEST(WorkersTest, ASessionWithWorkersClosesAtOnce) {
  const auto own = co_await OpenFixture(t, *Allowing());
  if (!own) co_return;
  co_await own->Open("/service_worker.html");
  co_await ClickAndSee(*own, "#register", "registered");
  co_await own->Open("/workers.html");
  co_await ClickAndSee(*own, "#shared", "shared:/echo?from=shared");
  const auto started = t.ctx.clock().Now();
  co_await own->session->Close(t.ctx.WithTimeout(kPatience));
  EXPECT_LT(t.ctx.clock().Now() - started, std::chrono::seconds(5));
}

}  // namespace
}  // namespace falconer::test
