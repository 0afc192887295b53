#include "app/host/predict_settings.h"

#include <utility>

namespace falconer::app {
namespace {

using DaysOf = std::chrono::duration<double, std::chrono::days::period>;

predict::PredictProfile ProfileFrom(PredictProfileSetting setting) {
  switch (setting) {
    case PredictProfileSetting::kAggressive:
      return predict::PredictProfile::kAggressive;
    case PredictProfileSetting::kBalanced:
      return predict::PredictProfile::kBalanced;
    case PredictProfileSetting::kConservative:
      return predict::PredictProfile::kConservative;
  }
  std::unreachable();
}

}  // namespace

predict::PredictRules PredictRulesFrom(const Settings& settings) {
  const Settings::Predict& from = settings.predict;
  return {.learns = from.enabled,
          .profile = ProfileFrom(from.profile),
          .max_iterations = static_cast<int>(from.max_iterations),
          .workflow_timeout = from.workflow_timeout,
          .loop_limit = static_cast<int>(from.loop_limit),
          .model_below = from.model_below,
          .speculates = from.speculate,
          .speculate_from = from.speculate_from,
          .max_transitions = static_cast<std::size_t>(from.max_transitions),
          .half_life_days = DaysOf(from.half_life).count()};
}

}  // namespace falconer::app
