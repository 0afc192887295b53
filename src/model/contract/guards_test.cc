#include "model/contract/guards.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

DerivedGuards GuardsOf(std::string_view action) {
  const auto spec = ActionSpec::FromJson(*ParseJson(action));
  EXPECT_TRUE(spec) << action << ": " << Describe(spec.error());
  ActionContract contract;
  contract.workflow_id = WorkflowId("w");
  contract.action_spec = spec.value_or(ActionSpec());
  return DeriveGuards(contract);
}

// One per action type, in the order of the table.
constexpr std::string_view kActions[] = {
    R"({"action_type":"navigate","url":"https://x.test/a?b=1"})",
    R"({"action_type":"go_back"})",
    R"({"action_type":"go_forward"})",
    R"({"action_type":"reload"})",
    R"({"action_type":"click","selector":"#a"})",
    R"({"action_type":"double_click","selector":"#a"})",
    R"({"action_type":"hover","selector":"#a"})",
    R"({"action_type":"type","selector":"#a","text":"abc"})",
    R"({"action_type":"fill","selector":"#a","text":"abc"})",
    R"({"action_type":"clear","selector":"#a"})",
    R"({"action_type":"press","key":"Enter"})",
    R"({"action_type":"select","selector":"#a","select_value":"x"})",
    R"({"action_type":"check","selector":"#a"})",
    R"({"action_type":"uncheck","selector":"#a"})",
    R"({"action_type":"scroll","scroll":{"dy":10}})",
    R"({"action_type":"drag","selector":"#a","drag_to":{"selector":"#b"}})",
    R"({"action_type":"upload","selector":"#a","files":[{"artifact_id":"f"}]})",
    R"({"action_type":"download_trigger","selector":"#a"})",
    R"({"action_type":"extract"})",
    R"({"action_type":"screenshot"})",
    R"({"action_type":"pdf"})",
    R"({"action_type":"snapshot"})",
    R"({"action_type":"wait_only"})",
    R"({"action_type":"custom_js_restricted","js_expression":"1"})",
    R"({"action_type":"new_tab"})",
    R"({"action_type":"switch_tab","tab_id":"t2"})",
    R"({"action_type":"close_tab"})",
    R"({"action_type":"handle_dialog","dialog":{"accept":true}})",
    R"({"action_type":"submit","selector":"#a"})",
    R"({"action_type":"purchase","selector":"#a"})",
    R"({"action_type":"focus","selector":"#a"})",
    R"({"action_type":"set_viewport","viewport":{"width":100,"height":100}})",
};

TEST(GuardsTest, EveryActionButAWaitGetsValidSoftGuards) {
  ASSERT_EQ(std::size(kActions), AllActionTypes().size());
  for (std::size_t i = 0; i < std::size(kActions); ++i) {
    const DerivedGuards guards = GuardsOf(kActions[i]);
    EXPECT_EQ(ActionSpec::FromJson(*ParseJson(kActions[i]))->type, AllActionTypes()[i].type);
    const bool is_wait = AllActionTypes()[i].type == ActionType::kWaitOnly;
    EXPECT_EQ(guards.empty(), is_wait) << kActions[i];
    for (const WaitCondition& wait : guards.waits) EXPECT_TRUE(wait.Validate()) << kActions[i];
    for (const VerificationRule& rule : guards.rules) {
      EXPECT_TRUE(rule.Validate()) << kActions[i];
      EXPECT_EQ(rule.severity, Severity::kSoft) << kActions[i];
    }
  }
}

TEST(GuardsTest, ActionsOnNoElementGetGuardsToo) {
  for (const char* action :
       {R"({"action_type":"type","text":"abc"})", R"({"action_type":"check","x":1,"y":2})",
        R"({"action_type":"type","selector":"#a","text":""})"}) {
    const DerivedGuards guards = GuardsOf(action);
    EXPECT_FALSE(guards.empty()) << action;
    for (const VerificationRule& rule : guards.rules) EXPECT_TRUE(rule.Validate()) << action;
  }
}

TEST(GuardsTest, LeavesAContractWithAGuardAlone) {
  ActionContract contract;
  contract.action_spec = *ActionSpec::FromJson(*ParseJson(kActions[4]));
  ASSERT_FALSE(DeriveGuards(contract).empty());
  contract.wait_conditions = {*WaitCondition::FromJson(json::object{{"kind", "popup"}})};
  EXPECT_TRUE(DeriveGuards(contract).empty());
}

TEST(GuardsTest, AClickIsFollowedByAnyEffect) {
  const DerivedGuards guards = GuardsOf(kActions[4]);
  ASSERT_EQ(guards.waits.size(), 1U);
  EXPECT_EQ(guards.waits[0].kind, WaitKind::kAny);
  std::vector<WaitKind> kinds;
  for (const WaitCondition& child : guards.waits[0].children) kinds.push_back(child.kind);
  EXPECT_EQ(kinds, (std::vector{WaitKind::kStateChange, WaitKind::kRequest, WaitKind::kDialog,
                                WaitKind::kPopup, WaitKind::kDownload}));
}

TEST(GuardsTest, ANavigationLooksAtTheAnswerToItsOwnAddress) {
  const DerivedGuards guards = GuardsOf(kActions[0]);
  ASSERT_EQ(guards.rules.size(), 1U);
  const auto& rule = std::get<NetworkStatusRule>(guards.rules[0].payload);
  EXPECT_EQ(rule.status_max, 399);
  EXPECT_TRUE(rule.filter.url.Matches("https://x.test/a?b=1"));
  EXPECT_FALSE(rule.filter.url.Matches("https://x.test/a?b=12"));
  EXPECT_FALSE(rule.filter.url.Matches("https://xxtest/a?b=1"));
  EXPECT_TRUE(GuardsOf(R"({"action_type":"navigate","url":"about:blank"})").rules.empty());
  EXPECT_TRUE(GuardsOf(R"({"action_type":"navigate","url":"https://x.test/#a"})").rules.empty());
}

TEST(GuardsTest, NeverHoldsWhatIsTyped) {
  for (const char* action :
       {R"({"action_type":"fill","selector":"#a","text":"hunter2"})",
        R"({"action_type":"type","selector":"#a","text":"hunter2"})",
        R"({"action_type":"fill","selector":"#a","text":{"secret":"hunter2"}})"}) {
    EXPECT_FALSE(json::serialize(GuardsOf(action).Summary()).contains("hunter2")) << action;
  }
  const auto secret = GuardsOf(R"({"action_type":"fill","selector":"#a","text":{"secret":"PW"}})");
  EXPECT_FALSE(std::get<ElementValueRule>(secret.rules.at(0).payload).check.expected)
      << "the length of a secret's name is not the length of the secret";
}

TEST(GuardsTest, CountsTextAsThePageDoes) {
  const auto guards = GuardsOf(R"({"action_type":"fill","selector":"#a","text":"aé😀"})");
  EXPECT_EQ(json::value(guards.rules.at(0).ToJson()),
            *ParseJson(R"({"rule_type":"property_state","severity":"soft",
                "payload":{"selector":"#a","property":"value.length","expected":4}})"));
}

TEST(GuardsTest, TheSummaryMarksThemAsDerived) {
  const json::object summary = GuardsOf(kActions[17]).Summary();
  EXPECT_EQ(json::value(summary), *ParseJson(R"({"derived":true,
                "waits":[{"kind":"download","payload":{"state":"completed"}}],
                "rules":[{"rule_type":"file_exists","severity":"soft"}]})"));
}

}  // namespace
}  // namespace falconer::model
