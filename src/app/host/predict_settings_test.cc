#include "app/host/predict_settings.h"

#include <gtest/gtest.h>

namespace falconer::app {
namespace {

Settings PredictSettingsWith(std::vector<std::pair<std::string, std::string>> flags) {
  const auto loaded = LoadSettings({.file = std::nullopt, .environment = {}, .flags = flags});
  EXPECT_TRUE(loaded) << loaded.error().message();
  return loaded ? loaded->values : Settings();
}

TEST(PredictSettingsTest, WhatIsNotSaidIsAsTheRulesHaveIt) {
  const predict::PredictRules rules = PredictRulesFrom(DefaultSettings());
  const predict::PredictRules own;

  EXPECT_EQ(rules.learns, own.learns);
  EXPECT_EQ(rules.profile, own.profile);
  EXPECT_EQ(rules.max_iterations, own.max_iterations);
  EXPECT_EQ(rules.workflow_timeout, own.workflow_timeout);
  EXPECT_EQ(rules.loop_limit, own.loop_limit);
  EXPECT_EQ(rules.model_below, own.model_below);
  EXPECT_EQ(rules.speculates, own.speculates);
  EXPECT_EQ(rules.speculate_from, own.speculate_from);
  EXPECT_EQ(rules.max_transitions, own.max_transitions);
  EXPECT_EQ(rules.half_life_days, own.half_life_days);
}

TEST(PredictSettingsTest, WhatIsSaidReachesTheRules) {
  const predict::PredictRules rules =
      PredictRulesFrom(PredictSettingsWith({{"predict.enabled", "false"},
                                            {"predict.profile", "conservative"},
                                            {"predict.workflow_timeout", "90s"},
                                            {"predict.half_life", "36h"}}));

  EXPECT_FALSE(rules.learns);
  EXPECT_EQ(rules.profile, predict::PredictProfile::kConservative);
  EXPECT_EQ(rules.workflow_timeout, std::chrono::seconds(90));
  EXPECT_EQ(rules.half_life_days, 1.5);
}

}  // namespace
}  // namespace falconer::app
