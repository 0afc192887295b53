// What people do in the pages of a session is recorded, and what agents do is not.

#include "engine/page_recorder.h"

#include "browser/recorder/page_input.h"
#include "tests/support/runtime_bench.h"
#include "tests/support/settle.h"

namespace falconer::test {
namespace {

using engine::RecordedInput;
using model::ActionType;

std::string RecordedContract(int step, std::string_view action) {
  return R"({"workflow_id": "w1", "step_index": )" + std::to_string(step) + R"(, "action_spec": )" +
         std::string(action) + "}";
}

struct RecorderBench {
  explicit RecorderBench(BrowserFixture& fixture) : t(fixture) {}

  // Opens a page by an agent's turn and records from then on.
  Task<void> Record(std::string page) {
    t.site.Serve("/recorded", std::move(page));
    co_await Agent(R"({"action_type": "navigate", "url": ")" + t.site.Url("/recorded") + R"("})");
    auto recording = co_await Begin();
    EXPECT_TRUE(recording) << Why(recording);
    if (recording) subscription = *std::move(recording);
  }
  Task<Result<Subscription>> Begin() {
    return engine::RecordPages(t.ctx.WithTimeout(kLongPatience), &bench.runtime(), key,
                               [this](RecordedInput input) {
                                 told.push_back(std::move(input));
                                 news.NotifyAll();
                               });
  }
  Task<model::ActionExecutionResult> Agent(std::string action) {
    auto result = co_await bench.Execute(RecordedContract(++step, action));
    EXPECT_TRUE(result.success) << json::serialize(result.ToJson());
    co_return result;
  }
  Task<void> Person(std::string person, std::string action) {
    engine::Caller caller = bench.control().Caller();
    caller.person = std::move(person);
    const auto answer =
        co_await bench.runtime().Execute(t.ctx.WithTimeout(kLongPatience), caller,
                                         ParseJson(RecordedContract(++step, action)).value());
    EXPECT_TRUE(answer) << Why(answer);
  }
  // Waits until so much was told.
  Task<void> Told(std::size_t count) {
    const auto all = co_await news.Until(
        t.ctx.WithTimeout(kPatience), [&] { return told.size() >= count; }, "the recorder");
    EXPECT_TRUE(all) << Why(all) << " " << Summary();
  }

  std::shared_ptr<browser::Session> Session() const {
    return bench.runtime().SessionAside(key)->kit->session;
  }
  std::shared_ptr<browser::Tab> Tab() const { return Session()->tabs().Active().value(); }
  // Where an element of the main frame is; frames of the same process are looked into.
  Task<model::Point> Spot(std::string selector, std::string frame = "") const {
    const std::string document = frame.empty() ? "document" : frame + ".contentDocument";
    const std::string offset = frame.empty() ? "{x: 0, y: 0}" : frame + ".getBoundingClientRect()";
    const auto reply = co_await Tab()->session()->Send(
        t.ctx, cdp::RuntimeEvaluate{
                   .expression = "(() => {const o = " + offset + "; const b = " + document +
                                 ".querySelector('" + selector +
                                 "').getBoundingClientRect(); return [o.x + b.x + b.width / 2, "
                                 "o.y + b.y + b.height / 2]})()",
                   .return_by_value = true});
    EXPECT_TRUE(reply) << Why(reply);
    const json::array& at = reply->result.value->get_array();
    co_return model::Point{at[0].to_number<double>(), at[1].to_number<double>()};
  }
  // As somebody in front of a window does it.
  Task<void> PressAt(model::Point at, int count = 1) const {
    const auto page = Tab()->session();
    for (const std::string_view type : {"mouseMoved", "mousePressed", "mouseReleased"}) {
      const auto done = co_await page->Send(
          t.ctx, cdp::InputDispatchMouseEvent{.type = std::string(type),
                                              .x = at.x,
                                              .y = at.y,
                                              .button = type == "mouseMoved" ? "none" : "left",
                                              .click_count = count});
      if (!page->is_open()) co_return;
      EXPECT_TRUE(done) << Why(done);
    }
  }
  Task<void> Press(std::string selector) const {
    co_await PressAt(co_await Spot(std::move(selector)));
  }
  Task<void> Write(std::string text) const {
    for (const char c : text) {
      for (const std::string_view type : {"keyDown", "keyUp"}) {
        co_await Tab()->session()->Send(
            t.ctx, cdp::InputDispatchKeyEvent{
                       .type = std::string(type),
                       .text = type == "keyDown" ? std::optional(std::string(1, c)) : std::nullopt,
                       .key = std::string(1, c)});
      }
    }
  }
  Task<void> Enter() const {
    co_await Tab()->session()->Send(
        t.ctx,
        cdp::InputDispatchKeyEvent{
            .type = "keyDown", .text = "\r", .key = "Enter", .windows_virtual_key_code = 13});
    co_await Tab()->session()->Send(
        t.ctx, cdp::InputDispatchKeyEvent{
                   .type = "keyUp", .key = "Enter", .windows_virtual_key_code = 13});
  }
  // Until the page has this address and is loaded.
  Task<void> Arrived(std::string path) const {
    const std::string url = t.site.Url(path);
    const auto tab = Tab();
    const auto there = co_await tab->changes().Until(
        t.ctx.WithTimeout(kPatience),
        [&] {
          return tab->url() == url &&
                 tab->frames().main()->document->load_state >= model::LoadState::kLoad;
        },
        path);
    EXPECT_TRUE(there) << Why(there);
  }

