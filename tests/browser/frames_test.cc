// Frames inside frames: acting in them, where they are, and what happens when they come and go.

#include <algorithm>

#include "tests/support/in_background.h"
#include "tests/support/running_action.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

// A page with one frame; `style` says where it is.
std::string PageWithFrame(std::string_view src, std::string_view style) {
  return "<!doctype html><style>body { margin: 0 } iframe { border: 0; " + std::string(style) +
         " }</style><iframe id=frame src=\"" + std::string(src) + "\"></iframe>";
}

// A page with a button of 100 by 40 at (20, 30) that notes where it was pressed.
constexpr std::string_view kLonelyButton =
    "<!doctype html><style>body { margin: 0 } button { position: absolute; left: 20px; top: 30px; "
    "width: 100px;"
    " height: 40px; padding: 0; border: 0 }</style><button id=b>Press</button><script>"
    "b.onclick = (e) => top.postMessage(`${e.clientX},${e.clientY}`, '*')</script>";

// Collects what frames post to the page.
constexpr std::string_view kCollect = "window.got = []; onmessage = (e) => got.push(e.data); 0";

Task<std::string> UntilPosted(BrowserFixture& t) {
  const auto posted = co_await t.Page(
      "new Promise(done => { const look = () => got.length ? done(got.join(' ')) : "
      "setTimeout(look, 5); look(); })");
  co_return posted.is_string() ? std::string(posted.get_string()) : "";
}

// Returns when Falconer's script is at work in the frame with this address.
Task<void> UntilAtWork(BrowserFixture& t, std::string path) {
  for (bool is_there = false; !is_there;) {
    co_await t.Page("0");
    for (const auto& frame : t.tab()->frames().All()) {
      if (frame->document->url == t.site.Url(path)) is_there = !frame->document->worlds.empty();
    }
  }
  co_await t.Page("0");
}

BROWSER_TEST(FramesTest, ClicksThroughThreeLevelsOfSites) {
  co_await t.Open("/frames.html");

  const auto clicked = co_await t.Click("frame=#level2 >> frame=#level3 >> #leaf");

  EXPECT_TRUE(clicked) << Why(clicked);
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "clicked", 1);
  EXPECT_TRUE(told) << Why(told);
  EXPECT_EQ(t.site.Effects("clicked").back().detail, "level3");
}

BROWSER_TEST(FramesTest, ClicksOnEveryLevel) {
  co_await t.Open("/frames.html");
  for (const char* selector : {"#button1", "frame=#level2 >> #button2", "frame=#same >> #leaf"}) {
    const auto clicked = co_await t.Click(selector);
    EXPECT_TRUE(clicked) << selector << ": " << Why(clicked);
  }
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "clicked", 3);
  EXPECT_TRUE(told) << Why(told);
  EXPECT_EQ(t.site.EffectCount("clicked"), 3u);
}

BROWSER_TEST(FramesTest, FillsAndReadsThreeLevelsDown) {
  co_await t.Open("/frames.html");
  const std::string field = "frame=#level2 >> frame=#level3 >> label=\"Leaf text\"";

  const auto filled = co_await t.Fill(field, "deep");
  const auto read =
      co_await t.Do(json::serialize(json::object{{"action_type", "extract"},
                                                 {"selector", std::string_view(field)},
                                                 {"extract", {{"what", "value"}}}}));

  EXPECT_TRUE(filled) << Why(filled);
  EXPECT_TRUE(read) << Why(read);
  if (read) EXPECT_EQ(read->extracted->at("value"), "deep") << json::serialize(*read->extracted);
}

BROWSER_TEST(FramesTest, TypesIntoTheFrameThatHasTheFocus) {
  co_await t.Open("/frames.html");
  const auto typed = co_await t.Do(
      R"({"action_type": "type", "selector": "frame=#level2 >> frame=#level3 >> #text", "text": "abc"})");
  EXPECT_TRUE(typed) << Why(typed);
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "input", 3);
  EXPECT_TRUE(told) << Why(told);
  // They were sent in order and need not arrive so.
  const auto effects = t.site.Effects("input");
  EXPECT_EQ(std::ranges::count(effects, json::value("abc"), &Effect::detail), 1);
}

BROWSER_TEST(FramesTest, TypesIntoTheNamedFrameWhenAnotherHasTheFocus) {
  co_await t.Open("/frames.html");
  const std::string deep = "frame=#level2 >> frame=#level3 >> #text";
  const std::string same = "frame=#same >> #text";
  for (const auto& [field, text] :
       {std::pair(deep, "a"), std::pair(same, "b"), std::pair(deep, "c"), std::pair(same, "d")}) {
    const auto typed = co_await t.Do(json::serialize(json::object{
        {"action_type", "type"}, {"selector", std::string_view(field)}, {"text", text}}));
    EXPECT_TRUE(typed) << field << ": " << Why(typed);
  }
  for (const auto& [field, text] : {std::pair(deep, "ac"), std::pair(same, "bd")}) {
    const auto read =
        co_await t.Do(json::serialize(json::object{{"action_type", "extract"},
                                                   {"selector", std::string_view(field)},
                                                   {"extract", {{"what", "value"}}}}));
    EXPECT_TRUE(read) << Why(read);
    if (read) EXPECT_EQ(read->extracted->at("value"), text) << field;
  }
}

