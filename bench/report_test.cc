#include "bench/report.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "bench/samples.h"

namespace falconer::bench {
namespace {

constexpr Aim kRatioAtMost{Aim::Bound::kAtMost, 1.5, Aim::Of::kRatio};
constexpr Aim kRatioAtLeast{Aim::Bound::kAtLeast, 8, Aim::Of::kRatio};
constexpr Aim kValueAtMost{Aim::Bound::kAtMost, 10, Aim::Of::kValue};

Row Against(double value, Baseline baseline, Aim aim) {
  return {"click", value, "ms", std::move(baseline), aim};
}

TEST(RowTest, ShareDividesByTheBaseline) {
  const Row row = Against(3, {"floor", 2, Ratio::kShare}, kRatioAtMost);

  EXPECT_DOUBLE_EQ(row.ratio().value(), 1.5);
  EXPECT_TRUE(row.met().value());
}

TEST(RowTest, TimesBaselineSaysHowMuchFaster) {
  const Row row = Against(4, {"playwright", 30, Ratio::kTimesBaseline}, kRatioAtLeast);

  EXPECT_DOUBLE_EQ(row.ratio().value(), 7.5);
  EXPECT_FALSE(row.met().value());
}

TEST(RowTest, AnAimOnTheValueNeedsNoBaseline) {
  EXPECT_TRUE((Row{"own_memory", 9.9, "MiB", {}, kValueAtMost}.met().value()));
  EXPECT_FALSE((Row{"own_memory", 10.1, "MiB", {}, kValueAtMost}.met().value()));
}

TEST(RowTest, WhatCouldNotBeMeasuredDoesNotMeetItsAim) {
  const Row no_value{"click", {}, "ms", Baseline{"floor", 2, Ratio::kShare}, kRatioAtMost};
  const Row no_baseline{"click", 2, "ms", Baseline{"floor", {}, Ratio::kShare}, kRatioAtMost};
  const Row zero_baseline = Against(2, {"floor", 0, Ratio::kShare}, kRatioAtMost);

  for (const Row& row : {no_value, no_baseline, zero_baseline}) {
    EXPECT_FALSE(row.ratio().has_value());
    EXPECT_FALSE(row.met().value());
  }
}

TEST(RowTest, WithoutAnAimNothingIsClaimed) {
  EXPECT_FALSE((Row{"screenshot", 30, "ms"}.met().has_value()));
}

TEST(ReportTest, JsonCarriesEveryFieldAndNullForWhatIsAbsent) {
  const Row rows[] = {Against(3, {"floor", 2, Ratio::kShare}, kRatioAtMost), {"b", {}, "ms"}};

  const auto parsed = boost::json::parse(FormatJson(rows));

  EXPECT_EQ(parsed, boost::json::parse(R"([
    {"name":"click","value":3,"unit":"ms","baseline":2,"against":"floor","ratio":1.5,
     "aim":"ratio <= 1.5","met":true},
    {"name":"b","value":null,"unit":"ms","baseline":null,"against":null,"ratio":null,
     "aim":null,"met":null}])"));
}

TEST(ReportTest, TableShowsAMissedAim) {
  const Row rows[] = {Against(4, {"floor", 2, Ratio::kShare}, kRatioAtMost)};

  EXPECT_EQ(FormatTable(rows),
            "figure  value  unit  baseline  against  ratio           aim  met\n"
            "click   4.000    ms     2.000    floor  2.000  ratio <= 1.5   NO\n");
}

TEST(ReportTest, WriteJsonCreatesTheFolderAndRefusesAnImpossiblePath) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "bench_report_test";
  const Row rows[] = {{"a", 1, "ms"}};

  ASSERT_TRUE(WriteJson((folder / "deep" / "rows.json").string(), rows));
  std::stringstream text;
  text << std::ifstream(folder / "deep" / "rows.json").rdbuf();
  EXPECT_EQ(text.str(), FormatJson(rows));
  EXPECT_FALSE(WriteJson((folder / "deep" / "rows.json" / "x").string(), rows));
  std::filesystem::remove_all(folder);
}

TEST(SamplesTest, PercentilesInterpolate) {
  EXPECT_DOUBLE_EQ(PercentileOf({4, 1, 3, 2}, 0.5).value(), 2.5);
  EXPECT_DOUBLE_EQ(PercentileOf({5}, 0.95).value(), 5);
  EXPECT_FALSE(PercentileOf({}, 0.5).has_value());
}

TEST(SamplesTest, AMissIsCountedAndNotTimed) {
  Samples samples;
  samples.Add(std::chrono::milliseconds(2), 100);
  samples.Miss("no effect");
  samples.Miss("again");

  EXPECT_DOUBLE_EQ(samples.Percentile(0.5).value(), 2);
  EXPECT_EQ(samples.missed(), 2U);
  EXPECT_EQ(samples.first_miss(), "no effect");
}

}  // namespace
}  // namespace falconer::bench
