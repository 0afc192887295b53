// What is done in pages is told wherever it is done; here everybody counts as a person.

#include "browser/recorder/input_recorder.h"

#include "tests/browser/secretly.h"

namespace falconer::test {
namespace {

using browser::PageInput;
using model::ActionType;

struct HeardInput {
  explicit HeardInput(BrowserFixture& fixture) : t(fixture) {}

  Task<void> Begin() {
    recorder.emplace(t.ctx.executor(), t.ctx.clock(), t.session, [this](PageInput input) {
      told.push_back(std::move(input));
      news.NotifyAll();
    });
    const auto begun = co_await recorder->Begun(t.ctx.WithTimeout(kLongPatience));
    EXPECT_TRUE(begun) << Why(begun);
  }
  // The first input of this kind that is told.
  Task<PageInput> Next(ActionType type) {
    const auto find = [&] { return std::ranges::find(told, type, TypeOf); };
    const auto came = co_await news.Until(
        t.ctx.WithTimeout(kPatience), [&] { return find() != told.end(); },
        std::string(model::ActionName(type)));
    EXPECT_TRUE(came) << Why(came);
    if (!came) co_return PageInput();
    PageInput input = std::move(*find());
    told.erase(find());
    co_return input;
  }
  static ActionType TypeOf(const PageInput& input) { return input.spec.type; }
  std::string Everything() const {
    std::string all;
    for (const PageInput& input : told) {
      all += json::serialize(input.spec.ToJson());
      if (input.element) all += json::serialize(input.element->ToJson());
    }
    return all;
  }

  BrowserFixture& t;
  std::vector<PageInput> told;
  Notifier news;
  std::optional<browser::InputRecorder> recorder;
};

BROWSER_TEST(InputRecorderTest, TellsDragsOfThePlatformAndOfThePage) {
  HeardInput heard(t);
  co_await t.Open("/drag.html");
  co_await heard.Begin();

  EXPECT_TRUE(co_await t.Do(
      R"({"action_type": "drag", "selector": "#card", "drag_to": {"selector": "#zone"}})"));
  const PageInput platform = co_await heard.Next(ActionType::kDrag);
  EXPECT_TRUE(co_await t.Do(
      R"({"action_type": "drag", "selector": "#handle", "drag_to": {"selector": "#area"}})"));
  const PageInput own = co_await heard.Next(ActionType::kDrag);

  EXPECT_EQ(platform.element.value().text, "Card");
  EXPECT_EQ(platform.spec.drag_to.value().selector.value().text, "text=\"Drop here\"");
  EXPECT_EQ(own.element.value().text, "Handle");
  EXPECT_EQ(own.spec.drag_to.value().selector.value().text, "text=\"Area\"");
  EXPECT_TRUE(platform.spec.Validate()) << Why(platform.spec.Validate());
}

BROWSER_TEST(InputRecorderTest, TellsNothingOfASecretThatWasTypedByItsName) {
  HeardInput heard(t);
  t.site.Serve("/form",
               "<label>Motto <input id=a></label><label>More <input id=b></label>"
               "<iframe src='/inside'></iframe>");
  t.site.Serve("/inside", "<label>Motto <input id=a></label><button>Go</button>");
  co_await t.Open("/form");
  co_await heard.Begin();

  for (const std::string_view field : {"#a", "frame=iframe >> #a"}) {
    EXPECT_TRUE(co_await DoSecretly(t, R"({"action_type": "fill", "selector": ")" +
                                           std::string(field) +
                                           R"(", "text": {"secret": "motto"}})"));
    EXPECT_TRUE(co_await t.Click("#b"));
    const PageInput typed = co_await heard.Next(ActionType::kType);
    EXPECT_TRUE(typed.is_secret) << field;
    EXPECT_EQ(typed.spec.text.value().value, "") << field;
    EXPECT_EQ(typed.element.value().label, "Motto");
  }

  EXPECT_EQ(heard.Everything().find("horse"), std::string::npos);
}

BROWSER_TEST(InputRecorderTest, HearsAPageAgainAfterACrash) {
  HeardInput heard(t);
  t.site.Serve("/page", "<button id=go>Go</button>");
  co_await t.Open("/page");
  co_await heard.Begin();
  const auto tab = t.tab();
  tab->session()->Post(cdp::PageNavigate{.url = "chrome://crash"});
  EXPECT_TRUE(co_await tab->changes().Until(
      t.ctx.WithTimeout(kPatience), [&] { return tab->phase() == browser::TabPhase::kCrashed; },
      "the crash"));

  co_await t.Open("/page");
  EXPECT_TRUE(co_await t.Click("#go"));

  const PageInput press = co_await heard.Next(ActionType::kClick);
  EXPECT_EQ(press.element.value().name, "Go");
}

BROWSER_TEST(InputRecorderTest, HearsFramesThatBeginEmptyAndPagesThatAreWrittenAnew) {
  HeardInput heard(t);
  t.site.Serve("/inside", "<button id=pay>Pay</button>");
  co_await t.Open("/empty.html");
  co_await heard.Begin();
  co_await t.Page(
      "document.body.innerHTML = '<iframe id=f></iframe>', "
      "f.contentDocument.body.innerHTML = '<button id=blank>Blank</button>'");

  EXPECT_TRUE(co_await t.Click("frame=iframe >> #blank"));
  const PageInput blank = co_await heard.Next(ActionType::kClick);
  co_await t.Page("f.src = '/inside'");
  EXPECT_TRUE(co_await t.Click("frame=iframe >> #pay"));
  const PageInput pay = co_await heard.Next(ActionType::kClick);
  co_await t.Page(
      "document.open(), document.write('<button id=late>Late</button>'), "
      "document.close()");
  EXPECT_TRUE(co_await t.Click("#late"));
  const PageInput late = co_await heard.Next(ActionType::kClick);

  EXPECT_EQ(blank.element.value().name, "Blank");
  EXPECT_EQ(pay.element.value().frame, t.site.Url("/inside"));
  EXPECT_EQ(late.element.value().name, "Late");
}

BROWSER_TEST(InputRecorderTest, TellsTheAddressThatThePageHasGivenItselfMeanwhile) {
  HeardInput heard(t);
  t.site.Serve("/app",
               "<button id=go onclick=\"history.pushState({}, '', '/app/2')\">Go</button>"
               "<button id=more>More</button>");
  co_await t.Open("/app");
  co_await heard.Begin();

  EXPECT_TRUE(co_await t.Click("#go"));
  const PageInput first = co_await heard.Next(ActionType::kClick);
  EXPECT_TRUE(co_await t.Click("#more"));
  const PageInput second = co_await heard.Next(ActionType::kClick);

  EXPECT_EQ(first.url, t.site.Url("/app"));
  EXPECT_EQ(second.url, t.site.Url("/app/2"));
  EXPECT_TRUE(heard.told.empty()) << heard.Everything();
}

BROWSER_TEST(InputRecorderTest, LeavesNothingInThePagesWhenItEnds) {
  HeardInput heard(t);
  t.site.Serve("/page", "<button id=go>Go</button>");
  co_await t.Open("/page");
  co_await heard.Begin();
  EXPECT_TRUE(co_await t.Click("#go"));
  heard.recorder.reset();
  const std::size_t told = heard.told.size();

  EXPECT_TRUE(co_await t.Click("#go"));
  co_await t.Open("/page");
  EXPECT_TRUE(co_await t.Click("#go"));

  EXPECT_EQ(told, 1U);
  EXPECT_EQ(heard.told.size(), told);
}

}  // namespace
}  // namespace falconer::test
