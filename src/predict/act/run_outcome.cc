#include "predict/act/run_outcome.h"

#include <algorithm>

namespace falconer::predict {
namespace {

struct CodeOutcome {
  ErrorCode code;
  RunOutcome outcome;
};

// Every other code is a failure.
constexpr CodeOutcome kCodeOutcomes[] = {
    {ErrorCode::kPolicyDenied, RunOutcome::kRefused},
    {ErrorCode::kSecurityDomainBlock, RunOutcome::kRefused},
    {ErrorCode::kSecurityApprovalRequired, RunOutcome::kRefused},
    {ErrorCode::kSecurityJsBlocked, RunOutcome::kRefused},
    {ErrorCode::kSecretField, RunOutcome::kRefused},
    {ErrorCode::kUnauthorized, RunOutcome::kRefused},
    {ErrorCode::kForbidden, RunOutcome::kRefused},
    {ErrorCode::kTokenInvalid, RunOutcome::kRefused},
    {ErrorCode::kTokenExpired, RunOutcome::kRefused},
    {ErrorCode::kTokenRevoked, RunOutcome::kRefused},
    {ErrorCode::kTokenReplayed, RunOutcome::kRefused},
    {ErrorCode::kTokenWrongAudience, RunOutcome::kRefused},
    {ErrorCode::kTokenWrongIssuer, RunOutcome::kRefused},
    {ErrorCode::kCapabilityMissing, RunOutcome::kRefused},
    {ErrorCode::kConstraintViolated, RunOutcome::kRefused},
    {ErrorCode::kApprovalDenied, RunOutcome::kRefused},
    {ErrorCode::kApprovalTimeout, RunOutcome::kRefused},
    {ErrorCode::kRuntimePaused, RunOutcome::kRefused},
    {ErrorCode::kPolicyRateLimit, RunOutcome::kRefused},
    {ErrorCode::kQuotaSessionLimit, RunOutcome::kRefused},
    {ErrorCode::kQuotaActionRate, RunOutcome::kRefused},
    {ErrorCode::kQuotaArtifactBytes, RunOutcome::kRefused},
    {ErrorCode::kGlobalSessionLimit, RunOutcome::kRefused},
    {ErrorCode::kCircuitOpen, RunOutcome::kRefused},
    {ErrorCode::kCircuitHalfOpen, RunOutcome::kRefused},
    {ErrorCode::kSessionLeaseNotAcquired, RunOutcome::kRefused},
    // A person has taken over.
    {ErrorCode::kStaleEpoch, RunOutcome::kRefused},
    // Nothing was done: the page is not as it was when this was learnt.
    {ErrorCode::kPreconditionFailed, RunOutcome::kAsks},
    {ErrorCode::kDialogOpen, RunOutcome::kAsks},
    {ErrorCode::kCancelled, RunOutcome::kCancelled},
    {ErrorCode::kDeadlineExceeded, RunOutcome::kTimedOut},
};

constexpr ErrorCode kWithoutElement[] = {ErrorCode::kElementNotFound, ErrorCode::kElementAmbiguous,
                                         ErrorCode::kTargetBindFailed, ErrorCode::kStaleRef};

}  // namespace

RunOutcome OutcomeOf(ErrorCode code) {
  const auto* found = std::ranges::find(kCodeOutcomes, code, &CodeOutcome::code);
  return found == std::end(kCodeOutcomes) ? RunOutcome::kFailed : found->outcome;
}

bool IsWithoutElement(ErrorCode code) {
  return std::ranges::find(kWithoutElement, code) != std::end(kWithoutElement);
}

}  // namespace falconer::predict
