// Frames that live in processes of their own, and frames that move from one process to another.

#include "tests/support/in_background.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

std::shared_ptr<browser::Frame> OnlyChild(BrowserFixture& t) {
  const auto frames = t.tab()->frames().All();
  EXPECT_EQ(frames.size(), 2u);
  return frames.size() == 2 ? frames[1] : nullptr;
}

// Sends the only frame of the page to another address and waits until it has come there.
Task<void> SendFrame(BrowserFixture& t, std::string url) {
  const auto gone = co_await t.DoAndWait(
      json::serialize(
          json::object{{"action_type", "custom_js_restricted"},
                       {"js_expression", "url => { document.querySelector('iframe').src = url }"},
                       {"js_argument", std::string_view(url)}}),
      json::serialize(json::object{
          {"kind", "frame"}, {"url_pattern", std::string_view(url)}, {"mode", "exact"}}));
  EXPECT_TRUE(gone && gone->satisfied) << url << ": " << Why(gone);
}

BROWSER_TEST(OopifTest, AFrameOfAnotherSiteHasItsOwnSession) {
  t.site.Serve("/one", "<iframe src='" + t.site.CrossSiteUrl("/frame_leaf.html") + "'></iframe>");
  co_await t.Open("/one");
  const auto child = OnlyChild(t);
  if (!child) co_return;
  EXPECT_NE(child->session, t.tab()->session());
  EXPECT_EQ(child->parent, t.tab()->frames().main());
}

BROWSER_TEST(OopifTest, AFrameMovesToAnotherProcessAndBackAndKeepsItsName) {
  t.site.Serve("/one", "<iframe src='/frame_leaf.html?name=0'></iframe>");
  co_await t.Open("/one");
  const auto frame = OnlyChild(t);
  if (!frame) co_return;
  const std::string fid = frame->fid;
  const std::string stops[] = {
      t.site.CrossSiteUrl("/frame_leaf.html?name=1"), t.site.Url("/frame_leaf.html?name=2"),
      t.site.ThirdSiteUrl("/frame_leaf.html?name=3"),
      t.site.CrossSiteUrl("/frame_leaf.html?name=4"), t.site.Url("/frame_leaf.html?name=5")};

  for (std::size_t i = 0; i < std::size(stops); ++i) {
    co_await SendFrame(t, stops[i]);
    const auto clicked = co_await t.Click("frame=iframe >> #leaf");
    EXPECT_TRUE(clicked) << stops[i] << ": " << Why(clicked);
    const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "clicked", i + 1);
    EXPECT_TRUE(told) << stops[i] << ": " << Why(told);
    const auto now = OnlyChild(t);
    if (now) EXPECT_EQ(now->fid, fid) << stops[i];
  }
  EXPECT_EQ(t.site.Effects("clicked").back().detail, "5");
}

BROWSER_TEST(OopifTest, AFrameThatComesBackIsReadWhereItIsNow) {
  t.site.Serve("/one", "<iframe src='/frame_leaf.html?name=0'></iframe>");
  co_await t.Open("/one");
  for (const std::string& url : {t.site.CrossSiteUrl("/frame_leaf.html?name=away"),
                                 t.site.Url("/frame_leaf.html?name=home")}) {
    co_await SendFrame(t, url);
    const std::string name = url.substr(url.rfind('=') + 1);
    const auto waited = co_await t.WaitFor(R"({"kind": "text", "text": "Leaf )" + name +
                                           R"(", "selector": "frame=iframe >> #leaf"})");
    EXPECT_TRUE(waited && waited->satisfied) << Why(waited);
    const auto state = co_await t.State();
    EXPECT_TRUE(state) << Why(state);
    if (!state) co_return;
    EXPECT_EQ(state->frames.size(), 2u);
    EXPECT_TRUE(std::ranges::any_of(state->elements, [&](const auto& e) {
      return e.name == "Leaf " + name;
    })) << url;
  }
}

BROWSER_TEST(OopifTest, AFrameOfTheSameSiteInsideAFrameOfAnotherProcess) {
  t.site.Serve("/middle",
               "<body style='margin: 0'><iframe id=inner style='margin: 30px' "
               "src='/frame_leaf.html?name=inner'></iframe>");
  t.site.Serve("/one", "<iframe id=middle style='margin: 50px' width=500 height=300 src='" +
                           t.site.CrossSiteUrl("/middle") + "'></iframe>");
  co_await t.Open("/one");
  const auto clicked = co_await t.Click("frame=#middle >> frame=#inner >> #leaf");
  EXPECT_TRUE(clicked) << Why(clicked);
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "clicked", 1);
  EXPECT_TRUE(told) << Why(told);
  EXPECT_EQ(t.tab()->frames().All().size(), 3u);
}

