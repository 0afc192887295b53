#pragma once
// LoopGuard: notices a run that goes round in circles: the same step on the same page in the same
// state, too often.

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace falconer::predict {

class LoopGuard {
 public:
  // The step may be done so often there.
  explicit LoopGuard(int limit) : limit_(limit) {}

  // False when it was done as often as it may be.
  bool Take(std::uint64_t step, const std::string& page, const std::string& state) {
    int& times = times_[{step, page, state}];
    if (times >= limit_) return false;
    ++times;
    return true;
  }

 private:
  int limit_;
  std::map<std::tuple<std::uint64_t, std::string, std::string>, int> times_;
};

}  // namespace falconer::predict
