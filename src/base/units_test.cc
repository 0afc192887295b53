#include "base/units.h"

#include <gtest/gtest.h>

namespace falconer {
namespace {

using std::chrono::milliseconds;

TEST(UnitsTest, ReadsDurations) {
  EXPECT_EQ(ParseDuration("500ms"), milliseconds(500));
  EXPECT_EQ(ParseDuration("20s"), milliseconds(20'000));
  EXPECT_EQ(ParseDuration("5m"), milliseconds(300'000));
  EXPECT_EQ(ParseDuration("1h"), milliseconds(3'600'000));
  EXPECT_EQ(ParseDuration("30000"), milliseconds(30'000));
  EXPECT_EQ(ParseDuration("0"), milliseconds(0));
}

TEST(UnitsTest, RefusesWhatIsNotADuration) {
  for (const std::string_view text : {"", "s", "-1s", "1.5s", "20 s", " 20s", "20S", "20sec",
                                      "20s ", "99999999999999999999", "9223372036854775807h"}) {
    EXPECT_FALSE(ParseDuration(text)) << text;
  }
}

TEST(UnitsTest, ReadsSizes) {
  EXPECT_EQ(ParseBytes("512"), 512);
  EXPECT_EQ(ParseBytes("512B"), 512);
  EXPECT_EQ(ParseBytes("64KiB"), 65'536);
  EXPECT_EQ(ParseBytes("512MiB"), 536'870'912);
  EXPECT_EQ(ParseBytes("2TiB"), 2'199'023'255'552);
  EXPECT_FALSE(ParseBytes("1KB"));
  EXPECT_FALSE(ParseBytes("9999999999TiB"));
}

TEST(UnitsTest, WritesTheLargestWholeUnit) {
  EXPECT_EQ(FormatDuration(milliseconds(0)), "0ms");
  EXPECT_EQ(FormatDuration(milliseconds(1500)), "1500ms");
  EXPECT_EQ(FormatDuration(milliseconds(90'000)), "90s");
  EXPECT_EQ(FormatDuration(milliseconds(1'800'000)), "30m");
  EXPECT_EQ(FormatBytes(536'870'912), "512MiB");
  EXPECT_EQ(FormatBytes(1000), "1000B");
}

TEST(UnitsTest, TimesOnTheWallAreInUtcToTheSecond) {
  const std::chrono::system_clock::time_point start;
  EXPECT_EQ(IsoTime(start), "1970-01-01T00:00:00Z");
  EXPECT_EQ(IsoTime(start + std::chrono::milliseconds(1'769'853'600'999)), "2026-01-31T10:00:00Z");
}

}  // namespace
}  // namespace falconer
