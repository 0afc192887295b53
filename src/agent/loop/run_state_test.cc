#include "agent/loop/run_state.h"

#include <string>

#include <gtest/gtest.h>

namespace falconer::agent {
namespace {

// What may follow each state, as one reads it.
std::string After(RunState from) {
  std::string out;
  for (const auto& to : kRunStates)
    if (MayFollow(from, to.value)) out += (out.empty() ? "" : " ") + std::string(to.name);
  return out;
}

TEST(RunStateTest, GoesOnlyWhereTheTableSays) {
  EXPECT_EQ(After(RunState::kInit), "PLAN STOP ERROR");
  EXPECT_EQ(After(RunState::kPlan), "EXECUTE_TOOL OBSERVE RESPOND STOP ERROR");
  EXPECT_EQ(After(RunState::kExecuteTool), "OBSERVE ERROR");
  EXPECT_EQ(After(RunState::kObserve), "PLAN STOP ERROR");
  EXPECT_EQ(After(RunState::kRespond), "STOP");
  EXPECT_EQ(After(RunState::kError), "STOP");
  EXPECT_EQ(After(RunState::kStop), "");
}

TEST(RunStateTest, WhatIsBrokenCanBeTakenUpAgain) {
  for (const auto& row : kStopReasons)
    if (IsBroken(row.value)) EXPECT_TRUE(MayBeResumed(row.value)) << row.name;
  EXPECT_TRUE(MayBeResumed(StopReason::kCancelled));
  EXPECT_FALSE(MayBeResumed(StopReason::kCompleted));
  EXPECT_FALSE(MayBeResumed(StopReason::kPolicyDenied));
}

}  // namespace
}  // namespace falconer::agent
