#pragma once
// DecisionOutcome: one decision about admitting, refusing or shedding work, as it is recorded. Who
// may decide what, in which phase and about what, is one table.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/ids.h"
#include "base/json/json_reader.h"
#include "model/enum_set.h"
#include "model/turn/emitter.h"

namespace falconer::model {

enum class DecisionKind : std::uint8_t {
  kAdmit,
  kReject,
  kDefer,
  kShed,
  kStaleEpochReject,
  kDeauthorizedDrain,
};

inline constexpr EnumName<DecisionKind> kDecisionKinds[] = {
    {DecisionKind::kAdmit, "admit"},
    {DecisionKind::kReject, "reject"},
    {DecisionKind::kDefer, "defer"},
    {DecisionKind::kShed, "shed"},
    {DecisionKind::kStaleEpochReject, "stale_epoch_reject"},
    {DecisionKind::kDeauthorizedDrain, "deauthorized_drain"},
};

enum class DecisionPhase : std::uint8_t { kPreTurn, kSchedulingPoint, kActiveTurn };

inline constexpr EnumName<DecisionPhase> kDecisionPhases[] = {
    {DecisionPhase::kPreTurn, "pre_turn"},
    {DecisionPhase::kSchedulingPoint, "scheduling_point"},
    {DecisionPhase::kActiveTurn, "active_turn"},
};

enum class DecisionScope : std::uint8_t {
  kTenant,
  kSession,
  kTurn,
  kEdgeEnqueue,
  kEdgeDequeue,
  kNodeDispatch,
};

inline constexpr EnumName<DecisionScope> kDecisionScopes[] = {
    {DecisionScope::kTenant, "tenant"},
    {DecisionScope::kSession, "session"},
    {DecisionScope::kTurn, "turn"},
    {DecisionScope::kEdgeEnqueue, "edge_enqueue"},
    {DecisionScope::kEdgeDequeue, "edge_dequeue"},
    {DecisionScope::kNodeDispatch, "node_dispatch"},
};

// One permission: these kinds from this emitter, in these phases, about these scopes.
struct DecisionRule {
  EnumSet<DecisionKind> kinds;
  Emitter emitter;
  EnumSet<DecisionPhase> phases;
  EnumSet<DecisionScope> scopes;
};

// THE table. A decision that fits no row is refused.
std::span<const DecisionRule> DecisionRules();

struct DecisionOutcome {
  DecisionKind kind = DecisionKind::kAdmit;
  DecisionPhase phase = DecisionPhase::kPreTurn;
  DecisionScope scope = DecisionScope::kSession;
  TenantId tenant;    // required for scope tenant
  SessionId session;  // required for every other scope
  TurnId turn;        // required for scope turn and in an active turn
  std::string event_id;
  std::int64_t runtime_timestamp_ms = 0;
  std::int64_t wall_clock_timestamp_ms = 0;
  Emitter emitted_by = Emitter::kAdmission;
  std::optional<std::int64_t> authority_epoch;  // required for what authority decides
  std::string reason;                           // a stable word, such as "host_not_allowed"
  std::string gate;                             // the gate that decided, if one did
  std::string code;                             // the error's stable name, if it was refused
  std::optional<std::int64_t> retry_after_ms;   // for defer
  json::object details;
  json::object facts;  // what it was judged by: enough to give the verdict again

  // kInvalidArgument, naming the field, when a rule is broken.
  Result<void> Validate() const;
  json::object ToJson() const;
  bool operator==(const DecisionOutcome&) const = default;
};

// Strict: unknown fields, wrong types and broken rules are refused.
Result<DecisionOutcome> ParseDecision(const json::value& value);

}  // namespace falconer::model
