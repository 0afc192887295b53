#include "base/async/alarm.h"

#include <memory>
#include <optional>

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "base/async/task_scope.h"
#include "tests/support/co_test.h"
#include "tests/support/settle.h"

namespace falconer {
namespace {

using namespace std::chrono_literals;
using test::Settle;

Task<void> WaitInto(Alarm* alarm, Deadline deadline, std::optional<Alarm::Wake>* out) {
  *out = co_await alarm->Wait(deadline);
}

Task<void> WaitOnOwnAlarm(Executor executor, Clock* clock) {
  Alarm alarm(executor, *clock);
  co_await alarm.Wait(Deadline::Never());
}

CO_TEST(AlarmTest, RemembersASignalThatCameBeforeTheWaitOnce) {
  FakeClock clock;
  Alarm alarm(io->get_executor(), clock);

  alarm.Signal();
  const auto first = co_await alarm.Wait(Deadline::At(clock.Now() + 1s));
  const auto second = co_await alarm.Wait(Deadline::At(clock.Now()));

  EXPECT_EQ(first, Alarm::Wake::kSignalled);
  EXPECT_EQ(second, Alarm::Wake::kDeadline);
}

CO_TEST(AlarmTest, SleepsUntilTheDeadlineAndNotBefore) {
  FakeClock clock;
  Alarm alarm(io->get_executor(), clock);
  TaskScope scope(io->get_executor());
  std::optional<Alarm::Wake> wake;
  scope.Spawn("wait", WaitInto(&alarm, Deadline::At(clock.Now() + 10s), &wake));
  co_await Settle();

  clock.Advance(9999ms);
  co_await Settle();
  EXPECT_FALSE(wake);

  clock.Advance(1ms);
  co_await Settle();
  EXPECT_EQ(wake, Alarm::Wake::kDeadline);
  EXPECT_EQ(clock.armed(), 0u);
}

CO_TEST(AlarmTest, ASignalWakesTheSleeper) {
  FakeClock clock;
  Alarm alarm(io->get_executor(), clock);
  TaskScope scope(io->get_executor());
  std::optional<Alarm::Wake> wake;
  scope.Spawn("wait", WaitInto(&alarm, Deadline::Never(), &wake));
  co_await Settle();
  clock.Advance(24h);
  co_await Settle();
  EXPECT_FALSE(wake) << "no deadline must mean no deadline";

  alarm.Signal();
  co_await Settle();

  EXPECT_EQ(wake, Alarm::Wake::kSignalled);
  EXPECT_EQ(clock.armed(), 0u);
}

CO_TEST(AlarmTest, ASignalBeatsADeadlineThatPassesAtTheSameMoment) {
  FakeClock clock;
  Alarm alarm(io->get_executor(), clock);
  TaskScope scope(io->get_executor());
  std::optional<Alarm::Wake> wake;
  scope.Spawn("wait", WaitInto(&alarm, Deadline::At(clock.Now() + 1s), &wake));
  co_await Settle();

  clock.Advance(2s);
  alarm.Signal();
  co_await Settle();

  EXPECT_EQ(wake, Alarm::Wake::kSignalled);
}

CO_TEST(AlarmTest, ManySignalsBeforeOneWaitCountOnce) {
  FakeClock clock;
  Alarm alarm(io->get_executor(), clock);
  alarm.Signal();
  alarm.Signal();

  const auto first = co_await alarm.Wait(Deadline::Never());
  const auto second = co_await alarm.Wait(Deadline::At(clock.Now()));

  EXPECT_EQ(first, Alarm::Wake::kSignalled);
  EXPECT_EQ(second, Alarm::Wake::kDeadline);
}

CO_TEST(AlarmTest, KeepsTimeWithTheSystemClockToo) {
  Alarm alarm(io->get_executor(), ctx.clock());
  const TimePoint start = ctx.clock().Now();

  const auto wake = co_await alarm.Wait(Deadline::At(start + 5ms));

  EXPECT_EQ(wake, Alarm::Wake::kDeadline);
  EXPECT_GE(ctx.clock().Now() - start, 5ms);
}

TEST(AlarmLifetimeTest, ASleeperThatIsDestroyedLeavesNothingArmed) {
  FakeClock clock;
  {
    boost::asio::io_context io;
    TaskScope scope(io.get_executor());
    scope.Spawn("sleep", WaitOnOwnAlarm(io.get_executor(), &clock));
    io.poll();
    EXPECT_EQ(clock.armed(), 1u);
  }
  EXPECT_EQ(clock.armed(), 0u);
  clock.Advance(1s);
}

}  // namespace
}  // namespace falconer
