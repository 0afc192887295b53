#include "base/async/call_context.h"

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

Task<void> AwaitInto(CallContext ctx, Alarm* alarm, std::optional<Result<void>>* out) {
  *out = co_await ctx.Wait(alarm, "the bell");
}

// A context on a clock that the test moves.
struct CallWorld {
  explicit CallWorld(boost::asio::io_context* io)
      : ctx(io->get_executor(), clock),
        alarm(io->get_executor(), clock),
        scope(io->get_executor()) {}

  FakeClock clock;
  CallContext ctx;
  Alarm alarm;
  TaskScope scope;
  std::optional<Result<void>> result;
};

CO_TEST(CallContextTest, ATimeoutOnlyEverShortens) {
  FakeClock clock;
  const CallContext base(io->get_executor(), clock);
  const CallContext outer = base.WithTimeout(10s);

  EXPECT_EQ(outer.WithTimeout(1s).TimeLeft(), 1s);
  EXPECT_EQ(outer.WithTimeout(60s).TimeLeft(), 10s);
  EXPECT_EQ(outer.WithDeadline(Deadline::Never()).TimeLeft(), 10s);
  EXPECT_EQ(base.TimeLeft(), Duration::max()) << "the original must not change";
  co_return;
}

CO_TEST(CallContextTest, AnEndlessTimeoutIsNoDeadline) {
  FakeClock clock;
  const CallContext base(io->get_executor(), clock);

  const CallContext endless = base.WithTimeout(base.TimeLeft());

  EXPECT_TRUE(endless.deadline().is_never());
  EXPECT_TRUE(endless.StillWanted("anything"));
  co_return;
}

CO_TEST(CallContextTest, StopsBeingWantedWhenItsTimeIsUp) {
  FakeClock clock;
  const CallContext limited = CallContext(io->get_executor(), clock).WithTimeout(1s);
  EXPECT_TRUE(limited.StillWanted("the page"));

  clock.Advance(1s);
  const auto wanted = limited.StillWanted("the page");

  EXPECT_FALSE(wanted);
  if (wanted) co_return;
  EXPECT_EQ(wanted.error().code(), ErrorCode::kTimeout);
  EXPECT_EQ(wanted.error().message(), "timed out waiting for the page");
}

CO_TEST(CallContextTest, CancellationIsTheReasonEvenAfterTheDeadline) {
  FakeClock clock;
  CancelSource source;
  const auto limited =
      CallContext(io->get_executor(), clock).WithTimeout(1s).WithCancel(source.token());

  source.Cancel(Error(ErrorCode::kTurnClosed, "the turn was closed"));
  clock.Advance(2s);
  const auto wanted = limited.StillWanted("the page");

  EXPECT_FALSE(wanted);
  if (!wanted) EXPECT_EQ(wanted.error().code(), ErrorCode::kTurnClosed);
  co_return;
}

CO_TEST(CallContextTest, AWaitEndsWithTheSignal) {
  CallWorld world(io);
  world.scope.Spawn("wait", AwaitInto(world.ctx.WithTimeout(1s), &world.alarm, &world.result));
  co_await Settle();
  EXPECT_FALSE(world.result);

  world.alarm.Signal();
  co_await Settle();

  EXPECT_TRUE(world.result && world.result->has_value());
}

CO_TEST(CallContextTest, AWaitFailsAtTheDeadlineAndNamesTheWork) {
  CallWorld world(io);
  world.scope.Spawn("wait", AwaitInto(world.ctx.WithTimeout(1s), &world.alarm, &world.result));
  co_await Settle();

  world.clock.Advance(1s);
  co_await Settle();

  EXPECT_TRUE(world.result && !world.result->has_value());
  if (!world.result || *world.result) co_return;
  EXPECT_EQ(world.result->error().code(), ErrorCode::kTimeout);
  EXPECT_EQ(world.result->error().message(), "timed out waiting for the bell");
}