BROWSER_TEST(OopifTest, AFrameOfTheFirstSiteInsideAFrameOfAnotherIsBackInTheFirstProcess) {
  t.site.Serve("/middle", "<iframe id=inner src='" + t.site.Url("/frame_leaf.html?name=inner") +
                              "'></iframe>");
  t.site.Serve("/one", "<iframe id=middle width=500 height=300 src='" +
                           t.site.CrossSiteUrl("/middle") + "'></iframe>");
  co_await t.Open("/one");
  const auto clicked = co_await t.Click("frame=#middle >> frame=#inner >> #leaf");
  EXPECT_TRUE(clicked) << Why(clicked);
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "clicked", 1);
  EXPECT_TRUE(told) << Why(told);
}

BROWSER_TEST(OopifTest, TheMainFrameKeepsItsNameInAnotherProcess) {
  co_await t.Open("/frames.html");
  const auto main = t.tab()->frames().main();
  co_await t.Open(t.site.CrossSiteUrl("/form.html"));
  EXPECT_EQ(t.tab()->frames().main()->fid, main->fid);
  EXPECT_EQ(t.tab()->frames().All().size(), 1u);
  const auto clicked = co_await t.Click("#save");
  EXPECT_TRUE(clicked) << Why(clicked);
}

BROWSER_TEST(OopifTest, ANavigationOfThePageTakesItsFramesAway) {
  co_await t.Open("/frames.html");
  EXPECT_EQ(t.tab()->frames().All().size(), 5u);
  co_await t.Open("/empty.html");
  EXPECT_EQ(t.tab()->frames().All().size(), 1u);
  co_await t.Do(R"({"action_type": "go_back"})");
  const auto clicked = co_await t.Click("frame=#level2 >> frame=#level3 >> #leaf");
  EXPECT_TRUE(clicked) << Why(clicked);
}

