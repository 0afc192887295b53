#pragma once
// TurnBudget: what a turn has used of its time and its tokens, and what follows: go on, do with
// less, take the fallback, or stop.

#include <cstdint>

#include "base/async/clock.h"
#include "base/json/json_reader.h"

namespace falconer::kernel {

enum class BudgetAction : std::uint8_t { kContinue, kDegrade, kFallback, kTerminate };

inline constexpr EnumName<BudgetAction> kBudgetActions[] = {
    {BudgetAction::kContinue, "continue"},
    {BudgetAction::kDegrade, "degrade"},
    {BudgetAction::kFallback, "fallback"},
    {BudgetAction::kTerminate, "terminate"},
};

enum class BudgetReason : std::uint8_t { kWithinBudget, kWarning, kExhausted };

inline constexpr EnumName<BudgetReason> kBudgetReasons[] = {
    {BudgetReason::kWithinBudget, "within_budget"},
    {BudgetReason::kWarning, "budget_warning"},
    {BudgetReason::kExhausted, "budget_exhausted"},
};

enum class Allowance : std::uint8_t { kNo, kYes };

struct BudgetLimits {
  Duration warn_at = std::chrono::milliseconds(4000);
  Duration exhaust_at = std::chrono::milliseconds(5000);
  // 0: tokens are not limited.
  std::int64_t warn_at_tokens = 0;
  std::int64_t exhaust_at_tokens = 0;
  Allowance degrade = Allowance::kNo;
  Allowance fallback = Allowance::kNo;

  // kInvalidArgument when a warning would come after the end.
  Result<void> Validate() const;
};

struct BudgetDecision {
  BudgetAction action = BudgetAction::kContinue;
  BudgetReason reason = BudgetReason::kWithinBudget;
  // True the first time this reason is reached: when a signal is due.
  bool is_new = false;
};

class TurnBudget {
 public:
  // Time runs from now. `limits` MUST be valid.
  TurnBudget(const Clock& clock, const BudgetLimits& limits);

  void UseTokens(std::int64_t count);
  // The answer at this moment; the worse of time and tokens counts.
  BudgetDecision Check();

  Duration elapsed() const { return clock_.Now() - started_; }
  std::int64_t tokens() const { return tokens_; }
  // When the time is used up.
  Deadline deadline() const { return Deadline::After(started_, limits_.exhaust_at); }

 private:
  BudgetReason Reached() const;

  const Clock& clock_;
  BudgetLimits limits_;
  TimePoint started_;
  std::int64_t tokens_ = 0;
  BudgetReason worst_ = BudgetReason::kWithinBudget;
};

}  // namespace falconer::kernel
