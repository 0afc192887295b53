#pragma once
// ReadContract: the contract gate's question, answered by what reading the contract said.

#include "kernel/gates/contract_gate.h"

namespace falconer::engine {

class ReadContract final : public kernel::ContractCheck {
 public:
  Result<void> CheckContract(const kernel::GateInput& input) const override;
};

}  // namespace falconer::engine
