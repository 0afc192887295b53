#include "engine/read_contract.h"

#include "model/contract/contract.h"

namespace falconer::engine {

Result<void> ReadContract::CheckContract(const kernel::GateInput& input) const {
  if (input.contract == nullptr)
    return Fail(ErrorCode::kInvalidContract, "contract: expected object");
  TRY(model::ActionContract::FromJson(*input.contract));
  return {};
}

}  // namespace falconer::engine
