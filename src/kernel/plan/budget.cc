#include "kernel/plan/budget.h"

#include <algorithm>

#include "base/check.h"

namespace falconer::kernel {
namespace {

struct ActionRow {
  BudgetReason reason;
  Allowance degrade;
  Allowance fallback;
  BudgetAction action;
};

constexpr auto kYes = Allowance::kYes;
constexpr auto kNo = Allowance::kNo;

// Every case once: a warning can at most make the turn do with less, only the end can stop it.
constexpr ActionRow kActions[] = {
    {BudgetReason::kWarning, kYes, kNo, BudgetAction::kDegrade},
    {BudgetReason::kWarning, kYes, kYes, BudgetAction::kDegrade},
    {BudgetReason::kExhausted, kNo, kNo, BudgetAction::kTerminate},
    {BudgetReason::kExhausted, kYes, kNo, BudgetAction::kTerminate},
    {BudgetReason::kExhausted, kNo, kYes, BudgetAction::kFallback},
    {BudgetReason::kExhausted, kYes, kYes, BudgetAction::kFallback},
};

BudgetAction ActionFor(BudgetReason reason, const BudgetLimits& limits) {
  for (const ActionRow& row : kActions) {
    if (row.reason == reason && row.degrade == limits.degrade && row.fallback == limits.fallback) {
      return row.action;
    }
  }
  return BudgetAction::kContinue;
}

}  // namespace

Result<void> BudgetLimits::Validate() const {
  if (warn_at < Duration::zero() || warn_at > exhaust_at) {
    return Fail(ErrorCode::kInvalidArgument, "budget: warn_at must be at most exhaust_at");
  }
  if (warn_at_tokens < 0 || exhaust_at_tokens < 0 ||
      (exhaust_at_tokens > 0 && warn_at_tokens > exhaust_at_tokens)) {
    return Fail(ErrorCode::kInvalidArgument,
                "budget: warn_at_tokens must be at most exhaust_at_tokens");
  }
  return {};
}

TurnBudget::TurnBudget(const Clock& clock, const BudgetLimits& limits)
    : clock_(clock), limits_(limits), started_(clock.Now()) {
  CHECK(limits.Validate(), "budget limits are checked where they are read");
}

void TurnBudget::UseTokens(std::int64_t count) {
  tokens_ += std::max<std::int64_t>(count, 0);
}

BudgetReason TurnBudget::Reached() const {
  const auto has_reached = [this](Duration time, std::int64_t tokens) {
    return elapsed() >= time || (tokens > 0 && tokens_ >= tokens);
  };
  if (has_reached(limits_.exhaust_at, limits_.exhaust_at_tokens)) return BudgetReason::kExhausted;
  if (has_reached(limits_.warn_at, limits_.warn_at_tokens)) return BudgetReason::kWarning;
  return BudgetReason::kWithinBudget;
}

BudgetDecision TurnBudget::Check() {
  const BudgetReason reason = Reached();
  const bool is_new = reason > worst_;
  worst_ = std::max(worst_, reason);
  return {.action = ActionFor(reason, limits_), .reason = reason, .is_new = is_new};
}

}  // namespace falconer::kernel
