#include "agent/providers/retry_rule.h"

#include <algorithm>

namespace falconer::agent {
namespace {

struct FaultRule {
  ProviderFault fault;
  RetryDecision first;  // while the provider has tries left
  bool counts;
};

constexpr FaultRule kFaultRules[] = {
    {ProviderFault::kTimeout, RetryDecision::kRetry, true},
    {ProviderFault::kOverload, RetryDecision::kRetry, true},
    {ProviderFault::kBlocked, RetryDecision::kProviderSwitch, false},
    {ProviderFault::kInfrastructure, RetryDecision::kRetry, true},
    {ProviderFault::kCancelled, RetryDecision::kStop, false},
    {ProviderFault::kInvalidAnswer, RetryDecision::kRetry, true},
};

const FaultRule& RuleOf(ProviderFault fault) {
  return *std::ranges::find(kFaultRules, fault, &FaultRule::fault);
}

}  // namespace

RetryDecision DecideRetry(const Error& error, int tries, const RetryLimits& limits) {
  if (IsContentRefusal(error)) return RetryDecision::kStop;
  const RetryDecision first = RuleOf(FaultOf(error)).first;
  if (first != RetryDecision::kRetry) return first;
  const bool may_wait = BackoffFor(error, limits) <= limits.max_backoff;
  return tries < limits.tries && may_wait ? RetryDecision::kRetry : RetryDecision::kProviderSwitch;
}

std::chrono::milliseconds BackoffFor(const Error& error, const RetryLimits& limits) {
  return std::max(limits.backoff, RetryAfterOf(error).value_or(limits.backoff));
}

bool CountsAgainst(ProviderFault fault) {
  return RuleOf(fault).counts;
}

}  // namespace falconer::agent
