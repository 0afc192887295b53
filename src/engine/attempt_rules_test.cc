#include "engine/attempt_rules.h"

#include <gtest/gtest.h>

namespace falconer::engine {
namespace {

using model::ActionType;

TEST(AttemptRulesTest, WhatFailsBeforeTheActCannotHaveReachedThePage) {
  EXPECT_EQ(ReachedOf(ActionType::kClick, ErrorCode::kElementNotFound), Reached::kCannotHave);
  EXPECT_EQ(ReachedOf(ActionType::kPress, ErrorCode::kInvalidArgument), Reached::kCannotHave);
  EXPECT_EQ(ReachedOf(ActionType::kClick, ErrorCode::kTimeout), Reached::kMayHave);
  EXPECT_EQ(ReachedOf(ActionType::kPress, ErrorCode::kTabCrashed), Reached::kMayHave);
}

TEST(AttemptRulesTest, ADragMayHaveBegunWhenItsEndIsNotFound) {
  EXPECT_EQ(ReachedOf(ActionType::kDrag, ErrorCode::kElementNotFound), Reached::kMayHave);
}

TEST(AttemptRulesTest, WhatIsNotOnRecordMayBeRepeatedOnlyIfNothingHappened) {
  const Error full(ErrorCode::kIoError, "the disk is full");
  model::ActionContract contract;
  contract.action_spec.type = ActionType::kClick;
  model::ActionExecutionResult result;

  result.success = true;
  EXPECT_EQ(WhenUnrecorded(full, contract, result).code(), ErrorCode::kOutcomeUnknown);
  contract.dry_run = true;
  EXPECT_EQ(WhenUnrecorded(full, contract, result).code(), ErrorCode::kIoError);
  contract.dry_run = false;
  result.success = false;
  EXPECT_EQ(WhenUnrecorded(full, contract, result).code(), ErrorCode::kIoError);
  result.metadata[kMayHaveActed] = true;
  EXPECT_EQ(WhenUnrecorded(full, contract, result).code(), ErrorCode::kOutcomeUnknown);
}

TEST(AttemptRulesTest, OnlyWhatComesToTheSameTwiceIsHarmless) {
  EXPECT_EQ(RepeatingOf(ActionType::kFill), Repeating::kHarmless);
  EXPECT_EQ(RepeatingOf(ActionType::kClick), Repeating::kDoublesTheEffect);
  EXPECT_EQ(RepeatingOf(ActionType::kType), Repeating::kDoublesTheEffect);
}

}  // namespace
}  // namespace falconer::engine
