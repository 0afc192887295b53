// Reading and writing of ResolvedTurnPlan.

#include "model/turn/turn_plan.h"

namespace falconer::model {
namespace {

template <typename E, std::size_t N>
json::array NamesOf(const EnumName<E> (&table)[N], EnumSet<E> set) {
  json::array names;
  for (const EnumName<E>& row : table) {
    if (set.Contains(row.value)) names.emplace_back(row.name);
  }
  return names;
}

// A list of names, each at most once.
template <typename E, std::size_t N>
EnumSet<E> ReadNames(JsonReader& in, std::string_view key, const EnumName<E> (&table)[N]) {
  EnumSet<E> set;
  for (const std::string& name : in.Strings(key)) {
    const std::optional<E> value = ValueIn(table, name);
    if (!value) {
      in.Reject(key, "has the unknown word " + name);
    } else if (set.Contains(*value)) {
      in.Reject(key, "has " + name + " twice");
    } else {
      set.Add(*value);
    }
  }
  return set;
}

PlanNodePolicy ReadNode(JsonReader& in) {
  return {.concurrency_limit = in.Integer("concurrency_limit"),
          .fairness_key = in.String("fairness_key")};
}

PlanLane ReadLane(JsonReader& in) {
  return {.bound = in.Integer("bound"), .high = in.Integer("high"), .low = in.Integer("low")};
}

PlanFlow ReadFlow(JsonReader& in) {
  return {.control = in.Object("control", ReadLane),
          .data = in.Object("data", ReadLane),
          .telemetry = in.Object("telemetry", ReadLane)};
}

std::map<std::string, std::string, std::less<>> ReadBindings(JsonReader& in) {
  std::map<std::string, std::string, std::less<>> bindings;
  for (const auto& [role, provider] : in.RawObject("provider_bindings")) {
    const json::string* name = provider.if_string();
    if (name == nullptr) {
      in.Reject("provider_bindings", "expected strings");
      break;
    }
    bindings.emplace(role, *name);
  }
  return bindings;
}

ResolvedTurnPlan ReadResolvedPlan(JsonReader& in) {
  return {.turn = TurnId(in.String("turn_id")),
          .turn_sequence = in.Integer("turn_sequence"),
          .pipeline_version = in.String("pipeline_version"),
          .plan_hash = in.String("plan_hash"),
          .graph_definition_ref = in.String("graph_definition_ref"),
          .execution_profile = in.String("execution_profile"),
          .authority_epoch = in.Integer("authority_epoch"),
          .budgets = in.Object("budgets", ReadBudgets),
          .retry = in.Object("retry", ReadRetry),
          .timeouts = in.Object("timeouts", ReadTimeouts),
          .provider_bindings = ReadBindings(in),
          .node = in.Object("node_execution_policies", ReadNode),
          .flow = in.Object("flow_control", ReadFlow),
          .allowed_adaptive_actions = ReadAdaptiveActions(in, "allowed_adaptive_actions"),
          .provenance = in.Object("snapshot_provenance", ReadProvenance),
          .recording = in.Object("recording_policy", ReadRecording),
          .determinism = in.Object("determinism", ReadDeterminism)};
}

json::object LaneJson(const PlanLane& lane) {
  return {{"bound", lane.bound}, {"high", lane.high}, {"low", lane.low}};
}

json::object BudgetsJson(const PlanBudgets& budgets) {
  return {{"turn_ms", budgets.turn_ms},
          {"node_ms", budgets.node_ms},
          {"path_ms", budgets.path_ms},
          {"edge_ms", budgets.edge_ms}};
}

json::object RetryJson(const PlanRetry& retry) {
  return {{"max_attempts", retry.max_attempts},
          {"backoff_ms", retry.backoff_ms},
          {"multiplier", retry.multiplier},
          {"max_backoff_ms", retry.max_backoff_ms}};
}

json::object TimeoutsJson(const PlanTimeouts& timeouts) {
  return {{"action_ms", timeouts.action_ms},
          {"wait_ms", timeouts.wait_ms},
          {"verify_ms", timeouts.verify_ms}};
}

json::object BindingsJson(const ResolvedTurnPlan& plan) {
  json::object out;
  for (const auto& [role, provider] : plan.provider_bindings) out[role] = provider;
  return out;
}

}  // namespace

PlanBudgets ReadBudgets(JsonReader& in) {
  return {.turn_ms = in.Integer("turn_ms"),
          .node_ms = in.Integer("node_ms"),
          .path_ms = in.Integer("path_ms"),
          .edge_ms = in.Integer("edge_ms")};
}

PlanRetry ReadRetry(JsonReader& in) {
  return {.max_attempts = in.Integer("max_attempts"),
          .backoff_ms = in.Integer("backoff_ms"),
          .multiplier = in.Integer("multiplier"),
          .max_backoff_ms = in.Integer("max_backoff_ms")};
}

PlanTimeouts ReadTimeouts(JsonReader& in) {
  return {.action_ms = in.Integer("action_ms"),
          .wait_ms = in.Integer("wait_ms"),
          .verify_ms = in.Integer("verify_ms")};
}

PlanRecording ReadRecording(JsonReader& in) {
  return {.level = in.Enum("recording_level", kRecordingLevels),
          .replay_modes = ReadNames(in, "allowed_replay_modes", kReplayModes)};
}

AdaptiveActionSet ReadAdaptiveActions(JsonReader& in, std::string_view key) {
  return ReadNames(in, key, kAdaptiveActions);
}

json::object ResolvedTurnPlan::ToJson() const {
  return {{"turn_id", turn.value()},
          {"turn_sequence", turn_sequence},
          {"pipeline_version", pipeline_version},
          {"plan_hash", plan_hash},
          {"graph_definition_ref", graph_definition_ref},
          {"execution_profile", execution_profile},
          {"authority_epoch", authority_epoch},
          {"budgets", BudgetsJson(budgets)},
          {"retry", RetryJson(retry)},
          {"timeouts", TimeoutsJson(timeouts)},
          {"provider_bindings", BindingsJson(*this)},
          {"node_execution_policies",
           {{"concurrency_limit", node.concurrency_limit}, {"fairness_key", node.fairness_key}}},
          {"flow_control",
           {{"control", LaneJson(flow.control)},
            {"data", LaneJson(flow.data)},
            {"telemetry", LaneJson(flow.telemetry)}}},
          {"allowed_adaptive_actions", NamesOf(kAdaptiveActions, allowed_adaptive_actions)},
          {"snapshot_provenance", provenance.ToJson()},
          {"recording_policy",
           {{"recording_level", NameIn(kRecordingLevels, recording.level)},
            {"allowed_replay_modes", NamesOf(kReplayModes, recording.replay_modes)}}},
          {"determinism", determinism.ToJson()}};
}

Result<ResolvedTurnPlan> ParseTurnPlan(const json::value& value) {
  TRY_ASSIGN(ResolvedTurnPlan plan, ReadJson(value, "turn_plan", ReadResolvedPlan));
  TRY(plan.CheckFrozen());
  return plan;
}

}  // namespace falconer::model
