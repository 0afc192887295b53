// The published fixtures of control signals, decisions, events, plans and transitions, as rows:
// what must be accepted, and what must be refused for which field.

#include <gtest/gtest.h>

#include "base/json/canonical_json.h"
#include "base/sha256.h"
#include "model/turn/decision.h"
#include "model/turn/event.h"
#include "model/turn/signal.h"
#include "model/turn/turn_plan.h"
#include "model/turn/turn_state.h"

namespace falconer::model {
namespace {

// Every object that is a fixture, with the fields of `changes` put in; null takes a field away.
json::object WithField(std::string_view base, std::string_view changes) {
  json::object out = ParseJson(base)->as_object();
  for (const auto& [key, value] : ParseJson(changes)->as_object()) {
    if (value.is_null()) {
      out.erase(key);
    } else {
      out[key] = value;
    }
  }
  return out;
}

constexpr std::string_view kSignalBase = R"({
    "schema_version":"v1.0","event_scope":"turn","session_id":"s1","turn_id":"s1.t000001",
    "pipeline_version":"p1","event_id":"evt/s1/s1.t000001/000001","lane":"control",
    "transport_sequence":1,"runtime_sequence":2,"authority_epoch":7,"runtime_timestamp_ms":10,
    "wall_clock_timestamp_ms":20,"payload_class":"metadata"})";

struct Row {
  std::string_view name;
  std::string_view changes;
  std::string_view field;  // what the refusal must name; "" when it must be accepted
};

// A refusal must name the field, or else some other rule was at work.
template <typename Parse>
void CheckRows(std::string_view base, std::span<const Row> rows, Parse parse) {
  for (const Row& row : rows) {
    const json::object input = WithField(base, row.changes);
    const auto parsed = parse(input);
    if (row.field.empty()) {
      ASSERT_TRUE(parsed) << row.name << ": " << Describe(parsed.error());
      EXPECT_EQ(*CanonicalJson(parsed->ToJson()), *CanonicalJson(input)) << row.name;
      continue;
    }
    ASSERT_FALSE(parsed) << row.name;
    EXPECT_EQ(parsed.error().code(), ErrorCode::kInvalidArgument) << row.name;
    EXPECT_TRUE(parsed.error().message().contains(row.field))
        << row.name << ": " << parsed.error().message();
  }
}

TEST(FixturesTest, ValidControlSignalsAreAccepted) {
  constexpr Row kRows[] = {
      {"turn_open", R"({"signal":"turn_open","emitted_by":"RK-03"})", ""},
      {"shed at a scheduling point",
       R"({"signal":"shed","emitted_by":"RK-25","reason":"lane_queue_capacity_exceeded"})", ""},
      {"deauthorized_drain",
       R"({"signal":"deauthorized_drain","emitted_by":"RK-24","reason":"authority_loss"})", ""},
      {"drop_notice with its range",
       R"({"signal":"drop_notice","emitted_by":"RK-13","edge_id":"e1","target_lane":"telemetry",
           "reason":"telemetry_best_effort_drop","seq_range":{"start":3,"end":9}})",
       ""},
      {"watermark",
       R"({"signal":"watermark","emitted_by":"RK-13","edge_id":"e1","target_lane":"data",
           "reason":"high"})",
       ""},
      {"discontinuity",
       R"({"signal":"discontinuity","emitted_by":"RK-15","sync_domain":"frames",
           "discontinuity_id":"d1","reason":"sync_loss"})",
       ""},
      {"budget_warning",
       R"({"signal":"budget_warning","emitted_by":"RK-17","reason":"budget_warning"})", ""},
      {"disconnected",
       R"({"signal":"disconnected","emitted_by":"RK-23","event_scope":"session","turn_id":null})",
       ""},
      {"lease_rotated",
       R"({"signal":"lease_rotated","emitted_by":"CP-07","event_scope":"session","turn_id":null})",
       ""},
      {"proposal",
       R"({"signal":"turn_open_proposed","emitted_by":"RK-02","event_scope":"session"})", ""},
      {"cancel of a provider invocation",
       R"({"signal":"cancel","emitted_by":"RK-16","scope":"provider_invocation"})", ""},
      {"fallback", R"({"signal":"fallback","emitted_by":"RK-13","reason":"budget_exhausted"})", ""},
      {"approval",
       R"({"signal":"approval_requested","emitted_by":"EN-01","subject":"apr_1","reason":"post"})",
       ""},
      {"credit",
       R"({"signal":"credit_grant","emitted_by":"RK-14","edge_id":"e1","target_lane":"data",
           "amount":1})",
       ""},
  };
  CheckRows(kSignalBase, kRows, ParseSignal);
}

