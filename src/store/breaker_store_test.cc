#include "store/breaker_store.h"

#include "tests/support/store_bench.h"

namespace falconer::store {
namespace {

using namespace std::chrono_literals;
using test::Finish;

class BreakerStoreTest : public test::StoreBench {
 protected:
  static CircuitKey Key(std::string domain = "shop.test", std::string tenant = "acme") {
    return {TenantId(std::move(tenant)), std::move(domain)};
  }
  CircuitAnswer Enter(SqliteStore& store, const CircuitKey& key = Key(), std::string gone = "") {
    const auto answer = Finish(store.EnterCircuit(
        {.key = key, .limits = limits_, .holder = "p1", .gone_holder = std::move(gone)}));
    EXPECT_TRUE(answer) << answer.error().message();
    return answer.value_or(CircuitAnswer());
  }
  CircuitState Note(SqliteStore& store, SiteOutcome outcome, std::uint64_t probe = 0,
                    const CircuitKey& key = Key()) {
    const auto state = Finish(
        store.NoteOutcome({.key = key, .limits = limits_, .outcome = outcome, .probe = probe}));
    EXPECT_TRUE(state) << state.error().message();
    return state.value_or(CircuitState::kClosed);
  }
  // Failures until the circuit is open, and the time until it may be tried.
  void OpenCircuit(SqliteStore& store) {
    for (std::uint64_t i = 0; i < limits_.threshold; ++i) Note(store, SiteOutcome::kDown);
    ASSERT_EQ(Enter(store).state, CircuitState::kOpen);
  }

