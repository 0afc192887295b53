#include "model/contract/plan_dag.h"

#include <fmt/format.h>

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

struct StepRow {
  std::string_view id;
  std::string_view depends_on;  // JSON
  int group = 0;
};

json::object PlanJson(std::initializer_list<StepRow> rows) {
  json::array steps;
  for (const StepRow& row : rows) {
    json::object step{{"step_id", row.id}, {"contract", {{"workflow_id", "w"}}}};
    if (row.depends_on != "[]") step["depends_on"] = *ParseJson(row.depends_on);
    if (row.group != 0) step["parallel_group"] = row.group;
    steps.push_back(std::move(step));
  }
  return {{"plan_id", "p1"}, {"steps", std::move(steps)}};
}

Result<TaskPlan> Plan(std::initializer_list<StepRow> rows) {
  return TaskPlan::FromJson(PlanJson(rows));
}

std::vector<StepId> Ids(std::initializer_list<const char*> names) {
  std::vector<StepId> ids;
  for (const char* name : names) ids.emplace_back(name);
  return ids;
}

std::string Ready(const TaskPlan& plan, std::initializer_list<const char*> done,
                  std::initializer_list<const char*> running = {},
                  std::initializer_list<const char*> failed = {}) {
  const auto d = Ids(done);
  const auto r = Ids(running);
  const auto f = Ids(failed);
  std::string out;
  for (const StepId& id : plan.ReadySteps({d, r, f})) out += id.value();
  return out;
}

constexpr std::string_view kFullPlan = R"({"plan_id":"p1","intent":"order",
  "steps":[
    {"step_id":"a","contract":{"workflow_id":"w","action_spec":{"action_type":"click","selector":"#a"}},
     "expected_outcome":"the form opens","timeout_ms":5000,
     "compensation":{"workflow_id":"w","action_spec":{"action_type":"click","selector":"#undo"}}},
    {"step_id":"b","depends_on":["a"],"parallel_group":2,"contract":{"workflow_id":"w"}}],
  "success_criteria":[{"rule_type":"url_pattern","payload":{"pattern":"**/done"}}],
  "rollback":{"on_failure":"compensate"},
  "metadata":{"created_at":"2026-01-02T03:04:05.678Z","planner_model":"m","confidence":0.5,"estimated_duration_ms":900}})";

TEST(TaskPlanTest, SurvivesTheWayThereAndBack) {
  const auto plan = TaskPlan::FromJson(*ParseJson(kFullPlan));
  ASSERT_TRUE(plan) << Describe(plan.error());
  EXPECT_EQ(json::value(plan->ToJson()), *ParseJson(kFullPlan));
  EXPECT_EQ(*TaskPlan::FromJson(plan->ToJson()), *plan);
}

TEST(TaskPlanTest, NamesACycle) {
  const auto plan =
      Plan({{"start", "[]"}, {"a", R"(["start","c"])"}, {"b", R"(["a"])"}, {"c", R"(["b"])"}});
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().message(), "steps: depend on each other in a circle: a -> c -> b -> a");
  EXPECT_EQ(Plan({{"a", R"(["a"])"}}).error().message(),
            "steps: depend on each other in a circle: a -> a");
}

TEST(TaskPlanTest, ADiamondIsNoCycle) {
  EXPECT_TRUE(Plan({{"a", "[]"}, {"b", R"(["a"])"}, {"c", R"(["a"])"}, {"d", R"(["b","c"])"}}));
  // Steps may be listed before what they depend on.
  EXPECT_TRUE(Plan({{"b", R"(["a"])"}, {"a", "[]"}}));
}

