#include "kernel/flow/lanes.h"

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"

namespace falconer::kernel {
namespace {

using namespace std::chrono_literals;
using model::Lane;

class LanesTest : public testing::Test {
 protected:
  LanePush Push(Lane lane) {
    const model::EventHeader header{.lane = lane, .runtime_sequence = ++sequence_};
    if (lane == Lane::kControl) {
      return queues_.Push(std::make_shared<const BusEvent>(model::ControlSignal{.header = header}));
    }
    return queues_.Push(std::make_shared<const BusEvent>(model::EventRecord{.header = header}));
  }
  // "c3" is the control event numbered 3, "t[1-5]x5" a gap of five.
  std::string Pop() {
    const std::optional<LaneItem> item = queues_.Pop();
    if (!item) return "";
    constexpr std::string_view kLetters = "cdt";
    if (const auto* gap = std::get_if<LaneGap>(&*item)) {
      return kLetters[static_cast<std::size_t>(gap->lane)] +
             ("[" + std::to_string(gap->range.start)) + "-" + std::to_string(gap->range.end) +
             "]x" + std::to_string(gap->count);
    }
    const model::EventHeader& header = HeaderOf(*std::get<BusEventPtr>(*item));
    return kLetters[static_cast<std::size_t>(header.lane)] +
           std::to_string(header.runtime_sequence);
  }

  FakeClock clock_;
  std::vector<std::string> pressure_;
  LaneQueues queues_{clock_,
                     {.control = 4, .control_reserve = 2, .data = 8, .telemetry = 8},
                     [this](Lane lane, LanePressure pressure) {
                       pressure_.push_back(std::string(NameIn(model::kLanes, lane)) +
                                           (pressure == LanePressure::kHigh ? "+" : "-"));
                     }};
  std::int64_t sequence_ = 0;
};

TEST_F(LanesTest, ControlComesBeforeDataBeforeTelemetry) {
  for (const Lane lane : {Lane::kTelemetry, Lane::kData, Lane::kControl, Lane::kTelemetry,
                          Lane::kControl, Lane::kData}) {
    EXPECT_EQ(Push(lane), LanePush::kQueued);
  }
  std::string order;
  while (!queues_.is_empty()) order += Pop() + " ";
  EXPECT_EQ(order, "c3 c5 d2 d6 t1 t4 ");
}

TEST_F(LanesTest, TheDefaultsAreTheAgreedOnes) {
  const LaneLimits limits;
  EXPECT_EQ(limits.control, 32U);
  EXPECT_EQ(limits.data, 128U);
  EXPECT_EQ(limits.telemetry, 128U);
}

TEST_F(LanesTest, FullTelemetryLosesTheOldestAndSaysSoOnce) {
  for (int i = 0; i < 8; ++i) EXPECT_EQ(Push(Lane::kTelemetry), LanePush::kQueued);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Push(Lane::kTelemetry), LanePush::kQueuedAfterLoss);

  EXPECT_EQ(Pop(), "t[1-5]x5");
  EXPECT_EQ(Pop(), "t6");
  EXPECT_EQ(queues_.stats(Lane::kTelemetry).lost, 5U);
  for (int i = 0; i < 3; ++i) Push(Lane::kTelemetry);
  EXPECT_EQ(Pop(), "t[7-8]x2") << "a new loss is a new gap";
}

TEST_F(LanesTest, FullDataRefusesTheNewestAndTheGapStandsWhereTheyWereMissing) {
  for (int i = 0; i < 8; ++i) EXPECT_EQ(Push(Lane::kData), LanePush::kQueued);
  EXPECT_EQ(Push(Lane::kData), LanePush::kShed);
  EXPECT_EQ(Push(Lane::kData), LanePush::kShed);
  EXPECT_EQ(Pop(), "d1");
  EXPECT_EQ(Push(Lane::kData), LanePush::kQueued);

  std::string order;
  while (!queues_.is_empty()) order += Pop() + " ";
  EXPECT_EQ(order, "d2 d3 d4 d5 d6 d7 d8 d[9-10]x2 d11 ");
}

TEST_F(LanesTest, PressureIsToldAtItsEdgesOnly) {
  for (int i = 0; i < 12; ++i) Push(Lane::kData);
  EXPECT_EQ(pressure_, std::vector<std::string>{"data+"}) << "overflowing on does not repeat it";
  for (int i = 0; i < 5; ++i) Pop();
  EXPECT_EQ(pressure_.size(), 1U) << "not yet at the low mark";
  Pop();
  EXPECT_EQ(pressure_, (std::vector<std::string>{"data+", "data-"}));
  while (!queues_.is_empty()) Pop();
  EXPECT_EQ(pressure_.size(), 2U);
  for (int i = 0; i < 4; ++i) Push(Lane::kData);
  EXPECT_EQ(pressure_.back(), "data+");
}

TEST_F(LanesTest, ControlIsNeverShed) {
  for (int i = 0; i < 6; ++i) EXPECT_EQ(Push(Lane::kControl), LanePush::kQueued) << i;
  EXPECT_EQ(Push(Lane::kControl), LanePush::kOverrun) << "the reader is lost, not the signal";
  EXPECT_EQ(queues_.stats(Lane::kControl).lost, 0U);
}

// F4: a flood of telemetry does not hold up control.
TEST_F(LanesTest, ControlPreemptsAFloodOfTelemetry) {
  for (int i = 0; i < 1000; ++i) Push(Lane::kTelemetry);
  EXPECT_EQ(Push(Lane::kControl), LanePush::kQueued);
  clock_.Advance(2ms);

  EXPECT_EQ(Pop(), "c1001") << "the very next thing read";
  EXPECT_EQ(queues_.preempt_delay().count, 1U);
  EXPECT_EQ(queues_.preempt_delay().worst, Duration(2ms));
  EXPECT_LE(queues_.stats(Lane::kTelemetry).deepest, 8U);
}

}  // namespace
}  // namespace falconer::kernel
