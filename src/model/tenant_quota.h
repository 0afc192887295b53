#pragma once
// TenantQuota: what one tenant may use. One row per limit: commands, settings and the store name
// the limits by it. A limit of zero is none.

#include <cstdint>
#include <string_view>

#include "base/json/json.h"

namespace falconer::model {

struct TenantQuota {
  std::uint64_t max_concurrent_sessions = 10;
  std::uint64_t max_actions_per_minute = 120;
  std::uint64_t max_artifact_bytes = 512ULL << 20U;
  // Of what a model reads: one answer, and the parts of it that have a limit of their own.
  std::uint64_t max_step_tokens = 1200;
  std::uint64_t max_state_delta_tokens = 500;
  std::uint64_t max_network_summary_tokens = 250;
  std::uint64_t max_metadata_tokens = 250;

  // Every limit by its name.
  json::object ToJson() const;
  bool operator==(const TenantQuota&) const = default;
};

struct QuotaRow {
  std::string_view name;
  std::uint64_t TenantQuota::* member;
  std::uint64_t most;  // that may be set
};

inline constexpr QuotaRow kQuotaRows[] = {
    {"max_concurrent_sessions", &TenantQuota::max_concurrent_sessions, 100'000},
    {"max_actions_per_minute", &TenantQuota::max_actions_per_minute, 1'000'000},
    {"max_artifact_bytes", &TenantQuota::max_artifact_bytes, 1ULL << 50U},
    {"max_step_tokens", &TenantQuota::max_step_tokens, 1'000'000},
    {"max_state_delta_tokens", &TenantQuota::max_state_delta_tokens, 1'000'000},
    {"max_network_summary_tokens", &TenantQuota::max_network_summary_tokens, 1'000'000},
    {"max_metadata_tokens", &TenantQuota::max_metadata_tokens, 1'000'000},
};

// The row of a name, or null.
constexpr const QuotaRow* QuotaRowNamed(std::string_view name) {
  for (const QuotaRow& row : kQuotaRows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace falconer::model
