#include "base/async/task_scope.h"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "base/async/notifier.h"
#include "base/log.h"
#include "tests/support/co_test.h"
#include "tests/support/settle.h"

namespace falconer {
namespace {

using test::Settle;

// Says in `*ended` that its frame was left, however that happened.
class Leaving {
 public:
  explicit Leaving(int* ended) : ended_(ended) {}
  ~Leaving() { ++*ended_; }
  Leaving(const Leaving&) = delete;
  Leaving& operator=(const Leaving&) = delete;

 private:
  int* ended_;
};

Task<void> Count(int* runs) {
  ++*runs;
  co_return;
}

Task<void> SleepForever(CallContext ctx, int* ended) {
  const Leaving leaving(ended);
  Alarm alarm(ctx.executor(), ctx.clock());
  co_await alarm.Wait(Deadline::Never());
  // A cancelled task may still run up to its next wait, and no further.
  co_await alarm.Wait(Deadline::Never());
  ADD_FAILURE() << "a cancelled task went on";
}

Task<void> Throw() {
  throw std::runtime_error("broken");
  co_return;
}

Task<void> SpawnAnother(TaskScope* scope, int* runs) {
  scope->Spawn("child", Count(runs));
  co_return;
}

CO_TEST(TaskScopeTest, RunsWhatItIsGivenOnTheLoop) {
  TaskScope scope(io->get_executor());
  int runs = 0;

  scope.Spawn("count", Count(&runs));
  co_await Settle();

  EXPECT_EQ(runs, 1);
  EXPECT_EQ(scope.running(), 0u);
}

CO_TEST(TaskScopeTest, StopCancelsAndWaitsForAll) {
  TaskScope scope(io->get_executor());
  int ended = 0;
  for (int i = 0; i < 3; ++i) scope.Spawn("sleep", SleepForever(ctx, &ended));
  co_await Settle();
  EXPECT_EQ(scope.running(), 3u);

  co_await scope.Stop();

  EXPECT_EQ(ended, 3);
  EXPECT_EQ(scope.running(), 0u);
}

CO_TEST(TaskScopeTest, StopEndsATaskThatHasNotStarted) {
  TaskScope scope(io->get_executor());
  int ended = 0;
  scope.Spawn("sleep", SleepForever(ctx, &ended));

  co_await scope.Stop();

  EXPECT_EQ(scope.running(), 0u);
}

CO_TEST(TaskScopeTest, StopWithNothingRunningReturnsAtOnce) {
  TaskScope scope(io->get_executor());
  co_await scope.Stop();
  co_await scope.Stop();
  EXPECT_EQ(scope.running(), 0u);
}

CO_TEST(TaskScopeTest, StartsNothingAfterStop) {
  TaskScope scope(io->get_executor());
  co_await scope.Stop();
  int runs = 0;

  scope.Spawn("late", Count(&runs));
  co_await Settle();

  EXPECT_EQ(runs, 0);
  EXPECT_EQ(scope.running(), 0u);
}

CO_TEST(TaskScopeTest, ATaskMaySpawnAnother) {
  TaskScope scope(io->get_executor());
  int runs = 0;

  scope.Spawn("parent", SpawnAnother(&scope, &runs));
  co_await Settle();

  EXPECT_EQ(runs, 1);
  EXPECT_EQ(scope.running(), 0u);
}

CO_TEST(TaskScopeTest, ATaskThatThrowsIsLoggedByNameAndHarmsNobody) {
  TaskScope scope(io->get_executor());
  std::string logged;
  SetLogSink([&](std::string_view line) { logged += line; });
  int runs = 0;

  scope.Spawn("fragile", Throw());
  scope.Spawn("count", Count(&runs));
  co_await Settle();
  SetLogSink({});

  EXPECT_EQ(runs, 1);
  EXPECT_EQ(scope.running(), 0u);
  EXPECT_TRUE(logged.contains("fragile")) << logged;
  EXPECT_TRUE(logged.contains("broken")) << logged;
}

CO_TEST(TaskScopeTest, TheDestructorCancels) {
  int ended = 0;
  {
    TaskScope scope(io->get_executor());
    scope.Spawn("sleep", SleepForever(ctx, &ended));
    co_await Settle();
  }

  co_await Settle();

  EXPECT_EQ(ended, 1);
}

TEST(TaskScopeLifetimeTest, TasksDieWithTheLoop) {
  SystemClock clock;
  int ended = 0;
  {
    boost::asio::io_context io;
    TaskScope scope(io.get_executor());
    scope.Spawn("sleep", SleepForever(CallContext(io.get_executor(), clock), &ended));
    io.poll();
  }
  EXPECT_EQ(ended, 1);
}

}  // namespace
}  // namespace falconer