CO_TEST(CallContextTest, ACancelWakesTheWaitWithItsReason) {
  CallWorld world(io);
  CancelSource source;
  world.scope.Spawn("wait",
                    AwaitInto(world.ctx.WithCancel(source.token()), &world.alarm, &world.result));
  co_await Settle();

  source.Cancel(Error(ErrorCode::kStaleEpoch, "the lease moved"));
  co_await Settle();

  EXPECT_TRUE(world.result && !world.result->has_value());
  if (world.result && !*world.result) {
    EXPECT_EQ(world.result->error().code(), ErrorCode::kStaleEpoch);
  }
}

CO_TEST(CallContextTest, AWaitThatIsAlreadyCancelledDoesNotSleep) {
  CallWorld world(io);
  CancelSource source;
  source.Cancel(Error(ErrorCode::kCancelled, "not wanted"));

  const auto result = co_await world.ctx.WithCancel(source.token()).Wait(&world.alarm, "the bell");

  EXPECT_FALSE(result);
  EXPECT_EQ(world.clock.armed(), 0u);
}

CO_TEST(CallContextTest, ADeadlineStandsStillWithItsTime) {
  FakeClock clock;
  const auto stops = std::make_shared<StoppedTime>(clock);
  const CallContext bounded =
      CallContext(io->get_executor(), clock).WithTimeout(10s).WithStops(stops).WithTimeout(5s);
  clock.Advance(1s);

  stops->Stop();
  clock.Advance(10min);
  EXPECT_EQ(bounded.TimeLeft(), 4s);
  EXPECT_TRUE(bounded.StillWanted("anything"));
  EXPECT_EQ(bounded.WithTimeout(1s).TimeLeft(), 1s);
  stops->Go();
  clock.Advance(3s);

  EXPECT_EQ(bounded.TimeLeft(), 1s);
  clock.Advance(1s);
  EXPECT_FALSE(bounded.StillWanted("anything"));
  co_return;
}

CO_TEST(CallContextTest, AWaitLastsLongerByTheTimeThatStoodStill) {
  CallWorld world(io);
  const auto stops = std::make_shared<StoppedTime>(world.clock);
  world.scope.Spawn(
      "wait", AwaitInto(world.ctx.WithStops(stops).WithTimeout(1s), &world.alarm, &world.result));
  co_await Settle();

  stops->Stop();
  world.clock.Advance(5s);
  co_await Settle();
  EXPECT_FALSE(world.result);
  stops->Go();
  co_await Settle();
  EXPECT_FALSE(world.result) << "its second is still to come";
  world.clock.Advance(1s);
  co_await Settle();

  EXPECT_TRUE(world.result && !world.result->has_value());
}

CO_TEST(CallContextTest, TimeGoesOnWhenEveryoneWhoStoppedItSaysSo) {
  CallWorld world(io);
  const auto stops = std::make_shared<StoppedTime>(world.clock);
  stops->Stop();
  stops->Stop();
  stops->Go();
  EXPECT_TRUE(stops->is_stopped());
  bool went_on = false;
  world.scope.Spawn("wait", [](CallContext ctx, bool* done) -> Task<void> {
    static_cast<void>(co_await ctx.UntilTimeGoes());
    *done = true;
  }(world.ctx.WithStops(stops), &went_on));
  co_await Settle();
  EXPECT_FALSE(went_on);

  stops->Go();
  co_await Settle();

  EXPECT_TRUE(went_on);
}

CO_TEST(CallContextTest, CopiesCarryTheIds) {
  FakeClock clock;
  const auto named = CallContext(io->get_executor(), clock)
                         .WithIds({.tenant = TenantId("acme"), .turn = TurnId("t1")});

  EXPECT_EQ(named.WithTimeout(1s).ids().tenant, TenantId("acme"));
  EXPECT_EQ(named.WithTimeout(1s).ids().turn, TurnId("t1"));
  EXPECT_TRUE(CallContext(io->get_executor(), clock).ids().tenant.empty());
  co_return;
}

}  // namespace
}  // namespace falconer
