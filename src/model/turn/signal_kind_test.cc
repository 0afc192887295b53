#include "model/turn/signal_kind.h"

#include <set>

#include <gtest/gtest.h>

#include "model/turn/signal.h"

namespace falconer::model {
namespace {

// A signal with every field a row could ask for.
ControlSignal CompleteSignal(const SignalRow& row) {
  ControlSignal signal{.header = {.scope = row.reach == SignalReach::kSession ? EventScope::kSession
                                                                              : EventScope::kTurn,
                                  .session = SessionId("s"),
                                  .turn = TurnId("t"),
                                  .pipeline_version = "p",
                                  .event_id = "evt/s/t/000001",
                                  .lane = row.lane,
                                  .authority_epoch = 1},
                       .signal = row.kind,
                       .reason = "r",
                       .edge_id = "e",
                       .target_lane = Lane::kData,
                       .sync_domain = "d",
                       .discontinuity_id = "i",
                       .seq_range = SeqRange{.start = 1, .end = 2},
                       .amount = 1,
                       .scope = CancelScope::kTurn,
                       .subject = "x"};
  for (const auto& [emitter, name] : kEmitters) {
    if (row.emitters.Contains(emitter)) signal.emitted_by = emitter;
  }
  return signal;
}

void TakeAway(ControlSignal& signal, SignalField field) {
  switch (field) {
    case SignalField::kReason:
      signal.reason.clear();
      break;
    case SignalField::kEdge:
      signal.edge_id.clear();
      break;
    case SignalField::kTargetLane:
      signal.target_lane.reset();
      break;
    case SignalField::kSeqRange:
      signal.seq_range.reset();
      break;
    case SignalField::kSyncDomain:
      signal.sync_domain.clear();
      break;
    case SignalField::kDiscontinuity:
      signal.discontinuity_id.clear();
      break;
    case SignalField::kAmount:
      signal.amount.reset();
      break;
    case SignalField::kScope:
      signal.scope.reset();
      break;
    case SignalField::kSubject:
      signal.subject.clear();
      break;
  }
}

TEST(SignalKindTest, TheTableIsInTheOrderOfTheEnumeration) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < SignalRows().size(); ++i) {
    const SignalRow& row = SignalRows()[i];
    EXPECT_EQ(static_cast<std::size_t>(row.kind), i) << row.name;
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.emitters.empty()) << row.name;
    EXPECT_EQ(SignalNamed(row.name), row.kind);
  }
  EXPECT_EQ(SignalRows().size(), 51U);
  EXPECT_FALSE(SignalNamed("nothing"));
}

TEST(SignalKindTest, EverySignalWithItsFieldsReadsBackAsWritten) {
  for (const SignalRow& row : SignalRows()) {
    const ControlSignal signal = CompleteSignal(row);
    const auto read = ParseSignal(signal.ToJson());
    ASSERT_TRUE(read) << row.name << ": " << Describe(read.error());
    EXPECT_EQ(*read, signal) << row.name;
  }
}

TEST(SignalKindTest, EverySignalIsRefusedWithoutOneOfItsFields) {
  for (const SignalRow& row : SignalRows()) {
    for (int i = 0; i <= static_cast<int>(SignalField::kSubject); ++i) {
      const auto field = static_cast<SignalField>(i);
      ControlSignal signal = CompleteSignal(row);
      TakeAway(signal, field);
      EXPECT_EQ(signal.Validate().has_value(), !row.required.Contains(field)) << row.name << i;
    }
  }
}

TEST(SignalKindTest, OnlyTheOwnersOfASignalMaySendIt) {
  for (const SignalRow& row : SignalRows()) {
    for (const auto& [emitter, name] : kEmitters) {
      ControlSignal signal = CompleteSignal(row);
      signal.emitted_by = emitter;
      EXPECT_EQ(signal.Validate().has_value(), row.emitters.Contains(emitter)) << row.name << name;
    }
  }
}

}  // namespace
}  // namespace falconer::model
