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

}  // namespace
}  // namespace falconer::api
