#include "engine/attempt_rules.h"

#include <algorithm>

namespace falconer::engine {
namespace {

using enum model::ActionType;

// Only what leaves the page as it is, or in the one state that is asked for.
constexpr model::ActionType kHarmlessTwice[] = {
    kNavigate, kHover,      kFill,     kClear,     kSelect,   kCheck, kUncheck,     kExtract,
    kPdf,      kScreenshot, kSnapshot, kSwitchTab, kWaitOnly, kFocus, kSetViewport,
};

// Failures of finding and preparing the target: the guard in the page lets nothing through before.
constexpr ErrorCode kBeforeTheAct[] = {
    ErrorCode::kElementNotFound,   ErrorCode::kElementAmbiguous,   ErrorCode::kElementNotVisible,
    ErrorCode::kElementNotEnabled, ErrorCode::kElementNotEditable, ErrorCode::kElementNotStable,
    ErrorCode::kElementObscured,   ErrorCode::kElementDetached,    ErrorCode::kWrongElement,
    ErrorCode::kOptionNotFound,    ErrorCode::kStaleRef,           ErrorCode::kSecretField,
    ErrorCode::kInvalidActionSpec, ErrorCode::kInvalidSelector,    ErrorCode::kNoDialog,
    ErrorCode::kTargetBindFailed,  ErrorCode::kInvalidArgument,    ErrorCode::kSecurityJsBlocked,
};

// More than one thing leaves for the page: finding the second place may fail after the first.
constexpr model::ActionType kSeveralSteps[] = {kDrag, kDownloadTrigger};

constexpr ErrorCode kBindFailures[] = {
    ErrorCode::kElementNotFound,   ErrorCode::kElementAmbiguous,   ErrorCode::kElementNotVisible,
    ErrorCode::kElementNotEnabled, ErrorCode::kElementNotEditable, ErrorCode::kElementNotStable,
    ErrorCode::kElementObscured,   ErrorCode::kElementDetached,    ErrorCode::kStaleRef,
    ErrorCode::kFrameDetached,
};

// They pass by themselves, but not while the turn lasts.
constexpr ErrorCode kNotSoon[] = {ErrorCode::kPolicyRateLimit};

bool IsIn(std::span<const ErrorCode> list, ErrorCode code) {
  return std::ranges::find(list, code) != list.end();
}

}  // namespace

Repeating RepeatingOf(model::ActionType type) {
  const bool is_harmless = std::ranges::find(kHarmlessTwice, type) != std::end(kHarmlessTwice);
  return is_harmless ? Repeating::kHarmless : Repeating::kDoublesTheEffect;
}

Reached ReachedOf(model::ActionType type, ErrorCode failure) {
  if (std::ranges::find(kSeveralSteps, type) != std::end(kSeveralSteps)) return Reached::kMayHave;
  return IsIn(kBeforeTheAct, failure) ? Reached::kCannotHave : Reached::kMayHave;
}

bool CanProve(const model::ActionContract& contract) {
  const auto is_hard = [](const model::VerificationRule& rule) {
    return rule.severity == model::Severity::kHard;
  };
  return !contract.wait_conditions.empty() ||
         std::ranges::any_of(contract.expected_postconditions, is_hard) ||
         std::ranges::any_of(contract.verification_rules, is_hard);
}

bool ShowsItHappened(const model::VerificationReport& report) {
  const auto was_seen = [](const model::RuleOutcome& outcome) {
    return outcome.severity == model::Severity::kHard &&
           outcome.verdict == model::RuleVerdict::kPassed;
  };
  return report.passed && std::ranges::any_of(report.outcomes, was_seen);
}

Error WhenUnrecorded(const Error& why, const model::ActionContract& contract,
                     const model::ActionExecutionResult& result) {
  const bool had_effect = result.success && !contract.dry_run &&
                          RepeatingOf(contract.action_spec.type) == Repeating::kDoublesTheEffect;
  if (!had_effect && !result.metadata.contains(kMayHaveActed)) return why;
  return Error(ErrorCode::kOutcomeUnknown,
               "the action may have happened, and what came of it could not be recorded: " +
                   std::string(why.message()),
               why.details());
}

ErrorCode FamilyOf(ErrorCode cause) {
  if (cause == ErrorCode::kWaitTimeout || cause == ErrorCode::kPostconditionFailed) return cause;
  return IsIn(kBindFailures, cause) ? ErrorCode::kTargetBindFailed
                                    : ErrorCode::kActionExecutionFailed;
}

bool IsRetryable(const model::RetryPolicy& policy, ErrorCode cause) {
  if (policy.IsRetryable(cause)) return true;
  if (IsIn(kNotSoon, cause)) return false;
  // A cause that can never pass by itself is not made better by its family.
  return TraitsOf(cause).retry == Retry::kRetryable && policy.IsRetryable(FamilyOf(cause));
}

}  // namespace falconer::engine
