#include "api/http/predict_metrics.h"

#include <algorithm>
#include <string>
#include <utility>

namespace falconer::api {
namespace {

struct PredictNumber {
  std::string_view key;
  std::string_view type;
  std::string_view help;
};

// Those that only grow, and those that deserve a word of their own; any other is a gauge.
constexpr PredictNumber kPredictNumbers[] = {
    {"total_predictions", "counter", "Predictions whose outcome is known."},
    {"correct_predictions", "counter", "Those of them that came true."},
    {"prediction_accuracy", "gauge", "Share of the predictions that came true."},
    {"total_executions", "counter", "Predicted steps that were carried out."},
    {"successful_executions", "counter", "Those of them that went well."},
    {"execution_success_rate", "gauge", "Share of the executions that went well."},
    {"average_confidence", "gauge", "Mean confidence of the predictions."},
    {"unsafe_filtered", "counter", "Predicted steps that were kept back as unsafe."},
    {"average_decision_time_ms", "gauge", "Mean time from the page to the decision."},
    {"uptime_seconds", "gauge", "Since when these numbers are counted."},
};

PredictNumber RowOf(std::string_view key) {
  const auto* const row = std::ranges::find(kPredictNumbers, key, &PredictNumber::key);
  return row != std::end(kPredictNumbers)
             ? *row
             : PredictNumber{key, "gauge", "Of the prediction loop: docs/predict.md."};
}

void AddNumber(const std::string& name, std::string_view key, double value, MetricsText& out) {
  const PredictNumber row = RowOf(key);
  out.One(name, row.type, row.help, value);
}

void AddNumbers(const std::string& prefix, const json::object& numbers, MetricsText& out) {
  for (const auto& [key, value] : numbers) {
    const std::string name = prefix + std::string(key);
    if (value.is_object()) AddNumbers(name + "_", value.get_object(), out);
    if (value.is_number()) AddNumber(name, key, value.to_number<double>(), out);
  }
}

}  // namespace

void AddPredictions(const json::object& numbers, MetricsText& out) {
  AddNumbers("falconer_predict_", numbers, out);
}

}  // namespace falconer::api
