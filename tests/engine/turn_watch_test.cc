// Who watches is told of each turn that is on record, with the element that it met.

#include "engine/turn_watch.h"

#include "ledger/reader.h"
#include "tests/support/runtime_bench.h"

namespace falconer::test {
namespace {

using model::Fingerprint;

struct SeenTurn {
  model::ActionType type = model::ActionType::kWaitOnly;
  std::string person;
  bool success = false;
  std::optional<Fingerprint> element;
  std::string page_before;
  std::string page_after;
};

class NotingWatch final : public engine::TurnWatch {
 public:
  bool WantsFingerprints(const browser::SessionKey& /*key*/) const override { return wants; }
  void OnTurn(const engine::WatchedTurn& turn) override {
    turns.push_back({.type = turn.contract.action_spec.type,
                     .person = turn.caller.person,
                     .success = turn.result.success,
                     .element = turn.element,
                     .page_before = turn.page_before,
                     .page_after = turn.page_after});
  }
  void OnSessionClosed(const browser::SessionKey& key) override {
    closed.push_back(key.workflow.value());
  }

  bool wants = true;
  std::vector<SeenTurn> turns;
  std::vector<std::string> closed;
};

std::string WatchedContract(int step, std::string_view action) {
  return R"({"workflow_id": "w1", "step_index": )" + std::to_string(step) + R"(, "action_spec": )" +
         std::string(action) + "}";
}

struct WatchBench {
  explicit WatchBench(BrowserFixture& fixture) : t(fixture) {}

  Task<void> Open(std::string page) {
    t.site.Serve("/watched", std::move(page));
    const auto opened = co_await Do(0, R"({"action_type": "navigate", "url": ")" + Url() + R"("})");
    EXPECT_TRUE(opened.success) << json::serialize(opened.ToJson());
  }
  Task<model::ActionExecutionResult> Do(int step, std::string action) {
    return bench.Execute(WatchedContract(step, action));
  }
  // Carries it out and gives what the watch was told of it.
  Task<SeenTurn> Watch(int step, std::string action) {
    const std::size_t before = watch.turns.size();
    const auto done = co_await Do(step, std::move(action));
    EXPECT_TRUE(done.success) << json::serialize(done.ToJson());
    EXPECT_EQ(watch.turns.size(), before + 1);
    co_return watch.turns.back();
  }
  std::string Url() const { return t.site.Url("/watched"); }

