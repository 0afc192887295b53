#include "base/async/fake_clock.h"

#include <algorithm>

namespace falconer {

void FakeClock::Arm(boost::asio::steady_timer& timer, TimePoint at) {
  timer.expires_at(TimePoint::max());
  armed_.push_back({&timer, at});
}

void FakeClock::Disarm(boost::asio::steady_timer& timer) {
  std::erase_if(armed_, [&](const Armed& armed) { return armed.timer == &timer; });
}

void FakeClock::Advance(Duration by) {
  now_ += by;
  wall_ += std::chrono::duration_cast<WallTime::duration>(by);
  for (const Armed& armed : armed_) {
    if (armed.at <= now_) armed.timer->cancel();
  }
}

}  // namespace falconer
