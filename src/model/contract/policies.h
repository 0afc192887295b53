#pragma once
// How long, how often, and what then: the policies a contract carries.

#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/json/json_reader.h"

namespace falconer::model {

inline constexpr Bounds<std::int64_t> kPhaseTimeoutMs = {1, 600'000};
inline constexpr Bounds<std::int64_t> kAttemptCounts = {1, 10};
inline constexpr Bounds<std::int64_t> kBackoffMs = {0, 60'000};
inline constexpr Bounds<double> kMultipliers = {1, 10};
inline constexpr std::size_t kMaxRetryableCodes = 32;

// timeout{total_ms, bind_ms, execute_ms, wait_ms, verify_ms}. Each phase has its own limit, and all
// of them together, attempts and backoffs included, have the total.
struct TimeoutPolicy {
  std::chrono::milliseconds total{30'000};
  std::chrono::milliseconds bind{5'000};
  std::chrono::milliseconds execute{10'000};
  std::chrono::milliseconds wait{10'000};
  std::chrono::milliseconds verify{5'000};

  // Members at their defaults are left out.
  json::object ToJson() const;
  // Fails with kInvalidContract.
  Result<void> Validate() const;
  bool operator==(const TimeoutPolicy&) const = default;
};

struct TimeoutRow {
  std::string_view name;
  std::chrono::milliseconds TimeoutPolicy::* member;
};

inline constexpr TimeoutRow kTimeouts[] = {
    {"total_ms", &TimeoutPolicy::total},     {"bind_ms", &TimeoutPolicy::bind},
    {"execute_ms", &TimeoutPolicy::execute}, {"wait_ms", &TimeoutPolicy::wait},
    {"verify_ms", &TimeoutPolicy::verify},
};

// Where the defaults of a retry policy come from.
enum class RetryProfile : std::uint8_t { kDefault, kAbos, kGnosis };

inline constexpr EnumName<RetryProfile> kRetryProfiles[] = {
    {RetryProfile::kDefault, "default"},
    {RetryProfile::kAbos, "abos"},
    {RetryProfile::kGnosis, "gnosis"},
};

// retry{profile, max_attempts, initial_backoff_ms, max_backoff_ms, multiplier, retryable_codes[]}.
// What is not given comes from the profile.
struct RetryPolicy {
  RetryProfile profile = RetryProfile::kDefault;
  int max_attempts = 2;  // the first one included
  std::chrono::milliseconds initial_backoff{250};
  std::chrono::milliseconds max_backoff{2'000};
  double multiplier = 2;
  // In the order of the table of codes, each once.
  std::vector<ErrorCode> retryable_codes = {ErrorCode::kActionExecutionFailed,
                                            ErrorCode::kWaitTimeout, ErrorCode::kTargetBindFailed};

  static const RetryPolicy& Of(RetryProfile profile);

  // The pause before an attempt; attempts count from 1, and the first one has none.
  std::chrono::milliseconds BackoffBefore(int attempt) const;
  bool IsRetryable(ErrorCode code) const;

  // What differs from the profile.
  json::object ToJson() const;
  // Fails with kInvalidContract.
  Result<void> Validate() const;
  bool operator==(const RetryPolicy&) const = default;
};

enum class EscalationMode : std::uint8_t {
  kRetryRebind,
  kVisionFallback,
  kHumanReview,
  kFailWorkflow,
};

inline constexpr EnumName<EscalationMode> kEscalationModes[] = {
    {EscalationMode::kRetryRebind, "retry_rebind"},
    {EscalationMode::kVisionFallback, "vision_fallback"},
    {EscalationMode::kHumanReview, "human_review"},
    {EscalationMode::kFailWorkflow, "fail_workflow"},
};

// escalation{on_exhausted_retries, on_non_retryable}
struct EscalationPolicy {
  EscalationMode on_exhausted_retries = EscalationMode::kFailWorkflow;
  EscalationMode on_non_retryable = EscalationMode::kHumanReview;

  // Members at their defaults are left out.
  json::object ToJson() const;
  bool operator==(const EscalationPolicy&) const = default;
};

// What is wrong is reported to `in`.
TimeoutPolicy ReadTimeoutPolicy(JsonReader& in);
RetryPolicy ReadRetryPolicy(JsonReader& in);
EscalationPolicy ReadEscalationPolicy(JsonReader& in);

}  // namespace falconer::model
