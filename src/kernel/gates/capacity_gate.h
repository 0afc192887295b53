#pragma once
// CapacityGate: is there a place for one more turn, of this tenant? Takes the place if there is.

#include "kernel/gates/gate.h"

namespace falconer::kernel {

// The gate's verdict about these numbers, with them as its facts.
Verdict VerdictOf(const LoadNumbers& numbers, const TenantId& tenant);

class CapacityGate final : public Gate {
 public:
  // The meter must outlive this.
  explicit CapacityGate(LoadMeter& meter) : meter_(meter) {}
  std::string_view name() const override { return "capacity"; }
  // Defers with QUEUE_FULL and the time after which asking again makes sense; rejects when even
  // the queue is full.
  Task<Verdict> Check(CallContext ctx, const GateInput* input) override;

 private:
  LoadMeter& meter_;
};

}  // namespace falconer::kernel
