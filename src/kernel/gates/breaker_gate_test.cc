#include "kernel/gates/breaker_gate.h"

#include "kernel/flow/breaker_book.h"
#include "kernel/leases/lease_owner.h"
#include "tests/support/store_bench.h"

namespace falconer::kernel {
namespace {

using namespace std::chrono_literals;
using model::DecisionKind;
using store::SiteOutcome;
using test::Finish;

class BreakerGateTest : public test::StoreBench {
 protected:
  BreakerGateTest() : store_(OpenStore()), gate_(*store_, limits_, OwnLeaseOwner()) {}

  Verdict Check(Admission& admission, std::string url = "https://shop.test/cart") {
    return Check(gate_, admission, std::move(url));
  }
  Verdict Check(BreakerGate& gate, Admission& admission, std::string url) {
    const GateInput input{
        .tenant = TenantId("acme"), .page_url = std::move(url), .admission = &admission};
    Verdict verdict = test::FinishOn([&](const Executor& executor) {
      return gate.Check(CallContext(executor, clock_), &input);
    });
    const auto again = BreakerFacts::FromJson(verdict.facts);
    EXPECT_TRUE(again) << again.error().message();
    if (again) EXPECT_EQ(DecideBreaker(*again).reason, verdict.reason);
    return verdict;
  }
  void Note(Admission& admission, std::optional<SiteOutcome> outcome) {
    EXPECT_TRUE(Finish(Told(&book_, std::move(admission.circuit), outcome)));
  }
  static Task<bool> Told(BreakerBook* book, CircuitPermit permit,
                         std::optional<SiteOutcome> outcome) {
    co_await book->Note(std::move(permit), outcome);
    co_return true;
  }
  void FailTimes(int times) {
    for (int i = 0; i < times; ++i) {
      Admission admission;
      EXPECT_TRUE(Check(admission).is_admit()) << i;
      Note(admission, SiteOutcome::kDown);
    }
  }

  store::BreakerLimits limits_;
  std::unique_ptr<store::SqliteStore> store_;
  BreakerGate gate_;
  BreakerBook book_{*store_, limits_};
};

TEST_F(BreakerGateTest, DefersWhatGoesToASiteThatIsDown) {
  FailTimes(5);
  clock_.Advance(10s);
  Admission admission;
  const Verdict verdict = Check(admission);
  EXPECT_EQ(verdict.kind, DecisionKind::kDefer);
  EXPECT_EQ(verdict.reason, "circuit_open");
  EXPECT_EQ(verdict.error->code(), ErrorCode::kCircuitOpen);
  EXPECT_EQ(verdict.retry_after, 50s);
  EXPECT_EQ(TextAt(verdict.error->details(), "domain"), "shop.test");
  EXPECT_FALSE(admission.circuit);
  EXPECT_TRUE(Check(admission, "https://other.test/").is_admit());
}

TEST_F(BreakerGateTest, ASuccessInBetweenForgivesWhatWasBefore) {
  FailTimes(4);
  Admission admission;
  EXPECT_TRUE(Check(admission).is_admit());
  EXPECT_TRUE(admission.circuit.matters());
  Note(admission, SiteOutcome::kUp);
  FailTimes(4);
  EXPECT_TRUE(Check(admission).is_admit());
}

TEST_F(BreakerGateTest, WhatSaysNothingAboutTheSiteNeverCounts) {
  for (int i = 0; i < 10; ++i) {
    Admission admission;
    EXPECT_TRUE(Check(admission).is_admit());
    Note(admission, std::nullopt);
  }
  Admission admission;
  EXPECT_EQ(Check(admission).facts.at("failures"), 0);
}

TEST_F(BreakerGateTest, OneProbeDecidesWhetherItIsOverAgain) {
  FailTimes(5);
  clock_.Advance(60s);
  Admission probe;
  EXPECT_EQ(Check(probe).reason, "circuit_probe");
  Admission other;
  const Verdict refused = Check(other);
  EXPECT_EQ(refused.reason, "circuit_half_open");
  EXPECT_EQ(refused.error->code(), ErrorCode::kCircuitHalfOpen);

  Note(probe, SiteOutcome::kUp);

  EXPECT_EQ(Check(other).reason, "circuit_closed");
}

TEST_F(BreakerGateTest, AProbeThatALaterGateRefusesIsGivenToTheNext) {
  FailTimes(5);
  clock_.Advance(60s);
  {
    Admission refused_later;
    EXPECT_EQ(Check(refused_later).reason, "circuit_probe");
  }
  // Behind the return, which nobody waits for.
  ASSERT_TRUE(Finish(store_->ResetCircuits({TenantId("nobody"), ""})));
  Admission next;
  EXPECT_EQ(Check(next).reason, "circuit_probe");
  Note(next, std::nullopt);
  ASSERT_TRUE(Finish(store_->ResetCircuits({TenantId("nobody"), ""})));
  EXPECT_EQ(Check(next).reason, "circuit_probe") << "the probe said nothing either";
}

TEST_F(BreakerGateTest, AProbeOfAProcessThatWasKilledIsGivenToTheNext) {
  FailTimes(5);
  clock_.Advance(60s);
  // Of this machine, with a start that this process did not have.
  const std::string own = OwnLeaseOwner();
  const store::CircuitRequest request{.key = {TenantId("acme"), "shop.test"},
                                      .limits = limits_,
                                      .holder = own.substr(0, own.rfind(':')) + ":1"};
  ASSERT_TRUE(Finish(store_->EnterCircuit(request))->probe);
  Admission next;
  EXPECT_EQ(Check(next).reason, "circuit_probe");
}

TEST_F(BreakerGateTest, IsAboutTheHostThatIsOpenedElseThatOfThePage) {
  EXPECT_EQ(DomainOf({.navigate_url = "https://A.test:8443/x", .page_url = "https://b.test/"}),
            "a.test");
  EXPECT_EQ(DomainOf({.page_url = "https://b.test/"}), "b.test");
  EXPECT_EQ(DomainOf({.page_url = "about:blank"}), "");
  Admission admission;
  EXPECT_EQ(Check(admission, "about:blank").reason, "no_site");
  BreakerGate off(*store_, {.threshold = 0}, "p1");
  EXPECT_EQ(Check(off, admission, "https://shop.test/").reason, "breaker_off");
}

TEST_F(BreakerGateTest, WhatCannotBeKnownIsRefused) {
  const Verdict verdict = DecideBreaker({.domain = "a.test", .error = "IO_ERROR"});
  EXPECT_EQ(verdict.kind, DecisionKind::kReject);
  EXPECT_EQ(verdict.reason, "circuit_unknown");
}

}  // namespace
}  // namespace falconer::kernel
