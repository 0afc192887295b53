#pragma once
// ConstraintGate: is the action within the limits of its token, as far as they can be judged before
// it begins: where it is and goes, and when. What it spends is read from what really leaves, during
// the turn.

#include "kernel/gates/admitted.h"
#include "kernel/gates/gate.h"

namespace falconer::kernel {

struct ConstraintFacts {
  std::string token;              // the digest of what it says
  std::vector<std::string> urls;  // where the page is, where it goes
  std::int64_t issued_s = 0;      // when the token was
  std::int64_t now_ms = 0;        // by the clock on the wall

  // Addresses longer than kMaxFactUrl are cut, and said to be.
  json::object ToJson() const;
  // kNotFound when an address was cut, kInvalidArgument for what ToJson never writes.
  static Result<ConstraintFacts> FromJson(const json::object& object);
};

// The gate's verdict without its facts, about the token that the facts name.
Verdict DecideConstraint(const policy::VerifiedToken& token, const ConstraintFacts& facts);

class ConstraintGate final : public Gate {
 public:
  // The clock must outlive this.
  explicit ConstraintGate(const Clock& clock) : clock_(clock) {}
  std::string_view name() const override { return "constraint"; }
  Task<Verdict> Check(CallContext ctx, const GateInput* input) override;

 private:
  const Clock& clock_;
};

}  // namespace falconer::kernel
