#include "engine/control/turn_rates.h"

#include <gtest/gtest.h>

#include "base/async/task_scope.h"
#include "tests/support/co_test.h"

namespace falconer::engine {
namespace {

using Step = TurnRates::Step;

// Counts under every key up to `room`; answers when it is told to.
class FakeRates final : public store::RateStore {
 public:
  Task<Result<store::RateAnswer>> TakeRates(std::vector<store::RateLimit> limits) override {
    ++asked;
    const CallContext ctx(co_await boost::asio::this_coro::executor, clock_);
    CO_TRY(co_await changes.Until(ctx, [this] { return !is_slow; }, "the store"));
    store::RateAnswer answer;
    answer.counts.resize(limits.size());
    for (std::size_t i = 0; i < limits.size(); ++i) {
      answer.counts[i].used = counted;
      if (counted >= room) answer.counts[i].wait = std::chrono::hours(1);
    }
    if (counted >= room) co_return answer;
    ++counted;
    answer.ticket.emplace();
    co_return answer;
  }
  void PostReturnRates(store::RateTicket /*ticket*/) override { --counted; }

  std::uint64_t room = 1;
  std::uint64_t counted = 0;
  int asked = 0;
  bool is_slow = false;
  Notifier changes;

 private:
  SystemClock clock_;
};

kernel::RateClaim Claim(policy::PolicyMode mode = policy::PolicyMode::kEnforce) {
  return {.demands = {{.rule = "few", .max = 9, .period = std::chrono::hours(1), .key = "k"}},
          .mode = mode};
}

CO_TEST(TurnRatesTest, ATurnCountsOnceWhateverItDoes) {
  FakeRates store;
  kernel::RateBook book(store);
  TurnRates rates({});
  EXPECT_TRUE(rates.IsDue(Claim().demands, Step::kOnce));
  const auto first = co_await rates.Count(ctx, &book, Claim(), Step::kOnce);
  EXPECT_TRUE(first && !first->Refusal());
  EXPECT_FALSE(rates.IsDue(Claim().demands, Step::kOnce));
  EXPECT_FALSE(rates.IsDue(Claim().demands, Step::kEach)) << "the first request is part of it";
  const auto again = co_await rates.Count(ctx, &book, Claim(), Step::kOnce);
  EXPECT_TRUE(again && again->facts.limits.empty());
  EXPECT_EQ(store.counted, 1U) << "nothing is given back";
}

CO_TEST(TurnRatesTest, WhatTheGateCountedIsNotCountedAgain) {
  const TurnRates rates({"k"});
  EXPECT_FALSE(rates.IsDue(Claim().demands, Step::kOnce));
  EXPECT_FALSE(rates.IsDue(Claim().demands, Step::kEach));
  co_return;
}

CO_TEST(TurnRatesTest, EachFurtherRequestThatChangesSomethingCounts) {
  FakeRates store;
  store.room = 2;
  store.counted = 1;
  kernel::RateBook book(store);
  TurnRates rates({"k"});
  rates.Pass(Claim().demands, Step::kEach);
  EXPECT_TRUE(rates.IsDue(Claim().demands, Step::kEach));
  EXPECT_FALSE(rates.IsDue(Claim().demands, Step::kOnce));

  const auto second = co_await rates.Count(ctx, &book, Claim(), Step::kEach);
  const auto third = co_await rates.Count(ctx, &book, Claim(), Step::kEach);
  const auto fourth = co_await rates.Count(ctx, &book, Claim(), Step::kEach);

  EXPECT_TRUE(second && !second->Refusal());
  EXPECT_TRUE(third && third->Refusal());
  EXPECT_TRUE(fourth && fourth->Refusal()) << "what was refused leaves no room behind";
  EXPECT_EQ(fourth->Refusal()->code(), ErrorCode::kPolicyRateLimit);
  EXPECT_EQ(store.counted, 2U);
}

Task<void> CountOne(TurnRates* rates, CallContext ctx, kernel::RateBook* book, int* passed) {
  const auto counted = co_await rates->Count(std::move(ctx), book, Claim(), Step::kOnce);
  *passed += counted && !counted->Refusal() ? 1 : 0;
}

CO_TEST(TurnRatesTest, WhatComesWhileOneIsCountedIsPartOfIt) {
  FakeRates store;
  store.is_slow = true;
  kernel::RateBook book(store);
  TurnRates rates({});
  int passed = 0;
  TaskScope scope(ctx.executor());
  for (int i = 0; i < 5; ++i) scope.Spawn("count", CountOne(&rates, ctx, &book, &passed));
  store.is_slow = false;
  store.changes.NotifyAll();
  co_await scope.Join();
  EXPECT_EQ(passed, 5);
  EXPECT_EQ(store.counted, 1U);
}

CO_TEST(TurnRatesTest, WhoOnlyObservesLetsItGoOn) {
  FakeRates store;
  store.room = 0;
  kernel::RateBook book(store);
  TurnRates rates({});
  const auto over =
      co_await rates.Count(ctx, &book, Claim(policy::PolicyMode::kObserve), Step::kOnce);
  EXPECT_TRUE(over && !over->Refusal());
  EXPECT_TRUE(over && over->facts.Reached() != nullptr) << "and says what would have been";
}

}  // namespace
}  // namespace falconer::engine
