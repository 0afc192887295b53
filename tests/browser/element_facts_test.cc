// Whoever decides is told what an action is about to meet, before anything leaves; what he refuses
// does not happen.

#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

using model::ElementFacts;

// Notes what is met and refuses it if told to.
struct Decider {
  std::vector<ElementFacts> met;
  std::optional<ErrorCode> refusal;
  // What happens while the decision is made, or while the input is announced.
  std::function<Task<void>()> meanwhile;
  int befores = 0;       // how often the input was announced
  int asked_before = 0;  // and how often it had been when something was met

  browser::InputHooks Hooks() {
    return {.before = [this] { return Before(); },
            .changed = [](browser::PageReading) {},
            .meets = [this](const ElementFacts& facts) { return Decide(facts); }};
  }

  Task<Result<browser::PageMark>> Before() {
    ++befores;
    if (met.empty() && meanwhile) co_await meanwhile();
    co_return browser::PageMark();
  }
  Task<Result<void>> Decide(ElementFacts facts) {
    asked_before = befores;
    met.push_back(std::move(facts));
    if (meanwhile) co_await meanwhile();
    if (refusal) co_return Fail(*refusal, "not this");
    co_return Result<void>();
  }
};

Task<Result<model::ActionOutcome>> DoAsking(BrowserFixture& t, Decider& decider,
                                            std::string action) {
  CO_TRY_ASSIGN(const auto parsed, ParseJson(action));
  CO_TRY_ASSIGN(auto spec, model::ActionSpec::FromJson(parsed));
  co_return co_await t.driver.Perform(t.ctx, std::move(spec), std::nullopt, decider.Hooks());
}

constexpr std::string_view kForm = R"(<form action="/pay" method="post" onsubmit="return false">
  <label>Amount <input id="amount" name="amount" value="12"></label>
  <label>Password <input id="pw" name="pw" type="password" value="hunter2"></label>
  <label>Plan <select id="plan" name="plan"><option>a</option><option>b</option></select></label>
  <label>Agree <input id="agree" type="checkbox" name="agree"></label>
  <label>File <input id="file" type="file" name="file"></label>
  <button id="pay">Pay now</button></form>
  <script>
    window.events = [];
    for (const type of ['mousedown', 'click', 'input', 'change', 'keydown', 'submit', 'focusin', 'drop'])
      addEventListener(type, (e) => events.push(type), true);
  </script>)";

Task<void> OpenForm(BrowserFixture& t) {
  t.site.Serve("/form", std::string(kForm));
  co_await t.Open("/form");
}

Task<std::string> Events(BrowserFixture& t) {
  co_return co_await t.PageText("events.join(' ')");
}

void ExpectPayForm(const std::optional<model::FormFacts>& form, const BrowserFixture& t) {
  EXPECT_TRUE(form);
  if (!form) return;
  EXPECT_EQ(form->action, t.site.Url("/pay"));
  EXPECT_EQ(form->method, "post");
  EXPECT_EQ(form->submit, "Pay now");
  EXPECT_EQ(form->fields.size(), 5u);
  if (form->fields.size() < 2) return;
  EXPECT_EQ(form->fields[0].value, "12");
  EXPECT_EQ(form->fields[1].type, "password");
  EXPECT_EQ(form->fields[1].value, "");
}

struct RefusedAction {
  std::string_view what;
  std::string_view action;
  std::string_view identifier;
};

