#include "browser/stream/pace.h"

#include <vector>

#include <gtest/gtest.h>

namespace falconer::browser {
namespace {

using std::chrono::milliseconds;

constexpr ViewerShare kQuick = {.offered = 20, .dropped = 0, .taken = 20};
constexpr ViewerShare kSlow = {.offered = 20, .dropped = 12, .taken = 8};
constexpr ViewerShare kStuck = {.offered = 20, .dropped = 20, .taken = 0};

void NoteTimes(Pace& pace, int times, const std::vector<ViewerShare>& viewers) {
  for (int i = 0; i < times; ++i) pace.Note(viewers);
}

TEST(PaceTest, BeginsAtItsBest) {
  const Pace pace(25, 10);
  EXPECT_EQ(pace.quality(), 25);
  EXPECT_EQ(pace.interval(), milliseconds(100));
}

TEST(PaceTest, SlowViewersGetSmallerAndThenFewerFrames) {
  Pace pace(80, 10);
  pace.Note(std::vector{kSlow});
  EXPECT_LT(pace.quality(), 80);
  EXPECT_EQ(pace.interval(), milliseconds(100)) << "size goes first";
  NoteTimes(pace, 10, {kSlow});
  EXPECT_GT(pace.interval(), milliseconds(100));
  EXPECT_GE(pace.quality(), 5);
}

TEST(PaceTest, GoesBackWhenAllKeepUpForAWhile) {
  Pace pace(80, 10);
  NoteTimes(pace, 2, {kSlow});
  const int level = pace.level();
  NoteTimes(pace, 2, {kQuick});
  EXPECT_EQ(pace.level(), level) << "not at once";
  NoteTimes(pace, 30, {kQuick});
  EXPECT_EQ(pace.level(), 0);
  EXPECT_EQ(pace.quality(), 80);
}

TEST(PaceTest, OneWhoTakesNothingSlowsNobodyDown) {
  Pace pace(80, 10);
  NoteTimes(pace, 10, {kStuck, kQuick});
  EXPECT_EQ(pace.level(), 0);
  NoteTimes(pace, 10, {kStuck});
  EXPECT_EQ(pace.level(), 0);
}

TEST(PaceTest, AFewSlowOnesDoNotSpoilItForMany) {
  Pace pace(80, 10);
  NoteTimes(pace, 10, {kSlow, kQuick, kQuick});
  EXPECT_EQ(pace.level(), 0);
  NoteTimes(pace, 1, {kSlow, kSlow, kQuick});
  EXPECT_EQ(pace.level(), 1);
}

}  // namespace
}  // namespace falconer::browser
