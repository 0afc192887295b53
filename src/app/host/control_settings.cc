#include "app/host/control_settings.h"

namespace falconer::app {
namespace {

std::uint64_t Count(std::int64_t setting) {
  return static_cast<std::uint64_t>(setting);
}

}  // namespace

model::TenantQuota QuotaFrom(const Settings& settings) {
  return {.max_concurrent_sessions = Count(settings.quota.sessions),
          .max_actions_per_minute = Count(settings.quota.actions_per_minute),
          .max_artifact_bytes = Count(settings.artifacts.max_bytes),
          .max_step_tokens = Count(settings.quota.step_tokens),
          .max_state_delta_tokens = Count(settings.quota.state_delta_tokens),
          .max_network_summary_tokens = Count(settings.quota.network_summary_tokens),
          .max_metadata_tokens = Count(settings.quota.metadata_tokens)};
}

store::BreakerLimits BreakerLimitsFrom(const Settings& settings) {
  return {.threshold = Count(settings.breaker.threshold),
          .window = settings.breaker.window,
          .open_for = settings.breaker.open,
          .probe_for = store::BreakerLimits().probe_for + settings.approvals.timeout};
}

policy::TokenRules TokenRulesFrom(const Settings& settings) {
  const auto& from = settings.tokens;
  return {.issuer = from.issuer,
          .audience = from.audience,
          .skew = std::chrono::duration_cast<std::chrono::seconds>(from.skew),
          .default_tenant = TenantId(settings.tenant),
          .currency = from.currency,
          .proof = from.proof ? policy::ProofRule::kAsked : policy::ProofRule::kNotAsked};
}

}  // namespace falconer::app
