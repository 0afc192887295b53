#include "predict/act/planner.h"

#include <gtest/gtest.h>

namespace falconer::predict {
namespace {

TEST(PlannerTest, EachProfileHasItsThreshold) {
  EXPECT_DOUBLE_EQ(ThresholdOf(PredictProfile::kAggressive), 0.3);
  EXPECT_DOUBLE_EQ(ThresholdOf(PredictProfile::kBalanced), 0.5);
  EXPECT_DOUBLE_EQ(ThresholdOf(PredictProfile::kConservative), 0.7);
}

TEST(PlannerTest, SaysThatNothingIsKnown) {
  EXPECT_EQ(PlanNext(std::nullopt, 0.5),
            (NextPlan{.executes = false, .reason = "no_predictions_available", .threshold = 0.5}));
}

TEST(PlannerTest, SaysHowFarAPredictionIsBelowTheThreshold) {
  const NextPlan plan = PlanNext(0.414, 0.7);

  EXPECT_FALSE(plan.executes);
  EXPECT_EQ(plan.reason, "confidence_too_low_0.41_below_0.70");
}

TEST(PlannerTest, CarriesOutWhatIsAsSureAsItMustBe) {
  const NextPlan plan = PlanNext(0.5, 0.5);

  EXPECT_TRUE(plan.executes);
  EXPECT_EQ(plan.reason, "confidence_above_threshold_0.50");
}

TEST(PlannerTest, JsonSaysWhetherWhyAndFromWhereOn) {
  EXPECT_EQ(
      PlanNext(0.9, 0.3).ToJson(),
      (json::object{
          {"execute", true}, {"reason", "confidence_above_threshold_0.90"}, {"threshold", 0.3}}));
}

}  // namespace
}  // namespace falconer::predict
