#include "predict/act/planner.h"

#include <fmt/format.h>
#include <utility>

namespace falconer::predict {
namespace {

struct ProfileThreshold {
  PredictProfile profile;
  double threshold;
};

constexpr ProfileThreshold kThresholds[] = {
    {PredictProfile::kAggressive, 0.3},
    {PredictProfile::kBalanced, 0.5},
    {PredictProfile::kConservative, 0.7},
};

}  // namespace

double ThresholdOf(PredictProfile profile) {
  return kThresholds[std::to_underlying(profile)].threshold;
}

json::object NextPlan::ToJson() const {
  return {{"execute", executes}, {"reason", reason}, {"threshold", threshold}};
}

NextPlan PlanNext(std::optional<double> confidence, double threshold) {
  if (!confidence)
    return {.executes = false, .reason = "no_predictions_available", .threshold = threshold};
  if (*confidence < threshold) {
    return {.executes = false,
            .reason = fmt::format("confidence_too_low_{:.2f}_below_{:.2f}", *confidence, threshold),
            .threshold = threshold};
  }
  return {.executes = true,
          .reason = fmt::format("confidence_above_threshold_{:.2f}", *confidence),
          .threshold = threshold};
}

}  // namespace falconer::predict
