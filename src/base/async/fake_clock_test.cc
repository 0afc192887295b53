#include "base/async/fake_clock.h"

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

namespace falconer {
namespace {

using namespace std::chrono_literals;

TEST(FakeClockTest, MovesOnlyWhenTold) {
  FakeClock clock;
  const TimePoint start = clock.Now();
  const WallTime wall = clock.WallNow();

  clock.Advance(90s);

  EXPECT_EQ(clock.Now() - start, 90s);
  EXPECT_EQ(clock.WallNow() - wall, 90s);
}

TEST(FakeClockTest, WakesOnlyWhatIsDue) {
  boost::asio::io_context io;
  FakeClock clock;
  boost::asio::steady_timer soon(io);
  boost::asio::steady_timer later(io);
  int woken = 0;
  clock.Arm(soon, clock.Now() + 1s);
  clock.Arm(later, clock.Now() + 2s);
  soon.async_wait([&](const auto&) { woken += 1; });
  later.async_wait([&](const auto&) { woken += 10; });

  clock.Advance(1s);
  io.poll();
  EXPECT_EQ(woken, 1);

  clock.Advance(1s);
  io.poll();
  EXPECT_EQ(woken, 11);
  clock.Disarm(soon);
  clock.Disarm(later);
}

TEST(FakeClockTest, ForgetsADisarmedTimer) {
  boost::asio::io_context io;
  FakeClock clock;
  {
    boost::asio::steady_timer timer(io);
    clock.Arm(timer, clock.Now() + 1s);
    EXPECT_EQ(clock.armed(), 1u);
    clock.Disarm(timer);
  }

  EXPECT_EQ(clock.armed(), 0u);
  clock.Advance(1h);
}

}  // namespace
}  // namespace falconer
