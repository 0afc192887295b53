#include "browser/permits.h"

#include <vector>

#include "base/async/fake_clock.h"
#include "base/async/task_scope.h"
#include "tests/support/co_test.h"
#include "tests/support/settle.h"

namespace falconer::browser {
namespace {

using namespace std::chrono_literals;
using test::Settle;

Task<void> Take(PermitQueue* queue, CallContext ctx, int who, std::vector<int>* order,
                std::vector<Permit>* held) {
  auto permit = co_await queue->Acquire(ctx);
  order->push_back(permit ? who : -who);
  if (permit) held->push_back(std::move(*permit));
}

CO_TEST(PermitsTest, HandsOutPlacesInTheOrderTheyWereAskedFor) {
  PermitQueue queue(1, "sessions");
  TaskScope tasks(ctx.executor());
  std::vector<int> order;
  std::vector<Permit> held;
  for (const int who : {1, 2, 3}) tasks.Spawn("take", Take(&queue, ctx, who, &order, &held));
  co_await Settle();
  EXPECT_EQ(order, std::vector{1});
  EXPECT_EQ(queue.waiting(), 2U);

  held.clear();
  co_await Settle();
  EXPECT_EQ(order, (std::vector{1, 2}));
  held.clear();
  co_await Settle();
  EXPECT_EQ(order, (std::vector{1, 2, 3}));
  held.clear();
  EXPECT_EQ(queue.in_use(), 0U);
}

CO_TEST(PermitsTest, AFreedPlaceIsNotTakenByWhoeverComesFirst) {
  PermitQueue queue(1, "sessions");
  TaskScope tasks(ctx.executor());
  std::vector<int> order;
  std::vector<Permit> held;
  for (const int who : {1, 2}) tasks.Spawn("take", Take(&queue, ctx, who, &order, &held));
  co_await Settle();

  held.clear();

  EXPECT_FALSE(queue.TryAcquire());
  co_await Settle();
  EXPECT_EQ(order, (std::vector{1, 2}));
}

CO_TEST(PermitsTest, SaysWhatIsUsedUpWhenTheDeadlinePasses) {
  FakeClock clock;
  PermitQueue queue(1, "sessions");
  const auto taken = queue.TryAcquire();
  TaskScope tasks(ctx.executor());
  std::vector<int> order;
  std::vector<Permit> held;
  const CallContext short_call(ctx.executor(), clock, Deadline::After(clock.Now(), 5s));
  tasks.Spawn("take", Take(&queue, short_call, 1, &order, &held));
  co_await Settle();

  clock.Advance(5s);
  co_await Settle();

  EXPECT_EQ(order, std::vector{-1});
  EXPECT_EQ(queue.waiting(), 0U);
  const auto refused = co_await queue.Acquire(short_call);
  EXPECT_FALSE(refused);
  if (refused) co_return;
  EXPECT_EQ(refused.error().code(), ErrorCode::kGlobalSessionLimit);
  EXPECT_EQ(refused.error().message(), "all 1 sessions are in use");
}

CO_TEST(PermitsTest, ACancelledWaiterLosesNothing) {
  PermitQueue queue(1, "sessions");
  TaskScope tasks(ctx.executor());
  std::vector<int> order;
  std::vector<Permit> held;
  CancelSource cancel;
  tasks.Spawn("take", Take(&queue, ctx, 1, &order, &held));
  tasks.Spawn("take", Take(&queue, ctx.WithCancel(cancel.token()), 2, &order, &held));
  tasks.Spawn("take", Take(&queue, ctx, 3, &order, &held));
  co_await Settle();

  // The place is on its way to the second when the second gives up: the third must get it.
  held.clear();
  cancel.Cancel(Error(ErrorCode::kCancelled, "enough"));
  co_await Settle();

  EXPECT_EQ(order, (std::vector{1, -2, 3}));
  EXPECT_EQ(queue.in_use(), 1U);
}

CO_TEST(PermitsTest, AStoppedWaiterLeavesTheQueue) {
  PermitQueue queue(1, "sessions");
  std::vector<int> order;
  std::vector<Permit> held;
  auto taken = queue.TryAcquire();
  {
    TaskScope tasks(ctx.executor());
    tasks.Spawn("take", Take(&queue, ctx, 1, &order, &held));
    co_await Settle();
    EXPECT_EQ(queue.waiting(), 1U);
    co_await tasks.Stop();
  }
  EXPECT_EQ(queue.waiting(), 0U);
  taken.reset();
  EXPECT_EQ(queue.in_use(), 0U);
}

TEST(PermitsTest, MovingAPermitKeepsItsPlace) {
  PermitQueue queue(2, "sessions");
  Permit first = *queue.TryAcquire();
  Permit second = std::move(first);
  EXPECT_TRUE(second);
  EXPECT_EQ(queue.in_use(), 1U);
  second = *queue.TryAcquire();
  EXPECT_EQ(queue.in_use(), 1U);
  second = Permit();
  EXPECT_EQ(queue.in_use(), 0U);
}

}  // namespace
}  // namespace falconer::browser
