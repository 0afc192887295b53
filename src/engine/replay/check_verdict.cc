// Do attempts, escalation and verdict follow from what was observed?

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "engine/attempt_rules.h"
#include "engine/replay/record_fields.h"
#include "engine/replay/replay_scope.h"
#include "kernel/plan/replayed_inputs.h"

namespace falconer::engine {
namespace {

using model::ActionExecutionResult;
using model::AttemptRecord;

void CheckPause(ReplayScope& scope, const AttemptRecord& attempt) {
  const auto planned = scope.contract->retry.BackoffBefore(attempt.n);
  const std::int64_t diff = std::abs((attempt.backoff - planned).count());
  if (diff <= scope.timing_tolerance.count()) return;
  scope.out.Diverged(fmt::format("attempt.{}", attempt.n), DivergenceClass::kTiming,
                     fmt::format("the pause before it was {} ms, by the policy {} ms",
                                 attempt.backoff.count(), planned.count()));
  scope.out.checks.back().diff_ms = diff;
}

bool MayTryAgain(const ReplayScope& scope, const AttemptRecord& attempt) {
  const model::RetryPolicy& retry = scope.contract->retry;
  return attempt.cause && attempt.n < retry.max_attempts && IsRetryable(retry, *attempt.cause);
}

std::chrono::milliseconds SpentOn(const std::vector<AttemptRecord>& attempts) {
  std::chrono::milliseconds spent{0};
  for (const AttemptRecord& attempt : attempts) spent += attempt.waited + attempt.backoff;
  return spent;
}

// Whether the last attempt had to be the last.
void CheckLast(ReplayScope& scope) {
  const auto& attempts = scope.result->attempts;
  if (!MayTryAgain(scope, attempts.back()))
    return scope.out.Reproduced("attempts", fmt::format("{} made", attempts.size()));
  const bool was_ended = scope.result->metadata.contains("fence");
  const bool had_no_time = SpentOn(attempts) >= scope.contract->timeout.total;
  const bool was_blind =
      scope.result->metadata.contains(kMayHaveActed) && !CanProve(*scope.contract);
  if (was_ended || had_no_time || was_blind || scope.contract->deadline)
    return scope.out.Reproduced("attempts", fmt::format("{} made, then ended", attempts.size()));
  scope.out.Missing("attempts", "why no other attempt was made");
}

std::optional<model::EscalationRecord> EscalationOf(const ReplayScope& scope) {
  const AttemptRecord& last = scope.result->attempts.back();
  if (!last.cause) return std::nullopt;
  const model::RetryPolicy& retry = scope.contract->retry;
  const model::EscalationPolicy& policy = scope.contract->escalation;
  const bool is_exhausted = last.n >= retry.max_attempts && IsRetryable(retry, *last.cause);
  return model::EscalationRecord{
      .mode = is_exhausted ? policy.on_exhausted_retries : policy.on_non_retryable,
      .reason = is_exhausted ? "retries_exhausted" : "not_retryable"};
}

std::string TextOf(const std::optional<model::EscalationRecord>& escalation) {
  if (!escalation) return "none";
  return fmt::format("{} ({})", NameIn(model::kEscalationModes, escalation->mode),
                     escalation->reason);
}

void CheckEscalation(ReplayScope& scope) {
  const auto now = EscalationOf(scope);
  if (now == scope.result->escalation) {
    if (now) scope.out.Reproduced("escalation", TextOf(now));
    return;
  }
  scope.out.Diverged(
      "escalation", DivergenceClass::kOutcome,
      fmt::format("recorded {}, now {}", TextOf(scope.result->escalation), TextOf(now)));
}

// What a success needs and a failure contradicts.
std::optional<std::string> WhyNoSuccess(const ReplayScope& scope) {
  const ActionExecutionResult& result = *scope.result;
  if (result.verification && !result.verification->passed) return "a hard rule did not hold";
  const bool is_rebound = result.escalation.has_value();
  if (!result.attempts.empty() && result.attempts.back().cause && !is_rebound)
    return "the last attempt failed";
  const json::array& waits = result.wait_outcomes;
  const std::size_t asked = scope.contract->wait_conditions.size();
  for (std::size_t i = waits.size() - std::min(asked, waits.size()); i < waits.size(); ++i) {
    if (!IsTrueAt(waits[i].as_object(), "satisfied")) return "a wait did not come true";
  }
  return std::nullopt;
}

struct FailureRow {
  ErrorCode code;
  bool (*is_shown)(const ActionExecutionResult&);
};

bool HasFailedRule(const ActionExecutionResult& result) {
  return result.verification && !result.verification->passed;
}

// Also an act may run out of time; only where the waits of the contract ended it are they to show.
bool HasFailedWait(const ActionExecutionResult& result) {
  const auto& attempts = result.attempts;
  if (attempts.empty() || attempts.back().phase != model::AttemptPhase::kWait) return true;
  return !result.wait_outcomes.empty() &&
         !IsTrueAt(result.wait_outcomes.back().as_object(), "satisfied");
}

// Failures that are verdicts over something on record. The others are themselves what was seen.
constexpr FailureRow kShownBy[] = {
    {ErrorCode::kPreconditionFailed, HasFailedRule},
    {ErrorCode::kPostconditionFailed, HasFailedRule},
    {ErrorCode::kWaitTimeout, HasFailedWait},
};

void CheckFailure(ReplayScope& scope) {
  const model::ActionFailure& failure = *scope.result->failure;
  const std::string name(TraitsOf(failure.code).name);
  for (const FailureRow& row : kShownBy) {
    if (row.code == failure.code && !row.is_shown(*scope.result)) {
      return scope.out.Diverged("verdict", DivergenceClass::kOutcome,
                                "nothing on record failed with " + name);
    }
  }
  scope.out.Reproduced("verdict", "failed: " + name);
}

void CheckSuccess(ReplayScope& scope) {
  if (const auto why_not = WhyNoSuccess(scope)) {
    return scope.out.Diverged("verdict", DivergenceClass::kOutcome,
                              "recorded as a success, but " + *why_not);
  }
  if (!scope.result->verification && !scope.contract->dry_run)
    return scope.out.Missing("verdict", "what the rules were judged by");
  scope.out.Reproduced("verdict", "success");
}

// What the clock on the wall said when the turn opened; nothing, and said so, when it is missing.
std::optional<std::int64_t> StartOf(ReplayScope& scope) {
  std::vector<kernel::RecordedInput> inputs;
  const json::value* list = At(scope.evidence.opened->payload, "inputs");
  if (list != nullptr && list->is_array()) {
    for (const json::value& one : list->get_array()) {
      if (auto input = kernel::ParseRecordedInput(one)) inputs.push_back(*std::move(input));
    }
  }
  kernel::ReplayedInputs replayed(std::move(inputs));
  const auto start = replayed.WallMillis(kTurnStart);
  if (start) return *start;
  scope.out.Missing("deadline", start.error().message());
  return std::nullopt;
}

void CheckDeadline(ReplayScope& scope) {
  if (!scope.contract->deadline || !scope.evidence.opened) return;
  const auto start = StartOf(scope);
  if (!start) return;
  const bool had_passed = *start >= scope.contract->deadline->count();
  if (!had_passed || !scope.result->success) return scope.out.Reproduced("deadline");
  scope.out.Diverged("deadline", DivergenceClass::kOutcome,
                     "recorded as a success, but its deadline had passed before it began");
}

}  // namespace

void CheckAttempts(ReplayScope& scope) {
  if (!scope.result || !scope.contract || scope.result->attempts.empty()) return;
  int n = 0;
  for (const AttemptRecord& attempt : scope.result->attempts) {
    const bool is_last = &attempt == &scope.result->attempts.back();
    if (attempt.n != ++n) {
      return scope.out.Diverged("attempts", DivergenceClass::kOrdering,
                                fmt::format("attempt {} stands at place {}", attempt.n, n));
    }
    CheckPause(scope, attempt);
    if (is_last || MayTryAgain(scope, attempt)) continue;
    return scope.out.Diverged(fmt::format("attempt.{}", n + 1), DivergenceClass::kOutcome,
                              "it was made although the one before it was not to be repeated");
  }
  CheckLast(scope);
  CheckEscalation(scope);
}

void CheckVerdict(ReplayScope& scope) {
  if (!scope.result || !scope.contract) return;
  CheckDeadline(scope);
  scope.result->success ? CheckSuccess(scope) : CheckFailure(scope);
}

}  // namespace falconer::engine