  std::string Summary() const {
    std::string all;
    for (const RecordedInput& input : told) {
      all += std::string(model::ActionName(input.spec.type));
      if (input.element) all += " " + input.element->name;
      if (input.spec.text) all += "=" + input.spec.text->value;
      if (input.spec.key) all += " " + *input.spec.key;
      if (input.is_secret) all += " secret";
      if (!input.person.empty()) all += " by " + input.person;
      all += "; ";
    }
    return all;
  }

  BrowserFixture& t;
  TempDir data = TempDir::Create("falconer-recorder-test-").value();
  mutable RuntimeBench bench{t, data.path()};
  browser::SessionKey key{.tenant = TenantId("acme"), .workflow = WorkflowId("w1")};
  int step = 0;
  std::vector<RecordedInput> told;
  Notifier news;
  Subscription subscription;

  Task<void> Stop() {
    subscription.Reset();
    co_await bench.Stop();
  }
};

constexpr std::string_view kCounter =
    "<main aria-label=Counter><form action='/thanks'><label>Name <input id=who name=who></label>"
    "<label>Pin code <input id=pin type=password></label><button id=go>Go</button></form>"
    "<a id=next href='/next'>Next</a></main>";

BROWSER_TEST(PageRecorderTest, TellsWhatAPersonDoesInOrderAcrossDocuments) {
  RecorderBench test(t);
  t.site.Serve("/next", "<button id=second>Second</button>");
  co_await test.Record(std::string(kCounter));

  co_await test.Press("#who");
  co_await test.Write("Ann");
  co_await test.Press("#next");
  co_await test.Arrived("/next");
  co_await test.Press("#second");

  co_await test.Told(4);
  EXPECT_EQ(test.Summary(), "click Name; type Name=Ann; click Next; click Second; ");
  const RecordedInput& typed = test.told[1];
  EXPECT_TRUE(typed.spec.clear_first);
  EXPECT_EQ(typed.spec.target.value().selector.value().text, "role=textbox[name=\"Name\"]");
  EXPECT_EQ(typed.url, t.site.Url("/recorded"));
  EXPECT_EQ(typed.tab, TabId("t1"));
  EXPECT_EQ(test.told[3].url, t.site.Url("/next"));
  EXPECT_EQ(test.told[3].element.value().selectors.front(), "role=button[name=\"Second\"]");
  for (const RecordedInput& input : test.told) {
    EXPECT_TRUE(input.spec.Validate()) << Why(input.spec.Validate());
    EXPECT_EQ(input.person, "");
  }
  co_await test.Stop();
}

BROWSER_TEST(PageRecorderTest, TellsWhatIsTypedBeforeEnterSendsIt) {
  RecorderBench test(t);
  t.site.Serve("/thanks", "<h1>Thanks</h1>");
  co_await test.Record(std::string(kCounter));

  co_await test.Press("#who");
  co_await test.Write("Bo");
  co_await test.Enter();

  co_await test.Told(3);
  EXPECT_EQ(test.Summary(), "click Name; type Name=Bo; press Name Enter; ");
  co_await test.Stop();
}

BROWSER_TEST(PageRecorderTest, KeepsSecretsInThePage) {
  RecorderBench test(t);
  co_await test.Record(std::string(kCounter));

  co_await test.Press("#pin");
  co_await test.Write("hunter2");
  co_await test.Press("#who");

  co_await test.Told(3);
  EXPECT_EQ(test.Summary(), "click Pin code; type Pin code= secret; click Name; ");
  co_await test.Stop();
}

BROWSER_TEST(PageRecorderTest, LeavesOutWhatAgentsDo) {
  RecorderBench test(t);
  t.site.Serve("/next", "<button id=second>Second</button>");
  co_await test.Record(std::string(kCounter));

  co_await test.Press("#who");
  co_await test.Write("Ann");
  co_await test.Agent(R"({"action_type": "type", "selector": "#who", "text": " Lee"})");
  co_await test.Agent(R"({"action_type": "click", "selector": "#next"})");
  co_await test.Agent(R"({"action_type": "click", "selector": "#second"})");
  co_await test.Agent(R"({"action_type": "navigate", "url": ")" + t.site.Url("/recorded") +
                      R"("})");
  co_await test.Agent(R"({"action_type": "go_back"})");
  co_await test.Press("#second");

  co_await test.Told(3);
  EXPECT_EQ(test.Summary(), "click Name; type Name=Ann; click Second; ");
  co_await test.Stop();
}

BROWSER_TEST(PageRecorderTest, NamesThePersonWhoHasTakenOver) {
  RecorderBench test(t);
  t.site.Serve("/next", "<button id=second>Second</button>");
  co_await test.Record(std::string(kCounter));
  const auto taken = co_await test.bench.runtime().TakeOver(
      t.ctx.WithTimeout(kLongPatience), test.key, {.person = "ann", .reason = "a look"});
  EXPECT_TRUE(taken) << Why(taken);

  co_await test.Person("ann", R"({"action_type": "click", "selector": "#who"})");
  co_await test.Person("ann", R"({"action_type": "type", "text": "An"})");
  co_await test.Person("ann", R"({"action_type": "type", "text": "na"})");
  co_await test.Person("ann", R"({"action_type": "click", "selector": "#next"})");
  co_await test.Person("ann", R"({"action_type": "click", "selector": "#second"})");
  co_await test.Person(
      "ann", R"({"action_type": "navigate", "url": ")" + t.site.Url("/recorded") + R"("})");

  co_await test.Told(5);
  EXPECT_EQ(test.Summary(),
            "click Name by ann; type Name=Anna by ann; click Next by ann; click Second by ann; "
            "navigate by ann; ");
  EXPECT_EQ(test.told.back().spec.url, t.site.Url("/recorded"));
  co_await test.Stop();
}

BROWSER_TEST(PageRecorderTest, HearsFramesThatAreThereAndThoseThatCome) {
  RecorderBench test(t);
  t.site.Serve("/inside", "<button id=pay>Pay</button>");
  co_await test.Record(
      "<iframe id=first src='/inside' style='display:block'></iframe><button id=more onclick=\""
      "const f = document.createElement('iframe'); f.id = 'later'; f.src = '/inside?2'; "
      "f.style.display = 'block'; f.onload = () => document.title = 'ready'; "
      "document.body.append(f)\">More</button>");

  co_await test.PressAt(co_await test.Spot("#pay", "first"));
  co_await test.Press("#more");
  co_await test.Tab()->session()->Send(
      t.ctx, cdp::RuntimeEvaluate{
                 .expression = "new Promise(r => {const look = () => document.title === 'ready' ? "
                               "r() : requestAnimationFrame(look); look()})",
                 .await_promise = true});
  co_await test.PressAt(co_await test.Spot("#pay", "later"));

  co_await test.Told(3);
  EXPECT_EQ(test.Summary(), "click Pay; click More; click Pay; ");
  for (const std::size_t i : {0U, 2U}) {
    EXPECT_EQ(test.told[i].element.value().frame, t.site.Url("/inside"));
    EXPECT_FALSE(test.told[i].spec.target.value().fid.empty());
    EXPECT_EQ(test.told[i].url, t.site.Url("/recorded"));
  }
  co_await test.Stop();
}

BROWSER_TEST(PageRecorderTest, HearsFramesOfOtherSitesAndPopups) {
  RecorderBench test(t);
  t.site.Serve("/popup", "<button id=deep style='position:fixed;left:0;top:0'>Deep</button>");
  co_await test.Record("<iframe id=other src='" + t.site.CrossSiteUrl("/popup") +
                       "' style='position:fixed;left:0;top:100px;border:0'></iframe>"
                       "<button id=open onclick=\"window.open('/popup')\">Open</button>");

  co_await test.PressAt({10, 110});
  co_await test.Told(1);
  co_await test.Press("#open");
  const auto opened = co_await test.Session()->changes().Until(
      t.ctx.WithTimeout(kPatience), [&] { return test.Session()->tabs().all().size() == 2; },
      "the popup");
  EXPECT_TRUE(opened) << Why(opened);
  EXPECT_TRUE(test.Session()->tabs().Switch(TabId("t2")));
  co_await test.Arrived("/popup");
  co_await test.PressAt({10, 10});

  co_await test.Told(3);
  EXPECT_EQ(test.Summary(), "click Deep; click Open; click Deep; ");
  EXPECT_EQ(test.told[0].element.value().frame, t.site.CrossSiteUrl("/popup"));
  EXPECT_EQ(test.told[2].tab, TabId("t2"));
  EXPECT_EQ(test.told[2].element.value().frame, "");
  co_await test.Stop();
}

BROWSER_TEST(PageRecorderTest, TellsNavigationsThatNoPageAskedFor) {
  RecorderBench test(t);
  t.site.Serve("/next",
               "<script>addEventListener('click', () => location.href = '/recorded')"
               "</script><button id=back>Recorded</button>");
  co_await test.Record(std::string(kCounter));
  const auto page = test.Tab()->session();

  page->Post(cdp::PageNavigate{.url = t.site.Url("/next")});
  co_await test.Told(1);
  co_await test.Arrived("/next");
  co_await test.Press("#back");
  co_await test.Arrived("/recorded");
  page->Post(cdp::PageReload{});

  co_await test.Told(3);
  EXPECT_EQ(test.Summary(), "navigate; click Recorded; reload; ");
  EXPECT_EQ(test.told[0].spec.url, t.site.Url("/next"));
  co_await test.Stop();
}

BROWSER_TEST(PageRecorderTest, TwoPressesInARowAreADoubleOne) {
  RecorderBench test(t);
  co_await test.Record(std::string(kCounter));
  const auto at = co_await test.Spot("#go");
  t.site.Serve("/thanks", "<h1>Thanks</h1>");

  co_await test.PressAt(co_await test.Spot("main"));
  co_await test.PressAt(co_await test.Spot("main"), 2);
  co_await test.PressAt(at);

  co_await test.Told(2);
  EXPECT_EQ(test.told[0].spec.click_count, 2);
  EXPECT_EQ(test.told[1].element.value().name, "Go");
  co_await test.Stop();
}

BROWSER_TEST(PageRecorderTest, TellsFilesThatThePersonGaveByWhereTheyAre) {
  RecorderBench test(t);
  co_await test.Record("<label>Photo <input type=file id=photo></label>");
  const auto folder = test.bench.ArtifactsOf("w1");
  EXPECT_TRUE(WriteFileAtomic(folder / "cat.txt", "meow"));
  EXPECT_TRUE(co_await test.bench.runtime().TakeOver(t.ctx.WithTimeout(kLongPatience), test.key,
                                                     {.person = "ann", .reason = "a look"}));

  co_await test.Person(
      "ann", R"({"action_type": "upload", "selector": "#photo", "files": [{"path": "cat.txt"}]})");

  co_await test.Told(1);
  EXPECT_EQ(test.told[0].spec.type, ActionType::kUpload);
  EXPECT_EQ(test.told[0].spec.files, std::vector<model::UploadFile>{{.path = "cat.txt"}});
  EXPECT_EQ(test.told[0].element.value().label, "Photo");
  co_await test.Stop();
}

BROWSER_TEST(PageRecorderTest, FlushesWhatIsTypedAndStopsWhenTheSubscriptionGoes) {
  RecorderBench test(t);
  co_await test.Record(std::string(kCounter));
  co_await test.Press("#who");
  co_await test.Write("An");

  const auto flushed = co_await engine::FlushRecording(t.ctx, &test.bench.runtime(), test.key);
  const std::string before = test.Summary();
  test.subscription.Reset();
  co_await test.Write("na");
  co_await test.Press("#pin");
  const auto late = co_await engine::FlushRecording(t.ctx, &test.bench.runtime(), test.key);

  EXPECT_TRUE(flushed) << Why(flushed);
  EXPECT_EQ(before, "click Name; type Name=An; ");
  EXPECT_EQ(test.Summary(), before);
  EXPECT_EQ(CodeOf(late), ErrorCode::kNotFound);
  co_await test.Stop();
}

BROWSER_TEST(PageRecorderTest, RecordsASessionOnceAtATime) {
  RecorderBench test(t);
  co_await test.Record(std::string(kCounter));

  const auto twice = co_await test.Begin();
  test.subscription.Reset();
  auto again = co_await test.Begin();

  EXPECT_EQ(CodeOf(twice), ErrorCode::kAlreadyExists);
  EXPECT_TRUE(again) << Why(again);
  if (again) test.subscription = *std::move(again);
  co_await test.Press("#who");
  co_await test.Told(1);
  EXPECT_EQ(test.Summary(), "click Name; ");
  co_await test.Stop();
}

BROWSER_TEST(PageRecorderTest, OpensTheSessionAndEndsWithIt) {
  RecorderBench test(t);
  auto recording = co_await test.Begin();
  EXPECT_TRUE(recording) << Why(recording);

  co_await test.bench.runtime().Close(t.ctx, test.key);
  const auto flushed = co_await engine::FlushRecording(t.ctx, &test.bench.runtime(), test.key);
  if (recording) recording->Reset();

  EXPECT_EQ(CodeOf(flushed), ErrorCode::kNotFound);
  EXPECT_TRUE(test.told.empty());
  co_await test.Stop();
}

}  // namespace
}  // namespace falconer::test
