#include "predict/act/step_contract.h"

#include <gtest/gtest.h>

#include "predict/act/bound_probes.h"
#include "predict/act/effect_seen.h"
#include "predict/act/run_outcome.h"

namespace falconer::predict {
namespace {

WorkflowStep ClickSpec(json::object spec) {
  spec["action_type"] = "click";
  return {.id = "go", .intent = "go on", .contract = {{"action_spec", std::move(spec)}}};
}

StepPlace At(std::int64_t index, ChosenBy by = ChosenBy::kPrediction) {
  return {.session = WorkflowId("w1"), .run = RunId("r1"), .index = index, .by = by};
}

TEST(StepContractTest, TheSameStepDoneAgainIsAnotherAction) {
  const WorkflowStep step = ClickSpec({{"selector", "id=a"}});

  const auto first = ContractOf(step, At(0))->Identify();
  const auto again = ContractOf(step, At(1))->Identify();

  EXPECT_NE(first->digest, again->digest);
  EXPECT_EQ(first->digest, ContractOf(step, At(0))->Identify()->digest);
}

TEST(StepContractTest, OnlyWhatPredictionChoseIsMarkedSo) {
  const WorkflowStep step = ClickSpec({{"selector", "id=a"}});

  EXPECT_TRUE(IsPredicted(*ContractOf(step, At(0))));
  EXPECT_FALSE(IsPredicted(*ContractOf(step, At(0, ChosenBy::kModel))));
  EXPECT_FALSE(IsPredicted(model::ActionContract()));
}

TEST(StepContractTest, KnowsBothWaysToNameATarget) {
  const std::vector<std::string> both = {"id=a", "css=.b"};
  const json::array more{"css=.b"};

  EXPECT_EQ(SelectorsOf(ClickSpec({{"selector", "id=a"}, {"selector_candidates", more}})), both);
  EXPECT_EQ(SelectorsOf(ClickSpec({{"target", {{"selector", "id=a"}, {"candidates", more}}}})),
            both);
  EXPECT_TRUE(SelectorsOf(ClickSpec({})).empty());
}

TEST(StepContractTest, NewSelectorsTakeThePlaceOfTheOldOnesAndMakeAContract) {
  const WorkflowStep nested =
      WithSelectors(ClickSpec({{"target", {{"selector", "id=a"}}}}), {"id=b", "css=.b"});
  const WorkflowStep flat = WithSelectors(ClickSpec({{"selector", "id=a"}}), {"id=b", "css=.b"});

  for (const WorkflowStep& step : {nested, flat}) {
    EXPECT_EQ(SelectorsOf(step), (std::vector<std::string>{"id=b", "css=.b"}));
    EXPECT_TRUE(ContractOf(step, At(0))) << json::serialize(step.contract);
  }
}

TEST(StepContractTest, AWaitForSeveralThingsIsAContract) {
  const auto contract = WaitFor(
      {{.selectors = {"id=a", "not ( a selector"}}, {.selectors = {"role=button[name=\"Go\"]"}}},
      std::chrono::seconds(2), At(7));

  EXPECT_TRUE(contract.Validate()) << contract.Validate().error().message();
  EXPECT_TRUE(model::ActionContract::FromJson(contract.ToJson()));
  EXPECT_TRUE(IsPredicted(contract));
}

TEST(RunOutcomeTest, EveryCodeHasAnOutcome) {
  for (const ErrorTraits& row : AllErrorCodes())
    EXPECT_NE(OutcomeOf(row.code), RunOutcome::kCompleted) << row.name;
  EXPECT_EQ(OutcomeOf(ErrorCode::kPolicyDenied), RunOutcome::kRefused);
  EXPECT_EQ(OutcomeOf(ErrorCode::kStaleEpoch), RunOutcome::kRefused);
  EXPECT_EQ(OutcomeOf(ErrorCode::kPostconditionFailed), RunOutcome::kFailed);
  EXPECT_EQ(OutcomeOf(ErrorCode::kOutcomeUnknown), RunOutcome::kFailed);
}

model::ActionExecutionResult Ended(json::object delta) {
  model::ActionExecutionResult result;
  result.success = true;
  result.state_delta = std::move(delta);
  return result;
}

json::object DeltaWith(std::string_view section, json::object operation) {
  return {{"prev_state_id", "s_1"},
          {"new_state_id", "s_2"},
          {"prev_revision", 1},
          {"new_revision", 2},
          {"changed_sections", json::array{section}},
          {"section_hash_changes", json::array()},
          {"ops", {{section, json::array{std::move(operation)}}}},
          {"token_estimate", 1}};
}

TEST(BoundProbesTest, WhatIsTypedIntoAFieldChangesNoElement) {
  EXPECT_TRUE(KeepsElements(Ended(DeltaWith(
      "elements",
      {{"op", "update"}, {"key", "d1e1"}, {"fields", {{"filled", true}, {"focused", true}}}}))));
}

TEST(BoundProbesTest, WhatIsSwitchedOffOrGoneIsLookedForAgain) {
  EXPECT_FALSE(KeepsElements(Ended(DeltaWith(
      "elements", {{"op", "update"}, {"key", "d1e1"}, {"fields", {{"enabled", false}}}}))));
  EXPECT_FALSE(KeepsElements(Ended(DeltaWith("elements", {{"op", "remove"}, {"key", "d1e1"}}))));
  EXPECT_FALSE(KeepsElements(model::ActionExecutionResult()));
}

TEST(BoundProbesTest, RemembersOnlyWhatCanBeUsedAndOnlyThere) {
  BoundProbes probes;
  const engine::ProbedTarget there{.selectors = {"id=a"}};
  const engine::ProbedTarget gone{.selectors = {"id=b"}};
  probes.Keep("https://shop.example/", {there, gone},
              {{.matches = 1, .selector = "id=a", .ref = "d1e1", .is_usable = true}, {}});

  EXPECT_EQ(probes.Find("https://shop.example/", there)->ref, "d1e1");
  EXPECT_FALSE(probes.Find("https://shop.example/", gone));
  EXPECT_FALSE(probes.Find("https://shop.example/cart", there));

  probes.After(model::ActionExecutionResult());
  EXPECT_FALSE(probes.Find("https://shop.example/", there));
}

TEST(EffectSeenTest, TellsWhetherAnythingHappened) {
  model::ActionExecutionResult result;
  EXPECT_FALSE(HadEffect(result));

  result.pre_state_id = result.post_state_id = "s_1";
  EXPECT_FALSE(HadEffect(result));
  result.post_state_id = "s_2";
  EXPECT_TRUE(HadEffect(result));

  model::ActionExecutionResult asked;
  asked.network_summary = json::object{{"requests", 0}};
  EXPECT_FALSE(HadEffect(asked));
  asked.network_summary = json::object{{"requests", 2}};
  EXPECT_TRUE(HadEffect(asked));
}

TEST(EffectSeenTest, ThatNothingWentWrongIsNoEffect) {
  model::ActionExecutionResult result;
  result.verification = model::VerificationReport::Of(
      {{.type = model::RuleType::kNoNewErrors, .verdict = model::RuleVerdict::kPassed}});
  EXPECT_FALSE(HadEffect(result));

  result.verification = model::VerificationReport::Of(
      {{.type = model::RuleType::kTextState, .verdict = model::RuleVerdict::kPassed}});
  EXPECT_TRUE(HadEffect(result));
}

}  // namespace
}  // namespace falconer::predict
