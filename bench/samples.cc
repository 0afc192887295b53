#include "bench/samples.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace falconer::bench {

void Samples::Add(Nanos took, std::size_t bytes) {
  millis_.push_back(std::chrono::duration<double, std::milli>(took).count());
  bytes_.push_back(static_cast<double>(bytes));
}

void Samples::Miss(std::string why) {
  if (missed_++ == 0) first_miss_ = std::move(why);
}

std::optional<double> Samples::Percentile(double share) const {
  return PercentileOf(millis_, share);
}

std::optional<double> Samples::MedianBytes() const {
  return PercentileOf(bytes_, 0.5);
}

std::optional<double> PercentileOf(std::vector<double> values, double share) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  const double rank = std::clamp(share, 0.0, 1.0) * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(rank));
  const auto above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], rank - std::floor(rank));
}

}  // namespace falconer::bench
