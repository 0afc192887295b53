#include "engine/turn_meter.h"

#include <gtest/gtest.h>

namespace falconer::engine {
namespace {

using model::ActionType;

TEST(TurnMeterTest, CountsWhatContractsCameTo) {
  TurnMeter meter;
  EXPECT_EQ(meter.total(), 0U);
  EXPECT_EQ(meter.shed(), 0U);

  model::ActionExecutionResult good;
  good.success = true;
  meter.NoteTurn(ActionType::kClick, good, std::chrono::milliseconds(20));
  meter.NoteRefusal(ActionType::kClick, ErrorCode::kQueueFull);
  meter.NoteRefusal(std::nullopt, ErrorCode::kInvalidContract);
  meter.NoteCancel(std::chrono::milliseconds(7));

  EXPECT_EQ(meter.total(), 3U);
  EXPECT_EQ(meter.shed(), 1U) << "only what found no room";
  EXPECT_EQ(meter.ends().at({"click", "ok"}), 1U);
  EXPECT_EQ(meter.cancels().count(), 1U);
  EXPECT_NEAR(meter.cancels().sum(), 0.007, 1e-9);
}

}  // namespace
}  // namespace falconer::engine
