#include "engine/replay/observation_bound.h"

#include <gtest/gtest.h>

namespace falconer::engine {
namespace {

model::ActionExecutionResult ResultWith(const json::value& observed) {
  const model::RuleOutcome outcome{.type = model::RuleType::kTextState,
                                   .verdict = model::RuleVerdict::kPassed,
                                   .observed = observed};
  model::ActionExecutionResult result;
  result.verification = model::VerificationReport::Of({outcome});
  result.failure = model::ActionFailure{.details = {{"rules", json::array{outcome.ToJson()}}}};
  result.metadata["preconditions"] = result.verification->ToJson();
  return result;
}

TEST(ObservationBoundTest, WhatIsSmallStaysAsItIs) {
  const json::value small = json::object{{"matches", 1}, {"texts", json::array{"Thank you"}}};
  auto result = ResultWith(small);
  BoundObservations(result);
  EXPECT_EQ(result, ResultWith(small));
  EXPECT_FALSE(IsCut(small));
}

TEST(ObservationBoundTest, WhatIsHugeIsCutEverywhereAndKeepsItsDigest) {
  json::array texts;
  for (int i = 0; i < 1000; ++i) texts.emplace_back(std::string(60, 'x'));
  auto result = ResultWith(json::object{{"matches", 1000}, {"texts", std::move(texts)}});
  BoundObservations(result);

  const json::value& kept = result.verification->outcomes[0].observed;
  EXPECT_TRUE(IsCut(kept));
  EXPECT_GT(kept.at("cut").at("bytes").to_number<std::size_t>(), kMaxObservation);
  EXPECT_EQ(kept.at("cut").at("sha256").as_string().size(), 64U);
  EXPECT_LT(json::serialize(result.ToJson()).size(), 4096U);
}

}  // namespace
}  // namespace falconer::engine
