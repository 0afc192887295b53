// Waiting: every kind of condition on a real page, armed before the action and awaited after it.

#include "tests/support/in_background.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

// Runs in the page a moment later, so that the wait has to wait for it.
std::string ChangeLater(std::string_view script) {
  return "setTimeout(() => { " + std::string(script) + " }, 60); 0";
}

// Expects that the condition does not hold now and comes true when the script has run.
Task<void> ExpectComesTrue(BrowserFixture* t, std::string condition, std::string script) {
  InBackground waiting(t->ctx.executor(), t->WaitFor(condition));
  co_await t->Page("0");
  EXPECT_FALSE(waiting.is_done()) << condition << " held from the start";
  co_await t->Page(ChangeLater(script));
  const auto waited = co_await waiting.Join();
  EXPECT_TRUE(waited && waited->satisfied) << condition << ": " << Why(waited) << " "
                                           << (waited ? json::serialize(waited->ToJson()) : "");
}

BROWSER_TEST(WaitsTest, ASelectorInEachOfItsStates) {
  struct Row {
    const char* state;
    const char* before;
    const char* then;
  };
  constexpr Row kRows[] = {
      {"visible", "<p id=x hidden>x</p>", "x.hidden = false"},
      {"hidden", "<p id=x>x</p>", "x.hidden = true"},
      {"hidden", "<p id=x>x</p>", "x.remove()"},
      {"attached", "", "document.body.innerHTML = '<p id=x hidden>x</p>'"},
      {"detached", "<p id=x hidden>x</p>", "x.remove()"},
      {"enabled", "<button id=x disabled>x</button>", "x.disabled = false"},
      {"disabled", "<button id=x>x</button>", "x.disabled = true"},
      {"editable", "<input id=x readonly>", "x.readOnly = false"},
      {"checked", "<input id=x type=checkbox>", "x.checked = true"},
      {"unchecked", "<input id=x type=checkbox checked>", "x.checked = false"},
      {"stable",
       "<style>@keyframes m { to { margin-left: 100px } } #x { animation: m 1s infinite alternate "
       "}</style><p id=x>x</p>",
       "x.style.animation = 'none'"},
  };
  for (const Row& row : kRows) {
    t.site.Serve("/one", "<!doctype html><body>" + std::string(row.before));
    co_await t.Open("/one");
    co_await ExpectComesTrue(
        &t, R"({"kind": "selector", "selector": "#x", "state": ")" + std::string(row.state) + "\"}",
        row.then);
  }
}

BROWSER_TEST(WaitsTest, AnAddress) {
  co_await t.Open("/spa/home");
  co_await ExpectComesTrue(&t, R"({"kind": "url", "url_pattern": "**/spa/list"})",
                           "history.pushState(null, '', '/spa/list')");
  co_await ExpectComesTrue(&t, R"({"kind": "url", "url_pattern": "#there$", "mode": "regex"})",
                           "location.hash = 'there'");
  co_await ExpectComesTrue(&t, R"({"kind": "url", "url_pattern": "**/form.html"})",
                           "location.href = '/form.html'");
}

BROWSER_TEST(WaitsTest, EachLoadState) {
  for (const char* state : {"commit", "domcontentloaded", "load", "networkidle"}) {
    const auto gone =
        co_await t.Do(R"({"action_type": "navigate", "wait_until": "commit", "url": ")" +
                      t.site.Url("/load_order.html") + "\"}");
    EXPECT_TRUE(gone) << Why(gone);
    const auto waited =
        co_await t.WaitFor(R"({"kind": "load_state", "state": ")" + std::string(state) + "\"}");
    EXPECT_TRUE(waited && waited->satisfied) << state << ": " << Why(waited);
    const std::string log = co_await t.PageText("__log.map(e => e.name).join()");
    if (std::string_view(state) == "load") EXPECT_TRUE(log.contains("load")) << log;
    if (std::string_view(state) == "networkidle") EXPECT_TRUE(log.contains("quiet")) << log;
  }
}

BROWSER_TEST(WaitsTest, ATabThatHasGoneNowhereIsLoaded) {
  for (const char* state : {"commit", "domcontentloaded", "load", "networkidle"}) {
    const auto waited =
        co_await t.WaitFor(R"({"kind": "load_state", "state": ")" + std::string(state) + "\"}");
    EXPECT_TRUE(waited && waited->satisfied) << state << ": " << Why(waited);
  }
}

BROWSER_TEST(WaitsTest, AQuietNetwork) {
  co_await t.Open("/empty.html");
  t.site.Hold("/held");
  co_await t.Page("fetch('/held'); 0");
  const auto asked = co_await t.site.UntilRequests(t.ctx.WithTimeout(kPatience), "/held", 1);
  EXPECT_TRUE(asked) << Why(asked);
  InBackground waiting(t.ctx.executor(), t.WaitFor(R"({"kind": "network_idle", "quiet_ms": 50})"));
  co_await t.Page("new Promise(done => setTimeout(done, 100))");
  EXPECT_FALSE(waiting.is_done());
  t.site.Release("/held");
  const auto waited = co_await waiting.Join();
  EXPECT_TRUE(waited && waited->satisfied) << Why(waited);
}

