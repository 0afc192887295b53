#include "model/turn/turn_state.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

TEST(TurnStateTest, EveryPairOfStateAndTriggerIsARowOrRefused) {
  for (const auto& [state, state_name] : kTurnStates) {
    for (const auto& [trigger, trigger_name] : kTurnTriggers) {
      const Result<TurnState> next = Next(state, trigger);
      std::size_t rows = 0;
      for (const TurnTransition& row : TurnTransitions()) {
        if (row.from != state || row.trigger != trigger) continue;
        ++rows;
        ASSERT_TRUE(next) << state_name << " " << trigger_name;
        EXPECT_EQ(*next, row.to);
      }
      EXPECT_LE(rows, 1U) << "two answers to " << state_name << " " << trigger_name;
      EXPECT_EQ(next.has_value(), rows == 1) << state_name << " " << trigger_name;
    }
  }
  EXPECT_EQ(TurnTransitions().size(), 9U);
}

TEST(TurnStateTest, RefusalsSayWhetherTheTurnIsOver) {
  const auto second = Next(TurnState::kTerminal, TurnTrigger::kAbort);
  const auto early = Next(TurnState::kIdle, TurnTrigger::kTurnOpen);

  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), ErrorCode::kTurnClosed);
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(early.error().message(), "turn_open is not legal in state Idle");
}

TEST(TurnStateTest, NothingLeadsOutOfClosed) {
  for (const TurnTransition& row : TurnTransitions()) EXPECT_NE(row.from, TurnState::kClosed);
}

TEST(TurnStateTest, ARecordedTransitionReadsBackAsItWasWritten) {
  for (const TurnTransition& row : TurnTransitions()) {
    const auto read = ParseTurnTransition(row.ToJson());
    ASSERT_TRUE(read) << Describe(read.error());
    EXPECT_EQ(*read, row);
  }
}

TEST(TurnStateTest, ARecordedTransitionThatIsNoRowIsRefused) {
  const char* cases[] = {
      R"({"from_state":"Idle","trigger":"turn_open","to_state":"Active","deterministic":true})",
      R"({"from_state":"Opening","trigger":"turn_open","to_state":"Active","deterministic":false})",
      R"({"from_state":"Opening","trigger":"turn_open","to_state":"Active"})",
      R"({"from_state":"Open","trigger":"turn_open","to_state":"Active","deterministic":true})",
      R"({"from_state":"Opening","trigger":"turn_open","to_state":"Active","deterministic":true,
          "by":"me"})",
  };
  for (const char* text : cases) EXPECT_FALSE(ParseTurnTransition(*ParseJson(text))) << text;
}

}  // namespace
}  // namespace falconer::model