TEST(FixturesTest, InvalidControlSignalsAreRefusedForTheFieldAtFault) {
  constexpr Row kRows[] = {
      {"abort without a reason", R"({"signal":"abort","emitted_by":"RK-03"})", "reason"},
      {"credit_grant without an amount",
       R"({"signal":"credit_grant","emitted_by":"RK-14","edge_id":"e","target_lane":"data"})",
       "amount"},
      {"credit_grant of nothing",
       R"({"signal":"credit_grant","emitted_by":"RK-14","edge_id":"e","target_lane":"data",
           "amount":0})",
       "amount"},
      {"discontinuity without a sync domain",
       R"({"signal":"discontinuity","emitted_by":"RK-15","discontinuity_id":"d","reason":"r"})",
       "sync_domain"},
      {"drop_notice without a range",
       R"({"signal":"drop_notice","emitted_by":"RK-12","edge_id":"e","target_lane":"data",
           "reason":"r"})",
       "seq_range"},
      {"drop_notice with a range that runs backwards",
       R"({"signal":"drop_notice","emitted_by":"RK-12","edge_id":"e","target_lane":"data",
           "reason":"r","seq_range":{"start":9,"end":3}})",
       "seq_range.end"},
      {"unknown emitter", R"({"signal":"commit","emitted_by":"RK-99"})", "emitted_by"},
      {"lease_rotated from the turn", R"({"signal":"lease_rotated","emitted_by":"RK-03"})",
       "emitted_by"},
      {"shed without a reason", R"({"signal":"shed","emitted_by":"RK-25"})", "reason"},
      {"watermark without an edge",
       R"({"signal":"watermark","emitted_by":"RK-13","target_lane":"data","reason":"high"})",
       "edge_id"},
      {"barge_in from the buffer", R"({"signal":"barge_in","emitted_by":"RK-13"})", "emitted_by"},
      {"cancel of nothing known", R"({"signal":"cancel","emitted_by":"RK-16","scope":"world"})",
       "scope"},
      {"commit outside a turn",
       R"({"signal":"commit","emitted_by":"RK-03","event_scope":"session"})", "event_scope"},
      {"turn scope without a turn", R"({"signal":"commit","emitted_by":"RK-03","turn_id":null})",
       "turn_id"},
      {"turn scope without an epoch",
       R"({"signal":"commit","emitted_by":"RK-03","authority_epoch":null})", "authority_epoch"},
      {"negative time", R"({"signal":"commit","emitted_by":"RK-03","timestamp_ms":-1})",
       "timestamp_ms"},
      {"another lane", R"({"signal":"commit","emitted_by":"RK-03","lane":"data"})", "lane"},
      {"another class", R"({"signal":"commit","emitted_by":"RK-03","payload_class":"PII"})",
       "payload_class"},
      {"no class", R"({"signal":"commit","emitted_by":"RK-03","payload_class":null})",
       "payload_class"},
      {"unknown signal", R"({"signal":"hello","emitted_by":"RK-03"})", "signal"},
      {"unknown field", R"({"signal":"commit","emitted_by":"RK-03","colour":"red"})", "colour"},
      {"odd version", R"({"signal":"commit","emitted_by":"RK-03","schema_version":"1.0"})",
       "schema_version"},
  };
  CheckRows(kSignalBase, kRows, ParseSignal);
}

TEST(FixturesTest, DecisionOutcomesFollowTheirRules) {
  constexpr std::string_view kBase = R"({
      "outcome_kind":"admit","phase":"pre_turn","scope":"session","session_id":"s1",
      "event_id":"evt/s1/-/000001","runtime_timestamp_ms":1,"wall_clock_timestamp_ms":2,
      "emitted_by":"RK-25","reason":"ok"})";
  constexpr Row kRows[] = {
      {"admit before the turn", "{}", ""},
      {"stale epoch before the turn",
       R"({"outcome_kind":"stale_epoch_reject","emitted_by":"RK-24","authority_epoch":6,
           "reason":"stale_epoch"})",
       ""},
      {"shed at a scheduling point",
       R"({"outcome_kind":"shed","phase":"scheduling_point","scope":"edge_enqueue"})", ""},
      {"admit from authority", R"({"emitted_by":"RK-24"})", "emitted_by"},
      {"shed before the turn", R"({"outcome_kind":"shed","scope":"edge_enqueue"})", "phase"},
      {"the cluster about a turn", R"({"emitted_by":"CP-05","scope":"turn","turn_id":"t"})",
       "scope"},
      {"the cluster within a turn", R"({"emitted_by":"CP-05","phase":"scheduling_point"})",
       "phase"},
      {"turn scope without a turn", R"({"scope":"turn"})", "turn_id"},
      {"authority without an epoch",
       R"({"outcome_kind":"deauthorized_drain","emitted_by":"RK-24","reason":"deauthorized"})",
       "authority_epoch"},
      {"tenant scope without a tenant", R"({"scope":"tenant"})", "tenant_id"},
      {"tenant scope without a session", R"({"scope":"tenant","tenant_id":"a","session_id":null})",
       ""},
      {"negative time", R"({"runtime_timestamp_ms":-1})", "runtime_timestamp_ms"},
      {"no reason", R"({"reason":""})", "reason"},
      {"retry_after with a refusal", R"({"outcome_kind":"reject","retry_after_ms":5})",
       "retry_after_ms"},
      {"defer that says when", R"({"outcome_kind":"defer","retry_after_ms":5,"gate":"capacity",
           "code":"QUEUE_FULL","details":{"running":8}})",
       ""},
      {"a code nobody knows", R"({"outcome_kind":"reject","code":"NOPE"})", "code"},
      {"revoked in an active turn",
       R"({"outcome_kind":"deauthorized_drain","emitted_by":"RK-24","phase":"active_turn",
           "scope":"turn","turn_id":"t","authority_epoch":7})",
       ""},
      {"stale in an active turn is a scheduling point",
       R"({"outcome_kind":"stale_epoch_reject","emitted_by":"RK-24","phase":"active_turn",
           "scope":"turn","turn_id":"t","authority_epoch":7})",
       "phase"},
  };
  CheckRows(kBase, kRows, ParseDecision);
}

