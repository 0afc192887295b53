#include "kernel/plan/budget.h"

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"

namespace falconer::kernel {
namespace {

using namespace std::chrono_literals;

TEST(BudgetTest, EveryReasonLeadsToItsAction) {
  struct Row {
    Duration elapsed;
    Allowance degrade, fallback;
    BudgetAction action;
    BudgetReason reason;
  };
  const Row rows[] = {
      {0ms, Allowance::kYes, Allowance::kYes, BudgetAction::kContinue, BudgetReason::kWithinBudget},
      {99ms, Allowance::kYes, Allowance::kYes, BudgetAction::kContinue,
       BudgetReason::kWithinBudget},
      {100ms, Allowance::kNo, Allowance::kNo, BudgetAction::kContinue, BudgetReason::kWarning},
      {100ms, Allowance::kNo, Allowance::kYes, BudgetAction::kContinue, BudgetReason::kWarning},
      {100ms, Allowance::kYes, Allowance::kNo, BudgetAction::kDegrade, BudgetReason::kWarning},
      {199ms, Allowance::kYes, Allowance::kYes, BudgetAction::kDegrade, BudgetReason::kWarning},
      {200ms, Allowance::kNo, Allowance::kNo, BudgetAction::kTerminate, BudgetReason::kExhausted},
      {200ms, Allowance::kYes, Allowance::kNo, BudgetAction::kTerminate, BudgetReason::kExhausted},
      {200ms, Allowance::kNo, Allowance::kYes, BudgetAction::kFallback, BudgetReason::kExhausted},
      {900ms, Allowance::kYes, Allowance::kYes, BudgetAction::kFallback, BudgetReason::kExhausted},
  };
  for (const Row& row : rows) {
    FakeClock clock;
    TurnBudget budget(
        clock,
        {.warn_at = 100ms, .exhaust_at = 200ms, .degrade = row.degrade, .fallback = row.fallback});
    clock.Advance(row.elapsed);
    const BudgetDecision decision = budget.Check();
    EXPECT_EQ(decision.action, row.action);
    EXPECT_EQ(decision.reason, row.reason);
  }
}

TEST(BudgetTest, TokensCountLikeTime) {
  FakeClock clock;
  TurnBudget budget(clock, {.warn_at_tokens = 10, .exhaust_at_tokens = 20});
  budget.UseTokens(9);
  EXPECT_EQ(budget.Check().reason, BudgetReason::kWithinBudget);
  budget.UseTokens(-5);
  budget.UseTokens(1);
  EXPECT_EQ(budget.Check().reason, BudgetReason::kWarning);
  budget.UseTokens(10);
  EXPECT_EQ(budget.Check().action, BudgetAction::kTerminate);
  EXPECT_EQ(budget.tokens(), 20);
}

TEST(BudgetTest, EachReasonIsNewOnce) {
  FakeClock clock;
  TurnBudget budget(clock, {.warn_at = 100ms, .exhaust_at = 200ms});
  EXPECT_FALSE(budget.Check().is_new);
  clock.Advance(100ms);
  EXPECT_TRUE(budget.Check().is_new);
  EXPECT_FALSE(budget.Check().is_new);
  clock.Advance(100ms);
  EXPECT_TRUE(budget.Check().is_new);
  EXPECT_FALSE(budget.Check().is_new);
  EXPECT_TRUE(budget.deadline().HasPassed(clock.Now()));
}

TEST(BudgetTest, LimitsMustBeInOrder) {
  EXPECT_FALSE((BudgetLimits{.warn_at = 2s, .exhaust_at = 1s}).Validate());
  EXPECT_FALSE((BudgetLimits{.warn_at_tokens = 2, .exhaust_at_tokens = 1}).Validate());
  EXPECT_FALSE((BudgetLimits{.warn_at_tokens = -1}).Validate());
  EXPECT_TRUE(BudgetLimits().Validate());
}

}  // namespace
}  // namespace falconer::kernel
