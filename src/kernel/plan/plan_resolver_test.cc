#include "kernel/plan/plan_resolver.h"

#include <gtest/gtest.h>

namespace falconer::kernel {
namespace {

using model::SnapshotKind;

void Put(PlanInputs& inputs, SnapshotKind kind, std::string_view text) {
  inputs[kind] = *PlanSnapshot::Of(*ParseJson(text));
}

PlanInputs Inputs() {
  PlanInputs inputs{.turn = TurnId("s.t000003"),
                    .turn_sequence = 3,
                    .authority_epoch = 7,
                    .fairness_key = "tenant-a"};
  Put(inputs, SnapshotKind::kRoutingView, R"({"authority_epoch":7})");
  Put(inputs, SnapshotKind::kAdmissionPolicy, R"({"max_running":8})");
  Put(inputs, SnapshotKind::kAbiCompatibility, R"({"events":["v1.0"]})");
  Put(inputs, SnapshotKind::kVersionResolution,
      R"({"pipeline_version":"p2","graph_definition_ref":"graph/act"})");
  Put(inputs, SnapshotKind::kPolicyResolution,
      R"({"execution_profile":"simple","allowed_adaptive_actions":["retry","degrade"],
          "budgets":{"turn_ms":9000,"node_ms":1500,"path_ms":3000,"edge_ms":500}})");
  Put(inputs, SnapshotKind::kProviderHealth, R"({"bindings":{"browser":"chromium"}})");
  return inputs;
}

TEST(PlanResolverTest, BuildsTheFrozenPlanFromItsSnapshots) {
  const PlanInputs inputs = Inputs();
  const auto plan = ResolvePlan(inputs);

  ASSERT_TRUE(plan) << Describe(plan.error());
  EXPECT_TRUE(plan->CheckFrozen());
  EXPECT_EQ(plan->turn, inputs.turn);
  EXPECT_EQ(plan->pipeline_version, "p2");
  EXPECT_EQ(plan->graph_definition_ref, "graph/act");
  EXPECT_EQ(plan->budgets.turn_ms, 9000);
  EXPECT_EQ(plan->retry, model::PlanRetry()) << "what policy leaves open has its default";
  EXPECT_EQ(plan->provider_bindings.at("browser"), "chromium");
  EXPECT_EQ(plan->authority_epoch, 7);
  EXPECT_EQ(plan->provenance[SnapshotKind::kProviderHealth],
            inputs[SnapshotKind::kProviderHealth].digest);
  EXPECT_TRUE(plan->allowed_adaptive_actions.Contains(model::AdaptiveAction::kDegrade));
}

TEST(PlanResolverTest, TheSameInputsGiveTheSameHash) {
  PlanInputs reordered = Inputs();
  Put(reordered, SnapshotKind::kVersionResolution,
      R"({"graph_definition_ref":"graph/act", "pipeline_version":"p2"})");

  EXPECT_EQ(ResolvePlan(Inputs())->plan_hash, ResolvePlan(Inputs())->plan_hash);
  EXPECT_EQ(ResolvePlan(reordered)->plan_hash, ResolvePlan(Inputs())->plan_hash);
}

TEST(PlanResolverTest, AnySnapshotChangesTheHash) {
  const std::string hash = ResolvePlan(Inputs())->plan_hash;
  PlanInputs other = Inputs();
  Put(other, SnapshotKind::kAdmissionPolicy, R"({"max_running":9})");
  EXPECT_NE(ResolvePlan(other)->plan_hash, hash) << "also one nothing is read of";
}

TEST(PlanResolverTest, ASnapshotThatIsNotItsDigestsGivesNoPlan) {
  for (const auto& [kind, name] : model::kSnapshotKinds) {
    PlanInputs changed = Inputs();
    changed[kind].content.as_object()["more"] = true;
    PlanInputs missing = Inputs();
    missing[kind] = {};
    for (const PlanInputs& inputs : {changed, missing}) {
      const auto plan = ResolvePlan(inputs);
      ASSERT_FALSE(plan) << name;
      EXPECT_EQ(plan.error().details().at("reason"), "snapshot_invalid_or_missing");
      EXPECT_EQ(plan.error().details().at("snapshot"), json::value(name));
    }
  }
}

TEST(PlanResolverTest, ARoutingViewOfAnotherEpochIsStale) {
  PlanInputs inputs = Inputs();
  inputs.authority_epoch = 8;
  const auto plan = ResolvePlan(inputs);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code(), ErrorCode::kStaleEpoch);
}

TEST(PlanResolverTest, AContractCanOnlyTighten) {
  PlanInputs inputs = Inputs();
  inputs.wishes = {.turn_ms = 1000, .max_attempts = 1};
  const auto tighter = ResolvePlan(inputs);
  inputs.wishes = {.turn_ms = 1'000'000, .max_attempts = 50};
  const auto wider = ResolvePlan(inputs);

  ASSERT_TRUE(tighter && wider);
  EXPECT_EQ(tighter->budgets.turn_ms, 1000);
  EXPECT_EQ(tighter->budgets.path_ms, 1000);
  EXPECT_EQ(tighter->retry.max_attempts, 1);
  EXPECT_EQ(wider->budgets.turn_ms, 9000);
  EXPECT_EQ(wider->retry.max_attempts, 2);
}

TEST(PlanResolverTest, UnknownWordsInASnapshotAreRefused) {
  PlanInputs inputs = Inputs();
  Put(inputs, SnapshotKind::kPolicyResolution, R"({"execution_profile":"simple","speed":"fast"})");
  const auto plan = ResolvePlan(inputs);
  ASSERT_FALSE(plan);
  EXPECT_TRUE(plan.error().message().contains("speed")) << plan.error().message();
}

}  // namespace
}  // namespace falconer::kernel
