#pragma once
// FakeClock: time that moves only when a test says so.

#include <vector>

#include "base/async/clock.h"

namespace falconer {

class FakeClock final : public Clock {
 public:
  TimePoint Now() const override { return now_; }
  WallTime WallNow() const override { return wall_; }
  void Arm(boost::asio::steady_timer& timer, TimePoint at) override;
  void Disarm(boost::asio::steady_timer& timer) override;

  // Moves the time and wakes everything that is due.
  void Advance(Duration by);
  std::size_t armed() const { return armed_.size(); }

 private:
  struct Armed {
    boost::asio::steady_timer* timer;
    TimePoint at;
  };

  TimePoint now_{std::chrono::hours(1)};
  WallTime wall_{std::chrono::hours(24 * 365 * 50)};
  std::vector<Armed> armed_;
};

}  // namespace falconer
