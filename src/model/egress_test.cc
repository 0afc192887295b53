#include "model/egress.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

EgressEntry Entry(std::uint64_t number, EgressOutcome outcome, std::string host = "a.test") {
  return {.number = number,
          .host = std::move(host),
          .port = 80,
          .kind = "http",
          .method = "GET",
          .outcome = outcome};
}

TEST(EgressReportTest, FindsTheNewestTroubleOfAHost) {
  EgressReport report;
  report.entries = {Entry(1, EgressOutcome::kRefused), Entry(2, EgressOutcome::kFailed),
                    Entry(3, EgressOutcome::kDone), Entry(4, EgressOutcome::kRefused, "b.test")};
  EXPECT_EQ(report.Trouble("a.test", 80)->number, 2U);
  EXPECT_EQ(report.Trouble("b.test", 80)->number, 4U);
  EXPECT_EQ(report.Trouble("b.test", 443), nullptr);
  EXPECT_EQ(report.Trouble("c.test", 80), nullptr);
}

TEST(EgressReportTest, TheSummaryCountsAndShowsRefusalsOnly) {
  EgressReport report{.requests = 30, .refused = 25, .bytes_up = 5, .bytes_down = 6};
  report.entries.push_back(Entry(1, EgressOutcome::kDone));
  for (std::uint64_t i = 2; i < 27; ++i)
    report.entries.push_back(Entry(i, EgressOutcome::kRefused));
  const json::object summary = report.Summary();
  EXPECT_EQ(summary.at("requests"), json::value(std::uint64_t{30}));
  EXPECT_EQ(summary.at("bytes_down"), json::value(std::uint64_t{6}));
  EXPECT_EQ(summary.at("refusals").as_array().size(), kMaxEgressRefusals);
  EXPECT_FALSE(summary.contains("dropped"));
  EXPECT_FALSE(EgressReport().Summary().contains("refusals"));
}

TEST(EgressEntryTest, LeavesOutWhatHasNoValue) {
  EgressEntry entry = Entry(7, EgressOutcome::kRefused);
  entry.reason = "no_allow_rule";
  entry.status = 403;
  EXPECT_EQ(json::serialize(entry.ToJson()),
            R"({"number":7,"host":"a.test","port":80,"kind":"http","method":"GET",)"
            R"("reason":"no_allow_rule","bytes_up":0,"bytes_down":0,"outcome":"refused",)"
            R"("status":403})");
}

}  // namespace
}  // namespace falconer::model
