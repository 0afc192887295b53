#include "kernel/turn/turn_machine.h"

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "tests/support/turn_fakes.h"

namespace falconer::kernel {
namespace {

using model::DecisionKind;
using model::TurnState;
using Words = std::vector<std::string>;

class TurnMachineTest : public testing::Test {
 protected:
  void Open(std::int64_t epoch = 7) {
    ASSERT_TRUE(turn_.Propose());
    ASSERT_TRUE(turn_.Admitted());
    ASSERT_TRUE(turn_.Authorised(epoch));
    const auto opened = turn_.Open(test::FrozenPlanFor(turn_.id(), epoch));
    ASSERT_TRUE(opened) << Describe(opened.error());
    said_ = sink_.signals.size();
  }
  Words Said() const { return sink_.Words(said_); }

  FakeClock clock_;
  EventStamper stamper_{SessionId("s"), "p1", clock_};
  test::RecordingSink sink_;
  TurnMachine turn_{TurnId("s.t000001"), stamper_, sink_, sink_};
  std::size_t said_ = 0;
};

TEST_F(TurnMachineTest, CommitsAndCloses) {
  Open();
  EXPECT_TRUE(turn_.Note(TurnCause::kCompleted));

  const auto end = turn_.Resolve();

  ASSERT_TRUE(end && end->has_value());
  EXPECT_EQ((*end)->outcome, model::TurnTrigger::kCommit);
  EXPECT_EQ(Said(), (Words{"commit", "close"}));
  EXPECT_EQ(turn_.state(), TurnState::kClosed);
  EXPECT_EQ(sink_.Words(), (Words{"turn_open_proposed", "turn_open", "commit", "close"}));
}

// Each cause against all weaker ones at the same scheduling point.
TEST_F(TurnMachineTest, TheStrongestOfSeveralCausesWins) {
  for (std::size_t strongest = 0; strongest < Precedence().size(); ++strongest) {
    test::RecordingSink sink;
    TurnMachine turn(TurnId("s.t000002"), stamper_, sink, sink);
    ASSERT_TRUE(turn.Propose() && turn.Admitted() && turn.Authorised(7));
    ASSERT_TRUE(turn.Open(test::FrozenPlanFor(turn.id(), 7)));
    for (std::size_t i = Precedence().size(); i-- > strongest;) {
      ASSERT_TRUE(turn.Note(Precedence()[i].cause));
    }

    const auto end = turn.Resolve();

    ASSERT_TRUE(end && end->has_value());
    EXPECT_EQ((*end)->cause, Precedence()[strongest].cause);
    EXPECT_EQ((*end)->reason, Precedence()[strongest].reason);
  }
}

TEST_F(TurnMachineTest, ThePrecedenceIsTheAgreedOne) {
  std::vector<std::string_view> reasons;
  for (const CauseRow& row : Precedence()) reasons.push_back(row.reason);
  EXPECT_EQ(reasons, (std::vector<std::string_view>{
                         "authority_loss", "cancelled", "provider_failure",
                         "node_timeout_or_failure", "transport_disconnect_or_stall",
                         "recording_evidence_unavailable", "deterministic_reason", ""}));
}

TEST_F(TurnMachineTest, ALostLeaseBeatsACancelAtTheSamePoint) {
  Open();
  EXPECT_TRUE(turn_.Note(TurnCause::kCancelled));
  EXPECT_TRUE(turn_.Note(TurnCause::kAuthorityLost));

  ASSERT_TRUE(turn_.Resolve());

  EXPECT_EQ(Said(),
            (Words{"deauthorized_drain(authority_loss)", "abort(authority_loss)", "close"}));
  ASSERT_EQ(sink_.decisions.size(), 1U);
  EXPECT_EQ(sink_.decisions[0].phase, model::DecisionPhase::kActiveTurn);
  EXPECT_EQ(sink_.decisions[0].authority_epoch, 7);
}

TEST_F(TurnMachineTest, ACancelEndsTheTurnOnceAndForAll) {
  Open();
  EXPECT_TRUE(turn_.Note(TurnCause::kCancelled));
  ASSERT_TRUE(turn_.Resolve());

  const auto second = turn_.Note(TurnCause::kCompleted);
  const auto again = turn_.Resolve();

  EXPECT_EQ(Said(), (Words{"abort(cancelled)", "close"}));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), ErrorCode::kTurnClosed);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code(), ErrorCode::kTurnClosed);
}

TEST_F(TurnMachineTest, NoWayOnSaysWhyInItsOwnWord) {
  Open();
  EXPECT_TRUE(turn_.Note(TurnCause::kNoWayOn, "postcondition_failed"));
  EXPECT_TRUE(turn_.Note(TurnCause::kNoWayOn, "later"));

  ASSERT_TRUE(turn_.Resolve());

  EXPECT_EQ(Said(), (Words{"abort(postcondition_failed)", "close"}));
}

