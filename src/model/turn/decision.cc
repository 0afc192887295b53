#include "model/turn/decision.h"

#include <fmt/format.h>

namespace falconer::model {
namespace {

using enum DecisionKind;
using enum DecisionPhase;
using enum DecisionScope;

constexpr DecisionRule kDecisionRules[] = {
    {{kAdmit, kReject, kDefer},
     Emitter::kAdmission,
     {kPreTurn, kSchedulingPoint},
     {kTenant, kSession, kTurn, kEdgeEnqueue, kEdgeDequeue, kNodeDispatch}},
    // The cluster decides about whom to serve and where, never about a turn.
    {{kAdmit, kReject, kDefer}, Emitter::kClusterAdmission, {kPreTurn}, {kTenant, kSession}},
    {{kShed},
     Emitter::kAdmission,
     {kSchedulingPoint},
     {kTurn, kEdgeEnqueue, kEdgeDequeue, kNodeDispatch}},
    // Within a turn a stale event is a diagnosis at a scheduling point; it never ends the turn.
    {{kStaleEpochReject},
     Emitter::kAuthority,
     {kPreTurn, kSchedulingPoint},
     {kSession, kTurn, kEdgeEnqueue, kEdgeDequeue, kNodeDispatch}},
    {{kDeauthorizedDrain}, Emitter::kAuthority, {kPreTurn, kActiveTurn}, {kSession, kTurn}},
};

constexpr EnumSet<DecisionKind> kOfAuthority = {kStaleEpochReject, kDeauthorizedDrain};
constexpr std::int64_t kMaxExact = std::int64_t{1} << 53;

std::unexpected<Error> RefuseDecision(std::string_view field, std::string_view why) {
  return std::unexpected(Error(ErrorCode::kInvalidArgument,
                               fmt::format("decision_outcome.{}: {}", field, why),
                               {{"field", field}}));
}

Result<void> CheckRules(const DecisionOutcome& decision) {
  bool is_emitter_known = false;
  bool is_phase_known = false;
  for (const DecisionRule& rule : kDecisionRules) {
    if (!rule.kinds.Contains(decision.kind) || rule.emitter != decision.emitted_by) continue;
    is_emitter_known = true;
    if (!rule.phases.Contains(decision.phase)) continue;
    is_phase_known = true;
    if (rule.scopes.Contains(decision.scope)) return {};
  }
  const std::string what(NameIn(kDecisionKinds, decision.kind));
  const std::string from(NameIn(kEmitters, decision.emitted_by));
  if (!is_emitter_known)
    return RefuseDecision("emitted_by", fmt::format("{} may not {}", from, what));
  if (!is_phase_known) {
    return RefuseDecision("phase", fmt::format("{} may not {} in phase {}", from, what,
                                               NameIn(kDecisionPhases, decision.phase)));
  }
  return RefuseDecision("scope", fmt::format("{} may not {} in scope {}", from, what,
                                             NameIn(kDecisionScopes, decision.scope)));
}

Result<void> CheckIds(const DecisionOutcome& decision) {
  const bool is_tenant = decision.scope == kTenant;
  if (is_tenant && decision.tenant.empty())
    return RefuseDecision("tenant_id", "is required in its scope");
  if (!is_tenant && decision.session.empty()) return RefuseDecision("session_id", "is required");
  const bool needs_turn = decision.scope == kTurn || decision.phase == kActiveTurn;
  if (needs_turn && decision.turn.empty()) {
    return RefuseDecision("turn_id", "is required in scope turn and in an active turn");
  }
  if (decision.event_id.empty()) return RefuseDecision("event_id", "is required");
  return {};
}

DecisionOutcome ReadDecision(JsonReader& in) {
  constexpr Bounds<std::int64_t> kTime{0, kMaxExact};
  return {.kind = in.Enum("outcome_kind", kDecisionKinds),
          .phase = in.Enum("phase", kDecisionPhases),
          .scope = in.Enum("scope", kDecisionScopes),
          .tenant = TenantId(in.OptionalString("tenant_id").value_or("")),
          .session = SessionId(in.OptionalString("session_id").value_or("")),
          .turn = TurnId(in.OptionalString("turn_id").value_or("")),
          .event_id = in.String("event_id"),
          .runtime_timestamp_ms = in.Integer("runtime_timestamp_ms", kTime),
          .wall_clock_timestamp_ms = in.Integer("wall_clock_timestamp_ms", kTime),
          .emitted_by = in.Enum("emitted_by", kEmitters),
          .authority_epoch = in.OptionalInteger("authority_epoch", kTime),
          .reason = in.String("reason"),
          .gate = in.OptionalString("gate").value_or(""),
          .code = in.OptionalString("code").value_or(""),
          .retry_after_ms = in.OptionalInteger("retry_after_ms", kTime),
          .details = in.OptionalRawObject("details").value_or(json::object()),
          .facts = in.OptionalRawObject("facts").value_or(json::object())};
}

void PutText(json::object& out, std::string_view key, const std::string& text) {
  if (!text.empty()) out[key] = text;
}

}  // namespace

std::span<const DecisionRule> DecisionRules() {
  return kDecisionRules;
}

Result<void> DecisionOutcome::Validate() const {
  TRY(CheckRules(*this));
  TRY(CheckIds(*this));
  if (reason.empty()) return RefuseDecision("reason", "is required");
  if (kOfAuthority.Contains(kind) && !authority_epoch) {
    return RefuseDecision("authority_epoch", "is required for what authority decides");
  }
  if (authority_epoch && *authority_epoch < 0)
    return RefuseDecision("authority_epoch", "is negative");
  if (runtime_timestamp_ms < 0) return RefuseDecision("runtime_timestamp_ms", "is negative");
  if (wall_clock_timestamp_ms < 0) return RefuseDecision("wall_clock_timestamp_ms", "is negative");
  if (retry_after_ms && kind != kDefer) return RefuseDecision("retry_after_ms", "belongs to defer");
  if (!code.empty() && !ErrorCodeNamed(code)) return RefuseDecision("code", "is no error code");
  return {};
}

json::object DecisionOutcome::ToJson() const {
  json::object out{{"outcome_kind", NameIn(kDecisionKinds, kind)},
                   {"phase", NameIn(kDecisionPhases, phase)},
                   {"scope", NameIn(kDecisionScopes, scope)},
                   {"event_id", event_id},
                   {"runtime_timestamp_ms", runtime_timestamp_ms},
                   {"wall_clock_timestamp_ms", wall_clock_timestamp_ms},
                   {"emitted_by", NameIn(kEmitters, emitted_by)},
                   {"reason", reason}};
  PutText(out, "tenant_id", tenant.value());
  PutText(out, "session_id", session.value());
  PutText(out, "turn_id", turn.value());
  PutText(out, "gate", gate);
  PutText(out, "code", code);
  if (authority_epoch) out["authority_epoch"] = *authority_epoch;
  if (retry_after_ms) out["retry_after_ms"] = *retry_after_ms;
  if (!details.empty()) out["details"] = details;
  if (!facts.empty()) out["facts"] = facts;
  return out;
}

Result<DecisionOutcome> ParseDecision(const json::value& value) {
  TRY_ASSIGN(DecisionOutcome decision, ReadJson(value, "decision_outcome", ReadDecision));
  TRY(decision.Validate());
  return decision;
}

}  // namespace falconer::model
