#include "policy/rules/time_zone.h"

#include <gtest/gtest.h>

namespace falconer::policy {
namespace {

using std::chrono::sys_days;
using std::chrono::sys_seconds;
using std::chrono::year;

constexpr sys_seconds At(int y, unsigned m, unsigned d, int hour, int minute = 0) {
  return sys_days(year(y) / std::chrono::month(m) / std::chrono::day(d)) +
         std::chrono::hours(hour) + std::chrono::minutes(minute);
}

TimeZone Zone(std::string_view name) {
  auto zone = TimeZone::Load(name);
  EXPECT_TRUE(zone) << Describe(zone.error());
  return zone.value_or(TimeZone());
}

long OffsetMinutes(const TimeZone& zone, sys_seconds time) {
  return std::chrono::duration_cast<std::chrono::minutes>(zone.OffsetAt(time)).count();
}

TEST(TimeZoneTest, KnowsSummerTimeToTheSecond) {
  const TimeZone berlin = Zone("Europe/Berlin");
  EXPECT_EQ(OffsetMinutes(berlin, At(2026, 3, 29, 0, 59)), 60);
  EXPECT_EQ(OffsetMinutes(berlin, At(2026, 3, 29, 1, 0)), 120);
  EXPECT_EQ(OffsetMinutes(berlin, At(2026, 10, 25, 0, 59)), 120);
  EXPECT_EQ(OffsetMinutes(berlin, At(2026, 10, 25, 1, 0)), 60);
}

TEST(TimeZoneTest, GoesOnAfterTheListedTransitions) {
  const TimeZone berlin = Zone("Europe/Berlin");
  EXPECT_EQ(OffsetMinutes(berlin, At(2060, 7, 1, 12)), 120);
  EXPECT_EQ(OffsetMinutes(berlin, At(2060, 1, 1, 12)), 60);
  const TimeZone sydney = Zone("Australia/Sydney");
  EXPECT_EQ(OffsetMinutes(sydney, At(2060, 1, 1, 12)), 660);
  EXPECT_EQ(OffsetMinutes(sydney, At(2060, 7, 1, 12)), 600);
}

TEST(TimeZoneTest, KnowsOddOffsets) {
  EXPECT_EQ(OffsetMinutes(Zone("Asia/Kolkata"), At(2026, 1, 1, 0)), 330);
  EXPECT_EQ(OffsetMinutes(Zone("Asia/Kathmandu"), At(2050, 1, 1, 0)), 345);
  EXPECT_EQ(OffsetMinutes(Zone("America/St_Johns"), At(2026, 1, 1, 0)), -210);
  EXPECT_EQ(OffsetMinutes(TimeZone(), At(2026, 7, 1, 0)), 0);
}

TEST(TimeZoneTest, TellsDayAndMinuteOnTheWall) {
  // 2026-11-15 is a Sunday; in Tokyo it is Monday already.
  EXPECT_EQ(TimeZone().At(At(2026, 11, 15, 23, 30)), (LocalTime{6, 23 * 60 + 30}));
  EXPECT_EQ(Zone("Asia/Tokyo").At(At(2026, 11, 15, 23, 30)), (LocalTime{0, 8 * 60 + 30}));
  EXPECT_EQ(Zone("America/New_York").At(At(2026, 11, 15, 3, 0)), (LocalTime{5, 22 * 60}));
}

TEST(TimeZoneTest, RefusesNamesThatLeaveTheFolder) {
  for (const char* name : {"", "../etc/passwd", "/etc/localtime", "Europe/../../etc/passwd", "a//b",
                           "Europe/", "x y"}) {
    const auto zone = TimeZone::Load(name);
    ASSERT_FALSE(zone) << name;
    EXPECT_EQ(zone.error().code(), ErrorCode::kInvalidArgument) << name;
  }
}

TEST(TimeZoneTest, SaysWhenThereIsNoSuchZone) {
  for (const char* name : {"Europe/Atlantis", "Europe"}) {
    const auto zone = TimeZone::Load(name);
    ASSERT_FALSE(zone) << name;
    EXPECT_EQ(zone.error().code(), ErrorCode::kNotFound) << name;
  }
}

TEST(TimeZoneTest, RefusesDamagedFiles) {
  std::string content(44, '\0');
  EXPECT_FALSE(TimeZone::Parse(""));
  EXPECT_FALSE(TimeZone::Parse(content));
  content.replace(0, 5, "TZif2");
  EXPECT_FALSE(TimeZone::Parse(content));
  content.replace(32, 4, "\x7f\xff\xff\xff");
  EXPECT_FALSE(TimeZone::Parse(content));
}

TEST(ZoneRuleTest, ReadsEveryFormOfChange) {
  const auto by_day = ZoneRule::Parse("AAA3BBB,J60/0,J300/0");
  ASSERT_TRUE(by_day);
  EXPECT_EQ(by_day->OffsetAt(At(2024, 2, 29, 12).time_since_epoch().count()), -3 * 3600);
  EXPECT_EQ(by_day->OffsetAt(At(2024, 3, 1, 12).time_since_epoch().count()), -2 * 3600);
  const auto bracketed = ZoneRule::Parse("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0");
  ASSERT_TRUE(bracketed);
  EXPECT_EQ(bracketed->OffsetAt(At(2060, 1, 1, 0).time_since_epoch().count()), 11 * 3600);
  // Negative times of the rule, as Greenland has them.
  const auto negative = ZoneRule::Parse("<-02>2<-01>,M3.5.0/-1,M10.5.0/0");
  ASSERT_TRUE(negative);
  EXPECT_EQ(negative->OffsetAt(At(2060, 7, 1, 0).time_since_epoch().count()), -3600);
}

TEST(ZoneRuleTest, RefusesWhatIsNoRule) {
  for (const char* text :
       {"", "X", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M1.1.0",
        "CET-1CEST,M3.5.0,M10.5.0/3x", "<>-1", "CET-999"}) {
    EXPECT_FALSE(ZoneRule::Parse(text)) << text;
  }
}

}  // namespace
}  // namespace falconer::policy
