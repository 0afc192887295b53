#include "model/contract/policies.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace falconer::model {
namespace {

using std::chrono::milliseconds;

std::vector<ErrorCode> InTableOrder(std::vector<ErrorCode> codes) {
  std::ranges::sort(codes);
  const auto [first, last] = std::ranges::unique(codes);
  codes.erase(first, last);
  return codes;
}

std::vector<ErrorCode> ReadCodes(JsonReader& in, const std::vector<ErrorCode>& usual) {
  const auto names = in.OptionalStrings("retryable_codes", {0, kMaxRetryableCodes});
  if (!names) return usual;
  std::vector<ErrorCode> codes;
  for (std::size_t i = 0; i < names->size(); ++i) {
    const std::optional<ErrorCode> code = ErrorCodeNamed((*names)[i]);
    if (code) {
      codes.push_back(*code);
    } else {
      in.Reject(fmt::format("retryable_codes[{}]", i), "is not a known code");
    }
  }
  return InTableOrder(std::move(codes));
}

template <typename T>
Result<void> CheckPolicyRange(std::string_view field, const Bounds<T>& bounds, T value) {
  if (bounds.Contains(value)) return {};
  return Fail(ErrorCode::kInvalidContract,
              fmt::format("{}: must be between {} and {}", field, bounds.min, bounds.max));
}

// One row per profile; this is the only place where these numbers stand.
const RetryPolicy kProfiles[] = {
    {},
    {.profile = RetryProfile::kAbos,
     .max_attempts = 4,
     .initial_backoff = milliseconds(1'000),
     .max_backoff = milliseconds(10'000),
     .multiplier = 2,
     .retryable_codes = {ErrorCode::kElementNotFound, ErrorCode::kKernelError}},
    {.profile = RetryProfile::kGnosis,
     .max_attempts = 2,
     .initial_backoff = milliseconds(250),
     .max_backoff = milliseconds(250),
     .multiplier = 1},
};

}  // namespace

json::object TimeoutPolicy::ToJson() const {
  const TimeoutPolicy usual;
  json::object out;
  for (const TimeoutRow& row : kTimeouts) {
    if (this->*row.member != usual.*row.member) out[row.name] = (this->*row.member).count();
  }
  return out;
}

Result<void> TimeoutPolicy::Validate() const {
  for (const TimeoutRow& row : kTimeouts) {
    TRY(CheckPolicyRange(row.name, kPhaseTimeoutMs, std::int64_t{(this->*row.member).count()}));
  }
  return {};
}

const RetryPolicy& RetryPolicy::Of(RetryProfile profile) {
  return kProfiles[std::to_underlying(profile)];
}

milliseconds RetryPolicy::BackoffBefore(int attempt) const {
  if (attempt <= 1) return milliseconds(0);
  auto backoff = static_cast<double>(initial_backoff.count());
  const auto most = static_cast<double>(max_backoff.count());
  for (int i = 2; i < attempt && backoff < most; ++i) backoff *= multiplier;
  return milliseconds(static_cast<std::int64_t>(std::min(backoff, most)));
}

bool RetryPolicy::IsRetryable(ErrorCode code) const {
  return std::ranges::find(retryable_codes, code) != retryable_codes.end();
}

json::object RetryPolicy::ToJson() const {
  const RetryPolicy& usual = Of(profile);
  json::object out;
  if (profile != RetryProfile::kDefault) out["profile"] = NameIn(kRetryProfiles, profile);
  if (max_attempts != usual.max_attempts) out["max_attempts"] = max_attempts;
  if (initial_backoff != usual.initial_backoff) {
    out["initial_backoff_ms"] = initial_backoff.count();
  }
  if (max_backoff != usual.max_backoff) out["max_backoff_ms"] = max_backoff.count();
  if (multiplier != usual.multiplier) out["multiplier"] = multiplier;
  if (retryable_codes != usual.retryable_codes) {
    json::array& codes = out["retryable_codes"].emplace_array();
    for (const ErrorCode code : retryable_codes) codes.emplace_back(TraitsOf(code).name);
  }
  return out;
}

Result<void> RetryPolicy::Validate() const {
  TRY(CheckPolicyRange("max_attempts", kAttemptCounts, std::int64_t{max_attempts}));
  TRY(CheckPolicyRange("initial_backoff_ms", kBackoffMs, std::int64_t{initial_backoff.count()}));
  TRY(CheckPolicyRange("max_backoff_ms", kBackoffMs, std::int64_t{max_backoff.count()}));
  TRY(CheckPolicyRange("multiplier", kMultipliers, multiplier));
  if (retryable_codes != InTableOrder(retryable_codes)) {
    return Fail(ErrorCode::kInvalidContract, "retryable_codes: are not in order");
  }
  return {};
}

json::object EscalationPolicy::ToJson() const {
  const EscalationPolicy usual;
  json::object out;
  if (on_exhausted_retries != usual.on_exhausted_retries) {
    out["on_exhausted_retries"] = NameIn(kEscalationModes, on_exhausted_retries);
  }
  if (on_non_retryable != usual.on_non_retryable) {
    out["on_non_retryable"] = NameIn(kEscalationModes, on_non_retryable);
  }
  return out;
}

TimeoutPolicy ReadTimeoutPolicy(JsonReader& in) {
  TimeoutPolicy policy;
  for (const TimeoutRow& row : kTimeouts) {
    const auto given = in.OptionalMilliseconds(row.name, kPhaseTimeoutMs);
    if (given) policy.*row.member = *given;
  }
  return policy;
}

RetryPolicy ReadRetryPolicy(JsonReader& in) {
  const auto profile = in.OptionalEnum("profile", kRetryProfiles).value_or(RetryProfile::kDefault);
  const RetryPolicy& usual = RetryPolicy::Of(profile);
  return {
      .profile = profile,
      .max_attempts = static_cast<int>(
          in.OptionalInteger("max_attempts", kAttemptCounts).value_or(usual.max_attempts)),
      .initial_backoff =
          in.OptionalMilliseconds("initial_backoff_ms", kBackoffMs).value_or(usual.initial_backoff),
      .max_backoff =
          in.OptionalMilliseconds("max_backoff_ms", kBackoffMs).value_or(usual.max_backoff),
      .multiplier = in.OptionalNumber("multiplier", kMultipliers).value_or(usual.multiplier),
      .retryable_codes = ReadCodes(in, usual.retryable_codes)};
}

EscalationPolicy ReadEscalationPolicy(JsonReader& in) {
  const EscalationPolicy usual;
  return {
      .on_exhausted_retries = in.OptionalEnum("on_exhausted_retries", kEscalationModes)
                                  .value_or(usual.on_exhausted_retries),
      .on_non_retryable =
          in.OptionalEnum("on_non_retryable", kEscalationModes).value_or(usual.on_non_retryable)};
}

}  // namespace falconer::model
