// What a session pretends to be, as pages, frames, popups and workers see it.

#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

// The facts of probe.html in a frame of the tab.
Task<json::object> Facts(BrowserFixture& t, std::shared_ptr<browser::Frame> frame) {
  const auto reply = co_await frame->session->Send(
      t.ctx.WithTimeout(kPatience),
      cdp::RuntimeEvaluate{
          .expression = "probe()", .return_by_value = true, .await_promise = true});
  EXPECT_TRUE(reply) << Why(reply);
  const bool is_object = reply && reply->result.value && reply->result.value->is_object();
  EXPECT_TRUE(is_object) << (reply ? json::serialize(
                                         json::value(reply->result.description.value_or("?")))
                                   : "");
  co_return is_object ? reply->result.value->get_object() : json::object();
}

// Opens probe.html, once as the page and once as a frame of another site in it, with these options;
// the facts of both.
struct Probed {
  std::unique_ptr<BrowserFixture> session;
  json::object page;
  json::object frame;
};

Task<Probed> Probe(BrowserFixture& t, browser::SessionOptions options) {
  Probed probed;
  probed.session = co_await OpenFixture(t, std::move(options));
  if (!probed.session) co_return probed;
  BrowserFixture& own = *probed.session;
  co_await own.Open("/probe.html");
  probed.page = co_await Facts(own, own.tab()->frames().main());
  t.site.Serve("/framed", "<iframe width=300 height=200 src='" +
                              t.site.CrossSiteUrl("/probe.html") + "'></iframe>");
  co_await own.Open("/framed");
  const auto frames = own.tab()->frames().All();
  EXPECT_EQ(frames.size(), 2u);
  if (frames.size() == 2) probed.frame = co_await Facts(own, frames[1]);
  co_return probed;
}

void ExpectBoth(const Probed& probed, std::string_view fact, const json::value& wanted) {
  const json::value* page = probed.page.if_contains(fact);
  const json::value* frame = probed.frame.if_contains(fact);
  EXPECT_TRUE(page != nullptr && *page == wanted)
      << "page: " << fact << " is " << (page ? json::serialize(*page) : "missing");
  EXPECT_TRUE(frame != nullptr && *frame == wanted)
      << "frame: " << fact << " is " << (frame ? json::serialize(*frame) : "missing");
}

BROWSER_TEST(EmulationTest, WithoutOptionsThePageSeesAPlainBrowser) {
  const auto probed = co_await Probe(t, {});
  if (!probed.session) co_return;
  EXPECT_EQ(probed.page.at("width"), 1440);
  EXPECT_EQ(probed.page.at("height"), 900);
  EXPECT_EQ(probed.page.at("dpr"), 1);
  ExpectBoth(probed, "dark", false);
  ExpectBoth(probed, "reducedMotion", false);
  ExpectBoth(probed, "touch", 0);
}

BROWSER_TEST(EmulationTest, TheViewportAndItsScale) {
  browser::SessionOptions options;
  options.viewport = {.width = 800, .height = 600, .scale = 2};
  const auto probed = co_await Probe(t, options);
  if (!probed.session) co_return;
  EXPECT_EQ(probed.page.at("width"), 800);
  EXPECT_EQ(probed.page.at("height"), 600);
  // The browser tells frames of other processes nothing of it.
  EXPECT_EQ(probed.page.at("dpr"), 2);
}

BROWSER_TEST(EmulationTest, TheViewportChangesWhileThePageIsOpen) {
  co_await t.Open("/probe.html");
  const auto changed = co_await t.Do(
      R"({"action_type": "set_viewport", "viewport": {"width": 640, "height": 480, "scale": 1.5}})");
  EXPECT_TRUE(changed) << Why(changed);
  EXPECT_EQ(co_await t.PageText("[innerWidth, innerHeight, devicePixelRatio]"), "640,480,1.5");
  co_await t.Open(t.site.CrossSiteUrl("/probe.html"));
  EXPECT_EQ(co_await t.PageText("[innerWidth, innerHeight, devicePixelRatio]"), "640,480,1.5");
}

