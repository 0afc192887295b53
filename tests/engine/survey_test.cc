// Looking at a whole page: which of many targets are there, and what can be acted on.

#include "engine/look.h"
#include "tests/support/control_bench.h"

namespace falconer::test {
namespace {

const WorkflowId kSurveyed("w1");

struct SurveyBench {
  explicit SurveyBench(BrowserFixture& fixture) : test(fixture) {}

  Task<void> Open(std::string page) {
    test.t.site.Serve("/surveyed", std::move(page));
    const auto opened = co_await test.bench.Execute(TurnStep(
        0, R"({"action_type": "navigate", "url": ")" + test.t.site.Url("/surveyed") + R"("})"));
    EXPECT_TRUE(opened.success) << json::serialize(opened.ToJson());
  }
  engine::Look Look() { return {test.bench.runtime(), test.bench.control().Caller()}; }
  Task<std::vector<engine::ProbeFinding>> Probe(std::vector<engine::ProbedTarget> targets) {
    auto look = Look();
    const auto found = co_await look.Probe(test.t.ctx, kSurveyed, std::move(targets));
    EXPECT_TRUE(found) << Why(found);
    co_return found.value_or(std::vector<engine::ProbeFinding>());
  }
  Task<std::vector<engine::SeenElement>> Elements(std::size_t most) {
    auto look = Look();
    const auto seen = co_await look.Elements(test.t.ctx, kSurveyed, most);
    EXPECT_TRUE(seen) << Why(seen);
    co_return seen.value_or(std::vector<engine::SeenElement>());
  }

