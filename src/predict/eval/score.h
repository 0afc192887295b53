#pragma once
// Score: how well predictions did, from what was foreseen and what came.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/json/json.h"

namespace falconer::predict {

// One prediction that was checked.
struct Checked {
  float confidence = 0;  // of the first; 0 when nothing was predicted
  bool was_first = false;
  bool was_in_three = false;
};

// What would have been done at a threshold.
struct AtThreshold {
  double threshold = 0;
  double coverage = 0;   // the share of all that is as sure as that
  double precision = 0;  // the share of these that came true; 0 when there are none
  std::size_t count = 0;

  json::object ToJson() const;
};

struct Score {
  std::size_t steps = 0;
  double top1 = 0;
  double top3 = 0;
  // How far confidence and what came true are apart, in ten bins of the same width, and in as many
  // of the same number of predictions.
  double calibration_error = 0;
  double adaptive_error = 0;
  std::vector<AtThreshold> thresholds;

  json::object ToJson() const;
};

Score ScoreOf(std::span<const Checked> checked, std::span<const double> thresholds);
AtThreshold At(std::span<const Checked> checked, double threshold);

// The lowest threshold at which at least that share comes true, also when the sample was a little
// lucky: by one standard error. Nothing when there is none.
std::optional<double> ThresholdFor(std::span<const Checked> checked, double precision);

}  // namespace falconer::predict
