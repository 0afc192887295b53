// What an action and its page really do, over a real browser: keys in what is typed, the words of
// dialogs, what pages send to be counted.

#include "tests/support/control_bench.h"

namespace falconer::test {
namespace {

// To look, to go and to touch.
constexpr model::CapabilitySet kLookingRights = {
    model::Capability::kRead, model::Capability::kNavigate, model::Capability::kInteract};

Task<void> OpenServed(ControlBench* test, std::string html) {
  test->t.site.Serve("/page", std::move(html));
  const auto opened = co_await test->bench.Execute(
      TurnStep(0, R"({"action_type": "navigate", "url": ")" + test->t.site.Url("/page") + R"("})"));
  EXPECT_TRUE(opened.success) << json::serialize(opened.ToJson());
}

BROWSER_TEST(RiskControlTest, ALineEndInWhatIsTypedIsThePressOfTheFormsButton) {
  ControlBench test(t);
  co_await test.OpenStore();

  const auto written = co_await test.As(
      kOrdinaryRights, TurnStep(1, R"({"action_type": "type", "selector": "#note", "text": "x"})"));
  const auto sent = co_await test.As(
      kOrdinaryRights,
      TurnStep(2, R"({"action_type": "type", "selector": "#note", "text": "y\n"})"));

  EXPECT_EQ(FailureIn(written), "success") << json::serialize(written.ToJson());
  EXPECT_EQ(FailureIn(sent), "CAPABILITY_MISSING") << json::serialize(sent.ToJson());
  EXPECT_EQ(t.site.RequestCount("/effect"), 0u);
  const auto kept = co_await test.bench.Execute(TurnStep(
      3, R"({"action_type": "wait_only"})",
      R"(, "expected_postconditions": [{"rule_type": "property_state", "selector": "#note",)"
      R"( "property": "value", "expected": "x"}])"));
  EXPECT_TRUE(kept.success) << "the field got input: " << json::serialize(kept.ToJson());
  co_await test.bench.Stop();
}

BROWSER_TEST(RiskControlTest, AcceptingADialogIsDoingWhatItAsks) {
  ControlBench test(t);
  co_await OpenServed(&test,
                      "<button id=go onclick=\"if (confirm('Delete everything?')) fetch('/effect', "
                      "{method: 'POST', body: 'name=gone'})\">Show more</button>");
  const auto clicked = co_await test.As(kOrdinaryRights, TurnStep(1, ClickOn("#go")));

  const auto accepted = co_await test.As(
      kOrdinaryRights,
      TurnStep(2, R"({"action_type": "handle_dialog", "dialog": {"accept": true}})"));
  const auto dismissed = co_await test.As(
      kOrdinaryRights,
      TurnStep(3, R"({"action_type": "handle_dialog", "dialog": {"accept": false}})"));

  EXPECT_EQ(FailureIn(clicked), "success") << json::serialize(clicked.ToJson());
  EXPECT_EQ(FailureIn(accepted), "CAPABILITY_MISSING") << json::serialize(accepted.ToJson());
  EXPECT_EQ(FailureIn(dismissed), "success") << json::serialize(dismissed.ToJson());
  EXPECT_EQ(t.site.RequestCount("/effect"), 0u);
  co_await test.bench.Stop();
}

BROWSER_TEST(RiskControlTest, ABeaconThatIsRefusedLeavesTheTurnAlone) {
  ControlBench test(t);
  co_await OpenServed(
      &test,
      "<button id=go onclick=\"navigator.sendBeacon('/effect', 'name=counted')\">Show "
      "more</button>");

  const auto refused = co_await test.As(kLookingRights, TurnStep(1, ClickOn("#go")));
  EXPECT_EQ(FailureIn(refused), "success") << json::serialize(refused.ToJson());
  EXPECT_EQ(t.site.RequestCount("/effect"), 0u);
  const auto let = co_await test.As(kOrdinaryRights, TurnStep(2, ClickOn("#go")));
  EXPECT_EQ(FailureIn(let), "success") << json::serialize(let.ToJson());
  co_await test.bench.Stop();
}

}  // namespace
}  // namespace falconer::test
