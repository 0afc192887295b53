#pragma once
// HalfLife: how much of a count is left after so many days.

#include <cmath>
#include <cstdint>
#include <vector>

namespace falconer::predict {

class HalfLife {
 public:
  // 0 days: nothing gets old.
  explicit HalfLife(double days) {
    if (days <= 0) return;
    for (int age = 0; age < kMostDays; ++age)
      left_.push_back(static_cast<float>(std::exp2(-age / days)));
  }

  // A day that is later than `today` has no age.
  float Left(std::uint16_t day, std::uint16_t today) const {
    if (left_.empty() || day >= today) return 1;
    const std::size_t age = today - day;
    return left_[age < left_.size() ? age : left_.size() - 1];
  }

 private:
  static constexpr int kMostDays = 4096;
  std::vector<float> left_;
};

}  // namespace falconer::predict
