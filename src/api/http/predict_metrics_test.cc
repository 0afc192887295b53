#include "api/http/predict_metrics.h"

#include <gtest/gtest.h>

namespace falconer::api {
namespace {

TEST(PredictMetricsTest, EveryNumberIsASampleOfItsKind) {
  MetricsText out;

  AddPredictions({{"total_predictions", 4},
                  {"prediction_accuracy", 0.75},
                  {"known", {{"transitions", 12}}},
                  {"node", "n1"}},
                 out);

  EXPECT_TRUE(out.text().contains("# TYPE falconer_predict_total_predictions counter\n"));
  EXPECT_TRUE(out.text().contains("\nfalconer_predict_total_predictions 4\n")) << out.text();
  EXPECT_TRUE(out.text().contains("\nfalconer_predict_prediction_accuracy 0.75\n"));
  EXPECT_TRUE(out.text().contains("# TYPE falconer_predict_known_transitions gauge\n"));
  EXPECT_TRUE(out.text().contains("\nfalconer_predict_known_transitions 12\n"));
  EXPECT_FALSE(out.text().contains("n1"));
}

}  // namespace
}  // namespace falconer::api