TEST_F(TurnMachineTest, NothingPendingMeansTheTurnGoesOn) {
  Open();
  const auto end = turn_.Resolve();

  ASSERT_TRUE(end);
  EXPECT_FALSE(end->has_value());
  EXPECT_EQ(turn_.state(), TurnState::kActive);
  EXPECT_TRUE(Said().empty());
}

TEST_F(TurnMachineTest, ARefusedProposalMayBeMadeAgain) {
  ASSERT_TRUE(turn_.Propose());
  ASSERT_TRUE(turn_.Admitted());
  ASSERT_TRUE(turn_.Refuse({.kind = DecisionKind::kDefer, .reason = "capacity"}));
  EXPECT_EQ(turn_.state(), TurnState::kIdle);
  ASSERT_TRUE(turn_.Propose());
  ASSERT_TRUE(turn_.Authorised(7));

  const auto opened = turn_.Open(test::FrozenPlanFor(turn_.id(), 7));

  ASSERT_FALSE(opened) << "an admission of the first proposal must not open the second";
  EXPECT_EQ(opened.error().code(), ErrorCode::kPreconditionFailed);
  EXPECT_EQ(sink_.Words(), (Words{"turn_open_proposed", "defer(capacity)", "turn_open_proposed"}));
}

TEST_F(TurnMachineTest, AStaleOrRevokedProposalIsNoTurn) {
  for (const DecisionKind kind :
       {DecisionKind::kStaleEpochReject, DecisionKind::kDeauthorizedDrain}) {
    ASSERT_TRUE(turn_.Propose());
    EXPECT_FALSE(turn_.Refuse({.kind = kind, .reason = "r"})) << "authority names its epoch";
    ASSERT_TRUE(turn_.Refuse({.kind = kind, .reason = "r", .epoch = 6}));
  }
  EXPECT_EQ(sink_.Words(), (Words{"turn_open_proposed", "stale_epoch_reject(r)",
                                  "turn_open_proposed", "deauthorized_drain(r)"}));
  ASSERT_EQ(sink_.decisions.size(), 2U);
  for (const auto& decision : sink_.decisions) EXPECT_TRUE(decision.Validate());
}

TEST_F(TurnMachineTest, OpensOnlyWithItsOwnFrozenPlanUnderItsEpoch) {
  ASSERT_TRUE(turn_.Propose());
  ASSERT_TRUE(turn_.Admitted());
  ASSERT_TRUE(turn_.Authorised(7));
  model::ResolvedTurnPlan changed = test::FrozenPlanFor(turn_.id(), 7);
  changed.budgets.turn_ms += 1;

  EXPECT_FALSE(turn_.Open(test::PlanFor(turn_.id(), 7)));
  EXPECT_FALSE(turn_.Open(changed));
  EXPECT_FALSE(turn_.Open(test::FrozenPlanFor(turn_.id(), 8)));
  EXPECT_FALSE(turn_.Open(test::FrozenPlanFor(TurnId("other"), 7)));
  EXPECT_EQ(turn_.state(), TurnState::kOpening);
  EXPECT_TRUE(turn_.Open(test::FrozenPlanFor(turn_.id(), 7)));
}

TEST_F(TurnMachineTest, WhatComesLateIsNeverTaken) {
  Open();
  EXPECT_EQ(turn_.Judge({.kind = InboundKind::kData, .epoch = 7}), InboundAnswer::kTake);
  EXPECT_EQ(turn_.Judge({.kind = InboundKind::kData, .epoch = 6}), InboundAnswer::kStale);
  EXPECT_TRUE(turn_.Note(TurnCause::kCompleted));
  ASSERT_TRUE(turn_.Resolve());

  EXPECT_EQ(turn_.Judge({.kind = InboundKind::kData}), InboundAnswer::kDrop);
  EXPECT_EQ(turn_.Judge({.kind = InboundKind::kControl, .name = "stop"}), InboundAnswer::kDiagnose);
  EXPECT_EQ(turn_.Judge({.kind = InboundKind::kIntent}), InboundAnswer::kRemap);
  EXPECT_EQ(turn_.Judge({.kind = InboundKind::kIntent, .epoch = 6}), InboundAnswer::kStale);
  EXPECT_EQ(turn_.state(), TurnState::kClosed);
  ASSERT_EQ(sink_.events.size(), 1U);
  EXPECT_EQ(sink_.events[0].payload.at("event"), "stop");
  EXPECT_TRUE(sink_.events[0].Validate());
}

TEST_F(TurnMachineTest, EventsCarryRisingNumbersAndTheirTimes) {
  clock_.Advance(std::chrono::milliseconds(250));
  Open();
  std::int64_t last = 0;
  for (const model::ControlSignal& signal : sink_.signals) {
    EXPECT_GT(signal.header.runtime_sequence, last);
    last = signal.header.runtime_sequence;
    EXPECT_EQ(signal.header.runtime_timestamp_ms, 250);
    const auto valid = signal.Validate();
    EXPECT_TRUE(valid) << Describe(valid.error());
  }
}

}  // namespace
}  // namespace falconer::kernel
