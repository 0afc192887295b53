#pragma once
// AnswerBudget: how many tokens of an action's answer a model is shown, as its tenant's quota says.

#include <algorithm>
#include <cstddef>

#include "model/tenant_quota.h"

namespace falconer::api {

// The most tokens any answer may have.
inline constexpr std::size_t kAnswerTokens = 4000;

struct AnswerBudget {
  std::size_t answer = kAnswerTokens;
  // Parts of a result that go when they are larger; 0 for no limit of their own.
  std::size_t state_delta = 0;
  std::size_t network_summary = 0;
  std::size_t metadata = 0;

  // An answer has room for what failed and how, whatever the quota says.
  static AnswerBudget Of(const model::TenantQuota& quota) {
    constexpr std::size_t kLeast = 100;
    const std::size_t step = quota.max_step_tokens == 0 ? kAnswerTokens : quota.max_step_tokens;
    return {.answer = std::clamp(step, kLeast, kAnswerTokens),
            .state_delta = quota.max_state_delta_tokens,
            .network_summary = quota.max_network_summary_tokens,
            .metadata = quota.max_metadata_tokens};
  }
};

}  // namespace falconer::api
