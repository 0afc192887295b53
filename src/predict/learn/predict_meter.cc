#include "predict/learn/predict_meter.h"

namespace falconer::predict {
namespace {

json::value ShareOf(double part, std::int64_t whole) {
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

void PredictMeter::NoteExecution(bool succeeded) {
  ++executions_;
  if (succeeded) ++successes_;
}

void PredictMeter::NoteDecision(Duration took) {
  ++decisions_;
  decision_time_ += took;
}

json::object PredictMeter::ToJson() const {
  return {{"total_predictions", predictions_},
          {"correct_predictions", correct_},
          {"prediction_accuracy", ShareOf(static_cast<double>(correct_), predictions_)},
          {"total_executions", executions_},
          {"successful_executions", successes_},
          {"execution_success_rate", ShareOf(static_cast<double>(successes_), executions_)},
          {"average_confidence", ShareOf(confidence_, predictions_)},
          {"unsafe_filtered", unsafe_},
          {"asked", asked_},
          {"healed", healed_},
          {"model_calls", model_calls_},
          {"average_decision_time_ms", ShareOf(SecondsIn(decision_time_) * 1000, decisions_)},
          {"uptime_seconds", SecondsIn(clock_.Now() - since_)}};
}

}  // namespace falconer::predict
