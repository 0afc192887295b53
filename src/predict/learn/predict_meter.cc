#include "predict/learn/predict_meter.h"

namespace falconer::predict {
namespace {

json::value NumberShare(double part, std::int64_t whole) {
  return whole == 0 ? json::value(nullptr) : json::value(part / static_cast<double>(whole));
}

double SecondsIn(Duration time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

void PredictMeter::NotePrediction(double confidence, bool is_correct) {
  ++predictions_;
  confidence_ += confidence;
  if (is_correct) ++correct_;
}

json::object PredictMeter::ToJson() const {
  return {{"total_predictions", predictions_},
          {"correct_predictions", correct_},
          {"prediction_accuracy", NumberShare(static_cast<double>(correct_), predictions_)},
          {"average_confidence", NumberShare(confidence_, predictions_)},
          {"uptime_seconds", SecondsIn(clock_.Now() - since_)}};
}

}  // namespace falconer::predict
