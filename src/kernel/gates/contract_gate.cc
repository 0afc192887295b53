#include "kernel/gates/contract_gate.h"

#include <utility>

namespace falconer::kernel {

Verdict VerdictOf(const Result<void>& checked) {
  if (!checked) return Verdict::Reject("contract_invalid", checked.error());
  return Verdict::Admit("contract_valid");
}

Task<Verdict> ContractGate::Check(CallContext /*ctx*/, const GateInput* input) {
  co_return VerdictOf(check_.CheckContract(*input));
}

}  // namespace falconer::kernel
