#pragma once
// GateList: the gates, in the one order there is. Each position has its reason; cheap and certain
// refusals come before those that take something.

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "kernel/gates/gate.h"
#include "kernel/turn/event_stamper.h"
#include "kernel/turn/sinks.h"

namespace falconer::kernel {

struct GateRow {
  std::string_view name;
  std::string_view why_here;
};

// THE order.
std::span<const GateRow> GateOrder();

class GateList {
 public:
  // Brings the gates into the order. Fails with kInvalidArgument when a row has no gate, a gate no
  // row, or a row two: a gate that is forgotten would be one that admits everything.
  static Result<GateList> Create(std::vector<std::unique_ptr<Gate>> gates);

  std::span<const std::unique_ptr<Gate>> gates() const { return gates_; }

 private:
  explicit GateList(std::vector<std::unique_ptr<Gate>> gates) : gates_(std::move(gates)) {}
  std::vector<std::unique_ptr<Gate>> gates_;
};

// The verdict as it is recorded, but for session, event id and times.
model::DecisionOutcome DecisionOf(const Verdict& verdict, const TenantId& tenant);
// What every gate says about a call that was cancelled or ran out of time. Its fact is the code.
Verdict NotWanted(const Error& why);

// Asks the gates one after the other and stops at the first that does not admit; its verdict is the
// answer. Every verdict goes on record. A call that is no longer wanted is rejected with its own
// error. Everything passed must outlive the call.
Task<Verdict> RunGates(CallContext ctx, const GateList* gates, const GateInput* input,
                       EventStamper* stamper, DecisionSink* decisions);

}  // namespace falconer::kernel