  BreakerLimits limits_;
};

TEST_F(BreakerStoreTest, FiveFailuresInTwoMinutesOpenItForOne) {
  const auto store = OpenStore();
  for (int i = 1; i <= 4; ++i) {
    EXPECT_EQ(Note(*store, SiteOutcome::kDown), CircuitState::kClosed);
    EXPECT_EQ(Enter(*store).failures, static_cast<std::uint64_t>(i));
  }
  EXPECT_EQ(Note(*store, SiteOutcome::kDown), CircuitState::kOpen);

  clock_.Advance(20s);
  const CircuitAnswer refused = Enter(*store);
  EXPECT_EQ(refused.state, CircuitState::kOpen);
  EXPECT_EQ(refused.retry_after, 40s);
  EXPECT_FALSE(refused.probe);
  EXPECT_EQ(Enter(*store, Key("other.test")).state, CircuitState::kClosed);
  EXPECT_EQ(Enter(*store, Key("shop.test", "other")).state, CircuitState::kClosed);
}

TEST_F(BreakerStoreTest, FailuresOutsideOfTheWindowDoNotCount) {
  const auto store = OpenStore();
  for (int i = 0; i < 4; ++i) Note(*store, SiteOutcome::kDown);
  clock_.Advance(120s);
  EXPECT_EQ(Enter(*store).failures, 0U);
  EXPECT_EQ(Note(*store, SiteOutcome::kDown), CircuitState::kClosed);
}

TEST_F(BreakerStoreTest, ASuccessClearsWhatWasCounted) {
  const auto store = OpenStore();
  for (int i = 0; i < 4; ++i) Note(*store, SiteOutcome::kDown);
  EXPECT_EQ(Note(*store, SiteOutcome::kUp), CircuitState::kClosed);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(Note(*store, SiteOutcome::kDown), CircuitState::kClosed);
}

TEST_F(BreakerStoreTest, LetsOneProbeThroughAndWhatComesOfItDecides) {
  const auto store = OpenStore();
  OpenCircuit(*store);
  clock_.Advance(60s);
  const CircuitAnswer probe = Enter(*store);
  ASSERT_TRUE(probe.probe);
  EXPECT_EQ(probe.state, CircuitState::kHalfOpen);

  const CircuitAnswer other = Enter(*store);
  EXPECT_FALSE(other.probe);
  EXPECT_EQ(other.state, CircuitState::kHalfOpen);
  EXPECT_EQ(other.holder, "p1");
  EXPECT_EQ(other.retry_after, 5s);

  EXPECT_EQ(Note(*store, SiteOutcome::kDown, probe.probe->id), CircuitState::kOpen);
  EXPECT_EQ(Enter(*store).retry_after, 60s);
  clock_.Advance(60s);
  const CircuitAnswer again = Enter(*store);
  ASSERT_TRUE(again.probe);
  EXPECT_EQ(Note(*store, SiteOutcome::kUp, again.probe->id), CircuitState::kClosed);
  EXPECT_EQ(Enter(*store).state, CircuitState::kClosed);
  EXPECT_EQ(Enter(*store).failures, 0U);
}

TEST_F(BreakerStoreTest, WhatBeganBeforeItOpenedChangesNothing) {
  const auto store = OpenStore();
  OpenCircuit(*store);
  clock_.Advance(30s);
  EXPECT_EQ(Note(*store, SiteOutcome::kUp), CircuitState::kOpen);
  EXPECT_EQ(Note(*store, SiteOutcome::kDown), CircuitState::kOpen);
  EXPECT_EQ(Enter(*store).retry_after, 30s) << "a late failure does not prolong it";
  clock_.Advance(30s);
  ASSERT_TRUE(Enter(*store).probe);
  EXPECT_EQ(Note(*store, SiteOutcome::kUp), CircuitState::kHalfOpen);
}

TEST_F(BreakerStoreTest, AProbeThatSaidNothingIsGivenToTheNext) {
  const auto store = OpenStore();
  OpenCircuit(*store);
  clock_.Advance(60s);
  const CircuitAnswer first = Enter(*store);
  ASSERT_TRUE(first.probe);
  store->PostReturnProbe(*first.probe);
  // Behind the return, which nobody waits for.
  EXPECT_EQ(Note(*store, SiteOutcome::kUp), CircuitState::kOpen);
  const CircuitAnswer second = Enter(*store);
  ASSERT_TRUE(second.probe);
  EXPECT_NE(second.probe->id, first.probe->id);
  EXPECT_EQ(Note(*store, SiteOutcome::kUp, first.probe->id), CircuitState::kHalfOpen)
      << "the first is no longer the probe";
}

TEST_F(BreakerStoreTest, AProbeWhoseProcessDiedDoesNotBlockForEver) {
  const auto store = OpenStore();
  OpenCircuit(*store);
  clock_.Advance(60s);
  ASSERT_TRUE(Enter(*store).probe);
  EXPECT_FALSE(Enter(*store).probe);
  EXPECT_TRUE(Enter(*store, Key(), "p1").probe) << "its holder is known to have ended";
  clock_.Advance(limits_.probe_for - 1ms);
  EXPECT_FALSE(Enter(*store).probe);
  clock_.Advance(1ms);
  EXPECT_TRUE(Enter(*store).probe) << "nobody has heard of it for too long";
}

TEST_F(BreakerStoreTest, AClockThatWasSetBackDoesNotKeepItOpen) {
  const auto store = OpenStore();
  clock_.Advance(1h);
  OpenCircuit(*store);
  clock_.Advance(-1h);
  EXPECT_TRUE(Enter(*store).probe);
}

TEST_F(BreakerStoreTest, OfManyWhoAskAtOnceOneGetsTheProbe) {
  limits_.open_for = 0ms;
  {
    SystemClock clock;
    const auto store = OpenStore(clock);
    for (int i = 0; i < 5; ++i) Note(*store, SiteOutcome::kDown);
  }
  const int probes = Race(24, [&](SqliteStore& store) { return Enter(store).probe.has_value(); });
  EXPECT_EQ(probes, 1);
}

TEST_F(BreakerStoreTest, CountsFailuresOfAllProcesses) {
  const int opened = Race(20, [&](SqliteStore& store) {
    return Note(store, SiteOutcome::kDown) == CircuitState::kOpen;
  });
  EXPECT_EQ(opened, 16) << "the fifth opens it, the rest finds it open";
}

TEST_F(BreakerStoreTest, IsOffWithoutAThreshold) {
  limits_.threshold = 0;
  const auto store = OpenStore();
  for (int i = 0; i < 10; ++i) EXPECT_EQ(Note(*store, SiteOutcome::kDown), CircuitState::kClosed);
}

TEST_F(BreakerStoreTest, ListsCountsAndResets) {
  const auto store = OpenStore();
  OpenCircuit(*store);
  Note(*store, SiteOutcome::kDown, 0, Key("slow.test"));
  clock_.Advance(10s);

  const auto listed = Finish(store->ListCircuits({}));
  ASSERT_TRUE(listed);
  ASSERT_EQ(listed->size(), 2U);
  EXPECT_EQ(listed->at(0).key, Key());
  EXPECT_EQ(listed->at(0).state, CircuitState::kOpen);
  EXPECT_EQ(listed->at(0).failures, 5U);
  EXPECT_EQ(listed->at(0).retry_after, 50s);
  EXPECT_EQ(listed->at(1).state, CircuitState::kClosed);
  EXPECT_EQ(listed->at(1).failures, 1U);
  EXPECT_TRUE(Finish(store->ListCircuits({.tenant = TenantId("other")}))->empty());
  const CircuitQuery lately{.tenant = TenantId(), .window = 5s};
  EXPECT_EQ(Finish(store->ListCircuits(lately))->size(), 1U) << "its failure is older";
  EXPECT_EQ(Finish(store->CountCircuits())->open, 1U);
  clock_.Advance(50s);
  EXPECT_EQ(Finish(store->CountCircuits())->open, 0U);
  EXPECT_EQ(Finish(store->CountCircuits())->half_open, 1U);

  EXPECT_EQ(Finish(store->ResetCircuits(Key("slow.test"))), 0U);
  EXPECT_EQ(Finish(store->ResetCircuits({TenantId("other"), ""})), 0U);
  EXPECT_EQ(Finish(store->ResetCircuits({})), 1U);
  EXPECT_EQ(Enter(*store).state, CircuitState::kClosed);
  EXPECT_TRUE(Finish(store->ListCircuits({}))->empty());
}

TEST_F(BreakerStoreTest, ForgetsCircuitsThatNobodyTriedForADay) {
  const auto store = OpenStore();
  OpenCircuit(*store);
  clock_.Advance(23h);
  Note(*store, SiteOutcome::kDown, 0, Key("slow.test"));
  EXPECT_EQ(Finish(store->CountCircuits())->half_open, 1U);
  clock_.Advance(2h);
  Note(*store, SiteOutcome::kDown, 0, Key("slow.test"));
  EXPECT_EQ(Finish(store->CountCircuits())->half_open, 0U);
}

}  // namespace
}  // namespace falconer::store
