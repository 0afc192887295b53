// The page for people shows a workflow that is one.

#include <filesystem>

#include <gtest/gtest.h>

#include "base/file.h"
#include "predict/workflows/step_check.h"
#include "predict/workflows/workflow_plan.h"

namespace falconer::predict {
namespace {

std::string WorkflowsPage() {
  const auto path = std::filesystem::path(__FILE__).parent_path() / "../../../docs/workflows.md";
  auto text = ReadFile(path);
  EXPECT_TRUE(text) << path;
  return text.value_or("");
}

LearnedWorkflow ShownWorkflow() {
  const std::string page = WorkflowsPage();
  constexpr std::string_view kOpening = "```yaml\n";
  const std::size_t begin = page.find(kOpening) + kOpening.size();
  auto workflow = WorkflowFromYaml(page.substr(begin, page.find("```", begin) - begin));
  EXPECT_TRUE(workflow) << workflow.error().message();
  return workflow.value_or(LearnedWorkflow());
}

TEST(WorkflowDocsTest, TheExampleIsAWorkflow) {
  const LearnedWorkflow workflow = ShownWorkflow();
  EXPECT_EQ(workflow.steps.size(), 6U);
  EXPECT_EQ(WorkflowFromYaml(WorkflowToYaml(workflow)), workflow);
}

TEST(WorkflowDocsTest, TheExampleIsAPlan) {
  const ParameterValues values = {{"product", "Huila"}, {"full_name", "Ada Lovelace"}};
  const auto plan = PlanFrom(ShownWorkflow(), values);
  ASSERT_TRUE(plan) << plan.error().message();
  EXPECT_EQ(plan->at("steps").as_array().size(), 5U) << "one step is optional";
}

TEST(WorkflowDocsTest, NamesTheMembersOfAStepsContract) {
  const std::string page = WorkflowsPage();
  for (const std::string_view member : kStepMembers)
    EXPECT_TRUE(page.contains("`" + std::string(member) + "`")) << member;
}

}  // namespace
}  // namespace falconer::predict
