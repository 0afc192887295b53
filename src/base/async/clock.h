#pragma once
// Clock: where every component reads the time and arms its timers, so that tests can move it.

#include <chrono>

#include <boost/asio/steady_timer.hpp>

#include "base/async/deadline.h"

namespace falconer {

using WallTime = std::chrono::system_clock::time_point;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual TimePoint Now() const = 0;
  virtual WallTime WallNow() const = 0;

  // Makes `timer` expire when this clock reaches `at`. Disarm() must follow before the timer dies.
  virtual void Arm(boost::asio::steady_timer& timer, TimePoint at) = 0;
  virtual void Disarm(boost::asio::steady_timer& timer) = 0;
};

// The machine's own clock.
class SystemClock final : public Clock {
 public:
  TimePoint Now() const override { return std::chrono::steady_clock::now(); }
  WallTime WallNow() const override { return std::chrono::system_clock::now(); }
  void Arm(boost::asio::steady_timer& timer, TimePoint at) override { timer.expires_at(at); }
  void Disarm(boost::asio::steady_timer& /*timer*/) override {}
};

}  // namespace falconer
