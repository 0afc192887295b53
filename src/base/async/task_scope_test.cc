#include "base/async/task_scope.h"

#include <stdexcept>
#include <string>

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
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

Task<void> OpenScopeAtTheEnd(CallContext ctx, int* ended) {
  const Leaving leaving(ended);
  Alarm alarm(ctx.executor(), ctx.clock());
  co_await alarm.Wait(Deadline::Never());
  TaskScope last_words(ctx.executor());
  last_words.Spawn("never", SleepForever(ctx, ended));
}

TEST(EndAllTasksTest, EndsTheTasksOfEveryScopeWhileTheirOwnersAreThere) {
  boost::asio::io_context io;
  SystemClock clock;
  const CallContext ctx(io.get_executor(), clock);
  int ended = 0;
  TaskScope first(io.get_executor());
  TaskScope second(io.get_executor());
  first.Spawn("sleep", SleepForever(ctx, &ended));
  second.Spawn("sleep", SleepForever(ctx, &ended));
  second.Spawn("last words", OpenScopeAtTheEnd(ctx, &ended));
  io.poll();
  io.stop();

  EndAllTasks(io, std::chrono::seconds(10));

  EXPECT_EQ(first.running() + second.running(), 0u);
  EXPECT_GE(ended, 3);
}

TEST(EndAllTasksTest, LetsNothingNewBegin) {
  boost::asio::io_context io;
  int runs = 0;
  TaskScope scope(io.get_executor());
  EndAllTasks(io, std::chrono::seconds(10));

  scope.Spawn("count", Count(&runs));
  io.restart();
  io.poll();

  EXPECT_EQ(runs, 0);
}

Task<void> HoldOn(boost::asio::io_context* io, int* turns) {
  // Deaf to cancellation, as one is that waits for another thread.
  for (co_await boost::asio::this_coro::reset_cancellation_state(
           boost::asio::disable_cancellation());
       *turns >= 0; ++*turns) {
    co_await boost::asio::post(*io, boost::asio::use_awaitable);
  }
}

TEST(EndAllTasksTest, GivesUpWhenItsTimeIsOver) {
  boost::asio::io_context io;
  int turns = 0;
  TaskScope scope(io.get_executor());
  scope.Spawn("deaf", HoldOn(&io, &turns));

  EndAllTasks(io, std::chrono::milliseconds(20));

  EXPECT_EQ(scope.running(), 1u);
  turns = -1000000;
  io.restart();
  io.poll();
}

}  // namespace
}  // namespace falconer
