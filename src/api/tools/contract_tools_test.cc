#include "api/tools/contract_tools.h"

#include <gtest/gtest.h>

#include "model/token_estimate.h"

namespace falconer::api {
namespace {

json::object BigResult() {
  return {{"success", true},
          {"state_delta", {{"text", std::string(40'000, 'x')}}},
          {"verification", {{"passed", true}}}};
}

TEST(ContractToolsTest, ASmallResultIsAnsweredWhole) {
  const json::object result{{"success", true}, {"state_delta", {{"a", 1}}}};

  EXPECT_EQ(FittedResult(result), json::serialize(result));
}

TEST(ContractToolsTest, WhatIsOnRecordAnywayGivesWayAndIsNamed) {
  const auto fitted = ParseJsonObject(FittedResult(BigResult()));

  ASSERT_TRUE(fitted);
  EXPECT_EQ(*fitted, (json::object{{"success", true},
                                   {"verification", {{"passed", true}}},
                                   {"omitted", {"state_delta"}}}));
}

TEST(ContractToolsTest, APartThatIsLargerThanTheTenantMayBeShownGivesWay) {
  const json::object result{{"success", true},
                            {"metadata", {{"note", std::string(2000, 'x')}}},
                            {"network_summary", {{"requests", 3}}}};
  const model::TenantQuota quota{.max_step_tokens = 0, .max_metadata_tokens = 50};

  const auto fitted = ParseJsonObject(FittedResult(result, AnswerBudget::Of(quota)));

  ASSERT_TRUE(fitted);
  EXPECT_EQ(*fitted, (json::object{{"success", true},
                                   {"network_summary", {{"requests", 3}}},
                                   {"omitted", {"metadata"}}}));
  EXPECT_EQ(AnswerBudget::Of(quota).answer, kAnswerTokens);
  EXPECT_EQ(AnswerBudget::Of({.max_step_tokens = 1}).answer, 100U) << "room for a failure";
  EXPECT_EQ(AnswerBudget::Of({}).answer, 1200U);
}

TEST(ContractToolsTest, OfAPlanTheResultsOfItsStepsGiveWay) {
  const json::object plan{
      {"plan_id", "p"},
      {"success", true},
      {"steps", {{{"step_id", "a"}, {"status", "done"}, {"result", BigResult()}}}}};

  const std::string text = FittedPlanResult(plan);

  EXPECT_LE(model::EstimateTokens(text), kAnswerTokens);
  EXPECT_TRUE(text.contains(R"("omitted":["state_delta"])")) << text;
  EXPECT_TRUE(text.contains(R"("step_id":"a","status":"done")")) << text;
}

}  // namespace
}  // namespace falconer::api
