#include "model/turn/session_phase.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

TEST(SessionPhaseTest, OnlyTheRowsAreLegal) {
  std::size_t legal = 0;
  for (const auto& [phase, phase_name] : kSessionPhases) {
    for (const auto& [trigger, trigger_name] : kSessionTriggers) {
      const auto next = Next(phase, trigger);
      legal += next.has_value() ? 1 : 0;
      if (!next) EXPECT_FALSE(next.error().message().empty()) << phase_name << trigger_name;
    }
  }
  EXPECT_EQ(legal, SessionTransitions().size());
}

TEST(SessionPhaseTest, RunsFromConnectingToEnded) {
  SessionPhase phase = SessionPhase::kConnecting;
  for (const SessionTrigger trigger :
       {SessionTrigger::kConnected, SessionTrigger::kDrain, SessionTrigger::kEnd}) {
    const auto next = Next(phase, trigger);
    ASSERT_TRUE(next) << Describe(next.error());
    phase = *next;
  }
  EXPECT_EQ(phase, SessionPhase::kEnded);
}

TEST(SessionPhaseTest, AnEndedSessionStaysEnded) {
  for (const auto& [trigger, name] : kSessionTriggers) {
    const auto next = Next(SessionPhase::kEnded, trigger);
    ASSERT_FALSE(next) << name;
    EXPECT_EQ(next.error().code(), ErrorCode::kSessionClosed);
  }
}

TEST(SessionPhaseTest, AnActiveSessionMustDrainBeforeItEnds) {
  EXPECT_FALSE(Next(SessionPhase::kActive, SessionTrigger::kEnd));
}

}  // namespace
}  // namespace falconer::model
