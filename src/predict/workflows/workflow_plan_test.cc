#include "predict/workflows/workflow_plan.h"

#include <gtest/gtest.h>

#include "predict/workflows/recorded_step.h"
#include "tests/support/recorded_shop.h"

namespace falconer::predict {
namespace {

LearnedWorkflow BoughtThreeTimes() {
  std::vector<LearnedWorkflow> all;
  for (const test::Purchase& wish : test::Purchases())
    all.push_back(WorkflowFrom(test::BuyByLink("rec_" + wish.slug, wish)).value());
  return MergeWorkflows(all).value();
}

ParameterValues ValuesToBuy() {
  return {{"account", "ada"},
          {"product", "Sumatra"},
          {"full_name", "Ada \"the first\" Lovelace"},
          {"e_mail", "ada@engine.example"},
          {"street_and_number", "St James's Square 12"},
          {"postcode_and_town", "SW1Y London"},
          {"how_to_settle", "Cash"}};
}

TEST(WorkflowPlanTest, IsATaskPlanWhoseStepsFollowEachOther) {
  const auto document = PlanFrom(BoughtThreeTimes(), ValuesToBuy(), {.run = RunId("r1")});
  ASSERT_TRUE(document) << document.error().message();
  const auto plan = model::TaskPlan::FromJson(*document);
  ASSERT_TRUE(plan) << plan.error().message();

  EXPECT_EQ(plan->plan_id.value(), "buy-coffee");
  ASSERT_EQ(plan->steps.size(), 14U);
  EXPECT_TRUE(plan->steps[0].depends_on.empty());
  for (std::size_t i = 1; i < plan->steps.size(); ++i) {
    const model::PlanStep& step = plan->steps[i];
    EXPECT_EQ(step.depends_on, std::vector{plan->steps[i - 1].step_id});
    EXPECT_TRUE(step.contract.Validate()) << step.step_id.value();
    EXPECT_EQ(step.contract.step_index, static_cast<std::int64_t>(i));
    EXPECT_EQ(step.contract.run_id.value(), "r1");
    EXPECT_EQ(step.contract.workflow_id.value(), "buy-coffee");
  }
  EXPECT_EQ(plan->steps[5].contract.action_spec.target->selector->text,
            "role=link[name=\"Sumatra\"]");
}

TEST(WorkflowPlanTest, LeavesOutStepsThatWereNotInEveryRecording) {
  LearnedWorkflow workflow = BoughtThreeTimes();
  workflow.steps[6].recordings = 2;
  const auto contracts = ContractsFrom(workflow, ValuesToBuy());
  ASSERT_TRUE(contracts) << contracts.error().message();
  EXPECT_EQ(contracts->size(), 13U);
  EXPECT_EQ(ContractsFrom(workflow, ValuesToBuy(), {.optional = OptionalSteps::kKeep})->size(),
            14U);
  for (WorkflowStep& step : workflow.steps) step.recordings = 1;
  EXPECT_EQ(ContractsFrom(workflow, ValuesToBuy()).error().code(), ErrorCode::kInvalidArgument);
}

TEST(WorkflowPlanTest, GuardsAStepThatItsAuthorLeftWithout) {
  LearnedWorkflow workflow = BoughtThreeTimes();
  for (const char* key : {"wait_conditions", "expected_postconditions", "verification_rules"})
    workflow.steps[6].contract.erase(key);
  const auto contracts = ContractsFrom(workflow, ValuesToBuy());
  ASSERT_TRUE(contracts) << contracts.error().message();
  EXPECT_TRUE(contracts->at(6).CheckGuard());
}

TEST(WorkflowPlanTest, NamesTheParameterThatIsMissingOrDoesNotFit) {
  ParameterValues values = ValuesToBuy();
  values.erase("product");
  EXPECT_EQ(PlanFrom(BoughtThreeTimes(), values).error().message(),
            "parameter product: is required");
  values["product"] = "";
  const auto plan = PlanFrom(BoughtThreeTimes(), values);
  ASSERT_FALSE(plan);
  EXPECT_TRUE(plan.error().message().starts_with("step product: ")) << plan.error().message();
}

TEST(WorkflowPlanTest, RefusesWhatIsTooLongForAPlan) {
  LearnedWorkflow workflow = BoughtThreeTimes();
  while (workflow.steps.size() <= model::kMaxPlanSteps) workflow.steps.push_back(workflow.steps[0]);
  EXPECT_TRUE(ContractsFrom(workflow, ValuesToBuy()));
  EXPECT_EQ(PlanFrom(workflow, ValuesToBuy()).error().code(), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace falconer::predict
