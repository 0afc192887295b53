#include "predict/runs/run_lessons.h"

#include <gtest/gtest.h>

namespace falconer::predict {
namespace {

LearnedWorkflow TwoSteps() {
  return {.name = "buy", .recordings = 2, .steps = {{.id = "open"}, {.id = "pay"}}};
}

std::vector<std::string> IdsOf(const LearnedWorkflow& workflow) {
  std::vector<std::string> ids;
  for (const WorkflowStep& step : workflow.steps) ids.push_back(step.id);
  return ids;
}

LearnedWorkflow WithAdvice(const std::string& after) {
  RunLessons lessons;
  lessons.OnAdvised({.workflow = "buy", .after = after, .step = {.id = "close"}});
  return WithLessons(TwoSteps(), lessons);
}

TEST(RunLessonsTest, AnAdvisedStepComesBehindTheOneThatItFollowed) {
  EXPECT_EQ(IdsOf(WithAdvice("open")), (std::vector<std::string>{"open", "close", "pay"}));
  EXPECT_EQ(IdsOf(WithAdvice("")), (std::vector<std::string>{"close", "open", "pay"}));
}

TEST(RunLessonsTest, WhatFollowedAStepThatIsNotKeptIsNotKept) {
  EXPECT_EQ(WithAdvice("gone"), TwoSteps());
}

}  // namespace
}  // namespace falconer::predict
