#pragma once
// Predictions, workflows and runs in few words, for models and for terminals: made of what
// PredictDesk answers. What pages say is in them, so they go through a guard before.

#include <string>
#include <string_view>

#include "base/json/json.h"

namespace falconer::api {

// What a signature stands for: `click button "Add to cart"`; "" is where a sequence begins or ends.
std::string SignatureWords(std::string_view signature);
// `0.83 click button "Add to cart" (second_order, seen 12)`; "" for what is no prediction.
std::string PredictionLine(const json::object& prediction);
// "would do the first: confidence_above_threshold_0.83", or why not.
std::string PlanLine(const json::object& next);
// `done 3 type field "E-mail" 0.91 second_order`, with what was healed and why it was not done.
std::string RunStepLine(const json::object& step);
// "completed buy-coffee in shop", or what it ended with, why, and what is asked.
std::string RunEndLine(const json::object& result);

}  // namespace falconer::api
