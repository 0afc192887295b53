#pragma once
// PredictMeter: how well predictions do. A prediction counts as one only once it is known what came
// instead, or was it.

#include <cstdint>

#include "base/async/clock.h"
#include "base/json/json.h"

namespace falconer::predict {

class PredictMeter {
 public:
  explicit PredictMeter(const Clock& clock) : clock_(clock), since_(clock.Now()) {}

  // What was predicted first, with that confidence, came or did not come.
  void NotePrediction(double confidence, bool is_correct);
  // {"total_predictions", "correct_predictions", "prediction_accuracy", "average_confidence",
  // "uptime_seconds"}; a share of nothing is null.
  json::object ToJson() const;

 private:
  const Clock& clock_;
  TimePoint since_;
  std::int64_t predictions_ = 0;
  std::int64_t correct_ = 0;
  double confidence_ = 0;
};

}  // namespace falconer::predict
