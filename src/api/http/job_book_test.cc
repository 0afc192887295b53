#include "api/http/job_book.h"

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "tests/support/asked_approvals.h"
#include "tests/support/co_test.h"

namespace falconer::api {
namespace {

using namespace std::chrono_literals;

struct JobBench {
  JobBench(const CallContext& real, JobLimits limits)
      : ctx(real.executor(), clock), book(real.executor(), clock, approvals, limits) {}

  // A job that has ended with so many bytes.
  Task<std::string> Ended(std::size_t bytes) {
    clock.Advance(1s);
    const std::string id = book.Begin("test", Giving(bytes)).value_or("");
    EXPECT_NE(id, "");
    EXPECT_TRUE(co_await book.Await(ctx, id));
    co_return id;
  }
  static JobBook::JobWork Giving(std::size_t bytes) {
    return [bytes](CallContext, JobBook::JobNews) { return Give(bytes); };
  }
  static Task<Result<json::object>> Give(std::size_t bytes) {
    co_return json::object{{"text", std::string(bytes, 'x')}};
  }
  // One that goes on until it is called off.
  static JobBook::JobWork Endless() {
    return [](CallContext with, JobBook::JobNews) { return Wait(std::move(with)); };
  }
  static Task<Result<json::object>> Wait(CallContext with) {
    Alarm never(with.executor(), with.clock());
    CO_TRY(co_await with.Wait(&never, "nothing"));
    co_return json::object();
  }
  bool Has(const std::string& id) const { return book.Look(id).has_value(); }

  FakeClock clock;
  CallContext ctx;
  test::AskedApprovals approvals;
  JobBook book;
};

CO_TEST(JobBookTest, KeepsTheNewestThatFit) {
  JobBench bench(ctx, {.kept = 3, .kept_bytes = 1000});
  const std::string first = co_await bench.Ended(300);
  const std::string second = co_await bench.Ended(300);
  EXPECT_TRUE(bench.Has(first));

  const std::string third = co_await bench.Ended(600);
  EXPECT_FALSE(bench.Has(first)) << "three would be more bytes than are kept";
  EXPECT_TRUE(bench.Has(second));

  const std::string large = co_await bench.Ended(5000);
  EXPECT_TRUE(bench.Has(large)) << "the newest is kept, whatever its size";
  EXPECT_FALSE(bench.Has(third));
}

CO_TEST(JobBookTest, KeepsSoManyAndSoLong) {
  JobBench bench(ctx, {.kept = 2, .keep = 1h});
  const std::string first = co_await bench.Ended(1);
  const std::string second = co_await bench.Ended(1);
  const std::string third = co_await bench.Ended(1);
  EXPECT_FALSE(bench.Has(first));
  EXPECT_TRUE(bench.Has(second) && bench.Has(third));

  bench.clock.Advance(2h);
  co_await bench.Ended(1);
  EXPECT_FALSE(bench.Has(second) || bench.Has(third));
}

CO_TEST(JobBookTest, RunsNoMoreThanItMayAndEndsThemAll) {
  JobBench bench(ctx, {.at_once = 1});
  const auto running = bench.book.Begin("test", JobBench::Endless());
  EXPECT_TRUE(running);
  const auto beyond = bench.book.Begin("test", JobBench::Endless());
  EXPECT_FALSE(beyond);
  if (!beyond) EXPECT_EQ(beyond.error().code(), ErrorCode::kQueueFull);

  co_await bench.book.Stop(Error(ErrorCode::kCancelled, "the server ends"));

  const auto told = bench.book.Look(running.value_or(""));
  EXPECT_TRUE(told);
  if (told) EXPECT_EQ(told->at("status"), "failed");
  const auto late = bench.book.Begin("test", JobBench::Giving(1));
  EXPECT_FALSE(late);
  if (!late) EXPECT_EQ(late.error().code(), ErrorCode::kToolUnavailable);
}

}  // namespace
}  // namespace falconer::api
