#include "base/async/notifier.h"

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

struct WatchedWorld {
  explicit WatchedWorld(boost::asio::io_context* io)
      : ctx(io->get_executor(), clock), scope(io->get_executor()) {}

  FakeClock clock;
  CallContext ctx;
  Notifier changes;
  int value = 0;
  int asked = 0;
  TaskScope scope;
};

Task<void> UntilInto(WatchedWorld* world, int wanted, CallContext ctx,
                     std::optional<Result<void>>* out) {
  *out = co_await world->changes.Until(
      ctx,
      [world, wanted] {
        ++world->asked;
        return world->value >= wanted;
      },
      "the value");
}

CO_TEST(NotifierTest, ReturnsAtOnceWhenItAlreadyHolds) {
  WatchedWorld world(io);
  world.value = 1;
  std::optional<Result<void>> result;

  co_await UntilInto(&world, 1, world.ctx, &result);

  EXPECT_TRUE(result && result->has_value());
  EXPECT_EQ(world.asked, 1);
}

CO_TEST(NotifierTest, LooksAgainAfterEachChangeAndOnlyThen) {
  WatchedWorld world(io);
  std::optional<Result<void>> result;
  world.scope.Spawn("wait", UntilInto(&world, 2, world.ctx, &result));
  co_await Settle();
  const int before = world.asked;
  co_await Settle();
  EXPECT_EQ(world.asked, before) << "nobody notified";

  world.value = 1;
  world.changes.NotifyAll();
  co_await Settle();
  EXPECT_FALSE(result);

  world.value = 2;
  world.changes.NotifyAll();
  co_await Settle();
  EXPECT_TRUE(result && result->has_value());
}

CO_TEST(NotifierTest, WakesEveryWaiter) {
  WatchedWorld world(io);
  std::optional<Result<void>> first;
  std::optional<Result<void>> second;
  std::optional<Result<void>> far;
  world.scope.Spawn("first", UntilInto(&world, 1, world.ctx, &first));
  world.scope.Spawn("second", UntilInto(&world, 2, world.ctx, &second));
  world.scope.Spawn("far", UntilInto(&world, 9, world.ctx, &far));
  co_await Settle();

  world.value = 2;
  world.changes.NotifyAll();
  co_await Settle();

  EXPECT_TRUE(first && first->has_value());
  EXPECT_TRUE(second && second->has_value());
  EXPECT_FALSE(far);
  co_await world.scope.Stop();
}

CO_TEST(NotifierTest, FailsAtTheDeadline) {
  WatchedWorld world(io);
  std::optional<Result<void>> result;
  world.scope.Spawn("wait", UntilInto(&world, 1, world.ctx.WithTimeout(5s), &result));
  co_await Settle();

  world.clock.Advance(5s);
  co_await Settle();

  EXPECT_TRUE(result && !result->has_value());
  if (result && !*result) {
    EXPECT_EQ(result->error().code(), ErrorCode::kTimeout);
    EXPECT_EQ(result->error().message(), "timed out waiting for the value");
  }
}

CO_TEST(NotifierTest, FailsWithTheReasonOfACancel) {
  WatchedWorld world(io);
  CancelSource source;
  std::optional<Result<void>> result;
  world.scope.Spawn("wait", UntilInto(&world, 1, world.ctx.WithCancel(source.token()), &result));
  co_await Settle();

  source.Cancel(Error(ErrorCode::kTurnClosed, "closed"));
  co_await Settle();

  EXPECT_TRUE(result && !result->has_value());
  if (result && !*result) EXPECT_EQ(result->error().code(), ErrorCode::kTurnClosed);
}

CO_TEST(NotifierTest, ManyChangesInOneTurnOfTheLoopAreOneLook) {
  WatchedWorld world(io);
  std::optional<Result<void>> result;
  world.scope.Spawn("wait", UntilInto(&world, 9, world.ctx, &result));
  co_await Settle();
  const int before = world.asked;

  for (int i = 0; i < 100; ++i) world.changes.NotifyAll();
  co_await Settle();

  EXPECT_LE(world.asked - before, 2);
  co_await world.scope.Stop();
}

CO_TEST(NotifierTest, AWaiterThatWasStoppedIsForgotten) {
  WatchedWorld world(io);
  std::optional<Result<void>> result;
  world.scope.Spawn("wait", UntilInto(&world, 1, world.ctx, &result));
  co_await Settle();

  co_await world.scope.Stop();
  world.changes.NotifyAll();

  EXPECT_EQ(world.scope.running(), 0u);
  EXPECT_EQ(world.clock.armed(), 0u);
}

}  // namespace
}  // namespace falconer