BROWSER_TEST(WaitsTest, AResponseByMethodAddressAndStatus) {
  co_await t.Open("/empty.html");
  const std::string condition =
      R"({"kind": "response", "method": "post", "url_pattern": "/status/5", "status_min": 500, "status_max": 599})";
  co_await ExpectComesTrue(
      &t, condition,
      "fetch('/status/200'); fetch('/status/503'); fetch('/status/404', {method: 'POST'});"
      "fetch('/status/503', {method: 'POST'})");
}

BROWSER_TEST(WaitsTest, AResponseThatComesDuringTheClickIsNotMissed) {
  t.site.Serve("/one",
               "<button id=b onclick=\"const x = new XMLHttpRequest; x.open('GET', '/json', "
               "false); x.send()\">Load</button>");
  co_await t.Open("/one");
  const auto waited = co_await t.DoAndWait(R"({"action_type": "click", "selector": "#b"})",
                                           R"({"kind": "response", "url_pattern": "/json$"})");
  EXPECT_TRUE(waited && waited->satisfied) << Why(waited);
  if (waited) EXPECT_EQ(waited->observed.at("status"), 200);
}

BROWSER_TEST(WaitsTest, AResponseBeforeTheArmingDoesNotCount) {
  co_await t.Open("/empty.html");
  co_await t.Page("fetch('/json').then(r => r.text())");
  const auto waited =
      co_await t.WaitFor(R"({"kind": "response", "url_pattern": "/json$", "timeout_ms": 150})");
  EXPECT_TRUE(waited) << Why(waited);
  if (waited) EXPECT_FALSE(waited->satisfied);
}

BROWSER_TEST(WaitsTest, ARequestEvenIfItIsNeverAnswered) {
  co_await t.Open("/empty.html");
  co_await ExpectComesTrue(&t, R"({"kind": "request", "method": "PUT", "url_pattern": "/hang"})",
                           "fetch('/hang', {method: 'PUT'})");
}

BROWSER_TEST(WaitsTest, AFunctionOfTheCaller) {
  t.site.Serve("/one", "<body data-n=0>");
  co_await t.Open("/one");
  co_await ExpectComesTrue(
      &t,
      R"js({"kind": "function", "expression": "n => document.body.dataset.n === String(n)", "arg": 3})js",
      "document.body.dataset.n = 3");
}

BROWSER_TEST(WaitsTest, AFunctionCanNeitherSeeNorTouchThePagesGlobals) {
  co_await t.Open("/empty.html");
  co_await t.Page("window.secret = 1; 0");
  const auto waited = co_await t.WaitFor(
      R"js({"kind": "function", "expression": "typeof secret === 'undefined' && (window.mine = true)"})js");
  EXPECT_TRUE(waited && waited->satisfied) << Why(waited);
  EXPECT_EQ(co_await t.PageText("typeof mine"), "undefined");
}

BROWSER_TEST(WaitsTest, AFunctionThatThrowsIsAFailure) {
  co_await t.Open("/empty.html");
  const auto waited = co_await t.WaitFor(R"({"kind": "function", "expression": "nothing.there"})");
  EXPECT_EQ(CodeOf(waited), ErrorCode::kScriptError) << Why(waited);
}

BROWSER_TEST(WaitsTest, AnAsynchronousFunction) {
  co_await t.Open("/empty.html");
  const auto waited = co_await t.WaitFor(
      R"({"kind": "function", "expression": "async () => (await fetch('/json')).ok"})");
  EXPECT_TRUE(waited && waited->satisfied) << Why(waited);
}

BROWSER_TEST(WaitsTest, AQuietPage) {
  t.site.Serve("/one",
               "<p id=p>0</p><script>let n = 0; const i = setInterval(() => { p.textContent = ++n; "
               "if (n === 8) clearInterval(i) }, 20)</script>");
  co_await t.Open("/one");
  const auto waited = co_await t.WaitFor(R"({"kind": "dom_quiet", "quiet_ms": 300})");
  EXPECT_TRUE(waited && waited->satisfied) << Why(waited);
  EXPECT_EQ(co_await t.PageText("p.textContent"), "8");
}

BROWSER_TEST(WaitsTest, ATextThatAppearsAndOneThatGoes) {
  t.site.Serve("/one", "<p id=a></p><p id=b>Saving…</p><p id=c>Done</p>");
  co_await t.Open("/one");
  co_await ExpectComesTrue(&t, R"({"kind": "text", "text": "all set"})",
                           "a.textContent = 'All   Set now'");
  co_await ExpectComesTrue(&t, R"({"kind": "text", "text": "Saving", "absent": true})",
                           "b.textContent = ''");
  co_await ExpectComesTrue(
      &t, R"({"kind": "text", "text": "^Done [0-9]+$", "mode": "regex", "selector": "#c"})",
      "c.textContent = 'Done 12'");
  co_await ExpectComesTrue(&t, R"({"kind": "text", "text": "Hidden text"})",
                           "b.hidden = true; b.textContent = 'Hidden text'; "
                           "requestAnimationFrame(() => { b.hidden = false })");
}