BROWSER_TEST(FramesTest, AFrameCanBeNamedByItsId) {
  co_await t.Open("/frames.html");
  const auto state = co_await t.State();
  EXPECT_TRUE(state) << Why(state);
  if (!state) co_return;
  std::string fid;
  for (const auto& frame : state->frames) {
    if (frame.title == "Level 2") fid = frame.fid;
  }
  const auto clicked = co_await t.Do(
      R"({"action_type": "click", "selector": "#button2", "target_fid": ")" + fid + "\"}");
  EXPECT_TRUE(clicked) << Why(clicked);
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "clicked", 1);
  EXPECT_TRUE(told) << Why(told);
}

BROWSER_TEST(FramesTest, ClicksInASrcdocFrame) {
  co_await t.Open("/frames.html");
  const auto clicked = co_await t.Click("frame=#srcdoc >> #in_srcdoc");
  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("document.getElementById('status').textContent"), "clicked:srcdoc");
}

BROWSER_TEST(FramesTest, ClicksInABlankFrameThatAScriptFilled) {
  t.site.Serve("/one",
               "<iframe id=f></iframe><script>f.contentDocument.body.innerHTML ="
               " '<button onclick=\"parent.document.title = 1\">In blank</button>'</script>");
  co_await t.Open("/one");
  const auto clicked = co_await t.Click("frame=#f >> text=In blank");
  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await t.PageText("document.title"), "1");
}

BROWSER_TEST(FramesTest, ClicksInAFrameOfAnotherOriginOfTheSameSite) {
  t.site.Serve("/inner", std::string(kLonelyButton));
  t.site.Serve("/one", PageWithFrame(t.site.OtherOriginUrl("/inner"),
                                     "position: absolute; left: 200px; top: 100px"));
  co_await t.Open("/one");
  co_await t.Page(std::string(kCollect));
  const auto clicked = co_await t.Click("frame=#frame >> #b");
  EXPECT_TRUE(clicked) << Why(clicked);
  EXPECT_EQ(co_await UntilPosted(t), "70,50");
}

BROWSER_TEST(FramesTest, ClicksInTheFramesOfAFrameset) {
  t.site.Serve("/one",
               "<frameset cols='50%,50%'><frame src='/frame_leaf.html?name=left'>"
               "<frame name=right src='/frame_leaf.html?name=right'></frameset>");
  co_await t.Open("/one");
  const auto clicked = co_await t.Click("frame=frame[name=right] >> #leaf");
  EXPECT_TRUE(clicked) << Why(clicked);
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "clicked", 1);
  EXPECT_TRUE(told) << Why(told);
  EXPECT_EQ(t.site.Effects("clicked").back().detail, "right");
}

BROWSER_TEST(FramesTest, ClicksInAFrameInsideAShadowRoot) {
  t.site.Serve("/one",
               "<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML ="
               " '<iframe id=f src=\"/frame_leaf.html?name=shadow\"></iframe>'</script>");
  co_await t.Open("/one");
  const auto clicked = co_await t.Click("frame=#f >> #leaf");
  EXPECT_TRUE(clicked) << Why(clicked);
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "clicked", 1);
  EXPECT_TRUE(told) << Why(told);
}

BROWSER_TEST(FramesTest, WaitsForAFrameThatComesLate) {
  t.site.Serve("/one",
               "<script>function late() { const f = document.createElement('iframe'); f.id = 'f';"
               " f.src = '/frame_leaf.html?name=late'; document.body.append(f) }</script><body>");
  co_await t.Open("/one");
  InBackground clicking(t.ctx.executor(), t.Click("frame=#f >> #leaf"));
  co_await t.Page("requestAnimationFrame(() => requestAnimationFrame(late)); 0");
  const auto clicked = co_await clicking.Join();
  EXPECT_TRUE(clicked) << Why(clicked);
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "clicked", 1);
  EXPECT_TRUE(told) << Why(told);
}

BROWSER_TEST(FramesTest, WhatIsNoFrameCannotBeEntered) {
  co_await t.Open("/form.html");
  const auto clicked = co_await t.Click("frame=#name >> #leaf");
  EXPECT_EQ(CodeOf(clicked), ErrorCode::kWrongElement) << Why(clicked);
}

BROWSER_TEST(FramesTest, TwoFramesAreOneTooMany) {
  co_await t.Open("/frames.html");
  const auto clicked = co_await t.Click("frame=iframe >> #leaf");
  EXPECT_EQ(CodeOf(clicked), ErrorCode::kElementAmbiguous) << Why(clicked);
  EXPECT_EQ(t.site.EffectCount("clicked"), 0u);
}

