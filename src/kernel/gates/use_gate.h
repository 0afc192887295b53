#pragma once
// UseGate: uses up what of a token may be used once. The last gate, because it is the only one that
// changes something for good: what any other refuses uses nothing up.

#include "kernel/gates/admitted.h"
#include "kernel/gates/gate.h"
#include "policy/tokens/token_guard.h"

namespace falconer::kernel {

struct UseFacts {
  std::string fault;  // the word of a fault; "" when it may be used
  std::string error;  // the name of what kept everybody from knowing

  json::object ToJson() const;
  static Result<UseFacts> FromJson(const json::object& object);
};

// The gate's verdict without its facts.
Verdict DecideUse(const UseFacts& facts);

class UseGate final : public Gate {
 public:
  // The guard must outlive this.
  explicit UseGate(policy::TokenGuard& guard) : guard_(guard) {}
  std::string_view name() const override { return "use"; }
  Task<Verdict> Check(CallContext ctx, const GateInput* input) override;

 private:
  policy::TokenGuard& guard_;
};

}  // namespace falconer::kernel
