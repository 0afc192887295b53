#pragma once
// DurationHistogram: how long things took, counted in fixed steps.

#include <array>
#include <chrono>
#include <cstdint>
#include <span>

#include "base/async/clock.h"

namespace falconer {

class DurationHistogram {
 public:
  // Upper ends in seconds, rising. What takes longer than the last counts in the sum alone.
  static constexpr std::array<double, 13> kSteps = {.001, .0025, .005, .01, .025, .05, .1,
                                                    .25,  .5,    1,    2.5, 5,    10};

  void Note(Duration took) {
    const double seconds = std::chrono::duration<double>(took).count();
    sum_ += seconds;
    ++count_;
    for (std::size_t i = 0; i < kSteps.size(); ++i)
      if (seconds <= kSteps[i]) ++within_[i];
  }

  // How many took no longer than each step.
  std::span<const std::uint64_t> within() const { return within_; }
  double sum() const { return sum_; }
  std::uint64_t count() const { return count_; }

 private:
  std::array<std::uint64_t, kSteps.size()> within_{};
  double sum_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace falconer