BROWSER_TEST(FramesTest, AFrameThatNeverComesIsNotFound) {
  co_await t.Open("/empty.html");
  const auto clicked = co_await t.Do(
      R"({"action_type": "click", "selector": "frame=#nowhere >> #leaf", "timeout_ms": 300})");
  EXPECT_EQ(CodeOf(clicked), ErrorCode::kElementNotFound) << Why(clicked);
}

BROWSER_TEST(FramesTest, AClickOutlivesThatItsFrameIsReplaced) {
  t.site.Serve("/empty_frame", "<p>nothing yet</p>");
  t.site.Serve("/one",
               "<iframe id=f src='/empty_frame'></iframe><script>function again() { f.remove();"
               " const n = document.createElement('iframe'); n.id = 'f'; n.src = "
               "'/frame_leaf.html?name=second';"
               " document.body.append(n) }</script>");
  co_await t.Open("/one");
  InBackground clicking(t.ctx.executor(), t.Click("frame=#f >> #leaf"));
  co_await UntilAtWork(t, "/empty_frame");
  co_await t.Page("again(); 0");
  const auto clicked = co_await clicking.Join();
  EXPECT_TRUE(clicked) << Why(clicked);
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "clicked", 1);
  EXPECT_TRUE(told) << Why(told);
}

BROWSER_TEST(FramesTest, AClickOutlivesThatItsFrameNavigates) {
  t.site.Serve("/empty_frame", "<p>nothing yet</p>");
  t.site.Serve("/one", "<iframe id=f src='/empty_frame'></iframe>");
  co_await t.Open("/one");
  InBackground clicking(t.ctx.executor(), t.Click("frame=#f >> #leaf"));
  co_await UntilAtWork(t, "/empty_frame");
  co_await t.Page("f.src = '" + t.site.CrossSiteUrl("/frame_leaf.html?name=second") + "'; 0");
  const auto clicked = co_await clicking.Join();
  EXPECT_TRUE(clicked) << Why(clicked);
  const auto told = co_await t.site.UntilEffects(t.ctx.WithTimeout(kPatience), "clicked", 1);
  EXPECT_TRUE(told) << Why(told);
}

BROWSER_TEST(FramesTest, AFillOutlivesThatItsFrameNavigates) {
  t.site.Serve("/empty_frame", "<p>nothing yet</p>");
  t.site.Serve("/one", "<iframe id=f src='/empty_frame'></iframe>");
  co_await t.Open("/one");
  InBackground filling(t.ctx.executor(), t.Fill("frame=#f >> #text", "late"));
  co_await UntilAtWork(t, "/empty_frame");
  co_await t.Page("f.src = '/frame_leaf.html?name=second'; 0");
  const auto filled = co_await filling.Join();
  EXPECT_TRUE(filled) << Why(filled);
}

BROWSER_TEST(FramesTest, AFrameThatGoesAwayForGoodFailsTheClickInTime) {
  t.site.Serve("/empty_frame", "<p>nothing yet</p>");
  t.site.Serve("/one", "<iframe id=f src='/empty_frame'></iframe>");
  co_await t.Open("/one");
  InBackground clicking(
      t.ctx.executor(),
      t.Do(R"({"action_type": "click", "selector": "frame=#f >> #leaf", "timeout_ms": 600})"));
  co_await UntilAtWork(t, "/empty_frame");
  co_await t.Page("f.remove(); 0");
  const auto clicked = co_await clicking.Join();
  EXPECT_EQ(CodeOf(clicked), ErrorCode::kElementNotFound) << Why(clicked);
}

BROWSER_TEST(FramesTest, ARefInAFrameThatNavigatedIsStale) {
  co_await t.Open("/frames.html");
  const auto state = co_await t.State();
  EXPECT_TRUE(state) << Why(state);
  if (!state) co_return;
  std::string leaf;
  for (const auto& element : state->elements) {
    if (element.name == "Leaf same") leaf = element.ref;
  }
  co_await t.DoAndWait(
      R"({"action_type": "custom_js_restricted", "js_expression": "document.getElementById('same').src = '/form.html'"})",
      R"({"kind": "frame", "url_pattern": "**/form.html"})");
  const auto clicked = co_await t.Do(R"({"action_type": "click", "target_eid": ")" + leaf + "\"}");
  EXPECT_EQ(CodeOf(clicked), ErrorCode::kStaleRef) << Why(clicked);
}

BROWSER_TEST(FramesTest, TwoWhoWaitForOneLateFrameBothGetIn) {
  t.site.Serve("/inner", "<p id=a>A</p><p id=b>B</p>");
  co_await t.Open("/empty.html");
  RunningAction first(t, R"({"action_type": "extract", "selector": "frame=iframe >> #a"})");
  co_await t.Page("0");
  RunningAction second(t, R"({"action_type": "extract", "selector": "frame=iframe >> #b"})");
  co_await t.Page("0");

  co_await t.Page(
      "void document.body.append(Object.assign(document.createElement('iframe'), {src: "
      "'/inner'}))");
  const auto a = co_await first.Outcome();
  const auto b = co_await second.Outcome();

  EXPECT_TRUE(a && b) << Why(a) << Why(b);
}

}  // namespace
}  // namespace falconer::test
