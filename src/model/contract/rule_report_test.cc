#include "model/contract/rule_report.h"

#include <gtest/gtest.h>

#include "model/contract/rule_judge.h"

namespace falconer::model {
namespace {

RuleOutcome Outcome(std::string_view severity, std::string_view observed) {
  const auto rule = VerificationRule::FromJson(
      json::object{{"rule_type", "count"}, {"severity", severity}, {"selector", "li"}, {"n", 1}});
  return Judge(*rule, *ParseJson(observed));
}

TEST(VerificationReportTest, OnlyHardRulesDecide) {
  struct Row {
    std::vector<RuleOutcome> outcomes;
    bool passed;
  };
  const Row rows[] = {
      {{}, true},
      {{Outcome("hard", R"({"matches":1})")}, true},
      {{Outcome("hard", R"({"matches":2})")}, false},
      {{Outcome("hard", R"({})")}, false},
      {{Outcome("soft", R"({"matches":2})"), Outcome("soft", R"({})")}, true},
      {{Outcome("soft", R"({"matches":2})"), Outcome("hard", R"({"matches":0})")}, false},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(VerificationReport::Of(row.outcomes).passed, row.passed);
  }
}

TEST(VerificationReportTest, RecordsPassesWithWhatWasObserved) {
  const auto report = VerificationReport::Of({Outcome("hard", R"({"matches":1})")});
  EXPECT_EQ(
      json::value(report.ToJson()),
      *ParseJson(
          R"({"passed":true,"outcomes":[{"rule_type":"count","severity":"hard","verdict":"passed",
              "expected":{"selector":"li","n":1},"observed":{"matches":1}}]})"));
}

TEST(VerificationReportTest, SurvivesTheWayThereAndBack) {
  const auto report =
      VerificationReport::Of({Outcome("hard", R"({"matches":1})"),
                              Outcome("soft", R"({"matches":7})"), Outcome("hard", R"({})")});
  const auto again = VerificationReport::FromJson(report.ToJson());
  ASSERT_TRUE(again) << Describe(again.error());
  EXPECT_EQ(*again, report);
  EXPECT_EQ(json::serialize(again->ToJson()), json::serialize(report.ToJson()));
}

TEST(VerificationReportTest, RefusesAReportThatContradictsItself) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"({"passed":true,"outcomes":[{"rule_type":"count","severity":"hard","verdict":"failed","code":"COUNT_MISMATCH"}]})",
       "verification.passed: is not what the outcomes say"},
      {R"({"passed":true,"outcomes":[{"rule_type":"count","severity":"soft","verdict":"failed","code":"TEXT_MISMATCH"}]})",
       "verification.outcomes[0].code: does not go with the verdict"},
      {R"({"passed":true,"outcomes":[{"rule_type":"count","severity":"soft","verdict":"passed","code":"COUNT_MISMATCH"}]})",
       "verification.outcomes[0].code: does not go with the verdict"},
      {R"({"passed":true,"outcomes":[{"rule_type":"x","severity":"soft","verdict":"passed"}]})",
       "verification.outcomes[0].rule_type: is not a known rule"},
      {R"({"outcomes":[]})", "verification.passed: is required"},
  };
  for (const auto& [text, why] : cases) {
    const auto report = VerificationReport::FromJson(*ParseJson(text));
    ASSERT_FALSE(report) << text;
    EXPECT_EQ(report.error().message(), why);
  }
}

}  // namespace
}  // namespace falconer::model
