#include "agent/loop/run_budget.h"

#include <algorithm>

namespace falconer::agent {

void RunBudget::Pay(const RunStep& step) {
  tokens_ += step.usage.input + step.usage.output;
  cost_micros_ += step.cost_micros;
}

void RunBudget::Take(const RunStep& step) {
  ++steps_;
  failures_ = step.is_failed() ? failures_ + 1 : 0;
  if (std::ranges::any_of(step.calls, &RunCall::is_denied)) ++denials_;
}

std::optional<StopReason> RunBudget::CheckAsk(std::size_t request_tokens) const {
  const std::int64_t would_be = tokens_ + static_cast<std::int64_t>(request_tokens);
  if (config_.max_tokens > 0 && would_be >= config_.max_tokens) return StopReason::kTokenBudget;
  return CheckPaid();
}

std::int64_t RunBudget::AnswerTokens(std::size_t request_tokens, std::int64_t most) const {
  if (config_.max_tokens == 0) return most;
  const std::int64_t would_be = tokens_ + static_cast<std::int64_t>(request_tokens);
  return std::min(most, config_.max_tokens - would_be);
}

std::optional<StopReason> RunBudget::CheckPaid() const {
  if (config_.max_tokens > 0 && tokens_ >= config_.max_tokens) return StopReason::kTokenBudget;
  if (config_.max_cost_micros > 0 && cost_micros_ >= config_.max_cost_micros)
    return StopReason::kCostBudget;
  return std::nullopt;
}

std::optional<StopReason> RunBudget::CheckStep() const {
  if (denials_ >= kMostDenials) return StopReason::kPolicyDenied;
  if (failures_ >= config_.max_failures) return StopReason::kMaxFailures;
  if (steps_ >= config_.max_steps) return StopReason::kMaxSteps;
  return std::nullopt;
}

}  // namespace falconer::agent
