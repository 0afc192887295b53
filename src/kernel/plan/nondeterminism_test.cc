#include "kernel/plan/nondeterminism.h"

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "kernel/plan/recorded_inputs.h"
#include "kernel/plan/replayed_inputs.h"

namespace falconer::kernel {
namespace {

using namespace std::chrono_literals;

json::value Weather() {
  return "rain";
}

json::value Nothing() {
  ADD_FAILURE() << "a replay must not look outside";
  return nullptr;
}

// A decision that depends on everything.
Result<std::string> Decide(TurnInputs& inputs, json::value (*look)()) {
  TRY_ASSIGN(const auto first, inputs.WallMillis("now"));
  TRY_ASSIGN(const auto jitter, inputs.RandomBelow("jitter", 1000));
  TRY_ASSIGN(const auto second, inputs.WallMillis("now"));
  TRY_ASSIGN(const auto seen, inputs.External("weather", model::InputSource::kExternalCall, look));
  return std::to_string(first) + ":" + std::to_string(jitter) + ":" + std::to_string(second) + ":" +
         std::string(seen.as_string());
}

class Ticking : public testing::Test {
 protected:
  FakeClock clock_;
};

using NondeterminismTest = Ticking;

TEST_F(NondeterminismTest, AReplayGivesBackWhatWasSeen) {
  RecordedInputs recorded(clock_, 42);
  const auto decided = Decide(recorded, Weather);
  ASSERT_TRUE(decided);
  clock_.Advance(1h);
  ReplayedInputs replayed(recorded.inputs());

  const auto again = Decide(replayed, Nothing);

  ASSERT_TRUE(again) << Describe(again.error());
  EXPECT_EQ(*again, *decided);
  EXPECT_TRUE(replayed.missing().empty());
  EXPECT_TRUE(replayed.Unused().empty());
}

TEST_F(NondeterminismTest, EveryValueIsRecordedUnderItsOwnKeyWithADigest) {
  RecordedInputs recorded(clock_, 42);
  ASSERT_TRUE(Decide(recorded, Weather));
  const auto evidence = recorded.Evidence();

  ASSERT_TRUE(evidence);
  model::Determinism determinism{.nondeterministic_inputs = *evidence};
  EXPECT_TRUE(determinism.Validate());
  std::vector<std::string> keys;
  for (const auto& input : *evidence) keys.push_back(input.input_key);
  EXPECT_EQ(keys, (std::vector<std::string>{"now#1", "jitter#1", "now#2", "weather#1"}));
}

TEST_F(NondeterminismTest, WhatWasNotRecordedIsReportedAsMissing) {
  RecordedInputs recorded(clock_, 42);
  ASSERT_TRUE(recorded.WallMillis("now"));
  ASSERT_TRUE(recorded.WallMillis("other"));
  ReplayedInputs replayed(recorded.inputs());
  ASSERT_TRUE(replayed.WallMillis("now"));

  const auto second = replayed.WallMillis("now");

  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(replayed.missing(), std::vector<std::string>{"now#2"});
  EXPECT_EQ(replayed.Unused(), std::vector<std::string>{"other#1"});
}

TEST_F(NondeterminismTest, AnInputFromAnotherSourceIsNotTheSame) {
  RecordedInputs recorded(clock_, 42);
  ASSERT_TRUE(recorded.WallMillis("x"));
  ReplayedInputs replayed(recorded.inputs());
  EXPECT_FALSE(replayed.RandomBelow("x", 10));
}

TEST_F(NondeterminismTest, ARecordedNumberOutOfRangeIsRefused) {
  ReplayedInputs replayed({{"a#1", model::InputSource::kRandom, "12"},
                           {"b#1", model::InputSource::kRandom, "x"},
                           {"c#1", model::InputSource::kSystemTime, "1"}});
  EXPECT_FALSE(replayed.RandomBelow("a", 12));
  EXPECT_FALSE(replayed.RandomBelow("b", 12));
  EXPECT_FALSE(replayed.WallMillis("c"));
}

TEST_F(NondeterminismTest, TheSameSeedDrawsTheSameNumbers) {
  RecordedInputs a(clock_, 7), b(clock_, 7), c(clock_, 8);
  std::vector<std::uint64_t> first, second, third;
  for (int i = 0; i < 20; ++i) {
    first.push_back(*a.RandomBelow("n", 1'000'000));
    second.push_back(*b.RandomBelow("n", 1'000'000));
    third.push_back(*c.RandomBelow("n", 1'000'000));
  }
  EXPECT_EQ(first, second);
  EXPECT_NE(first, third);
}

TEST_F(NondeterminismTest, RecordedInputsReadBackAsWritten) {
  RecordedInputs recorded(clock_, 42);
  ASSERT_TRUE(Decide(recorded, Weather));
  for (const RecordedInput& input : recorded.inputs()) {
    const auto read = ParseRecordedInput(input.ToJson());
    ASSERT_TRUE(read) << Describe(read.error());
    EXPECT_EQ(read->ToJson(), input.ToJson());
  }
  EXPECT_FALSE(ParseRecordedInput(*ParseJson(R"({"input_key":"a","source":"dream","value":1})")));
}

TEST_F(NondeterminismTest, WhatCannotBeWrittenDownIsNotDecidedOn) {
  RecordedInputs recorded(clock_, 42);
  const auto seen = recorded.External("bad", model::InputSource::kExternalCall,
                                      [] { return json::value("\xff"); });
  EXPECT_FALSE(seen);
  EXPECT_TRUE(recorded.inputs().empty());
}

}  // namespace
}  // namespace falconer::kernel
