#pragma once
// GateList: the gates, in the one order there is. Each position has its reason; cheap and certain
// refusals come before those that take something.

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "kernel/gates/gate.h"
#include "kernel/turn/event_stamper.h"
#include "kernel/turn/sinks.h"

namespace falconer::kernel {

// What a gate is about: whoever asks, what he sent, the page it is about, what of the tenant's
// share it takes, or the turn that is asked for.
enum class GateAbout : std::uint8_t { kCaller, kContract, kPage, kShare, kTurn };

struct GateRow {
  std::string_view name;
  // Those that take something come after all that do not.
  GateAbout about;
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

// How far the gates are asked: all of them for a turn; those about the caller for what is about no
// page; also those about what he sent for an answer that is on record already; those about the
// caller and the page for a look at it, and also those about the tenant's share for one that opens
// a session.
enum class GateReach : std::uint8_t { kCall, kCaller, kLook, kFirstLook, kAll };
bool Reaches(GateReach reach, GateAbout about);

// Asks the gates one after the other and stops at the first that does not admit; its verdict is the
// answer. Every verdict goes on record. A call that is no longer wanted is rejected with its own
// error. Everything passed must outlive the call.
Task<Verdict> RunGates(CallContext ctx, const GateList* gates, const GateInput* input,
                       EventStamper* stamper, DecisionSink* decisions,
                       GateReach reach = GateReach::kAll);

}  // namespace falconer::kernel
