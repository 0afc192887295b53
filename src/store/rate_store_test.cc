#include "store/rate_store.h"

#include "tests/support/store_bench.h"

namespace falconer::store {
namespace {

using namespace std::chrono_literals;
using test::Finish;

class RateStoreTest : public test::StoreBench {
 protected:
  static RateLimit Limit(std::string key, std::uint64_t max,
                         std::chrono::milliseconds period = 24h) {
    return {.key = std::move(key), .max = max, .period = period};
  }
  static RateAnswer Take(SqliteStore& store, std::vector<RateLimit> limits) {
    const auto answer = Finish(store.TakeRates(std::move(limits)));
    EXPECT_TRUE(answer) << answer.error().message();
    return answer.value_or(RateAnswer());
  }
};

TEST_F(RateStoreTest, CountsInAWindowThatSlides) {
  const auto store = OpenStore();
  EXPECT_TRUE(Take(*store, {Limit("a", 2, 1h)}).ticket);
  clock_.Advance(20min);
  EXPECT_TRUE(Take(*store, {Limit("a", 2, 1h)}).ticket);
  clock_.Advance(10min);

  const RateAnswer full = Take(*store, {Limit("a", 2, 1h)});

  EXPECT_FALSE(full.ticket);
  EXPECT_EQ(full.counts.front(), (RateCount{.used = 2, .wait = 30min}));
  clock_.Advance(30min - 1ms);
  EXPECT_FALSE(Take(*store, {Limit("a", 2, 1h)}).ticket);
  clock_.Advance(1ms);
  EXPECT_TRUE(Take(*store, {Limit("a", 2, 1h)}).ticket) << "exactly when it was promised";
  EXPECT_TRUE(Take(*store, {Limit("b", 2, 1h)}).ticket) << "another key";
}

TEST_F(RateStoreTest, CountsUnderAllLimitsOrUnderNone) {
  const auto store = OpenStore();
  EXPECT_TRUE(Take(*store, {Limit("a", 1)}).ticket);
  const RateAnswer both = Take(*store, {Limit("b", 1), Limit("a", 1)});
  EXPECT_FALSE(both.ticket);
  EXPECT_EQ(both.counts.size(), 2U);
  EXPECT_EQ(both.counts.front(), RateCount());
  EXPECT_TRUE(Take(*store, {Limit("b", 1)}).ticket) << "nothing was counted";
}

TEST_F(RateStoreTest, WhatIsGivenBackDoesNotCount) {
  const auto store = OpenStore();
  const RateAnswer first = Take(*store, {Limit("a", 1), Limit("b", 1)});
  ASSERT_TRUE(first.ticket);
  store->PostReturnRates(*first.ticket);
  EXPECT_TRUE(Take(*store, {Limit("a", 1), Limit("b", 1)}).ticket);
  store->PostReturnRates(*first.ticket);
  EXPECT_FALSE(Take(*store, {Limit("a", 1)}).ticket) << "a ticket counts once";
}

TEST_F(RateStoreTest, ALimitOfNoneHasNoRoomAtAll) {
  const auto store = OpenStore();
  EXPECT_EQ(Take(*store, {Limit("a", 0, 1h)}).counts.front(), (RateCount{.wait = 1h}));
}

TEST_F(RateStoreTest, OutlivesTheProcessAndForgetsWhatNoLongerCounts) {
  EXPECT_TRUE(Take(*OpenStore(), {Limit("a", 1)}).ticket);
  const auto store = OpenStore();
  EXPECT_FALSE(Take(*store, {Limit("a", 1)}).ticket);
  clock_.Advance(24h);
  const RateAnswer next = Take(*store, {Limit("a", 1)});
  EXPECT_TRUE(next.ticket);
  EXPECT_EQ(next.counts.front().used, 0U);
}

TEST_F(RateStoreTest, AClockThatWasSetBackBlocksForOnePeriodAtMost) {
  const auto store = OpenStore();
  clock_.Advance(48h);
  EXPECT_TRUE(Take(*store, {Limit("a", 1, 1h)}).ticket);
  clock_.Advance(-48h);
  EXPECT_EQ(Take(*store, {Limit("a", 1, 1h)}).counts.front().wait, 1h);
  clock_.Advance(1h);
  EXPECT_TRUE(Take(*store, {Limit("a", 1, 1h)}).ticket);
}

TEST_F(RateStoreTest, NeverCountsMoreThanTheLimitWhoeverAsks) {
  const int counted = Race(24, [](SqliteStore& store) {
    return Take(store, {Limit("a", 10), Limit("b", 100)}).ticket.has_value();
  });
  EXPECT_EQ(counted, 10);
}

}  // namespace
}  // namespace falconer::store
