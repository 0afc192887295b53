#pragma once
// BreakerGate: is the site that the action goes to, or is at, known to be down? Admission::circuit
// is what is told how the turn ended (flow/breaker_book.h).

#include "kernel/gates/gate.h"
#include "store/breaker_store.h"

namespace falconer::kernel {

struct BreakerFacts {
  std::string domain;  // "" when the action is about no site
  std::uint64_t threshold = 0;
  store::CircuitState state = store::CircuitState::kClosed;
  bool is_probe = false;
  std::uint64_t failures = 0;
  std::chrono::milliseconds retry_after{0};
  std::string error;  // the name of what kept everybody from knowing

  json::object ToJson() const;
  // kInvalidArgument for what ToJson never writes.
  static Result<BreakerFacts> FromJson(const json::object& object);
};

// The gate's verdict without its facts: defers with kCircuitOpen or kCircuitHalfOpen and the time
// after which asking again makes sense.
Verdict DecideBreaker(const BreakerFacts& facts);

// The host an action is about: the one it navigates to, else that of its page; "" for none.
std::string DomainOf(const GateInput& input);

class BreakerGate final : public Gate {
 public:
  // `holder` names this process, as OwnLeaseOwner() does: a probe of one that has ended is given to
  // the next. The store must outlive this, and every Admission.
  BreakerGate(store::BreakerStore& store, const store::BreakerLimits& limits, std::string holder)
      : store_(store), limits_(limits), holder_(std::move(holder)) {}
  std::string_view name() const override { return "breaker"; }
  Task<Verdict> Check(CallContext ctx, const GateInput* input) override;

 private:
  Task<Result<store::CircuitAnswer>> Ask(store::CircuitKey key);

  store::BreakerStore& store_;
  store::BreakerLimits limits_;
  std::string holder_;
};

}  // namespace falconer::kernel
