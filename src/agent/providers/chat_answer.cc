#include "agent/providers/chat_answer.h"

#include <chrono>

namespace falconer::agent {
namespace {

std::int64_t MillisecondsOf(Duration time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

}  // namespace

json::object ToJson(const TokenUsage& usage) {
  json::object out{
      {"input", usage.input}, {"cached_input", usage.cached_input}, {"output", usage.output}};
  if (usage.is_estimated) out["estimated"] = true;
  return out;
}

json::object ToJson(const ProviderAttempt& attempt) {
  json::object out{{"provider", attempt.provider},
                   {"outcome", attempt.outcome},
                   {"ms", MillisecondsOf(attempt.took)},
                   {"backoff_ms", MillisecondsOf(attempt.backoff)},
                   {"decision", NameIn(kRetryDecisions, attempt.decision)}};
  if (!attempt.error.empty()) out["error"] = attempt.error;
  return out;
}

}  // namespace falconer::agent
