#pragma once
// Planner: whether a prediction is sure enough to be carried out, and why. How often its context
// was seen is in its confidence already.

#include <cstdint>
#include <optional>
#include <string>

#include "base/json/json_reader.h"

namespace falconer::predict {

// How sure a prediction must be to be carried out.
enum class PredictProfile : std::uint8_t { kAggressive, kBalanced, kConservative };

inline constexpr EnumName<PredictProfile> kPredictProfiles[] = {
    {PredictProfile::kAggressive, "aggressive"},      // 0.3
    {PredictProfile::kBalanced, "balanced"},          // 0.5
    {PredictProfile::kConservative, "conservative"},  // 0.7
};

double ThresholdOf(PredictProfile profile);

struct NextPlan {
  bool executes = false;
  // "no_predictions_available", "confidence_too_low_0.41_below_0.50",
  // "confidence_above_threshold_0.82".
  std::string reason;
  double threshold = 0;

  // {"execute","reason","threshold"}
  json::object ToJson() const;
  bool operator==(const NextPlan&) const = default;
};

// Of the confidence of the best prediction; nothing when there is none.
NextPlan PlanNext(std::optional<double> confidence, double threshold);

}  // namespace falconer::predict