  ControlBench test;
};

BROWSER_TEST(SurveyTest, ProbesByTheFirstSelectorThatFindsAnything) {
  SurveyBench survey(t);
  co_await survey.Open(
      "<button id=save>Save</button><button disabled>Send</button>"
      "<button>Twin</button><button>Twin</button><button hidden id=gone>Gone</button>");

  const auto found =
      co_await survey.Probe({{.selectors = {"#nothing", "role=button[name=\"Save\"]"}},
                             {.selectors = {"role=button[name=\"Send\"]"}},
                             {.selectors = {"text=\"Twin\""}},
                             {.selectors = {"#gone"}},
                             {.selectors = {"role=none of these [", "#absent"}},
                             {.selectors = {}}});

  EXPECT_EQ(found.size(), 6U);
  EXPECT_EQ(found[0].matches, 1);
  EXPECT_EQ(found[0].selector, "role=button[name=\"Save\"]");
  EXPECT_FALSE(found[0].ref.empty());
  EXPECT_TRUE(found[0].is_usable);
  EXPECT_EQ(found[1].matches, 1);
  EXPECT_FALSE(found[1].is_usable);
  EXPECT_EQ(found[2].matches, 2);
  EXPECT_TRUE(found[2].ref.empty());
  EXPECT_FALSE(found[2].is_usable);
  EXPECT_EQ(found[3].matches, 1);
  EXPECT_FALSE(found[3].is_usable);
  EXPECT_EQ(found[4].matches, 0);
  EXPECT_EQ(found[4].selector, "");
  EXPECT_EQ(found[5].matches, 0);
  co_await survey.test.bench.Stop();
}

BROWSER_TEST(SurveyTest, ManyTargetsAreFoundAsFewAre) {
  SurveyBench survey(t);
  co_await survey.Open(
      "<form><label>Name <input placeholder=You title=Who></label><input data-testid=a>"
      "<button>Go</button><button>Stop</button><button>Stop</button></form>");
  const std::vector<std::string> selectors = {"role=textbox[name=\"Name\"]",
                                              "label=\"Name\"",
                                              "placeholder=\"You\"",
                                              "title=\"Who\"",
                                              "testid=a",
                                              "role=button[name=\"Go\"]",
                                              "role=button[name=\"Stop\"]",
                                              "css=form > button",
                                              "text=\"Go\"",
                                              "role=button[name=\"go\"]",
                                              "role=heading[name=x]",
                                              "#missing"};
  std::vector<engine::ProbedTarget> all;
  for (const std::string& selector : selectors) all.push_back({.selectors = {selector}});

  const auto together = co_await survey.Probe(all);

  EXPECT_EQ(together.size(), all.size());
  for (std::size_t i = 0; i < together.size(); ++i) {
    const auto alone = co_await survey.Probe({all[i]});
    EXPECT_EQ(together[i].matches, alone[0].matches) << selectors[i];
    EXPECT_EQ(together[i].ref, alone[0].ref) << selectors[i];
  }
  co_await survey.test.bench.Stop();
}

BROWSER_TEST(SurveyTest, ProbesEachFrameForWhatBelongsToIt) {
  SurveyBench survey(t);
  t.site.Serve("/inside", "<button>Pay</button>");
  co_await survey.Open("<button>Save</button><iframe src='/inside?of=1'></iframe>");
  const std::string frame = t.site.Url("/inside");

  const auto found =
      co_await survey.Probe({{.selectors = {"role=button[name=\"Pay\"]"}, .frame = frame},
                             {.selectors = {"role=button[name=\"Pay\"]"}},
                             {.selectors = {"role=button[name=\"Save\"]"}, .frame = frame},
                             {.selectors = {"role=button"}, .frame = t.site.Url("/other")}});

  EXPECT_EQ(found[0].matches, 1);
  EXPECT_TRUE(found[0].is_usable);
  EXPECT_EQ(found[1].matches, 0);
  EXPECT_EQ(found[2].matches, 0);
  EXPECT_EQ(found[3].matches, 0);
  const auto clicked = co_await survey.test.bench.Execute(
      TurnStep(1, R"({"action_type": "click", "target_eid": ")" + found[0].ref + R"("})"));
  EXPECT_TRUE(clicked.success) << json::serialize(clicked.ToJson());
  co_await survey.test.bench.Stop();
}

BROWSER_TEST(SurveyTest, RefusesMoreTargetsThanAReadingMayHave) {
  SurveyBench survey(t);
  co_await survey.Open("<button>Save</button>");
  auto look = survey.Look();

  const auto found = co_await look.Probe(
      t.ctx, kSurveyed, std::vector<engine::ProbedTarget>(browser::kMaxProbedTargets + 1));

  EXPECT_EQ(CodeOf(found), ErrorCode::kInvalidArgument) << Why(found);
  co_await survey.test.bench.Stop();
}

BROWSER_TEST(SurveyTest, ListsWhatCanBeActedOnAlsoOutOfSightAndInFrames) {
  SurveyBench survey(t);
  t.site.Serve("/inside", "<label>Card <input></label>");
  co_await survey.Open(
      "<h1>Shop</h1><button id=save>Save</button><p>Words</p><div style='height: 5000px'></div>"
      "<a href='/more?q=typed#x'>More</a><iframe src='/inside'></iframe>");

  const auto seen = co_await survey.Elements(100);

  EXPECT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen[0].fingerprint.name, "Save");
  EXPECT_EQ(seen[0].fingerprint.before, "Shop");
  EXPECT_EQ(seen[0].fingerprint.selectors.front(), "role=button[name=\"Save\"]");
  EXPECT_EQ(seen[1].fingerprint.attributes.at("href"), "/more");
  EXPECT_GT(seen[1].fingerprint.y, 0.5);
  EXPECT_EQ(seen[2].fingerprint.label, "Card");
  EXPECT_EQ(seen[2].fingerprint.frame, t.site.Url("/inside"));
  EXPECT_EQ((co_await survey.Elements(2)).size(), 2U);
  co_await survey.test.bench.Stop();
}

BROWSER_TEST(SurveyTest, AsksTheGatesAsOtherLooksDo) {
  SurveyBench survey(t);
  co_await survey.Open("<button>Save</button>");
  engine::Look blind(survey.test.bench.runtime(),
                     survey.test.bench.control().CallerWith(
                         "acme", "tester", {.capabilities = {model::Capability::kInteract}}));

  const auto found = co_await blind.Probe(t.ctx, kSurveyed, {{.selectors = {"#save"}}});
  const auto seen = co_await blind.Elements(t.ctx, kSurveyed, 10);

  EXPECT_EQ(CodeOf(found), ErrorCode::kCapabilityMissing) << Why(found);
  EXPECT_EQ(CodeOf(seen), ErrorCode::kCapabilityMissing) << Why(seen);
  co_await survey.test.bench.Stop();
}

}  // namespace
}  // namespace falconer::test
