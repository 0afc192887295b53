#pragma once
// Timings of one operation by one contestant, with the percentiles that are reported.

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace falconer::bench {

using Nanos = std::chrono::nanoseconds;

class Samples {
 public:
  void Add(Nanos took, std::size_t bytes);
  // An operation whose effect the page did not confirm: counted, never timed.
  void Miss(std::string why);

  // Milliseconds; absent when nothing was measured. `share` is 0.5 for the median.
  std::optional<double> Percentile(double share) const;
  // The median size of the answers in bytes; absent when nothing was measured.
  std::optional<double> MedianBytes() const;

  std::size_t missed() const { return missed_; }
  const std::string& first_miss() const { return first_miss_; }

 private:
  std::vector<double> millis_;
  std::vector<double> bytes_;
  std::size_t missed_ = 0;
  std::string first_miss_;
};

// Linear interpolation between the closest ranks; absent for no values.
std::optional<double> PercentileOf(std::vector<double> values, double share);

}  // namespace falconer::bench
