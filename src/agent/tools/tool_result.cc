#include "agent/tools/tool_result.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace falconer::agent {
namespace {

// clang-format off
using enum ToolErrorKind;
using E = ErrorCode;

constexpr ToolErrorRow kToolErrors[] = {
    // What was asked for is not something that can be done as it was asked.
    {E::kInvalidContract,          kValidation},
    {E::kInvalidActionSpec,        kValidation},
    {E::kInvalidWaitCondition,     kValidation},
    {E::kMissingPostActionGuard,   kValidation},
    {E::kInvalidArgument,          kValidation},
    {E::kInvalidSelector,          kValidation},
    {E::kInvalidSetting,           kValidation},
    {E::kNotFound,                 kValidation},
    {E::kAlreadyExists,            kValidation},
    {E::kUnsupported,              kValidation},
    {E::kMethodNotAllowed,         kValidation},
    {E::kValidationError,          kValidation},
    // Somebody, or some rule, says no.
    {E::kPolicyDenied,             kPolicyDenied},
    {E::kSecurityDomainBlock,      kPolicyDenied},
    {E::kSecurityApprovalRequired, kPolicyDenied},
    {E::kSecurityJsBlocked,        kPolicyDenied},
    {E::kUnauthorized,             kPolicyDenied},
    {E::kForbidden,                kPolicyDenied},
    {E::kTokenInvalid,             kPolicyDenied},
    {E::kTokenExpired,             kPolicyDenied},
    {E::kTokenRevoked,             kPolicyDenied},
    {E::kTokenReplayed,            kPolicyDenied},
    {E::kTokenWrongAudience,       kPolicyDenied},
    {E::kTokenWrongIssuer,         kPolicyDenied},
    {E::kCapabilityMissing,        kPolicyDenied},
    {E::kConstraintViolated,       kPolicyDenied},
    {E::kApprovalDenied,           kPolicyDenied},
    {E::kApprovalTimeout,          kPolicyDenied},
    {E::kPolicyRateLimit,          kPolicyDenied},
    {E::kSecretField,              kPolicyDenied},
    // It took too long.
    {E::kToolTimeout,              kTimeout},
    {E::kTimeout,                  kTimeout},
    {E::kDeadlineExceeded,         kTimeout},
    {E::kWaitTimeout,              kTimeout},
    // What does the work is not there, or has no room.
    {E::kToolUnavailable,          kUnavailable},
    {E::kBrowserLaunchFailed,      kUnavailable},
    {E::kBrowserGone,              kUnavailable},
    {E::kSessionInitFailed,        kUnavailable},
    {E::kSessionClosed,            kUnavailable},
    {E::kSessionLeaseNotAcquired,  kUnavailable},
    {E::kStaleEpoch,               kUnavailable},
    {E::kRuntimePaused,            kUnavailable},
    {E::kQuotaSessionLimit,        kUnavailable},
    {E::kQuotaActionRate,          kUnavailable},
    {E::kGlobalSessionLimit,       kUnavailable},
    {E::kCircuitOpen,              kUnavailable},
    {E::kCircuitHalfOpen,          kUnavailable},
    {E::kQueueFull,                kUnavailable},
    {E::kTooManyAttempts,          kUnavailable},
    {E::kShardNodeExecutionError,  kUnavailable},
    {E::kProviderOverloaded,       kUnavailable},
    // It was tried, and failed.
    {E::kPreconditionFailed,       kExecution},
    {E::kPostconditionFailed,      kExecution},
    {E::kActionExecutionFailed,    kExecution},
    {E::kTargetBindFailed,         kExecution},
    {E::kRetryExhausted,           kExecution},
    {E::kOutcomeUnknown,           kExecution},
    {E::kTurnClosed,               kExecution},
    {E::kNoCandidates,             kExecution},
    {E::kStopCondition,            kExecution},
    {E::kElementNotFound,          kExecution},
    {E::kElementAmbiguous,         kExecution},
    {E::kElementNotVisible,        kExecution},
    {E::kElementNotEnabled,        kExecution},
    {E::kElementNotEditable,       kExecution},
    {E::kElementNotStable,         kExecution},
    {E::kElementObscured,          kExecution},
    {E::kElementDetached,          kExecution},
    {E::kWrongElement,             kExecution},
    {E::kOptionNotFound,           kExecution},
    {E::kStaleRef,                 kExecution},
    {E::kScriptError,              kExecution},
    {E::kTabCrashed,               kExecution},
    {E::kTabClosed,                kExecution},
    {E::kTargetDetached,           kExecution},
    {E::kFrameDetached,            kExecution},
    {E::kContextDestroyed,         kExecution},
    {E::kDialogOpen,               kExecution},
    {E::kNoDialog,                 kExecution},
    {E::kNavigationFailed,         kExecution},
    {E::kNavigationInterrupted,    kExecution},
    {E::kPageHeld,                 kExecution},
    {E::kDownloadFailed,           kExecution},
    {E::kProtocolError,            kExecution},
    {E::kKernelError,              kExecution},
    {E::kQuotaArtifactBytes,       kExecution},
    {E::kBudgetExceeded,           kExecution},
    {E::kExecutionError,           kExecution},
    {E::kProviderError,            kExecution},
    {E::kProviderBlocked,          kExecution},
    {E::kProviderAnswerInvalid,    kExecution},
    {E::kCancelled,                kExecution},
    {E::kNetworkError,             kExecution},
    {E::kIoError,                  kExecution},
    {E::kStoreDamaged,             kExecution},
    {E::kLedgerDamaged,            kExecution},
    {E::kInternalError,            kExecution},
    {E::kRecordArchived,           kExecution},
};
// clang-format on

std::optional<std::chrono::milliseconds> RetryAfterIn(const json::object& details) {
  const json::value* after = details.if_contains("retry_after_ms");
  if (after == nullptr || !after->is_int64() || after->get_int64() <= 0) return std::nullopt;
  return std::chrono::milliseconds(after->get_int64());
}

}  // namespace

std::span<const ToolErrorRow> AllToolErrors() {
  return kToolErrors;
}

ToolErrorKind KindOf(ErrorCode code) {
  const auto* const row = std::ranges::find(kToolErrors, code, &ToolErrorRow::code);
  return row == std::end(kToolErrors) ? kExecution : row->kind;
}

ToolFailure ToolFailure::Of(Error error) {
  const bool is_retriable = error.is_retryable();
  const auto after = RetryAfterIn(error.details());
  return {.error = std::move(error), .is_retriable = is_retriable, .retry_after = after};
}

json::object ToolFailure::ToJson() const {
  json::object object{
      {"code", error.name()}, {"message", error.message()}, {"retryable", is_retriable}};
  if (retry_after) object["retry_after_ms"] = retry_after->count();
  return object;
}

std::string_view ToolResult::error_code() const {
  return failure ? NameIn(kToolErrorKinds, failure->kind()) : std::string_view();
}

ToolResult ToolResult::Failed(ToolFailure failure) {
  ToolResult result;
  const std::string retry = !failure.is_retriable ? "no"
                            : failure.retry_after
                                ? fmt::format("after {} ms", failure.retry_after->count())
                                : "yes";
  result.text =
      fmt::format("error {}: {}\nretry: {}", failure.error.name(), failure.error.message(), retry);
  result.failure = std::move(failure);
  return result;
}

}  // namespace falconer::agent
