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
#include "kernel/flow/pause_watch.h"
#include "kernel/flow/rate_book.h"
#include "kernel/gates/action_permit.h"
#include "kernel/gates/circuit_permit.h"
#include "kernel/gates/load_meter.h"
#include "model/action/action_type.h"
#include "model/action/capability.h"
#include "model/turn/decision.h"
#include "policy/domain_rules.h"

namespace falconer::kernel {

struct AdmittedToken;
struct AdmittedPolicy;

// What gates took on behalf of the turn; it lives as long as the turn.
struct Admission {
  LoadPermit place;
  std::optional<std::int64_t> epoch;
  // The rules in force when the domain gate asked them.
  std::shared_ptr<const policy::DomainRules> rules;
  // By which the turn is judged from beginning to end, whatever changes meanwhile (admitted.h).
  std::shared_ptr<const AdmittedToken> token;
  std::shared_ptr<const AdmittedPolicy> policy;  // null when there is none
  // Cancelled when a pause is ordered: the turn must not go on then.
  PauseWard ward;
  // Counted against the tenant's actions; given back unless it is spent, which it MUST be as soon
  // as the turn is opened.
  ActionPermit action;
  // The tenant's limits in force; none before the quota gate admitted.
  std::optional<model::TenantQuota> quota;
  // What the policy counts of the action, as far as the risk gate could tell, and what of it was
  // counted: given back unless it is spent, as the action.
  RateClaim claim;
  RatePermit rates;
  // For BreakerBook::Note, once the turn was sealed.
  CircuitPermit circuit;
};

// Whether people can be asked about it: nobody waits for a look at a page.
enum class Asking : std::uint8_t { kPossible, kNobody };

// What a gate may know about the contract it judges. It outlives the call.
struct GateInput {
  TenantId tenant;
  WorkflowId workflow;
  std::string agent;
  SessionId session;
  std::string action_type;
  std::optional<model::ActionType> action;  // nothing when the contract cannot be read
  model::CapabilitySet needs = {};          // beside those of the action
  std::string token;                        // as the caller showed it
  std::string use;                          // names the contract, for what may be used once
  std::string navigate_url;                 // "" when the action opens no address
  std::string page_url;                     // where the tab is; "" before there is one
  std::optional<std::int64_t> epoch;        // as the caller believes
  std::string taken_by;                     // the person who drives instead; "" for nobody
  Asking asking = Asking::kPossible;
  std::optional<WallTime> began;  // when the session began; nothing for one that begins with it
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
