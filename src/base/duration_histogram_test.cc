#include "base/duration_histogram.h"

#include <gtest/gtest.h>

namespace falconer {
namespace {

using std::chrono::milliseconds;

TEST(DurationHistogramTest, EachStepCountsWhatTookNoLonger) {
  DurationHistogram histogram;
  for (const int ms : {1, 7, 7, 600, 60'000}) histogram.Note(milliseconds(ms));

  EXPECT_EQ(histogram.count(), 5U);
  EXPECT_NEAR(histogram.sum(), 60.615, 1e-9);
  EXPECT_EQ(histogram.within()[0], 1U) << "1 ms";
  EXPECT_EQ(histogram.within()[3], 3U) << "10 ms";
  EXPECT_EQ(histogram.within()[8], 3U) << "half a second";
  EXPECT_EQ(histogram.within()[9], 4U) << "a second";
  EXPECT_EQ(histogram.within().back(), 4U);
}

}  // namespace
}  // namespace falconer
