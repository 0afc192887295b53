#pragma once
// The counters of the prediction loop, in the form that Prometheus reads.

#include "api/http/metrics_text.h"
#include "base/json/json.h"

namespace falconer::api {

// What PredictDesk::Numbers tells: every number of it as falconer_predict_NAME.
void AddPredictions(const json::object& numbers, MetricsText& out);

}  // namespace falconer::api