BROWSER_TEST(WaitsTest, AnAttributeOrPropertyOfAnElement) {
  t.site.Serve("/one", "<button id=b aria-busy=true>Go</button><input id=i>");
  co_await t.Open("/one");
  co_await ExpectComesTrue(
      &t,
      R"({"kind": "element_state", "selector": "#b", "attribute": "aria-busy", "equals": "false"})",
      "b.setAttribute('aria-busy', 'false')");
  co_await ExpectComesTrue(
      &t,
      R"({"kind": "element_state", "selector": "#i", "property": "value", "matches": "^[0-9]+$"})",
      "i.value = '42'");
  co_await ExpectComesTrue(
      &t, R"({"kind": "element_state", "selector": "#b", "attribute": "data-ready"})",
      "b.dataset.ready = ''");
}

BROWSER_TEST(WaitsTest, ANumberOfElements) {
  t.site.Serve("/one", "<ul id=u></ul>");
  co_await t.Open("/one");
  co_await ExpectComesTrue(&t, R"({"kind": "count", "selector": "li", "op": "gte", "n": 2})",
                           "u.innerHTML = '<li>1<li>2<li>3'");
  co_await ExpectComesTrue(&t, R"({"kind": "count", "selector": "li", "n": 1})",
                           "u.innerHTML = '<li>1'");
  co_await ExpectComesTrue(&t, R"({"kind": "count", "selector": "li", "op": "lte", "n": 0})",
                           "u.innerHTML = ''");
}

BROWSER_TEST(WaitsTest, ADialogOfATypeAndItsMessage) {
  t.site.Serve("/one", "<button id=b onclick=\"confirm('really?')\">Ask</button>");
  co_await t.Open("/one");
  const auto waited = co_await t.DoAndWait(R"({"action_type": "click", "selector": "#b"})",
                                           R"({"kind": "dialog", "type": "confirm"})");
  EXPECT_TRUE(waited && waited->satisfied) << Why(waited);
  if (waited) EXPECT_EQ(waited->observed.at("message"), "really?");
}

BROWSER_TEST(WaitsTest, ADownloadUntilItIsComplete) {
  co_await t.Open("/downloads.html");
  const auto waited = co_await t.DoAndWait(R"({"action_type": "click", "selector": "#link"})",
                                           R"({"kind": "download", "state": "completed"})");
  EXPECT_TRUE(waited && waited->satisfied) << Why(waited);
  if (waited) EXPECT_EQ(waited->observed.at("sha256").as_string().size(), 64u);
}

BROWSER_TEST(WaitsTest, AConsoleMessageByLevelAndText) {
  co_await t.Open("/empty.html");
  co_await ExpectComesTrue(
      &t, R"({"kind": "console", "level": "error", "pattern": "went wrong"})",
      "console.log('nothing went wrong'); console.error('something went wrong')");
}

BROWSER_TEST(WaitsTest, AnyChangeOfTheState) {
  t.site.Serve("/one", "<p id=p>before</p>");
  co_await t.Open("/one");
  co_await ExpectComesTrue(&t, R"({"kind": "state_change"})", "p.textContent = 'after'");
  co_await ExpectComesTrue(&t, R"({"kind": "state_change"})", "location.href = '/form.html'");
}

BROWSER_TEST(WaitsTest, AFrameByItsAddress) {
  co_await t.Open("/empty.html");
  co_await ExpectComesTrue(
      &t, R"({"kind": "frame", "url_pattern": "**/frame_leaf.html?name=late"})",
      "const f = document.createElement('iframe'); f.src = '" +
          t.site.CrossSiteUrl("/frame_leaf.html?name=late") + "'; document.body.append(f)");
}

BROWSER_TEST(WaitsTest, AMessageOnAWebSocket) {
  co_await t.Open("/websocket.html");
  const auto open =
      co_await t.DoAndWait(R"({"action_type": "click", "selector": "#connect"})",
                           R"({"kind": "text", "text": "open", "selector": "#status"})");
  EXPECT_TRUE(open && open->satisfied) << Why(open);
  const auto waited = co_await t.DoAndWait(R"({"action_type": "click", "selector": "#send"})",
                                           R"({"kind": "websocket_frame", "pattern": "hello"})");
  EXPECT_TRUE(waited && waited->satisfied) << Why(waited);
}

BROWSER_TEST(WaitsTest, APopup) {
  t.site.Serve("/one", "<button id=b onclick=\"window.open('/empty.html')\">Open</button>");
  co_await t.Open("/one");
  const auto waited =
      co_await t.DoAndWait(R"({"action_type": "click", "selector": "#b"})", R"({"kind": "popup"})");
  EXPECT_TRUE(waited && waited->satisfied) << Why(waited);
  if (waited) EXPECT_EQ(waited->observed.at("tab_id"), "t2");
}

}  // namespace
}  // namespace falconer::test