BROWSER_TEST(EmulationTest, TheTimezone) {
  browser::SessionOptions options;
  options.timezone = "America/St_Johns";
  const auto probed = co_await Probe(t, options);
  ExpectBoth(probed, "timezone", "America/St_Johns");
  ExpectBoth(probed, "offset", 150);
}

BROWSER_TEST(EmulationTest, TheLocaleOfTextsNumbersAndRequests) {
  browser::SessionOptions options;
  options.locale = "de-DE";
  const auto probed = co_await Probe(t, options);
  ExpectBoth(probed, "locale", "de-DE");
  ExpectBoth(probed, "number", "1.234,5");
  for (const char* place : {"page", "frame"}) {
    const auto& facts = std::string_view(place) == "page" ? probed.page : probed.frame;
    const json::value* languages = facts.if_contains("languages");
    EXPECT_TRUE(languages != nullptr && languages->is_array() && !languages->get_array().empty() &&
                languages->get_array()[0] == "de-DE")
        << place << json::serialize(json::value(facts));
    const json::value* agent = facts.if_contains("userAgent");
    EXPECT_TRUE(agent != nullptr && agent->is_string() &&
                std::string_view(agent->get_string()).contains("Chrome"))
        << place;
  }
  for (const auto& request : t.site.Requests("/probe.html")) {
    const auto language = request.headers.Find("accept-language");
    EXPECT_TRUE(language && language->starts_with("de-DE")) << language.value_or("none");
  }
}

BROWSER_TEST(EmulationTest, TheUserAgentOfScriptsAndRequests) {
  browser::SessionOptions options;
  options.user_agent = "Falconer/1.0 (test)";
  const auto probed = co_await Probe(t, options);
  ExpectBoth(probed, "userAgent", "Falconer/1.0 (test)");
  EXPECT_EQ(t.site.RequestCount("/probe.html"), 2u);
  for (const auto& request : t.site.Requests("/probe.html")) {
    EXPECT_EQ(request.headers.Find("user-agent"), "Falconer/1.0 (test)");
  }
}

BROWSER_TEST(EmulationTest, TheColourScheme) {
  browser::SessionOptions options;
  options.color_scheme = "dark";
  const auto probed = co_await Probe(t, options);
  ExpectBoth(probed, "dark", true);
}

BROWSER_TEST(EmulationTest, ReducedMotion) {
  browser::SessionOptions options;
  options.reduced_motion = "reduce";
  const auto probed = co_await Probe(t, options);
  ExpectBoth(probed, "reducedMotion", true);
}