  BrowserFixture& t;
  TempDir data = TempDir::Create("falconer-watch-test-").value();
  NotingWatch watch;
  RuntimeBench bench{t, data.path(), "test:1", nullptr, &watch};
};

constexpr std::string_view kShelf =
    "<main aria-label=Shelf><h2>Lamps</h2><ul><li>Brass lamp <button id=one>Add</button>"
    "<li>Desk lamp <button data-testid=desk>Add</button></ul>"
    "<form aria-label=Order><label>Name <input id=who name=who></label>"
    "<label>Size <select id=size><option>Small<option>Large</select></label>"
    "<label><input type=checkbox id=gift> Gift</label></form>"
    "<a id=next href='/watched?page=2'>Next page</a></main>";

BROWSER_TEST(TurnWatchTest, IsToldTheElementThatAClickMet) {
  WatchBench test(t);
  co_await test.Open(std::string(kShelf));

  const SeenTurn turn =
      co_await test.Watch(1, R"({"action_type": "click", "selector": "testid=desk"})");

  EXPECT_TRUE(turn.success);
  EXPECT_TRUE(turn.element);
  const Fingerprint element = turn.element.value_or(Fingerprint());
  EXPECT_EQ(element.role, "button");
  EXPECT_EQ(element.name, "Add");
  EXPECT_EQ(element.tag, "button");
  EXPECT_EQ(element.landmark, "main \"Shelf\"");
  EXPECT_EQ(element.item, "Desk lamp Add");
  EXPECT_EQ(element.before, "Desk lamp");
  EXPECT_EQ(element.attributes.at("testid"), "desk");
  EXPECT_EQ(element.selectors.empty() ? "" : element.selectors.front(), "testid=desk");
  EXPECT_TRUE(element.is_enabled);
  EXPECT_GT(element.y, 0);
  co_await test.bench.Stop();
}

BROWSER_TEST(TurnWatchTest, IsToldTheFieldsThatAreFilledChosenAndTicked) {
  WatchBench test(t);
  co_await test.Open(std::string(kShelf));

  const auto filled = co_await test.Watch(
      1, R"({"action_type": "fill", "selector": "#who", "text": "Ann Barker"})");
  const auto chosen = co_await test.Watch(
      2,
      R"({"action_type": "select", "selector": "#size", "select_values": [{"label": "Large"}]})");
  const auto ticked = co_await test.Watch(3, R"({"action_type": "check", "selector": "#gift"})");
  const auto pressed = co_await test.Watch(4, R"({"action_type": "press", "key": "Escape"})");

  EXPECT_EQ(filled.element.value().label, "Name");
  EXPECT_EQ(filled.element.value().landmark, "form \"Order\"");
  EXPECT_EQ(chosen.element.value().role, "combobox");
  EXPECT_EQ(ticked.element.value().type, "checkbox");
  EXPECT_EQ(pressed.element.value().name, "Gift");
  for (const SeenTurn& turn : test.watch.turns) {
    if (!turn.element) continue;
    const std::string told = json::serialize(turn.element->ToJson());
    EXPECT_EQ(told.find("Ann"), std::string::npos) << told;
  }
  co_await test.bench.Stop();
}

BROWSER_TEST(TurnWatchTest, IsToldWhereTheTabWasBeforeAndAfter) {
  WatchBench test(t);
  co_await test.Open(std::string(kShelf));

  const SeenTurn turn = co_await test.Watch(1, R"({"action_type": "click", "selector": "#next"})");

  EXPECT_EQ(test.watch.turns.front().type, model::ActionType::kNavigate);
  EXPECT_FALSE(test.watch.turns.front().element);
  EXPECT_EQ(test.watch.turns.front().page_after, test.Url());
  EXPECT_EQ(turn.page_before, test.Url());
  EXPECT_EQ(turn.page_after, test.Url() + "?page=2");
  EXPECT_EQ(turn.element.value().attributes.at("href"), "/watched");
  co_await test.bench.Stop();
}

BROWSER_TEST(TurnWatchTest, IsToldTheFrameOfTheElement) {
  WatchBench test(t);
  t.site.Serve("/pay", "<button>Pay</button>");
  co_await test.Open("<iframe src='/pay?order=17'></iframe>");

  const SeenTurn turn = co_await test.Watch(
      1, R"({"action_type": "click", "selector": "frame=iframe >> role=button[name=\"Pay\"]"})");

  EXPECT_EQ(turn.element.value().frame, t.site.Url("/pay"));
  EXPECT_EQ(turn.element.value().selectors.front(), "role=button[name=\"Pay\"]");
  co_await test.bench.Stop();
}

BROWSER_TEST(TurnWatchTest, IsToldOfFailuresAndNotOfRefusalsOrAnswersFromTheRecord) {
  WatchBench test(t);
  co_await test.Open(std::string(kShelf));
  const std::string click = R"({"action_type": "click", "selector": "#one"})";
  co_await test.Do(1, click);
  const std::size_t told = test.watch.turns.size();

  co_await test.Do(1, click);
  co_await test.Do(2, R"({"action_type": "navigate", "url": "http://elsewhere.example/"})");
  const std::size_t told_again = test.watch.turns.size();
  co_await test.Do(3, R"({"action_type": "click", "selector": "#none", "timeout_ms": 200})");

  EXPECT_EQ(told_again, told);
  EXPECT_EQ(test.watch.turns.size(), told + 1);
  EXPECT_FALSE(test.watch.turns.back().success);
  EXPECT_FALSE(test.watch.turns.back().element);
  co_await test.bench.Stop();
}

BROWSER_TEST(TurnWatchTest, LeavesFingerprintsOutWhereNobodyWantsThem) {
  WatchBench test(t);
  co_await test.Open(std::string(kShelf));
  test.watch.wants = false;

  const SeenTurn turn = co_await test.Watch(1, R"({"action_type": "click", "selector": "#one"})");

  EXPECT_FALSE(turn.element);
  co_await test.bench.Stop();
}

BROWSER_TEST(TurnWatchTest, KeepsFingerprintsOutOfTheRecord) {
  WatchBench test(t);
  co_await test.Open(std::string(kShelf));
  const SeenTurn turn =
      co_await test.Watch(1, R"({"action_type": "click", "selector": "testid=desk"})");

  EXPECT_TRUE(turn.element);
  auto reader =
      ledger::ChainReader::Open(ledger::ChainPaths::Of(test.data.path(), TenantId("acme")).folder)
          .value();
  for (std::uint64_t seq = 1; seq <= reader.LastSeq().value(); ++seq) {
    const auto record = reader.At(seq).value();
    EXPECT_EQ(record.view().fields.payload.find("\"landmark\""), std::string::npos);
  }
  co_await test.bench.Stop();
}

BROWSER_TEST(TurnWatchTest, IsToldWhenASessionGoes) {
  WatchBench test(t);
  co_await test.Open(std::string(kShelf));
  EXPECT_TRUE(test.watch.closed.empty());

  co_await test.bench.runtime().Close(t.ctx,
                                      {.tenant = TenantId("acme"), .workflow = WorkflowId("w1")});

  EXPECT_EQ(test.watch.closed, std::vector<std::string>{"w1"});
  co_await test.bench.Stop();
}

}  // namespace
}  // namespace falconer::test
