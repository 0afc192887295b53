#include "kernel/fences/epoch_guard.h"

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"

namespace falconer::kernel {
namespace {

using namespace std::chrono_literals;

class OneLease final : public LeaseView {
 public:
  std::optional<LeaseStatus> LeaseOf(const SessionId&) const override { return lease; }
  std::optional<LeaseStatus> lease;
};

class EpochGuardTest : public testing::Test {
 protected:
  EpochGuardTest() {
    leases_.lease = {.epoch = 7, .is_granted = true, .expires = clock_.Now() + 5min};
  }
  std::string_view In(std::optional<std::int64_t> epoch) const {
    return NameIn(kEpochReasons, guard_.CheckInput(session_, epoch).reason);
  }

  FakeClock clock_;
  OneLease leases_;
  EpochGuard guard_{leases_, clock_};
  SessionId session_{"s"};
};

TEST_F(EpochGuardTest, OnlyTheEpochOfTheLeaseCounts) {
  EXPECT_EQ(In(7), "lease_authorized");
  EXPECT_EQ(In(6), "stale_epoch");
  EXPECT_EQ(In(8), "invalid_input") << "a higher epoch must not make its bearer the owner";
  EXPECT_EQ(In(-1), "invalid_input");
  EXPECT_TRUE(guard_.CheckOutput(session_, 7));
  EXPECT_EQ(guard_.CheckOutput(session_, 6).error().details().at("reason"), "stale_epoch");
  EXPECT_EQ(guard_.CheckOutput(session_, 8).error().details().at("reason"), "invalid_input");
}

TEST_F(EpochGuardTest, AnOlderEpochSaysWhoHasTakenOver) {
  const EpochVerdict agent = guard_.CheckInput(session_, 6, "ann");
  const EpochVerdict person = guard_.CheckInput(session_, std::nullopt);

  EXPECT_EQ(NameIn(kEpochReasons, agent.reason), "taken_over");
  EXPECT_EQ(agent.facts.taken_by, "ann");
  EXPECT_TRUE(person.is_authorized());
  const auto again = LeaseFacts::FromJson(agent.facts.ToJson());
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, agent.facts) << "the record gives the same verdict again";
}

TEST_F(EpochGuardTest, AMissingEpochIsTakenFromTheLease) {
  const EpochVerdict verdict = guard_.CheckInput(session_, std::nullopt);

  EXPECT_TRUE(verdict.is_authorized());
  EXPECT_EQ(verdict.epoch, 7);
}

TEST_F(EpochGuardTest, AnExpiredRevokedOrMissingLeaseAuthorisesNothing) {
  clock_.Advance(5min);
  EXPECT_EQ(In(7), "deauthorized");
  EXPECT_EQ(In(std::nullopt), "deauthorized");
  EXPECT_EQ(In(6), "stale_epoch");
  leases_.lease = {.epoch = 7, .is_granted = false, .expires = clock_.Now() + 5min};
  EXPECT_EQ(In(7), "deauthorized");
  leases_.lease.reset();
  EXPECT_EQ(In(7), "deauthorized");
}

TEST_F(EpochGuardTest, WhatAnOldOwnerDidIsNotPassedOn) {
  EXPECT_TRUE(guard_.CheckOutput(session_, 7));
  leases_.lease->epoch = 8;

  const auto late = guard_.CheckOutput(session_, 7);

  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code(), ErrorCode::kStaleEpoch);
  EXPECT_EQ(late.error().details().at("lease_epoch"), 8);
}

}  // namespace
}  // namespace falconer::kernel