BROWSER_TEST(EmulationTest, ThePlaceOfTheDevice) {
  browser::SessionOptions options;
  options.geolocation = browser::Geolocation{.latitude = 46.95, .longitude = 7.45};
  options.permissions = {"geolocation"};
  const auto own = co_await OpenFixture(t, options);
  if (!own) co_return;
  co_await own->Open("/probe.html");
  // Its own report would take the place of the answer.
  co_await Facts(*own, own->tab()->frames().main());
  const auto located = co_await own->DoAndWait(
      R"({"action_type": "click", "selector": "#locate"})",
      R"({"kind": "text", "text": "located:46.95,7.45", "selector": "#status"})");
  EXPECT_TRUE(located && located->satisfied) << Why(located);
}

BROWSER_TEST(EmulationTest, ExtraHeadersGoWithEveryRequest) {
  browser::SessionOptions options;
  options.extra_headers = {{"x-falconer", "yes"}, {"x-second", "2"}};
  const auto own = co_await OpenFixture(t, options);
  if (!own) co_return;
  t.site.Serve("/one", "<link rel=stylesheet href='/style'><iframe src='" +
                           t.site.CrossSiteUrl("/framed") + "'></iframe>");
  t.site.Serve("/framed", "<script>fetch('/from_frame')</script>");
  co_await own->Open("/one");
  co_await own->Page(
      "Promise.all([fetch('/from_page').then(r => r.text()), new Promise(done => { const w = new "
      "Worker(URL.createObjectURL(new Blob([`fetch('" +
      t.site.Url("/from_worker") +
      "').finally(() => postMessage(0))`]))); w.onmessage = done; })]).then(() => 0)");
  for (const char* path :
       {"/one", "/style", "/framed", "/from_frame", "/from_page", "/from_worker"}) {
    const auto asked = co_await t.site.UntilRequests(t.ctx.WithTimeout(kPatience), path, 1);
    EXPECT_TRUE(asked) << path << Why(asked);
    for (const auto& request : t.site.Requests(path)) {
      EXPECT_EQ(request.headers.Find("x-falconer"), "yes") << path;
      EXPECT_EQ(request.headers.Find("x-second"), "2") << path;
    }
  }
}

BROWSER_TEST(EmulationTest, InitScriptsRunBeforeThoseOfThePageEverywhere) {
  browser::SessionOptions options;
  options.init_scripts = {"window.early = (window.early || 0) + 1", "window.order = typeof early"};
  const auto own = co_await OpenFixture(t, options);
  if (!own) co_return;
  const std::string check =
      "<script>top.postMessage(`${window.early} ${window.order}`, '*')</script>";
  t.site.Serve("/inner", check);
  t.site.Serve("/one",
               "<script>var seen = [`${window.early} ${window.order}`]; onmessage = e => "
               "seen.push(e.data)</script><iframe src='/inner'></iframe><iframe src='" +
                   t.site.CrossSiteUrl("/inner") + "'></iframe>");
  co_await own->Open("/one");
  const auto all = co_await own->Page(
      "new Promise(done => { const look = () => seen.length >= 3 ? done(seen.join()) : "
      "setTimeout(look, 5); look() })");
  EXPECT_EQ(all, "1 number,1 number,1 number");
  co_await own->Open(t.site.CrossSiteUrl("/empty.html"));
  EXPECT_EQ(co_await own->PageText("early"), "1");
}

BROWSER_TEST(EmulationTest, APopupIsEmulatedFromItsFirstRequest) {
  browser::SessionOptions options;
  options.user_agent = "Falconer/2.0";
  options.timezone = "Asia/Tokyo";
  options.init_scripts = {"window.early = 1"};
  options.extra_headers = {{"x-falconer", "yes"}};
  options.viewport = {.width = 500, .height = 400};
  const auto own = co_await OpenFixture(t, options);
  if (!own) co_return;
  t.site.Serve("/one", "<button id=b onclick=\"window.open('/probe.html')\">Open</button>");
  co_await own->Open("/one");
  const auto opened = co_await own->DoAndWait(R"({"action_type": "click", "selector": "#b"})",
                                              R"({"kind": "popup"})");
  EXPECT_TRUE(opened && opened->satisfied) << Why(opened);
  const auto switched = co_await own->Do(R"({"action_type": "switch_tab", "tab_id": "t2"})");
  EXPECT_TRUE(switched) << Why(switched);
  const auto loaded = co_await own->WaitFor(R"({"kind": "selector", "selector": "#status"})");
  EXPECT_TRUE(loaded && loaded->satisfied) << Why(loaded);
  // Asked here and not by the page: the browser sometimes leaves the first question for a
  // permission that a new popup asks unanswered.
  const auto facts = co_await Facts(*own, own->tab()->frames().main());
  EXPECT_EQ(facts.at("userAgent"), "Falconer/2.0");
  EXPECT_EQ(facts.at("timezone"), "Asia/Tokyo");
  EXPECT_EQ(facts.at("width"), 500);
  EXPECT_EQ(co_await own->PageText("early"), "1");
  for (const auto& request : t.site.Requests("/probe.html")) {
    EXPECT_EQ(request.headers.Find("user-agent"), "Falconer/2.0");
    EXPECT_EQ(request.headers.Find("x-falconer"), "yes");
  }
}

BROWSER_TEST(EmulationTest, AWorkerSeesWhatItsPageSees) {
  browser::SessionOptions options;
  options.user_agent = "Falconer/3.0";
  options.timezone = "Asia/Tokyo";
  options.locale = "fr-FR";
  const auto own = co_await OpenFixture(t, options);
  if (!own) co_return;
  co_await own->Open("/empty.html");
  const std::string facts =
      "[navigator.userAgent, Intl.DateTimeFormat().resolvedOptions().timeZone, "
      "(1234.5).toLocaleString()].join('|')";
  const auto in_worker = co_await own->Page(
      "new Promise(done => { const w = new Worker(URL.createObjectURL(new Blob([`postMessage(" +
      facts + ")`]))); w.onmessage = e => done(e.data) })");
  const auto in_page = co_await own->Page(facts);
  EXPECT_EQ(in_worker, in_page);
  EXPECT_TRUE(in_page.is_string() && in_page.get_string().starts_with("Falconer/3.0|Asia/Tokyo|"))
      << json::serialize(in_page);
}

BROWSER_TEST(EmulationTest, SessionsDoNotShareWhatTheyPretend) {
  browser::SessionOptions options;
  options.timezone = "Asia/Tokyo";
  options.color_scheme = "dark";
  const auto other = co_await OpenFixture(t, options);
  if (!other) co_return;
  co_await other->Open("/probe.html");
  co_await t.Open("/probe.html");
  const auto facts = co_await Facts(t, t.tab()->frames().main());
  EXPECT_NE(facts.at("timezone"), "Asia/Tokyo");
  EXPECT_EQ(facts.at("dark"), false);
}

// The site stands in for a proxy: it answers whatever it is asked and records how.
BROWSER_TEST(EmulationTest, AProxyOfTheSessionsOwn) {
  browser::SessionOptions options;
  options.proxy_server = t.site.Url("");
  const auto own = co_await OpenFixture(t, options);
  if (!own) co_return;
  t.site.Serve("/shop", "<title>By proxy</title><script>fetch('/data')</script>");
  co_await own->Open("http://shop.example/shop");
  EXPECT_EQ(co_await own->PageText("document.title"), "By proxy");
  const auto asked = co_await t.site.UntilRequests(t.ctx.WithTimeout(kPatience), "/data", 1);
  EXPECT_TRUE(asked) << Why(asked);
  EXPECT_EQ(t.site.Requests("/shop").front().target, "http://shop.example/shop");
  EXPECT_EQ(t.site.Requests("/data").front().target, "http://shop.example/data");
  // The other session goes its own way.
  const auto direct =
      co_await t.Do(R"({"action_type": "navigate", "url": "http://shop.invalid/shop"})");
  EXPECT_EQ(CodeOf(direct), ErrorCode::kNavigationFailed) << Why(direct);
}

BROWSER_TEST(EmulationTest, WhatBypassesTheProxyGoesDirectly) {
  browser::SessionOptions options;
  options.proxy_server = "http://127.0.0.1:9";
  options.proxy_bypass = "127.0.0.1";
  const auto own = co_await OpenFixture(t, options);
  if (!own) co_return;
  co_await own->Open("/empty.html");
  EXPECT_EQ(t.site.Requests("/empty.html").front().target, "/empty.html");
  const auto by_proxy =
      co_await own->Do(R"({"action_type": "navigate", "url": "http://shop.example/"})");
  EXPECT_EQ(CodeOf(by_proxy), ErrorCode::kNavigationFailed) << Why(by_proxy);
  EXPECT_TRUE(Why(by_proxy).contains("ERR_PROXY_CONNECTION_FAILED") ||
              Why(by_proxy).contains("ERR_UNSAFE_PORT"))
      << Why(by_proxy);
}

}  // namespace
}  // namespace falconer::test
