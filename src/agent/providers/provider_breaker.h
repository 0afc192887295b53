#pragma once
// ProviderBreaker: the circuit of one provider. After some failures in a row nobody is sent there
// for a while; then one call, the probe, tries. On one event loop.

#include <chrono>
#include <cstdint>

#include "base/async/clock.h"
#include "base/error.h"

namespace falconer::agent {

struct ProviderBreakerLimits {
  int threshold = 3;  // failures in a row that open the circuit
  std::chrono::milliseconds open_for = std::chrono::seconds(30);
};

class ProviderBreaker {
 public:
  // The clock must outlive it.
  explicit ProviderBreaker(Clock& clock, ProviderBreakerLimits limits = {})
      : clock_(clock), limits_(limits) {}

  // Who is let through notes what came of it, if that says anything about the provider, and ends
  // the probe in any case. kCircuitOpen, with "retry_after_ms", or
  // kCircuitHalfOpen while the probe is under way.
  Result<void> Enter();
  void NoteUp();
  void NoteDown();
  void EndProbe() { is_probing_ = false; }

  bool is_open() const { return failures_ >= limits_.threshold; }

 private:
  Clock& clock_;
  const ProviderBreakerLimits limits_;
  int failures_ = 0;
  bool is_probing_ = false;
  TimePoint opened_{};
};

}  // namespace falconer::agent
