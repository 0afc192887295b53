#include "model/turn/turn_plan.h"

#include <gtest/gtest.h>

#include "base/json/canonical_json.h"
#include "base/sha256.h"

namespace falconer::model {
namespace {

ResolvedTurnPlan UnsealedPlan() {
  ResolvedTurnPlan plan{.turn = TurnId("s1.t000001"),
                        .pipeline_version = "p1",
                        .graph_definition_ref = "graph/act",
                        .execution_profile = "simple",
                        .authority_epoch = 7,
                        .provider_bindings = {{"browser", "chromium"}},
                        .node = {.fairness_key = "tenant-a"},
                        .allowed_adaptive_actions = {AdaptiveAction::kRetry}};
  for (const auto& [kind, name] : kSnapshotKinds) plan.provenance[kind] = Sha256Hex(name);
  return plan;
}

ResolvedTurnPlan Frozen() {
  ResolvedTurnPlan plan = UnsealedPlan();
  EXPECT_TRUE(plan.Freeze());
  return plan;
}

TEST(TurnPlanTest, TheHashIsThatOfTheContentWithoutWhatIsDrawnFromIt) {
  const ResolvedTurnPlan plan = Frozen();
  json::object content = plan.ToJson();
  content.erase("plan_hash");
  content["determinism"].as_object().erase("seed");

  EXPECT_EQ(plan.plan_hash, Sha256Hex(*CanonicalJson(content)));
  EXPECT_EQ(plan.determinism.seed, DeriveSeed(plan.plan_hash, 1));
  EXPECT_EQ(Frozen(), plan) << "the same plan must have the same hash";
}

TEST(TurnPlanTest, EveryFieldChangesTheHash) {
  const std::string hash = Frozen().plan_hash;
  const std::pair<const char*, void (*)(ResolvedTurnPlan&)> changes[] = {
      {"turn", [](auto& p) { p.turn = TurnId("x"); }},
      {"sequence", [](auto& p) { p.turn_sequence = 2; }},
      {"version", [](auto& p) { p.pipeline_version = "p2"; }},
      {"graph", [](auto& p) { p.graph_definition_ref = "g"; }},
      {"profile", [](auto& p) { p.execution_profile = "x"; }},
      {"epoch", [](auto& p) { p.authority_epoch = 8; }},
      {"budget", [](auto& p) { p.budgets.edge_ms = 1; }},
      {"retry", [](auto& p) { p.retry.max_attempts = 3; }},
      {"timeout", [](auto& p) { p.timeouts.verify_ms = 1; }},
      {"binding", [](auto& p) { p.provider_bindings["browser"] = "other"; }},
      {"node", [](auto& p) { p.node.concurrency_limit = 2; }},
      {"flow", [](auto& p) { p.flow.data.low = 1; }},
      {"actions", [](auto& p) { p.allowed_adaptive_actions.Add(AdaptiveAction::kDegrade); }},
      {"provenance", [](auto& p) { p.provenance.digests[5] = Sha256Hex("other"); }},
      {"recording", [](auto& p) { p.recording.level = RecordingLevel::kL2; }},
      {"markers", [](auto& p) { p.determinism.ordering_markers = {"event_id"}; }},
  };
  for (const auto& [name, change] : changes) {
    ResolvedTurnPlan plan = UnsealedPlan();
    change(plan);
    const auto frozen = plan.Freeze();
    ASSERT_TRUE(frozen) << name << ": " << Describe(frozen.error());
    EXPECT_NE(plan.plan_hash, hash) << name;
  }
}

TEST(TurnPlanTest, ReadsBackAsWritten) {
  const ResolvedTurnPlan plan = Frozen();
  const auto read = ParseTurnPlan(plan.ToJson());

  ASSERT_TRUE(read) << Describe(read.error());
  EXPECT_EQ(*read, plan);
}

TEST(TurnPlanTest, ASeedThatIsNotItsOwnIsRefused) {
  ResolvedTurnPlan plan = Frozen();
  plan.determinism.seed ^= 1U;

  const auto checked = plan.CheckFrozen();

  ASSERT_FALSE(checked);
  EXPECT_TRUE(checked.error().message().contains("seed"));
}

TEST(TurnPlanTest, ImpossiblePlansAreRefusedForTheFieldAtFault) {
  const std::pair<const char*, void (*)(ResolvedTurnPlan&)> cases[] = {
      {"turn_id", [](auto& p) { p.turn = TurnId(); }},
      {"execution_profile", [](auto& p) { p.execution_profile.clear(); }},
      {"fairness_key", [](auto& p) { p.node.fairness_key.clear(); }},
      {"budgets.turn_ms", [](auto& p) { p.budgets.turn_ms = 0; }},
      {"budgets.node_ms", [](auto& p) { p.budgets.node_ms = 6000; }},
      {"max_attempts", [](auto& p) { p.retry.max_attempts = 0; }},
      {"max_backoff_ms", [](auto& p) { p.retry.max_backoff_ms = 1; }},
      {"flow.data", [](auto& p) { p.flow.data.low = p.flow.data.high; }},
      {"provider_health", [](auto& p) { p.provenance.digests[5] = "v1"; }},
      {"provider_bindings", [](auto& p) { p.provider_bindings["x"] = ""; }},
      {"replay_modes", [](auto& p) { p.recording.replay_modes = {}; }},
      {"ordering_markers", [](auto& p) { p.determinism.ordering_markers = {"a", "a"}; }},
      {"ordering_markers", [](auto& p) { p.determinism.ordering_markers = {}; }},
      {"twice",
       [](auto& p) {
         const NondeterministicInput input{.input_key = "k", .evidence_ref = Sha256Hex("v")};
         p.determinism.nondeterministic_inputs = {input, input};
       }},
      {"evidence_ref",
       [](auto& p) { p.determinism.nondeterministic_inputs = {{.input_key = "k"}}; }},
  };
  for (const auto& [field, change] : cases) {
    ResolvedTurnPlan plan = UnsealedPlan();
    change(plan);
    const auto frozen = plan.Freeze();
    ASSERT_FALSE(frozen) << field;
    EXPECT_TRUE(frozen.error().message().contains(field)) << frozen.error().message();
  }
}

TEST(TurnPlanTest, SeedsHaveSixtyThreeBitsAndDifferByTurn) {
  std::uint64_t all = 0;
  for (std::int64_t turn = 1; turn <= 200; ++turn) all |= DeriveSeed("hash", turn);

  EXPECT_EQ(all, (std::uint64_t{1} << 63) - 1) << "every bit but the highest is used";
  EXPECT_NE(DeriveSeed("hash", 1), DeriveSeed("hash", 2));
  EXPECT_NE(DeriveSeed("hash", 1), DeriveSeed("hasi", 1));
}

}  // namespace
}  // namespace falconer::model
