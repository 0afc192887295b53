#include "api/http/metrics_text.h"

#include <gtest/gtest.h>

namespace falconer::api {
namespace {

TEST(MetricsTextTest, WritesWhatPrometheusReads) {
  MetricsText out;
  out.One("falconer_approvals_pending", "gauge", "Waiting.", 2);
  out.Begin("falconer_approvals_total", "counter", "Over.");
  out.Sample("falconer_approvals_total", "state=\"denied\"", 7);
  out.Sample("falconer_seconds_sum", "", 0.25);

  EXPECT_EQ(out.text(),
            "# HELP falconer_approvals_pending Waiting.\n# TYPE falconer_approvals_pending gauge\n"
            "falconer_approvals_pending 2\n"
            "# HELP falconer_approvals_total Over.\n# TYPE falconer_approvals_total counter\n"
            "falconer_approvals_total{state=\"denied\"} 7\n"
            "falconer_seconds_sum 0.25\n");
}

TEST(MetricsTextTest, AHistogramHasItsStepsItsSumAndItsCount) {
  DurationHistogram took;
  took.Note(std::chrono::milliseconds(20));
  took.Note(std::chrono::seconds(30));
  MetricsText out;
  out.Histogram("falconer_x_seconds", "action=\"click\"", took);

  for (const std::string_view line :
       {"falconer_x_seconds_bucket{action=\"click\",le=\"0.01\"} 0\n",
        "falconer_x_seconds_bucket{action=\"click\",le=\"0.025\"} 1\n",
        "falconer_x_seconds_bucket{action=\"click\",le=\"10\"} 1\n",
        "falconer_x_seconds_bucket{action=\"click\",le=\"+Inf\"} 2\n",
        "falconer_x_seconds_sum{action=\"click\"} 30.02\n",
        "falconer_x_seconds_count{action=\"click\"} 2\n"}) {
    EXPECT_TRUE(out.text().contains(line)) << line << out.text();
  }
}

TEST(MetricsTextTest, AHistogramCanBeInMilliseconds) {
  DurationHistogram took;
  took.Note(std::chrono::milliseconds(20));
  MetricsText out;
  out.Histogram("falconer_x_ms", "", took, 1000);
  EXPECT_TRUE(out.text().contains("falconer_x_ms_bucket{le=\"10\"} 0\n")) << out.text();
  EXPECT_TRUE(out.text().contains("falconer_x_ms_bucket{le=\"25\"} 1\n")) << out.text();
  EXPECT_TRUE(out.text().contains("falconer_x_ms_sum 20\n")) << out.text();
}

}  // namespace
}  // namespace falconer::api
