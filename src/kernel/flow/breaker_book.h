#pragma once
// BreakerBook: tells the circuits how turns ended. Called once for each turn that was opened, after
// it was sealed, with what the breaker gate left in its Admission:
//   co_await book.Note(std::move(admission.circuit), SiteOutcomeOf(action, result));
// A turn that was never opened just lets go of the permit.

#include "kernel/flow/site_outcome.h"
#include "kernel/gates/circuit_permit.h"

namespace falconer::kernel {

class BreakerBook {
 public:
  // The store must outlive this.
  BreakerBook(store::BreakerStore& store, const store::BreakerLimits& limits)
      : store_(store), limits_(limits) {}

  // Waits for the store only when there is something to tell: a failure, the end of a probe, or a
  // success after failures. What cannot be told is logged.
  Task<void> Note(CircuitPermit permit, std::optional<store::SiteOutcome> outcome);

 private:
  store::BreakerStore& store_;
  store::BreakerLimits limits_;
};

}  // namespace falconer::kernel