BROWSER_TEST(OopifTest, ACallIntoAFrameThatIsRemovedFailsAtOnce) {
  t.site.Serve("/one", "<iframe src='" + t.site.CrossSiteUrl("/frame_leaf.html") + "'></iframe>");
  co_await t.Open("/one");
  const auto frame = OnlyChild(t);
  if (!frame) co_return;
  InBackground waiting(
      t.ctx.executor(),
      browser::CallScript(t.ctx.WithTimeout(kPatience), browser::ScriptCall::Into(frame), "wait",
                          {{"id", "x"},
                           {"timeout_ms", 60'000},
                           {"condition", {{"kind", "text"}, {"text", "never shown"}}}}));
  co_await t.Page("document.querySelector('iframe').remove(); 0");
  const auto answer = co_await waiting.Join();
  EXPECT_TRUE(!answer && browser::IsDocumentGone(answer.error().code())) << Why(answer);
  const auto gone = co_await t.tab()->changes().Until(
      t.ctx.WithTimeout(kPatience), [&] { return frame->is_detached; }, "the frame to go");
  EXPECT_TRUE(gone) << Why(gone);
  EXPECT_EQ(t.tab()->frames().All().size(), 1u);
}

BROWSER_TEST(OopifTest, ADialogOfAFrameInAnotherProcessIsTheTabsDialog) {
  t.site.Serve("/inner", "<button id=b onclick=\"document.title = confirm('sure?')\">Ask</button>");
  t.site.Serve("/one", "<iframe src='" + t.site.CrossSiteUrl("/inner") + "'></iframe>");
  co_await t.Open("/one");

  const auto clicked = co_await t.Click("frame=iframe >> #b");
  EXPECT_TRUE(clicked) << Why(clicked);
  const auto refused = co_await t.Click("frame=iframe >> #b");
  EXPECT_EQ(CodeOf(refused), ErrorCode::kDialogOpen) << Why(refused);
  const auto answered =
      co_await t.Do(R"({"action_type": "handle_dialog", "dialog": {"accept": true}})");
  EXPECT_TRUE(answered) << Why(answered);

  const auto read = co_await t.Do(
      R"({"action_type": "extract", "selector": "frame=iframe >> title", "extract": {"what": "text"}})");
  EXPECT_TRUE(read) << Why(read);
  const auto frame = OnlyChild(t);
  if (!frame) co_return;
  const auto title = co_await frame->session->Send(
      t.ctx, cdp::RuntimeEvaluate{.expression = "document.title", .return_by_value = true});
  EXPECT_TRUE(title && title->result.value == json::value("true")) << Why(title);
}

BROWSER_TEST(OopifTest, ALinkInAFrameOpensTheWholePage) {
  t.site.Serve("/inner",
               "<a id=a target=_top href='" + t.site.ThirdSiteUrl("/form.html") + "'>Out</a>");
  t.site.Serve("/one", "<iframe src='" + t.site.CrossSiteUrl("/inner") + "'></iframe>");
  co_await t.Open("/one");
  const auto waited =
      co_await t.DoAndWait(R"({"action_type": "click", "selector": "frame=iframe >> #a"})",
                           R"({"kind": "url", "url_pattern": "**/form.html"})");
  EXPECT_TRUE(waited && waited->satisfied) << Why(waited);
  const auto filled = co_await t.Fill("#name", "out");
  EXPECT_TRUE(filled) << Why(filled);
}

BROWSER_TEST(OopifTest, APopupOfAFrameIsATabOfTheSession) {
  t.site.Serve("/inner", "<button id=b onclick=\"window.open('/empty.html')\">Open</button>");
  t.site.Serve("/one", "<iframe src='" + t.site.CrossSiteUrl("/inner") + "'></iframe>");
  co_await t.Open("/one");
  const auto waited = co_await t.DoAndWait(
      R"({"action_type": "click", "selector": "frame=iframe >> #b"})", R"({"kind": "popup"})");
  EXPECT_TRUE(waited && waited->satisfied) << Why(waited);
  EXPECT_EQ(t.session->tabs().all().size(), 2u);
}

BROWSER_TEST(OopifTest, ManyFramesComeAndGo) {
  co_await t.Open("/empty.html");
  const std::string url = t.site.CrossSiteUrl("/empty.html");
  for (int round = 0; round < 3; ++round) {
    co_await t.Page(
        "Promise.all([...Array(12)].map(() => new Promise(done => { const f = "
        "document.createElement('iframe'); f.onload = done; f.src = '" +
        url + "'; document.body.append(f) }))).then(() => 0)");
    co_await t.Page("document.querySelectorAll('iframe').forEach(f => f.remove()); 0");
  }
  const auto settled = co_await t.tab()->changes().Until(
      t.ctx.WithTimeout(kPatience), [&] { return t.tab()->frames().All().size() == 1; },
      "the frames to go");
  EXPECT_TRUE(settled) << Why(settled);
  const auto state = co_await t.State();
  EXPECT_TRUE(state) << Why(state);
}

BROWSER_TEST(OopifTest, AFrameThatCrashedDoesNotTakeThePageWithIt) {
  t.site.Serve("/one", "<button id=b onclick='document.title = 1'>Page</button><iframe src='" +
                           t.site.CrossSiteUrl("/frame_leaf.html") + "'></iframe>");
  co_await t.Open("/one");
  const auto frame = OnlyChild(t);
  if (!frame) co_return;

  InBackground reading(
      t.ctx.executor(),
      browser::CallScript(t.ctx.WithTimeout(kPatience), browser::ScriptCall::Into(frame), "wait",
                          {{"id", "x"},
                           {"timeout_ms", 60'000},
                           {"condition", {{"kind", "text"}, {"text", "never shown"}}}}));
  frame->session->Post(cdp::PageNavigate{.url = "chrome://crash"});
  const auto answer = co_await reading.Join();

  EXPECT_EQ(CodeOf(answer), ErrorCode::kTabCrashed) << Why(answer);
  const auto clicked = co_await t.Click("#b");
  EXPECT_TRUE(clicked) << Why(clicked);
  const auto state = co_await t.State();
  EXPECT_TRUE(state) << Why(state);
  co_await SendFrame(t, t.site.ThirdSiteUrl("/frame_leaf.html?name=again"));
  const auto again = co_await t.Click("frame=iframe >> #leaf");
  EXPECT_TRUE(again) << Why(again);
}

}  // namespace
}  // namespace falconer::test
