#include "kernel/gates/pause_gate.h"

#include "tests/support/store_bench.h"

namespace falconer::kernel {
namespace {

using model::DecisionKind;
using test::Finish;

class PauseGateTest : public test::StoreBench {
 protected:
  Verdict Check(store::PauseStore& store, Admission& admission) {
    Verdict verdict = test::FinishOn([&](const Executor& executor) {
      return Ask(&store, CallContext(executor, clock_), &admission);
    });
    const auto again = PauseFacts::FromJson(verdict.facts);
    EXPECT_TRUE(again) << again.error().message();
    if (again) EXPECT_EQ(DecidePause(*again).reason, verdict.reason);
    return verdict;
  }

 private:
  static Task<Verdict> Ask(store::PauseStore* store, CallContext ctx, Admission* admission) {
    PauseWatch watch(ctx.executor(), ctx.clock(), *store);
    PauseGate gate(*store, watch);
    const GateInput input{.tenant = TenantId("acme"), .admission = admission};
    Verdict verdict = co_await gate.Check(ctx, &input);
    co_await watch.Stop();
    co_return verdict;
  }
};

TEST_F(PauseGateTest, AdmitsUntilAPauseIsOrderedAndAfterItEnded) {
  const auto store = OpenStore();
  Admission admission;
  EXPECT_EQ(Check(*store, admission).reason, "not_paused");
  ASSERT_TRUE(Finish(store->OrderPause({TenantId(), "incident 7", "ann"})));

  const Verdict verdict = Check(*store, admission);

  EXPECT_EQ(verdict.kind, DecisionKind::kReject);
  EXPECT_EQ(verdict.reason, "everything_paused");
  EXPECT_EQ(verdict.error->code(), ErrorCode::kRuntimePaused);
  EXPECT_EQ(TextAt(verdict.error->details(), "reason"), "incident 7");
  ASSERT_TRUE(Finish(store->EndPause(TenantId())));
  EXPECT_TRUE(Check(*store, admission).is_admit());
}

TEST_F(PauseGateTest, APauseOfTheTenantHasAReasonOfItsOwn) {
  const auto store = OpenStore();
  Admission admission;
  ASSERT_TRUE(Finish(store->OrderPause({TenantId("other"), "", "ann"})));
  EXPECT_TRUE(Check(*store, admission).is_admit());
  ASSERT_TRUE(Finish(store->OrderPause({TenantId("acme"), "too much", "ann"})));
  const Verdict verdict = Check(*store, admission);
  EXPECT_EQ(verdict.reason, "tenant_paused");
  EXPECT_EQ(TextAt(verdict.error->details(), "tenant"), "acme");
}

TEST_F(PauseGateTest, WhatCannotBeKnownIsRefused) {
  PauseFacts facts;
  facts.error = "IO_ERROR";
  const auto again = PauseFacts::FromJson(facts.ToJson());
  ASSERT_TRUE(again);
  const Verdict verdict = DecidePause(*again);
  EXPECT_EQ(verdict.kind, DecisionKind::kReject);
  EXPECT_EQ(verdict.reason, "pause_unknown");
  EXPECT_EQ(verdict.error->code(), ErrorCode::kIoError);
}

}  // namespace
}  // namespace falconer::kernel
