#include "app/act/act_end.h"

#include <set>

#include <gtest/gtest.h>

#include "app/command.h"
#include "base/file.h"

namespace falconer::app {
namespace {

model::ActionExecutionResult Failed(ErrorCode code) {
  model::ActionExecutionResult result;
  result.turn_id = TurnId("t1");
  result.ledger = model::LedgerPlace{.chain = "local", .seq = 2, .record_hash = "h"};
  result.failure = model::ActionFailure::Of(Error(code, "why"));
  return result;
}

model::ActionExecutionResult Escalated(model::EscalationMode mode) {
  auto result = Failed(ErrorCode::kPostconditionFailed);
  result.escalation = model::EscalationRecord{.mode = mode, .reason = "not_retryable"};
  return result;
}

ActEnd EndOf(const model::ActionExecutionResult& result) {
  return app::EndOf(result, Escalation::kByDefault);
}

TEST(ActEndTest, SuccessIsSuccess) {
  model::ActionExecutionResult result;
  result.success = true;
  EXPECT_EQ(EndOf(result), ActEnd::kOk);
}

TEST(ActEndTest, WhatWasCarriedOutAndFailedHasFailed) {
  EXPECT_EQ(EndOf(Failed(ErrorCode::kPostconditionFailed)), ActEnd::kFailed);
  EXPECT_EQ(EndOf(Failed(ErrorCode::kElementNotFound)), ActEnd::kFailed);
  EXPECT_EQ(EndOf(Failed(ErrorCode::kTimeout)), ActEnd::kFailed);
}

TEST(ActEndTest, WhatHasARecordAndNoTurnWasRefused) {
  auto result = Failed(ErrorCode::kQueueFull);
  result.turn_id = TurnId();
  EXPECT_EQ(EndOf(result), ActEnd::kRefused);

  result.ledger.reset();
  EXPECT_EQ(EndOf(result), ActEnd::kFailed) << "without a record nobody decided anything";
}

TEST(ActEndTest, WhatWasGivenUpBeforeItsTurnWasRefusedByNobody) {
  for (const ErrorCode code : {ErrorCode::kTimeout, ErrorCode::kCancelled}) {
    auto result = Failed(code);
    result.turn_id = TurnId();
    EXPECT_EQ(EndOf(result), ActEnd::kFailed);
  }
}

TEST(ActEndTest, WhatPolicyStoppedInATurnWasRefused) {
  EXPECT_EQ(EndOf(Failed(ErrorCode::kSecurityDomainBlock)), ActEnd::kRefused);
  EXPECT_EQ(EndOf(Failed(ErrorCode::kPolicyDenied)), ActEnd::kRefused);
}

TEST(ActEndTest, WhatPeopleDidNotApproveWasRefused) {
  EXPECT_EQ(EndOf(Failed(ErrorCode::kApprovalDenied)), ActEnd::kRefused);
  EXPECT_EQ(EndOf(Failed(ErrorCode::kApprovalTimeout)), ActEnd::kRefused) << "no answer is a no";
}

TEST(ActEndTest, AnUnknownOutcomeIsItsOwn) {
  EXPECT_EQ(EndOf(Failed(ErrorCode::kOutcomeUnknown)), ActEnd::kUnknown);
}

TEST(ActEndTest, APersonIsNeededWhereTheContractAsksForOne) {
  using Mode = model::EscalationMode;
  for (const Mode mode : {Mode::kHumanReview, Mode::kVisionFallback}) {
    EXPECT_EQ(app::EndOf(Escalated(mode), Escalation::kAskedFor), ActEnd::kNeedsPerson);
    EXPECT_EQ(app::EndOf(Escalated(mode), Escalation::kByDefault), ActEnd::kFailed);
  }
  EXPECT_EQ(app::EndOf(Escalated(Mode::kFailWorkflow), Escalation::kAskedFor), ActEnd::kFailed);
  EXPECT_EQ(EndOf(Failed(ErrorCode::kSecurityApprovalRequired)), ActEnd::kNeedsPerson);
}

TEST(ActEndTest, EveryEndHasACodeOfItsOwnThatUsageDoesNotHave) {
  std::set<int> codes;
  for (const ActEndRow& row : kActEnds) {
    EXPECT_TRUE(codes.insert(row.exit_code).second) << row.word;
    EXPECT_NE(row.exit_code, kExitUsage);
    EXPECT_EQ(&RowOf(row.end), &row);
  }
}

TEST(ActEndTest, HelpAndPageNameEveryCode) {
  const auto act = std::ranges::find(AllCommands(), "act", &Command::name);
  ASSERT_NE(act, AllCommands().end());
  const auto path = std::filesystem::path(__FILE__).parent_path() / "../../../docs/act.md";
  const std::string page = ReadFile(path).value_or("");
  for (const ActEndRow& row : kActEnds) {
    const std::string start(row.meaning.substr(0, row.meaning.find(':')));
    EXPECT_TRUE(act->notes.contains(std::to_string(row.exit_code) + " " + start)) << start;
    EXPECT_TRUE(page.contains("| " + std::to_string(row.exit_code) + " | " + start)) << start;
  }
}

}  // namespace
}  // namespace falconer::app
