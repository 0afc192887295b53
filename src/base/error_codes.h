#pragma once
// The one table of error codes. A row is: identifier, stable name, HTTP status, JSON-RPC code,
// retryable, Temporal rule. Append only: the names are part of the public interface; API, ledger,
// metrics, logs and command line all print the same name.

namespace falconer {

// clang-format off
#define FALCONER_ERROR_CODES(X)                                                                     \
  /* Contract */                                                                                    \
  X(kInvalidContract,          "INVALID_CONTRACT",            400, -32602, kFinal,     kNoRetry)    \
  X(kInvalidActionSpec,        "INVALID_ACTION_SPEC",         400, -32602, kFinal,     kNoRetry)    \
  X(kInvalidWaitCondition,     "INVALID_WAIT_CONDITION",      400, -32602, kFinal,     kNoRetry)    \
  X(kMissingPostActionGuard,   "MISSING_POST_ACTION_GUARD",   400, -32602, kFinal,     kNoRetry)    \
  X(kInvalidArgument,          "INVALID_ARGUMENT",            400, -32602, kFinal,     kNoRetry)    \
  X(kInvalidSelector,          "INVALID_SELECTOR",            400, -32602, kFinal,     kNoRetry)    \
  X(kInvalidSetting,           "INVALID_SETTING",             400, -32602, kFinal,     kNoRetry)    \
  X(kNotFound,                 "NOT_FOUND",                   404, -32602, kFinal,     kNoRetry)    \
  X(kAlreadyExists,            "ALREADY_EXISTS",              409, -32602, kFinal,     kNoRetry)    \
  X(kUnsupported,              "UNSUPPORTED",                 501, -32601, kFinal,     kNoRetry)    \
  /* Verification and the turn */                                                                   \
  X(kPreconditionFailed,       "PRECONDITION_FAILED",         412, -32603, kFinal,     kNoRetry)    \
  X(kPostconditionFailed,      "POSTCONDITION_FAILED",        422, -32603, kFinal,     kNoRetry)    \
  X(kActionExecutionFailed,    "ACTION_EXECUTION_FAILED",     502, -32603, kRetryable, kMayRetry)   \
  X(kWaitTimeout,              "WAIT_TIMEOUT",                504, -32603, kRetryable, kMayRetry)   \
  X(kTargetBindFailed,         "TARGET_BIND_FAILED",          422, -32603, kRetryable, kMayRetry)   \
  X(kRetryExhausted,           "RETRY_EXHAUSTED",             502, -32603, kFinal,     kNoRetry)    \
  X(kOutcomeUnknown,           "OUTCOME_UNKNOWN",             409, -32603, kFinal,     kNoRetry)    \
  X(kTurnClosed,               "TURN_CLOSED",                 409, -32603, kFinal,     kNoRetry)    \
  X(kStaleEpoch,               "STALE_EPOCH",                 409, -32603, kFinal,     kNoRetry)    \
  X(kNoCandidates,             "NO_CANDIDATES",               422, -32603, kFinal,     kNoRetry)    \
  X(kStopCondition,            "STOP_CONDITION",              409, -32603, kFinal,     kNoRetry)    \
  /* Targets on the page */                                                                         \
  X(kElementNotFound,          "ELEMENT_NOT_FOUND",           404, -32603, kRetryable, kMayRetry)   \
  X(kElementAmbiguous,         "ELEMENT_AMBIGUOUS",           409, -32603, kFinal,     kNoRetry)    \
  X(kElementNotVisible,        "ELEMENT_NOT_VISIBLE",         409, -32603, kRetryable, kMayRetry)   \
  X(kElementNotEnabled,        "ELEMENT_NOT_ENABLED",         409, -32603, kRetryable, kMayRetry)   \
  X(kElementNotEditable,       "ELEMENT_NOT_EDITABLE",        409, -32603, kRetryable, kMayRetry)   \
  X(kElementNotStable,         "ELEMENT_NOT_STABLE",          409, -32603, kRetryable, kMayRetry)   \
  X(kElementObscured,          "ELEMENT_OBSCURED",            409, -32603, kRetryable, kMayRetry)   \
  X(kElementDetached,          "ELEMENT_DETACHED",            409, -32603, kRetryable, kMayRetry)   \
  X(kWrongElement,             "WRONG_ELEMENT",               422, -32603, kFinal,     kNoRetry)    \
  X(kOptionNotFound,           "OPTION_NOT_FOUND",            404, -32603, kRetryable, kMayRetry)   \
  X(kStaleRef,                 "STALE_REF",                   409, -32603, kFinal,     kNoRetry)    \
  X(kSecretField,              "SECRET_FIELD",                403, -32603, kFinal,     kNoRetry)    \
  X(kScriptError,              "SCRIPT_ERROR",                422, -32603, kFinal,     kNoRetry)    \
  /* Browser */                                                                                     \
  X(kBrowserLaunchFailed,      "BROWSER_LAUNCH_FAILED",       503, -32603, kRetryable, kMayRetry)   \
  X(kBrowserGone,              "BROWSER_GONE",                503, -32603, kRetryable, kMayRetry)   \
  X(kTabCrashed,               "TAB_CRASHED",                 502, -32603, kRetryable, kMayRetry)   \
  X(kTabClosed,                "TAB_CLOSED",                  410, -32603, kFinal,     kNoRetry)    \
  X(kTargetDetached,           "TARGET_DETACHED",             409, -32603, kRetryable, kMayRetry)   \
  X(kFrameDetached,            "FRAME_DETACHED",              409, -32603, kRetryable, kMayRetry)   \
  X(kContextDestroyed,         "CONTEXT_DESTROYED",           409, -32603, kRetryable, kMayRetry)   \
  X(kDialogOpen,               "DIALOG_OPEN",                 409, -32603, kFinal,     kNoRetry)    \
  X(kNoDialog,                 "NO_DIALOG",                   409, -32603, kFinal,     kNoRetry)    \
  X(kNavigationFailed,         "NAVIGATION_FAILED",           502, -32603, kRetryable, kMayRetry)   \
  X(kNavigationInterrupted,    "NAVIGATION_INTERRUPTED",      409, -32603, kRetryable, kMayRetry)   \
  X(kPageHeld,                 "PAGE_HELD",                   409, -32603, kRetryable, kMayRetry)   \
  X(kDownloadFailed,           "DOWNLOAD_FAILED",             502, -32603, kRetryable, kMayRetry)   \
  X(kProtocolError,            "PROTOCOL_ERROR",              502, -32603, kFinal,     kNoRetry)    \
  X(kSessionInitFailed,        "SESSION_INIT_FAILED",         503, -32603, kRetryable, kMayRetry)   \
  X(kSessionClosed,            "SESSION_CLOSED",              410, -32603, kFinal,     kNoRetry)    \
  X(kKernelError,              "KERNEL_ERROR",                500, -32603, kRetryable, kMayRetry)   \
  /* Quotas and capacity */                                                                         \
  X(kQuotaSessionLimit,        "QUOTA_SESSION_LIMIT",         429, -32603, kRetryable, kMayRetry)   \
  X(kQuotaActionRate,          "QUOTA_ACTION_RATE",           429, -32603, kRetryable, kMayRetry)   \
  X(kQuotaArtifactBytes,       "QUOTA_ARTIFACT_BYTES",        413, -32603, kFinal,     kNoRetry)    \
  X(kBudgetExceeded,           "BUDGET_EXCEEDED",             413, -32603, kFinal,     kNoRetry)    \
  X(kGlobalSessionLimit,       "GLOBAL_SESSION_LIMIT",        429, -32603, kRetryable, kMayRetry)   \
  X(kSessionLeaseNotAcquired,  "SESSION_LEASE_NOT_ACQUIRED",  409, -32603, kRetryable, kMayRetry)   \
  X(kCircuitOpen,              "CIRCUIT_OPEN",                503, -32603, kRetryable, kMayRetry)   \
  X(kCircuitHalfOpen,          "CIRCUIT_HALF_OPEN",           503, -32603, kRetryable, kMayRetry)   \
  X(kQueueFull,                "QUEUE_FULL",                  429, -32603, kRetryable, kMayRetry)   \
  X(kShardNodeExecutionError,  "SHARD_NODE_EXECUTION_ERROR",  502, -32603, kRetryable, kMayRetry)   \
  /* Policy and tokens */                                                                           \
  X(kPolicyDenied,             "POLICY_DENIED",               403, -32603, kFinal,     kNoRetry)    \
  X(kSecurityDomainBlock,      "SECURITY_DOMAIN_BLOCK",       403, -32603, kFinal,     kNoRetry)    \
  X(kSecurityApprovalRequired, "SECURITY_APPROVAL_REQUIRED",  403, -32603, kFinal,     kNoRetry)    \
  X(kSecurityJsBlocked,        "SECURITY_JS_BLOCKED",         403, -32603, kFinal,     kNoRetry)    \
  X(kUnauthorized,             "UNAUTHORIZED",                401, -32603, kFinal,     kNoRetry)    \
  X(kTokenInvalid,             "TOKEN_INVALID",               401, -32603, kFinal,     kNoRetry)    \
  X(kTokenExpired,             "TOKEN_EXPIRED",               401, -32603, kFinal,     kNoRetry)    \
  X(kTokenRevoked,             "TOKEN_REVOKED",               401, -32603, kFinal,     kNoRetry)    \
  X(kTokenReplayed,            "TOKEN_REPLAYED",              401, -32603, kFinal,     kNoRetry)    \
  X(kTokenWrongAudience,       "TOKEN_WRONG_AUDIENCE",        401, -32603, kFinal,     kNoRetry)    \
  X(kTokenWrongIssuer,         "TOKEN_WRONG_ISSUER",          401, -32603, kFinal,     kNoRetry)    \
  X(kCapabilityMissing,        "CAPABILITY_MISSING",          403, -32603, kFinal,     kNoRetry)    \
  X(kConstraintViolated,       "CONSTRAINT_VIOLATED",         403, -32603, kFinal,     kNoRetry)    \
  X(kApprovalDenied,           "APPROVAL_DENIED",             403, -32603, kFinal,     kNoRetry)    \
  X(kApprovalTimeout,          "APPROVAL_TIMEOUT",            504, -32603, kFinal,     kNoRetry)    \
  X(kRuntimePaused,            "RUNTIME_PAUSED",              503, -32603, kFinal,     kNoRetry)    \
  X(kPolicyRateLimit,          "POLICY_RATE_LIMIT",           429, -32603, kRetryable, kMayRetry)   \
  /* Tools and providers */                                                                         \
  X(kValidationError,          "VALIDATION_ERROR",            400, -32602, kFinal,     kNoRetry)    \
  X(kToolTimeout,              "TOOL_TIMEOUT",                504, -32603, kRetryable, kMayRetry)   \
  X(kToolUnavailable,          "TOOL_UNAVAILABLE",            503, -32603, kRetryable, kMayRetry)   \
  X(kExecutionError,           "EXECUTION_ERROR",             502, -32603, kFinal,     kNoRetry)    \
  X(kProviderError,            "PROVIDER_ERROR",              502, -32603, kRetryable, kMayRetry)   \
  X(kProviderOverloaded,       "PROVIDER_OVERLOADED",         503, -32603, kRetryable, kMayRetry)   \
  X(kProviderBlocked,          "PROVIDER_BLOCKED",            422, -32603, kFinal,     kNoRetry)    \
  X(kProviderAnswerInvalid,    "PROVIDER_ANSWER_INVALID",     502, -32603, kRetryable, kMayRetry)   \
  /* The rest of the world */                                                                       \
  X(kTimeout,                  "TIMEOUT",                     504, -32603, kRetryable, kMayRetry)   \
  X(kDeadlineExceeded,         "DEADLINE_EXCEEDED",           504, -32603, kFinal,     kNoRetry)    \
  X(kCancelled,                "CANCELLED",                   499, -32603, kFinal,     kNoRetry)    \
  X(kNetworkError,             "NETWORK_ERROR",               502, -32603, kRetryable, kMayRetry)   \
  X(kIoError,                  "IO_ERROR",                    500, -32603, kRetryable, kMayRetry)   \
  X(kStoreDamaged,             "STORE_DAMAGED",               500, -32603, kFinal,     kNoRetry)    \
  X(kLedgerDamaged,            "LEDGER_DAMAGED",              500, -32603, kFinal,     kNoRetry)    \
  X(kInternalError,            "INTERNAL_ERROR",              500, -32603, kFinal,     kNoRetry)    \
  X(kRecordArchived,           "RECORD_ARCHIVED",             410, -32603, kFinal,     kNoRetry)    \
  /* Asked of a server */                                                                           \
  X(kForbidden,                "FORBIDDEN",                   403, -32603, kFinal,     kNoRetry)    \
  X(kMethodNotAllowed,         "METHOD_NOT_ALLOWED",          405, -32601, kFinal,     kNoRetry)    \
  X(kTooManyAttempts,          "TOO_MANY_ATTEMPTS",           429, -32603, kRetryable, kMayRetry)
// clang-format on

enum class ErrorCode {
#define FALCONER_X(id, name, http, rpc, retry, temporal) id,
  FALCONER_ERROR_CODES(FALCONER_X)
#undef FALCONER_X
};

}  // namespace falconer