TEST(FixturesTest, EventsFollowTheirRules) {
  constexpr std::string_view kBase = R"({
      "schema_version":"v1.0","event_scope":"turn","session_id":"s1","turn_id":"s1.t000001",
      "pipeline_version":"p1","event_id":"evt/s1/s1.t000001/000001","lane":"data",
      "transport_sequence":1,"runtime_sequence":2,"authority_epoch":7,"runtime_timestamp_ms":10,
      "wall_clock_timestamp_ms":20,"payload_class":"metadata"})";
  constexpr Row kRows[] = {
      {"smallest", "{}", ""},
      {"with its own time and payload",
       R"({"timestamp_ms":5,"kind":"page_loaded","payload":{"url":"x"}})", ""},
      {"no lane", R"({"lane":null})", "lane"},
      {"control lane", R"({"lane":"control"})", "lane"},
      {"no payload class", R"({"payload_class":null})", "payload_class"},
      {"no turn", R"({"turn_id":null})", "turn_id"},
      {"sound without its time", R"({"payload_class":"audio_raw"})", "media_time"},
      {"sound with its time", R"({"payload_class":"audio_raw","media_time":{"pts_ms":1}})", ""},
      {"empty media time", R"({"media_time":{}})", "media_time"},
      {"negative sequence", R"({"transport_sequence":-1})", "transport_sequence"},
      {"too large for a double", R"({"runtime_sequence":9007199254740993})", "runtime_sequence"},
  };
  CheckRows(kBase, kRows, ParseEvent);
}

ResolvedTurnPlan FrozenPlan() {
  ResolvedTurnPlan plan{.turn = TurnId("s1.t000001"),
                        .pipeline_version = "p1",
                        .graph_definition_ref = "graph/act",
                        .execution_profile = "simple",
                        .authority_epoch = 7,
                        .node = {.fairness_key = "tenant-a"}};
  for (const auto& [kind, name] : kSnapshotKinds) plan.provenance[kind] = Sha256Hex(name);
  EXPECT_TRUE(plan.Freeze());
  return plan;
}

TEST(FixturesTest, PlansFollowTheirRules) {
  const ResolvedTurnPlan plan = FrozenPlan();
  const std::string base = json::serialize(plan.ToJson());
  constexpr Row kRows[] = {
      {"smallest", "{}", ""},
      {"no provenance", R"({"snapshot_provenance":null})", "snapshot_provenance"},
      {"a label instead of a digest",
       R"({"snapshot_provenance":{"routing_view":"v1","admission_policy":"v1",
           "abi_compatibility":"v1","version_resolution":"v1","policy_resolution":"v1",
           "provider_health":"v1"}})",
       "routing_view"},
      {"one digest missing",
       R"({"snapshot_provenance":{"routing_view":"v1","admission_policy":"v1",
           "abi_compatibility":"v1","version_resolution":"v1","policy_resolution":"v1"}})",
       "provider_health"},
      {"changed after it was frozen", R"({"authority_epoch":8})", "plan_hash"},
      {"another hash",
       R"({"plan_hash":"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"})",
       "plan_hash"},
      {"unknown field", R"({"colour":"red"})", "colour"},
      {"an action nobody knows", R"({"allowed_adaptive_actions":["pray"]})",
       "allowed_adaptive_actions"},
      {"an action twice", R"({"allowed_adaptive_actions":["retry","retry"]})", "twice"},
  };
  CheckRows(base, kRows, ParseTurnPlan);
}

TEST(FixturesTest, TransitionsFollowTheTable) {
  const auto legal = ParseTurnTransition(*ParseJson(
      R"({"from_state":"Opening","trigger":"turn_open","to_state":"Active","deterministic":true})"));
  const auto illegal = ParseTurnTransition(*ParseJson(
      R"({"from_state":"Idle","trigger":"turn_open","to_state":"Active","deterministic":true})"));

  EXPECT_TRUE(legal) << Describe(legal.error());
  EXPECT_FALSE(illegal);
}

}  // namespace
}  // namespace falconer::model
