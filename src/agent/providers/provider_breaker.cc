#include "agent/providers/provider_breaker.h"

#include <algorithm>

namespace falconer::agent {

Result<void> ProviderBreaker::Enter() {
  if (!is_open()) return {};
  const Duration left = opened_ + limits_.open_for - clock_.Now();
  if (left > Duration::zero()) {
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(left);
    return Fail(Error(ErrorCode::kCircuitOpen, "the provider has failed too often",
                      {{"retry_after_ms", wait.count()}}));
  }
  if (is_probing_)
    return Fail(ErrorCode::kCircuitHalfOpen, "somebody else tries whether the provider is back");
  is_probing_ = true;
  return {};
}

void ProviderBreaker::NoteUp() {
  failures_ = 0;
}

void ProviderBreaker::NoteDown() {
  failures_ = std::min(failures_ + 1, limits_.threshold);
  if (is_open()) opened_ = clock_.Now();
}

}  // namespace falconer::agent
