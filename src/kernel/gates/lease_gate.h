#pragma once
// LeaseGate: may the caller drive this session now? Notes the epoch of the lease for the plan.

#include "kernel/fences/epoch_guard.h"
#include "kernel/gates/gate.h"

namespace falconer::kernel {

// The gate's verdict about what the guard found, with its facts.
Verdict VerdictOf(const EpochVerdict& found, const SessionId& session);

class LeaseGate final : public Gate {
 public:
  // The guard must outlive this.
  explicit LeaseGate(const EpochGuard& guard) : guard_(guard) {}
  std::string_view name() const override { return "lease"; }
  Task<Verdict> Check(CallContext ctx, const GateInput* input) override;

 private:
  const EpochGuard& guard_;
};

}  // namespace falconer::kernel
