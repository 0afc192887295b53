#pragma once
// ContractGate: is the contract well formed? The check itself belongs to whoever knows contracts.

#include "kernel/gates/gate.h"

namespace falconer::kernel {

class ContractCheck {
 public:
  virtual ~ContractCheck() = default;
  // Fails with the contract's own error: the field and what is wrong with it.
  virtual Result<void> CheckContract(const GateInput& input) const = 0;
};

// The gate's verdict about what the check said.
Verdict VerdictOf(const Result<void>& checked);

class ContractGate final : public Gate {
 public:
  // The check must outlive this.
  explicit ContractGate(const ContractCheck& check) : check_(check) {}
  std::string_view name() const override { return "contract"; }
  Task<Verdict> Check(CallContext ctx, const GateInput* input) override;

 private:
  const ContractCheck& check_;
};

}  // namespace falconer::kernel
