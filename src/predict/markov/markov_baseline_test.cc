#include "predict/markov/markov_baseline.h"

#include <gtest/gtest.h>

namespace falconer::predict {
namespace {

using BaselineSteps = std::vector<std::uint64_t>;

MarkovBaseline BaselineOf(const std::vector<BaselineSteps>& sequences) {
  MarkovBaseline baseline;
  for (const BaselineSteps& steps : sequences)
    for (std::size_t at = 0; at < steps.size(); ++at)
      baseline.Observe(std::span(steps).first(at), steps[at]);
  return baseline;
}

TEST(MarkovBaselineTest, SharesAreCountsOfTheSecondOrder) {
  const MarkovBaseline baseline = BaselineOf({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 4}});

  const auto predictions = baseline.Predict(BaselineSteps{1, 2}, 5);

  ASSERT_EQ(predictions.size(), 2U);
  EXPECT_EQ(predictions[0].symbol, 3U);
  EXPECT_DOUBLE_EQ(predictions[0].confidence, 0.75);
  EXPECT_EQ(predictions[0].source, "second_order");
}

TEST(MarkovBaselineTest, FallsBackToTheFirstOrderThenToNothing) {
  const MarkovBaseline baseline = BaselineOf({{1, 2, 3}});

  EXPECT_EQ(baseline.Predict(BaselineSteps{9, 2}, 5).at(0).source, "first_order");
  EXPECT_TRUE(baseline.Predict(BaselineSteps{9, 8}, 5).empty());
  EXPECT_TRUE(baseline.Predict({}, 5).empty());
}

TEST(MarkovBaselineTest, EqualOnesComeByTheirSymbols) {
  const MarkovBaseline baseline = BaselineOf({{1, 9}, {1, 4}, {1, 6}});

  const auto predictions = baseline.Predict(BaselineSteps{1}, 2);

  ASSERT_EQ(predictions.size(), 2U);
  EXPECT_EQ(predictions[0].symbol, 4U);
  EXPECT_EQ(predictions[1].symbol, 6U);
}

}  // namespace
}  // namespace falconer::predict
