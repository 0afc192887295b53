#pragma once
// Gate: one check before a turn opens. It admits, defers or rejects, with a stable reason. Gates
// look and decide; only what they take (a place, an epoch) goes into the Admission.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/async/call_context.h"
#include "base/ids.h"
#include "base/json/json.h"
#include "kernel/gates/load_meter.h"
#include "model/turn/decision.h"
#include "policy/domain_rules.h"

namespace falconer::kernel {

// What gates took on behalf of the turn; it lives as long as the turn.
struct Admission {
  LoadPermit place;
  std::optional<std::int64_t> epoch;
  // The rules in force when the domain gate asked them.
  std::shared_ptr<const policy::DomainRules> rules;
};

// What a gate may know about the contract it judges. It outlives the call.
struct GateInput {
  TenantId tenant;
  WorkflowId workflow;
  std::string agent;
  SessionId session;
  std::string action_type;
  std::string navigate_url;                // "" when the action opens no address
  std::string page_url;                    // where the tab is; "" before there is one
  std::optional<std::int64_t> epoch;       // as the caller believes
  const json::object* contract = nullptr;  // the whole of it, for gates that need more
  Admission* admission = nullptr;
};

struct Verdict {
  model::DecisionKind kind = model::DecisionKind::kAdmit;
  std::string reason;
  std::optional<Error> error;                            // for everything but admit
  std::optional<std::chrono::milliseconds> retry_after;  // for defer
  std::optional<std::int64_t> epoch;                     // for what authority decides
  std::string gate;                                      // who said it; filled in by RunGates
  json::object facts;  // what it was judged by: the same facts give the same verdict

  bool is_admit() const { return kind == model::DecisionKind::kAdmit; }

  static Verdict Admit(std::string reason);
  static Verdict Defer(std::string reason, std::chrono::milliseconds retry_after, Error error);
  static Verdict Reject(std::string reason, Error error);
  // `kind` is kStaleEpochReject or kDeauthorizedDrain.
  static Verdict NoAuthority(model::DecisionKind kind, std::string reason, std::int64_t epoch,
                             Error error);
};

class Gate {
 public:
  virtual ~Gate() = default;
  // Its name in the list of gates, on record and in metrics.
  virtual std::string_view name() const = 0;
  virtual Task<Verdict> Check(CallContext ctx, const GateInput* input) = 0;
};

}  // namespace falconer::kernel
