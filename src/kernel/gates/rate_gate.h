#pragma once
// RateGate: does the policy's rate_limit leave room for the action, as far as its rules are known
// to hold before it begins? Counts it in the same step; Admission::rates gives it back unless the
// turn is opened. What only the element or a request tells is counted during the turn.

#include "kernel/flow/rate_book.h"
#include "kernel/gates/gate.h"

namespace falconer::kernel {

// The gate's verdict without its facts: defers with kPolicyRateLimit and the time after which
// asking again makes sense.
Verdict DecideRate(const RateFacts& facts);

// What is counted before the turn, of what the policy lets go on without asking anybody: limits of
// rules that are at least so certain.
RateClaim ClaimBefore(const policy::PolicyDecision& decision, policy::Truth least);

class RateGate final : public Gate {
 public:
  // The book must outlive this.
  explicit RateGate(RateBook& book) : book_(book) {}
  std::string_view name() const override { return "rate"; }
  Task<Verdict> Check(CallContext ctx, const GateInput* input) override;

 private:
  RateBook& book_;
};

}  // namespace falconer::kernel
