#include <gtest/gtest.h>

#include "bench/announcements.h"
#include "bench/settings.h"
#include "bench/site.h"

namespace falconer::bench {
namespace {

TEST(SettingsTest, DefaultsMeasureEverything) {
  const auto settings = ParseSettings({});

  ASSERT_TRUE(settings) << settings.error();
  EXPECT_EQ(settings->samples, 100U);
  EXPECT_TRUE(settings->Wants("click"));
  EXPECT_FALSE(settings->hold);
}

TEST(SettingsTest, OnlyLimitsTheFigures) {
  const auto settings = ParseSettings({"--only", "click,fill"});

  ASSERT_TRUE(settings) << settings.error();
  EXPECT_TRUE(settings->Wants("fill"));
  EXPECT_FALSE(settings->Wants("navigate"));
}

TEST(SettingsTest, HoldTakesItsThreeOptions) {
  const auto settings =
      ParseSettings({"--hold", "9", "--with", "floor", "--site", "http://127.0.0.1:1"});

  ASSERT_TRUE(settings) << settings.error();
  EXPECT_EQ(settings->hold->sessions, 9U);
  EXPECT_EQ(settings->hold->contestant, "floor");
}

struct BadArguments {
  std::vector<std::string> arguments;
  std::string error;
};

TEST(SettingsTest, RefusesBadArgumentsByName) {
  const BadArguments cases[] = {
      {{"--fast", "1"}, "unknown option --fast"},
      {{"--out"}, "option --out needs a value"},
      {{"--hold", "0"}, "--hold: expected a number from 1 to 256, got \"0\""},
      {{"--hold", "2x"}, "--hold: expected a number from 1 to 256, got \"2x\""},
      {{"--hold", "2"}, "--hold, --with and --site go together"},
      {{"--only", "clock"}, "no figure clock"},
  };
  for (const auto& each : cases) {
    const auto settings = ParseSettings(each.arguments);
    ASSERT_FALSE(settings) << each.error;
    EXPECT_EQ(settings.error(), each.error);
  }
}

TEST(AnnouncementsTest, CountsWhatNeverArrived) {
  Announcements announcements;
  announcements.Saw("bench n1 load");
  announcements.Saw("bench n1 fill");
  announcements.Saw("bench n1 fill");
  announcements.Saw("bench n1");
  announcements.Saw("hello");

  EXPECT_EQ(announcements.MissingOf("n1"), 1U);
  EXPECT_EQ(announcements.MissingOf("n2"), 3U);
}

TEST(SiteTest, AReadingMustShowEveryMark) {
  const Visit visit = Site{"http://127.0.0.1:1"}.App("n7");

  EXPECT_EQ(visit.url, "http://127.0.0.1:1/app?n=n7");
  EXPECT_TRUE(RequireMarks("Mark n7 Shadow mark n7 Near mark n7 Far mark n7", visit.marks));
  EXPECT_EQ(RequireMarks("Mark n7 Shadow mark n7", visit.marks).error(),
            "the reading does not show \"Near mark n7\"");
}

}  // namespace
}  // namespace falconer::bench