constexpr RefusedAction kRefused[] = {
    {"click", R"({"action_type": "click", "selector": "#pay"})", "pay"},
    {"double click", R"({"action_type": "double_click", "selector": "#pay"})", "pay"},
    {"hover", R"({"action_type": "hover", "selector": "#pay"})", "pay"},
    {"purchase", R"({"action_type": "purchase", "selector": "#pay"})", "pay"},
    {"fill", R"({"action_type": "fill", "selector": "#amount", "text": "99"})", "amount"},
    {"clear", R"({"action_type": "clear", "selector": "#amount"})", "amount"},
    {"type", R"({"action_type": "type", "selector": "#amount", "text": "99"})", "amount"},
    {"press", R"({"action_type": "press", "selector": "#amount", "key": "Enter"})", "amount"},
    {"submit", R"({"action_type": "submit", "selector": "#amount"})", "amount"},
    {"focus", R"({"action_type": "focus", "selector": "#amount"})", "amount"},
    {"select",
     R"({"action_type": "select", "selector": "#plan", "select_values": [{"value": "b"}]})",
     "plan"},
    {"check", R"({"action_type": "check", "selector": "#agree"})", "agree"},
};

BROWSER_TEST(ElementFactsTest, WhatIsRefusedDoesNotHappen) {
  for (const RefusedAction& row : kRefused) {
    co_await OpenForm(t);
    Decider decider{.refusal = ErrorCode::kPolicyDenied};

    const auto done = co_await DoAsking(t, decider, std::string(row.action));

    EXPECT_EQ(CodeOf(done), ErrorCode::kPolicyDenied) << row.what << ": " << Why(done);
    EXPECT_EQ(decider.met.size(), 1u) << row.what;
    if (decider.met.empty()) continue;
    EXPECT_EQ(decider.met[0].identifier, row.identifier) << row.what;
    EXPECT_EQ(decider.befores, 0) << row.what << " was announced";
    ExpectPayForm(decider.met[0].form, t);
    EXPECT_EQ(co_await Events(t), "") << row.what;
  }
}

BROWSER_TEST(ElementFactsTest, WhatIsAllowedHappensAfterItWasAnnounced) {
  for (const RefusedAction& row : kRefused) {
    co_await OpenForm(t);
    Decider decider;

    const auto done = co_await DoAsking(t, decider, std::string(row.action));

    EXPECT_TRUE(done) << row.what << ": " << Why(done);
    EXPECT_EQ(decider.met.size(), 1u) << row.what;
    EXPECT_EQ(decider.asked_before, 0) << row.what;
    EXPECT_EQ(decider.befores, 1) << row.what;
  }
}

BROWSER_TEST(ElementFactsTest, KeysWithoutATargetMeetWhatHasTheFocus) {
  co_await OpenForm(t);
  co_await t.Page("document.querySelector('#amount').focus(); events.length = 0");
  Decider decider{.refusal = ErrorCode::kPolicyDenied};

  const auto done = co_await DoAsking(t, decider, R"({"action_type": "press", "key": "Enter"})");

  EXPECT_EQ(CodeOf(done), ErrorCode::kPolicyDenied);
  EXPECT_EQ(decider.met.size(), 1u);
  if (!decider.met.empty()) ExpectPayForm(decider.met[0].form, t);
  EXPECT_EQ(co_await Events(t), "");
}

BROWSER_TEST(ElementFactsTest, KeysMeetTheFocusInsideFrames) {
  t.site.Serve("/inner", R"(<form action="/in" method="post"><input id="f" name="f"></form>)");
  for (const std::string& url : {t.site.Url("/inner"), t.site.CrossSiteUrl("/inner")}) {
    t.site.Serve("/outer", "<input id=o><iframe src=\"" + url + "\"></iframe>");
    co_await t.Open("/outer");
    const auto focused =
        co_await t.Do(R"({"action_type": "focus", "selector": "frame=iframe >> #f"})");
    EXPECT_TRUE(focused) << Why(focused);
    Decider decider;

    const auto done = co_await DoAsking(t, decider, R"({"action_type": "press", "key": "x"})");

    EXPECT_TRUE(done) << Why(done);
    EXPECT_EQ(decider.met.size(), 1u) << url;
    if (!decider.met.empty()) {
      EXPECT_EQ(decider.met[0].identifier, "f");
      EXPECT_TRUE(decider.met[0].form && decider.met[0].form->method == "post");
    }
  }
}

Task<void> MoveFocus(BrowserFixture& t) {
  co_await t.Page("document.querySelector('#pw').focus(); events.length = 0");
}

BROWSER_TEST(ElementFactsTest, KeysDoNotFollowTheFocusElsewhere) {
  co_await OpenForm(t);
  for (const char* action : {R"({"action_type": "press", "key": "Enter"})",
                             R"({"action_type": "type", "text": "abc"})"}) {
    co_await t.Page("document.querySelector('#amount').focus(); events.length = 0");
    Decider decider;
    decider.meanwhile = [&] { return MoveFocus(t); };

    const auto done = co_await DoAsking(t, decider, action);

    EXPECT_EQ(CodeOf(done), ErrorCode::kElementObscured) << action << ": " << Why(done);
    EXPECT_EQ(co_await Events(t), "") << action;
    EXPECT_EQ(co_await t.PageText("document.querySelector('#pw').value"), "hunter2") << action;
  }
}

BROWSER_TEST(ElementFactsTest, KeysForNobodyGoToNothingThatGetsTheFocusMeanwhile) {
  co_await OpenForm(t);
  for (const char* action : {R"({"action_type": "press", "key": "Enter"})",
                             R"({"action_type": "type", "text": "abc"})"}) {
    co_await t.Page("document.activeElement.blur(); events.length = 0");
    Decider decider;

    const auto to_page = co_await DoAsking(t, decider, R"({"action_type": "press", "key": "x"})");
    EXPECT_TRUE(to_page) << Why(to_page);
    EXPECT_EQ(co_await Events(t), "keydown") << "nothing has the focus: the page gets them";
    decider.meanwhile = [&] { return MoveFocus(t); };
    const auto done = co_await DoAsking(t, decider, action);

    EXPECT_EQ(CodeOf(done), ErrorCode::kElementObscured) << action << ": " << Why(done);
    EXPECT_TRUE(decider.met.empty()) << action;
    EXPECT_EQ(co_await Events(t), "") << action;
    EXPECT_EQ(co_await t.PageText("document.querySelector('#pw').value"), "hunter2") << action;
  }
}

BROWSER_TEST(ElementFactsTest, KeysMayMoveTheFocusOn) {
  t.site.Serve("/page", "<input id='a' maxlength='1' oninput='b.focus()'><input id='b'>");
  co_await t.Open("/page");
  Decider decider;

  const auto done =
      co_await DoAsking(t, decider, R"({"action_type": "type", "selector": "#a", "text": "123"})");

  EXPECT_TRUE(done) << Why(done);
  EXPECT_EQ(co_await t.PageText("a.value + ' ' + b.value"), "1 23");
}

BROWSER_TEST(ElementFactsTest, KeysThatGoNowhereMeetNothing) {
  co_await OpenForm(t);
  Decider decider{.refusal = ErrorCode::kPolicyDenied};

  const auto done = co_await DoAsking(t, decider, R"({"action_type": "press", "key": "a"})");

  EXPECT_TRUE(done) << Why(done);
  EXPECT_TRUE(decider.met.empty());
  EXPECT_EQ(decider.befores, 1);
}

BROWSER_TEST(ElementFactsTest, APointMeetsWhatIsThere) {
  t.site.Serve("/page", R"(<body style="margin:0"><a href="/account/delete" id="link">
    <svg width="100" height="100"><rect width="100" height="100"/></svg></a>)");
  co_await t.Open("/page");
  Decider decider{.refusal = ErrorCode::kPolicyDenied};

  const auto done = co_await DoAsking(t, decider, R"({"action_type": "click", "x": 50, "y": 50})");

  EXPECT_EQ(CodeOf(done), ErrorCode::kPolicyDenied) << Why(done);
  EXPECT_EQ(decider.met.size(), 1u);
  if (decider.met.empty()) co_return;
  EXPECT_EQ(decider.met[0].role, "link");
  EXPECT_EQ(decider.met[0].href, t.site.Url("/account/delete"));
}

BROWSER_TEST(ElementFactsTest, APointInAFrameIsNotMetBlindly) {
  t.site.Serve("/inner",
               "<body style='margin:0'><button style='width:300px;height:150px'>Delete</button>");
  t.site.Serve("/outer", "<body style='margin:0'><iframe src='/inner' style='border:0'></iframe>");
  co_await t.Open("/outer");
  Decider decider;

  const auto done = co_await DoAsking(t, decider, R"({"action_type": "click", "x": 50, "y": 50})");

  EXPECT_EQ(CodeOf(done), ErrorCode::kWrongElement) << Why(done);
  EXPECT_TRUE(decider.met.empty());
}

BROWSER_TEST(ElementFactsTest, BothEndsOfADragAreMet) {
  t.site.Serve("/page", R"(<div id="from" draggable="true" style="width:80px;height:80px">box</div>
    <div id="to" style="width:200px;height:200px" aria-label="Trash">trash</div>
    <script>window.events = [];
    for (const type of ['mousedown', 'dragstart', 'drop']) addEventListener(type, () => events.push(type), true);
    document.querySelector('#to').ondragover = (e) => e.preventDefault();</script>)");
  co_await t.Open("/page");
  const std::string drag =
      R"({"action_type": "drag", "selector": "#from", "drag_to": {"selector": "#to"}})";
  Decider refusing{.refusal = ErrorCode::kPolicyDenied};

  const auto refused = co_await DoAsking(t, refusing, drag);
  EXPECT_EQ(CodeOf(refused), ErrorCode::kPolicyDenied) << Why(refused);
  EXPECT_EQ(refusing.met.size(), 1u);
  EXPECT_EQ(co_await Events(t), "");

  Decider allowing;
  const auto done = co_await DoAsking(t, allowing, drag);
  EXPECT_TRUE(done) << Why(done);
  EXPECT_EQ(allowing.met.size(), 2u);
  if (allowing.met.size() == 2) {
    EXPECT_EQ(allowing.met[0].identifier, "to");
    EXPECT_EQ(allowing.met[1].identifier, "from");
  }
  EXPECT_EQ(co_await Events(t), "mousedown dragstart drop");
}

BROWSER_TEST(ElementFactsTest, AnUploadIsMet) {
  co_await OpenForm(t);
  const auto written = WriteFileAtomic(t.artifacts / "note.txt", "words");
  EXPECT_TRUE(written);
  Decider decider{.refusal = ErrorCode::kPolicyDenied};

  const auto done = co_await DoAsking(
      t, decider,
      R"({"action_type": "upload", "selector": "#file", "files": [{"path": "note.txt"}]})");

  EXPECT_EQ(CodeOf(done), ErrorCode::kPolicyDenied) << Why(done);
  EXPECT_EQ(decider.met.size(), 1u);
  if (!decider.met.empty()) EXPECT_EQ(decider.met[0].type, "file");
  EXPECT_EQ(co_await t.PageText("String(document.querySelector('#file').files.length)"), "0");
}

Task<void> SendElsewhere(BrowserFixture& t, std::size_t times_asked) {
  if (times_asked == 1) co_await t.Page("document.forms[0].action = '/evil'");
}

BROWSER_TEST(ElementFactsTest, WhatChangesWhileItIsDecidedOnIsAskedAboutAgain) {
  t.site.Serve("/page", R"(<form action="/good" method="post" onsubmit="return false">
    <button id="b">Save</button></form>)");
  co_await t.Open("/page");
  Decider decider;
  decider.meanwhile = [&] { return SendElsewhere(t, decider.met.size()); };

  const auto done = co_await DoAsking(t, decider, R"({"action_type": "click", "selector": "#b"})");

  EXPECT_TRUE(done) << Why(done);
  EXPECT_EQ(decider.met.size(), 2u);
  if (decider.met.size() < 2) co_return;
  EXPECT_EQ(decider.met[0].form->action, t.site.Url("/good"));
  EXPECT_EQ(decider.met[1].form->action, t.site.Url("/evil"));
}

// Longer than what was prepared is relied on; the element is somewhere else by then.
Task<void> TakeTime(BrowserFixture& t) {
  Alarm pause(t.ctx.executor(), t.ctx.clock());
  co_await t.ctx.WithTimeout(std::chrono::milliseconds(1200)).Wait(&pause, "a pause");
  co_await t.Page("document.querySelector('#b').style.marginLeft = '300px'");
}

BROWSER_TEST(ElementFactsTest, ADecisionMayTakeLongerThanTheGuardLives) {
  t.site.Serve("/page", "<button id=b onclick=\"document.title = 'hit'\">Save</button>");
  co_await t.Open("/page");
  Decider decider;
  decider.meanwhile = [&] { return TakeTime(t); };

  const auto done = co_await DoAsking(t, decider, R"({"action_type": "click", "selector": "#b"})");

  EXPECT_TRUE(done) << Why(done);
  EXPECT_EQ(decider.met.size(), 1u) << "the same thing is not asked about twice";
  EXPECT_EQ(co_await t.PageText("document.title"), "hit");
}

BROWSER_TEST(ElementFactsTest, AnotherAttemptAtTheSameThingAsksNobodyAgain) {
  t.site.Serve("/page", R"(<button id=b onclick="document.title = 'hit'">Save</button>
      <div id=cover hidden style="position: fixed; inset: 0"></div>)");
  co_await t.Open("/page");
  Decider decider;
  decider.meanwhile = [&]() -> Task<void> {
    co_await t.Page("cover.hidden = false; setTimeout(() => cover.remove(), 300)");
  };

  const auto done = co_await DoAsking(t, decider, R"({"action_type": "click", "selector": "#b"})");

  EXPECT_TRUE(done) << Why(done);
  if (done) EXPECT_EQ(done->attempts.size(), 1u) << "the cover took the first press";
  EXPECT_EQ(decider.met.size(), 1u);
  EXPECT_EQ(co_await t.PageText("document.title"), "hit");
}

BROWSER_TEST(ElementFactsTest, ElementsOfFramesAreMet) {
  t.site.Serve("/inner", R"(<form action="/in" method="post"><button id="b">Pay</button></form>)");
  t.site.Serve("/outer", "<iframe src=\"" + t.site.CrossSiteUrl("/inner") + "\"></iframe>");
  co_await t.Open("/outer");
  Decider decider{.refusal = ErrorCode::kPolicyDenied};

  const auto done = co_await DoAsking(
      t, decider, R"({"action_type": "click", "selector": "frame=iframe >> #b"})");

  EXPECT_EQ(CodeOf(done), ErrorCode::kPolicyDenied) << Why(done);
  EXPECT_EQ(decider.met.size(), 1u);
  if (!decider.met.empty()) EXPECT_EQ(decider.met[0].form->action, t.site.CrossSiteUrl("/in"));
}

struct FrameRow {
  std::string attributes;  // of the frame
  std::string frame_url;   // as it is told
};

BROWSER_TEST(ElementFactsTest, WhatIsMetInAFrameIsToldWithWhoseDocumentItIs) {
  t.site.Serve("/inner", "<button id=b>Pay</button>");
  const std::string origin = t.site.Url("");
  const FrameRow rows[] = {
      {"src='/inner'", t.site.Url("/inner")},
      {"src='" + t.site.CrossSiteUrl("/inner") + "'", t.site.CrossSiteUrl("/inner")},
      {"src='" + t.site.CrossSiteUrl("/inner") + "' sandbox=allow-scripts",
       t.site.CrossSiteUrl("/inner")},
      {"srcdoc='<button id=b>Pay</button>'", origin},
  };
  for (const FrameRow& row : rows) {
    t.site.Serve("/outer", "<button id=own>Own</button><iframe " + row.attributes + "></iframe>");
    co_await t.Open("/outer");
    Decider decider;

    const auto framed = co_await DoAsking(
        t, decider, R"({"action_type": "click", "selector": "frame=iframe >> #b"})");
    const auto focused = co_await DoAsking(
        t, decider, R"({"action_type": "focus", "selector": "frame=iframe >> #b"})");
    const auto own =
        co_await DoAsking(t, decider, R"({"action_type": "click", "selector": "#own"})");

    EXPECT_TRUE(framed && focused && own) << row.attributes << Why(framed) << Why(focused);
    EXPECT_EQ(decider.met.size(), 3u) << row.attributes;
    if (decider.met.size() != 3) continue;
    EXPECT_EQ(decider.met[0].frame_url, row.frame_url) << row.attributes;
    EXPECT_EQ(decider.met[1].frame_url, row.frame_url) << row.attributes;
    EXPECT_EQ(decider.met[2].frame_url, "") << row.attributes;
    for (const model::ElementFacts& met : decider.met)
      EXPECT_EQ(met.page_url, t.site.Url("/outer")) << row.attributes;
  }
}

}  // namespace
}  // namespace falconer::test
