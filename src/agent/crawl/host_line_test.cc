// Whose turn it is to visit which host.
#include "agent/crawl/host_line.h"

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "tests/support/co_test.h"
#include "tests/support/in_background.h"
#include "tests/support/settle.h"

namespace falconer::agent {
namespace {

using std::chrono::milliseconds;
using Visit = test::InBackground<Result<HostLine::Permit>>;

std::shared_ptr<VisitGroup> GroupOf(std::size_t at_once) {
  return std::make_shared<VisitGroup>(VisitGroup{.at_once = at_once});
}

constexpr LineLimits kAtOnceOnly = {.per_host = 2, .at_once = 3, .max_waiting = 10};
constexpr LineLimits kDelayed = {.delay = milliseconds(100),
                                 .max_delay = milliseconds(5000),
                                 .per_host = 9,
                                 .at_once = 9,
                                 .max_waiting = 10};

CO_TEST(HostLineTest, LetsAFewVisitOneHost) {
  HostLine line(kAtOnceOnly);
  auto first = co_await line.Enter(ctx, "a", GroupOf(9));
  const auto second = co_await line.Enter(ctx, "a", GroupOf(9));
  Visit third(ctx.executor(), line.Enter(ctx, "a", GroupOf(9)));
  Visit other(ctx.executor(), line.Enter(ctx, "b", GroupOf(9)));
  co_await test::Settle();

  EXPECT_FALSE(third.is_done());
  EXPECT_TRUE(other.is_done());
  EXPECT_EQ(line.waiting(), 1U);
  {
    const auto over = std::move(first);
  }
  EXPECT_TRUE(co_await third.Join());
}

CO_TEST(HostLineTest, AHostThatHadEnoughIsNotForgottenForOthers) {
  constexpr int kMoreThanAreKept = 4200;
  FakeClock clock;
  const CallContext fake(ctx.executor(), clock);
  HostLine line({.max_delay = milliseconds(5000), .per_host = 2, .at_once = 3, .max_waiting = 10});
  line.Defer("busy", clock.Now());
  for (int i = 0; i < kMoreThanAreKept; ++i)
    line.SetDelay("host" + std::to_string(i), milliseconds(0));
  EXPECT_TRUE(co_await line.Enter(fake, "one more", GroupOf(1)));

  Visit busy(ctx.executor(), line.Enter(fake, "busy", GroupOf(1)));
  co_await test::Settle();

  EXPECT_FALSE(busy.is_done());
  clock.Advance(std::chrono::seconds(1));
  EXPECT_TRUE(co_await busy.Join());
}

CO_TEST(HostLineTest, HostsTakeTurns) {
  HostLine line({.per_host = 9, .at_once = 1, .max_waiting = 10});
  auto running = co_await line.Enter(ctx, "a", GroupOf(9));
  Visit same(ctx.executor(), line.Enter(ctx, "a", GroupOf(9)));
  Visit other(ctx.executor(), line.Enter(ctx, "b", GroupOf(9)));
  {
    const auto over = std::move(running);
  }
  co_await test::Settle();

  EXPECT_TRUE(other.is_done()) << "it came later, but its host had no turn yet";
  EXPECT_FALSE(same.is_done());
  {
    const auto over = co_await other.Join();
  }
  EXPECT_TRUE(co_await same.Join());
}

CO_TEST(HostLineTest, AGroupHasItsOwnLimitAndIsInNobodysWay) {
  HostLine line({.per_host = 9, .at_once = 9, .max_waiting = 10});
  const auto busy = GroupOf(1);
  auto first = co_await line.Enter(ctx, "a", busy);
  Visit second(ctx.executor(), line.Enter(ctx, "a", busy));
  const auto other = co_await line.Enter(ctx, "a", GroupOf(1));

  EXPECT_TRUE(other);
  EXPECT_FALSE(second.is_done());
  co_await test::Settle();
  EXPECT_FALSE(second.is_done());
  {
    const auto over = std::move(first);
  }
  EXPECT_TRUE(co_await second.Join());
}

CO_TEST(HostLineTest, VisitsBeginApart) {
  FakeClock clock;
  const CallContext now(ctx.executor(), clock);
  HostLine line(kDelayed);
  const auto first = co_await line.Enter(now, "a", GroupOf(9));
  Visit second(ctx.executor(), line.Enter(now, "a", GroupOf(9)));
  const auto other = co_await line.Enter(now, "b", GroupOf(9));
  co_await test::Settle();
  EXPECT_FALSE(second.is_done());

  clock.Advance(milliseconds(99));
  co_await test::Settle();
  EXPECT_FALSE(second.is_done());
  clock.Advance(milliseconds(1));
  EXPECT_TRUE(co_await second.Join());
}

CO_TEST(HostLineTest, ASiteMayAskForMoreTimeButNotForAnyTime) {
  FakeClock clock;
  const CallContext now(ctx.executor(), clock);
  HostLine line(kDelayed);
  line.SetDelay("a", std::chrono::hours(1));
  const auto first = co_await line.Enter(now, "a", GroupOf(9));
  Visit second(ctx.executor(), line.Enter(now, "a", GroupOf(9)));
  clock.Advance(milliseconds(4999));
  co_await test::Settle();
  EXPECT_FALSE(second.is_done());
  clock.Advance(milliseconds(1));
  EXPECT_TRUE(co_await second.Join());
}

CO_TEST(HostLineTest, AHostThatHadEnoughIsLeftAloneLongerEachTime) {
  FakeClock clock;
  const CallContext now(ctx.executor(), clock);
  HostLine line({.max_delay = milliseconds(1500), .per_host = 9, .at_once = 9, .max_waiting = 10});
  for (const int wait : {1000, 1500, 1500}) {
    line.Defer("a", clock.Now());
    Visit visit(ctx.executor(), line.Enter(now, "a", GroupOf(9)));
    clock.Advance(milliseconds(wait - 1));
    co_await test::Settle();
    EXPECT_FALSE(visit.is_done()) << wait;
    clock.Advance(milliseconds(1));
    EXPECT_TRUE(co_await visit.Join());
  }
  line.Restore("a");
  line.Defer("a", clock.Now());
  Visit visit(ctx.executor(), line.Enter(now, "a", GroupOf(9)));
  clock.Advance(milliseconds(1000));
  EXPECT_TRUE(co_await visit.Join());
}

CO_TEST(HostLineTest, RefusesWhileTooManyWait) {
  HostLine line({.per_host = 1, .at_once = 1, .max_waiting = 1});
  EXPECT_TRUE(line.Admits());
  auto first = co_await line.Enter(ctx, "a", GroupOf(9));
  Visit second(ctx.executor(), line.Enter(ctx, "a", GroupOf(9)));
  co_await test::Settle();

  const auto refused = line.Admits();
  EXPECT_FALSE(refused);
  if (!refused) {
    EXPECT_EQ(refused.error().code(), ErrorCode::kQueueFull);
    EXPECT_GE(refused.error().details().at("retry_after_ms").as_int64(), 1000);
  }
  {
    const auto over = std::move(first);
  }
  EXPECT_TRUE(co_await second.Join());
}

CO_TEST(HostLineTest, WhoGivesUpLeavesTheLine) {
  FakeClock clock;
  const CallContext now(ctx.executor(), clock);
  HostLine line({.per_host = 1, .at_once = 1, .max_waiting = 9});
  const auto first = co_await line.Enter(now, "a", GroupOf(9));
  Visit second(ctx.executor(), line.Enter(now.WithTimeout(milliseconds(10)), "a", GroupOf(9)));
  clock.Advance(milliseconds(10));
  const auto left = co_await second.Join();

  EXPECT_EQ(left.error().code(), ErrorCode::kTimeout);
  EXPECT_EQ(line.waiting(), 0U);
}

}  // namespace
}  // namespace falconer::agent
