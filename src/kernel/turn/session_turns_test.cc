#include "kernel/turn/session_turns.h"

#include "base/async/fake_clock.h"
#include "base/async/task_scope.h"
#include "tests/support/co_test.h"
#include "tests/support/settle.h"
#include "tests/support/turn_fakes.h"

namespace falconer::kernel {
namespace {

using model::SessionPhase;
using model::TurnState;

struct TurnsFixture {
  explicit TurnsFixture(SessionTurnsOptions options = {}) : turns(stamper, sink, sink, options) {
    EXPECT_TRUE(turns.Connected());
  }
  FakeClock clock;
  EventStamper stamper{SessionId("s"), "p1", clock};
  test::RecordingSink sink;
  SessionTurns turns;
};

Result<void> OpenTurn(TurnMachine& turn) {
  TRY(turn.Admitted());
  TRY(turn.Authorised(7));
  return turn.Open(test::FrozenPlanFor(turn.id(), 7));
}

Task<void> BeginInto(SessionTurns* turns, CallContext ctx, std::vector<std::string>* log) {
  auto slot = co_await turns->Begin(ctx);
  log->push_back(slot ? slot->turn().id().value() : std::string(slot.error().name()));
}

CO_TEST(SessionTurnsTest, OneTurnRunsAtATimeAndTheOthersWaitInOrder) {
  TurnsFixture f;
  TaskScope tasks(ctx.executor());
  std::vector<std::string> log;
  {
    auto first = co_await f.turns.Begin(ctx);
    EXPECT_TRUE(first && OpenTurn(first->turn()));
    tasks.Spawn("second", BeginInto(&f.turns, ctx, &log));
    tasks.Spawn("third", BeginInto(&f.turns, ctx, &log));
    co_await test::Settle();
    EXPECT_TRUE(log.empty()) << "two turns at once";
    EXPECT_EQ(f.turns.waiting(), 2U);
    EXPECT_TRUE(first->turn().Note(TurnCause::kCompleted) && first->turn().Resolve());
  }
  co_await tasks.Join();
  EXPECT_EQ(log, (std::vector<std::string>{"s.t000002", "s.t000003"}));
  EXPECT_FALSE(f.turns.is_busy());
  EXPECT_EQ(f.turns.remembered(), 1U) << "only turns that were open are remembered";
}

CO_TEST(SessionTurnsTest, ASecondTurnIsRefusedWhereItMayNotWait) {
  TurnsFixture refuses({.second = SecondTurn::kIsRefused});
  TurnsFixture full({.max_waiting = 0});
  for (TurnsFixture* f : {&refuses, &full}) {
    auto first = co_await f->turns.Begin(ctx);
    EXPECT_TRUE(first);
    auto second = co_await f->turns.Begin(ctx);
    EXPECT_FALSE(second);
    if (!second) EXPECT_EQ(second.error().code(), ErrorCode::kQueueFull);
  }
}

CO_TEST(SessionTurnsTest, AnAbandonedTurnIsAbortedAndClosed) {
  TurnsFixture f;
  {
    auto slot = co_await f.turns.Begin(ctx);
    EXPECT_TRUE(slot && OpenTurn(slot->turn()));
  }
  const auto words = f.sink.Words();
  EXPECT_EQ(words, (std::vector<std::string>{"turn_open_proposed", "turn_open",
                                             "abort(turn_abandoned)", "close"}));
  {
    auto slot = co_await f.turns.Begin(ctx);
  }
  EXPECT_EQ(f.sink.Words(words.size()),
            (std::vector<std::string>{"turn_open_proposed", "reject(turn_abandoned)"}));
}

CO_TEST(SessionTurnsTest, ADrainingSessionEndsItsTurnAndTakesNoOther) {
  TurnsFixture f;
  TaskScope tasks(ctx.executor());
  std::vector<std::string> log;
  auto slot = co_await f.turns.Begin(ctx);
  EXPECT_TRUE(slot && OpenTurn(slot->turn()));
  tasks.Spawn("waits", BeginInto(&f.turns, ctx, &log));
  co_await test::Settle();

  EXPECT_TRUE(f.turns.Drain());
  co_await tasks.Join();

  EXPECT_EQ(log, (std::vector<std::string>{"SESSION_CLOSED"}));
  EXPECT_EQ(slot->turn().state(), TurnState::kActive) << "what runs may end";
  EXPECT_TRUE(f.turns.End());
  EXPECT_EQ(slot->turn().end()->reason, "transport_disconnect_or_stall");
  EXPECT_EQ(f.turns.phase(), SessionPhase::kEnded);
  EXPECT_FALSE(f.turns.End());
  EXPECT_FALSE(co_await f.turns.Begin(ctx));
}

CO_TEST(SessionTurnsTest, ATurnBeforeTheSessionIsConnectedIsRefused) {
  FakeClock clock;
  EventStamper stamper(SessionId("s"), "p1", clock);
  test::RecordingSink sink;
  SessionTurns turns(stamper, sink, sink);

  auto slot = co_await turns.Begin(ctx);

  EXPECT_FALSE(slot);
  EXPECT_TRUE(sink.signals.empty());
  EXPECT_FALSE(turns.Drain()) << "nothing to drain";
  EXPECT_EQ(turns.phase(), SessionPhase::kConnecting);
}

CO_TEST(SessionTurnsTest, WhoStopsWaitingLetsTheNextOneThrough) {
  TurnsFixture f;
  TaskScope tasks(ctx.executor());
  std::vector<std::string> log;
  CancelSource cancel;
  {
    auto slot = co_await f.turns.Begin(ctx);
    tasks.Spawn("gives up", BeginInto(&f.turns, ctx.WithCancel(cancel.token()), &log));
    tasks.Spawn("stays", BeginInto(&f.turns, ctx, &log));
    co_await test::Settle();
    cancel.Cancel(Error(ErrorCode::kCancelled, "gave up"));
    co_await test::Settle();
    EXPECT_EQ(log, (std::vector<std::string>{"CANCELLED"}));
  }
  co_await tasks.Join();
  EXPECT_EQ(log.back(), "s.t000002");
}

CO_TEST(SessionTurnsTest, RemembersAsManyClosedTurnsAsItMay) {
  TurnsFixture f({.keep_closed = 3});
  for (int i = 0; i < 10; ++i) {
    auto slot = co_await f.turns.Begin(ctx);
    EXPECT_TRUE(slot && OpenTurn(slot->turn()));
    EXPECT_TRUE(slot->turn().Note(TurnCause::kCompleted) && slot->turn().Resolve());
  }
  EXPECT_EQ(f.turns.remembered(), 3U);
  const auto stale =
      f.turns.Judge({.turn = TurnId("s.t000010"), .kind = InboundKind::kData, .epoch = 6});
  const auto forgotten =
      f.turns.Judge({.turn = TurnId("s.t000001"), .kind = InboundKind::kData, .epoch = 6});
  EXPECT_EQ(stale, InboundAnswer::kStale);
  EXPECT_EQ(forgotten, InboundAnswer::kDrop);
  EXPECT_EQ(f.turns.Judge({.turn = TurnId("s.t000001"), .kind = InboundKind::kIntent}),
            InboundAnswer::kRemap);
}

}  // namespace
}  // namespace falconer::kernel
