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
  // A predicted step was carried out.
  void NoteExecution(bool succeeded);
  void NoteUnsafe() { ++unsafe_; }
  void NoteAsked() { ++asked_; }
  void NoteHealed() { ++healed_; }
  void NoteModelCall() { ++model_calls_; }
  // From looking at the page to knowing what to do.
  void NoteDecision(Duration took);

  // {"total_predictions", "correct_predictions", "prediction_accuracy", "total_executions", ...};
  // a share of nothing is null.
  json::object ToJson() const;

 private:
  const Clock& clock_;
  TimePoint since_;
  std::int64_t predictions_ = 0;
  std::int64_t correct_ = 0;
  double confidence_ = 0;
  std::int64_t executions_ = 0;
  std::int64_t successes_ = 0;
  std::int64_t unsafe_ = 0;
  std::int64_t asked_ = 0;
  std::int64_t healed_ = 0;
  std::int64_t model_calls_ = 0;
  std::int64_t decisions_ = 0;
  Duration decision_time_{};
};

}  // namespace falconer::predict
