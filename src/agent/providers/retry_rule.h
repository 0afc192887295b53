#pragma once
// What is done after a try that failed: one table, by class.

#include <chrono>
#include <optional>

#include "agent/providers/chat_answer.h"
#include "agent/providers/provider_error.h"

namespace falconer::agent {

struct RetryLimits {
  int tries = 2;  // of one provider
  std::chrono::milliseconds backoff = std::chrono::milliseconds(250);
  // Who asks for a longer pause is left for the next one instead.
  std::chrono::milliseconds max_backoff = std::chrono::seconds(10);
};

// After the `tries`-th try of a provider ended with that error.
RetryDecision DecideRetry(const Error& error, int tries, const RetryLimits& limits);
// How long to wait before the same provider is asked again.
std::chrono::milliseconds BackoffFor(const Error& error, const RetryLimits& limits);
// Whether it says that the provider is not well, which its circuit counts.
bool CountsAgainst(ProviderFault fault);

}  // namespace falconer::agent
