#include "kernel/gates/quota_gate.h"

#include "kernel/leases/lease_owner.h"
#include "tests/support/store_bench.h"

namespace falconer::kernel {
namespace {

using namespace std::chrono_literals;
using model::DecisionKind;
using test::Finish;

class QuotaGateTest : public test::StoreBench {
 protected:
  Verdict Check(QuotaGate& gate, Admission& admission, std::string workflow = "w1") {
    const GateInput input{.tenant = TenantId("acme"),
                          .workflow = WorkflowId(std::move(workflow)),
                          .admission = &admission};
    Verdict verdict = test::FinishOn([&](const Executor& executor) {
      return gate.Check(CallContext(executor, clock_), &input);
    });
    const auto again = QuotaFacts::FromJson(verdict.facts);
    EXPECT_TRUE(again) << again.error().message();
    if (again) EXPECT_EQ(DecideQuota(*again).reason, verdict.reason);
    return verdict;
  }
  static void TakeLease(store::SqliteStore& store, std::string workflow, std::string owner) {
    ASSERT_TRUE(Finish(store.AcquireLease(
        {.key = {TenantId("acme"), WorkflowId(std::move(workflow))}, .owner = std::move(owner)})));
  }
};

TEST_F(QuotaGateTest, DefersWhatIsTooMuchAndSaysExactlyForHowLong) {
  const auto store = OpenStore();
  QuotaGate gate(*store, {.max_actions_per_minute = 1});
  Admission first;
  EXPECT_TRUE(Check(gate, first).is_admit());
  EXPECT_EQ(first.quota->max_actions_per_minute, 1U);
  first.action.Spend();
  clock_.Advance(15s);

  Admission second;
  const Verdict verdict = Check(gate, second);

  EXPECT_EQ(verdict.kind, DecisionKind::kDefer);
  EXPECT_EQ(verdict.reason, "quota_action_rate");
  EXPECT_EQ(verdict.error->code(), ErrorCode::kQuotaActionRate);
  EXPECT_EQ(verdict.retry_after, 45s);
  EXPECT_FALSE(second.action);
  EXPECT_FALSE(second.quota);
}

TEST_F(QuotaGateTest, ATurnThatWasNotOpenedGetsItsPlaceInTheMinuteBack) {
  const auto store = OpenStore();
  QuotaGate gate(*store, {.max_actions_per_minute = 1});
  for (int i = 0; i < 3; ++i) {
    Admission refused_later;
    EXPECT_TRUE(Check(gate, refused_later).is_admit()) << i;
  }
  Admission opened;
  EXPECT_TRUE(Check(gate, opened).is_admit());
  opened.action.Spend();
  opened = {};
  EXPECT_FALSE(Check(gate, opened).is_admit()) << "one that was opened stays counted";
}

TEST_F(QuotaGateTest, DefersASessionTooManyUntilOneEnds) {
  const auto store = OpenStore();
  QuotaGate gate(*store, {.max_concurrent_sessions = 1});
  TakeLease(*store, "w1", OwnLeaseOwner());
  TakeLease(*store, "w2", OwnLeaseOwner());
  Admission admission;
  EXPECT_TRUE(Check(gate, admission, "w1").is_admit());

  const Verdict verdict = Check(gate, admission, "w2");

  EXPECT_EQ(verdict.kind, DecisionKind::kDefer);
  EXPECT_EQ(verdict.reason, "quota_session_limit");
  EXPECT_EQ(verdict.error->code(), ErrorCode::kQuotaSessionLimit);
  EXPECT_EQ(verdict.retry_after, 30s);
}

TEST_F(QuotaGateTest, SessionsOfAProcessThatWasKilledAreNotInTheWay) {
  const auto store = OpenStore();
  QuotaGate gate(*store, {.max_concurrent_sessions = 1});
  // Of this machine, with a start that this process did not have.
  const std::string own = OwnLeaseOwner();
  TakeLease(*store, "w1", own.substr(0, own.rfind(':')) + ":1");
  TakeLease(*store, "w2", own);
  Admission admission;
  EXPECT_TRUE(Check(gate, admission, "w2").is_admit());
}

TEST_F(QuotaGateTest, WithoutLimitsNothingIsCounted) {
  const auto store = OpenStore();
  QuotaGate gate(*store, {.max_concurrent_sessions = 0, .max_actions_per_minute = 0});
  Admission admission;
  EXPECT_TRUE(Check(gate, admission).is_admit());
  EXPECT_FALSE(admission.action);
}

TEST(QuotaFactsTest, WhatCannotBeKnownIsRefused) {
  const Verdict verdict = DecideQuota({.error = "IO_ERROR"});
  EXPECT_EQ(verdict.kind, DecisionKind::kReject);
  EXPECT_EQ(verdict.reason, "quota_unknown");
  EXPECT_EQ(verdict.error->code(), ErrorCode::kIoError);
  const auto again = QuotaFacts::FromJson(QuotaFacts{.error = "IO_ERROR"}.ToJson());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->error, "IO_ERROR");
  EXPECT_FALSE(QuotaFacts::FromJson({{"sessions", -1}}));
}

}  // namespace
}  // namespace falconer::kernel
