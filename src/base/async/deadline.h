#pragma once
// Deadline: a point in time after which nobody waits any more. A value; nests by Earlier().

#include <algorithm>
#include <chrono>

namespace falconer {

using Duration = std::chrono::steady_clock::duration;
using TimePoint = std::chrono::steady_clock::time_point;

class Deadline {
 public:
  static constexpr Deadline Never() { return Deadline(TimePoint::max()); }
  static constexpr Deadline At(TimePoint at) { return Deadline(at); }
  // `timeout` after `now`; a timeout too long for the clock means Never().
  static constexpr Deadline After(TimePoint now, Duration timeout) {
    return timeout >= TimePoint::max() - now ? Never() : Deadline(now + timeout);
  }
  static constexpr Deadline Earlier(Deadline a, Deadline b) {
    return Deadline(std::min(a.at_, b.at_));
  }

  constexpr TimePoint at() const { return at_; }
  constexpr bool is_never() const { return at_ == TimePoint::max(); }
  constexpr bool HasPassed(TimePoint now) const { return now >= at_; }
  // Time left at `now`, never negative; the largest duration for Never().
  constexpr Duration Left(TimePoint now) const {
    if (is_never()) return Duration::max();
    return std::max(Duration::zero(), at_ - now);
  }

  friend constexpr bool operator==(Deadline, Deadline) = default;

 private:
  constexpr explicit Deadline(TimePoint at) : at_(at) {}
  TimePoint at_;
};

}  // namespace falconer