TEST(TaskPlanTest, NamesTheFieldThatIsWrong) {
  EXPECT_EQ(Plan({{"a", "[]"}, {"a", "[]"}}).error().message(),
            "steps[1].step_id: a is there twice");
  EXPECT_EQ(Plan({{"a", R"(["z"])"}}).error().message(),
            "steps[0].depends_on[0]: there is no step z");
  EXPECT_EQ(Plan({{"a", "[]"}, {"b", R"(["a","a"])"}}).error().message(),
            "steps[1].depends_on[1]: a is there twice");
  EXPECT_EQ(Plan({}).error().message(), "steps: must have between 1 and 64 elements, has 0");

  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"({"steps":[]})", "plan_id: is required"},
      {R"({"plan_id":"p","steps":[{"step_id":"a","contract":{"workflow_id":"w","x":1}}]})",
       "steps[0].contract.x: unknown field; "},
      {R"({"plan_id":"p","steps":[{"step_id":"a","contract":{"workflow_id":"w","metadata":{"high_risk_approved":1}}}]})",
       "steps[0].contract: metadata.high_risk_approved: expected bool, got number"},
      {R"({"plan_id":"p","steps":[{"contract":{"workflow_id":"w"}}]})",
       "steps[0].step_id: is required"},
      {R"({"plan_id":"p","steps":[{"step_id":"a"}]})", "steps[0].contract: is required"},
      {R"({"plan_id":"p","steps":[{"step_id":"a","contract":{"workflow_id":"w"},"parallel_group":-1}]})",
       "steps[0].parallel_group: must be between 0 and 1000, is -1"},
      {R"({"plan_id":"p","steps":[{"step_id":"a","contract":{"workflow_id":"w"}}],"success_criteria":[{"rule_type":"no_new_errors"}]})",
       "success_criteria[0].rule_type: can only be judged after an action"},
      {R"({"plan_id":"p","steps":[{"step_id":"a","contract":{"workflow_id":"w"}}],"rollback":{"on_failure":"pray"}})",
       "rollback.on_failure: expected one of none, compensate"},
      {R"({"plan_id":"p","steps":[{"step_id":"a","contract":{"workflow_id":"w"}}],"metadata":{"confidence":2}})",
       "metadata.confidence: must be between 0 and 1, is 2"},
      {R"({"plan_id":"p","steps":[{"step_id":"a","contract":{"workflow_id":"w"}}],"metadata":{"created_at":"yesterday"}})",
       "metadata.created_at: is not an RFC 3339 time"},
  };
  for (const auto& [text, why] : cases) {
    const auto plan = TaskPlan::FromJson(*ParseJson(text));
    ASSERT_FALSE(plan) << text;
    EXPECT_TRUE(plan.error().message().starts_with(why))
        << text << "\n  expected " << why << "\n  got      " << plan.error().message();
  }
}

TEST(TaskPlanTest, BoundsItsSteps) {
  json::array steps;
  for (std::size_t i = 0; i <= kMaxPlanSteps; ++i) {
    steps.push_back({{"step_id", fmt::format("s{}", i)}, {"contract", {{"workflow_id", "w"}}}});
  }
  json::object plan{{"plan_id", "p"}, {"steps", steps}};
  EXPECT_EQ(TaskPlan::FromJson(plan).error().message(),
            "steps: must have between 1 and 64 elements, has 65");
  plan["steps"].as_array().pop_back();
  EXPECT_TRUE(TaskPlan::FromJson(plan));
}

TEST(TaskPlanTest, StepsWithoutAGroupRunOneByOneInTheOrderOfThePlan) {
  const auto plan = *Plan({{"a", "[]"}, {"b", "[]"}, {"c", R"(["a"])"}});
  EXPECT_EQ(Ready(plan, {}), "a");
  EXPECT_EQ(Ready(plan, {}, {"a"}), "");
  EXPECT_EQ(Ready(plan, {"a"}), "b");
  EXPECT_EQ(Ready(plan, {"a", "b"}), "c");
  EXPECT_EQ(Ready(plan, {"a", "b", "c"}), "");
}

TEST(TaskPlanTest, StepsOfOneGroupRunTogetherAndGroupsInAscendingOrder) {
  const auto plan = *Plan({{"d", "[]", 2},
                           {"a", "[]", 1},
                           {"b", "[]", 1},
                           {"e", "[]", 2},
                           {"c", R"(["a"])", 1},
                           {"z", R"(["a","d"])"}});
  EXPECT_EQ(Ready(plan, {}), "ab");
  EXPECT_EQ(Ready(plan, {}, {"a"}), "b");
  EXPECT_EQ(Ready(plan, {"a"}, {"b"}), "c");
  EXPECT_EQ(Ready(plan, {"a", "c"}, {"b"}), "") << "group 2 waits for group 1 to end";
  EXPECT_EQ(Ready(plan, {"a", "b", "c"}), "de");
  EXPECT_EQ(Ready(plan, {"a", "b", "c", "d"}), "z") << "what runs alone goes first";
  EXPECT_EQ(Ready(plan, {"a", "b", "c", "d"}, {"e"}), "");
}

TEST(TaskPlanTest, NothingFollowsAStepThatFailed) {
  const auto plan = *Plan({{"a", "[]"}, {"b", R"(["a"])"}, {"c", R"(["b"])"}, {"d", "[]"}});
  EXPECT_EQ(Ready(plan, {}, {}, {"a"}), "d");
  EXPECT_EQ(Ready(plan, {"d"}, {}, {"a"}), "");
}

TEST(TaskPlanTest, UndoesWhatWasDoneInReverse) {
  json::object text = PlanJson({{"a", "[]"}, {"b", R"(["a"])"}, {"c", R"(["b"])"}});
  for (const std::size_t i : {0U, 2U}) {
    text["steps"].as_array()[i].as_object()["compensation"] = {{"workflow_id", "w"}};
  }
  const auto done = Ids({"a", "b", "c"});
  EXPECT_TRUE(TaskPlan::FromJson(text)->CompensationOrder(done).empty());
  text["rollback"] = {{"on_failure", "compensate"}};
  EXPECT_EQ(TaskPlan::FromJson(text)->CompensationOrder(done), Ids({"c", "a"}));
}

}  // namespace
}  // namespace falconer::model
