#include "kernel/gates/rate_gate.h"

#include "policy/rules/policy.h"
#include "tests/support/store_bench.h"

namespace falconer::kernel {
namespace {

using namespace std::chrono_literals;
using model::DecisionKind;
using policy::PolicyMode;

policy::RateDemand Demand(std::string key, std::int64_t max) {
  return {.rule = "few", .max = max, .period = 1h, .key = std::move(key)};
}

class RateGateTest : public test::StoreBench {
 protected:
  // As the gate says it, which its facts must say again.
  Verdict Check(store::RateStore& store, Admission& admission) {
    RateBook book(store);
    RateGate gate(book);
    const GateInput input{.tenant = TenantId("acme"), .admission = &admission};
    Verdict verdict = test::FinishOn([&](const Executor& executor) {
      return gate.Check(CallContext(executor, clock_), &input);
    });
    const auto again = RateFacts::FromJson(verdict.facts);
    EXPECT_TRUE(again) << again.error().message();
    if (again) {
      const Verdict said = DecideRate(*again);
      EXPECT_EQ(said.kind, verdict.kind);
      EXPECT_EQ(said.reason, verdict.reason);
      EXPECT_EQ(said.retry_after, verdict.retry_after);
      if (verdict.error) EXPECT_EQ(said.error->details(), verdict.error->details());
    }
    return verdict;
  }
  static Admission Claiming(std::vector<policy::RateDemand> demands,
                            PolicyMode mode = PolicyMode::kEnforce) {
    Admission admission;
    admission.claim = {.demands = std::move(demands), .mode = mode};
    return admission;
  }
};

class BrokenRates final : public store::RateStore {
 public:
  Task<Result<store::RateAnswer>> TakeRates(std::vector<store::RateLimit> /*limits*/) override {
    co_return Fail(ErrorCode::kIoError, "the disk is gone");
  }
  void PostReturnRates(store::RateTicket /*ticket*/) override {}
};

TEST_F(RateGateTest, DefersWhatIsTooOftenAndSaysExactlyForHowLong) {
  const auto store = OpenStore();
  Admission first = Claiming({Demand("a", 1)});
  EXPECT_EQ(Check(*store, first).reason, "within_rate_limits");
  EXPECT_EQ(first.rates.keys(), std::vector<std::string>{"a"});
  first.rates.Spend();
  clock_.Advance(20min);

  Admission second = Claiming({Demand("b", 9), Demand("a", 1)});
  const Verdict verdict = Check(*store, second);

  EXPECT_EQ(verdict.kind, DecisionKind::kDefer);
  EXPECT_EQ(verdict.reason, "policy_rate_limit");
  EXPECT_EQ(verdict.retry_after, 40min);
  ASSERT_TRUE(verdict.error);
  EXPECT_EQ(verdict.error->code(), ErrorCode::kPolicyRateLimit);
  EXPECT_EQ(verdict.error->details().at("rule"), "few");
  EXPECT_FALSE(second.rates);
}

TEST_F(RateGateTest, ATurnThatWasNotOpenedIsNotCounted) {
  const auto store = OpenStore();
  for (int i = 0; i < 3; ++i) {
    Admission refused_later = Claiming({Demand("a", 1)});
    EXPECT_TRUE(Check(*store, refused_later).is_admit()) << i;
  }
  Admission opened = Claiming({Demand("a", 1)});
  EXPECT_TRUE(Check(*store, opened).is_admit());
  opened.rates.Spend();
  opened = Claiming({Demand("a", 1)});
  EXPECT_FALSE(Check(*store, opened).is_admit()) << "one that was opened stays counted";
}

TEST_F(RateGateTest, WhoOnlyObservesRefusesNothing) {
  const auto store = OpenStore();
  Admission over = Claiming({Demand("a", 0)}, PolicyMode::kObserve);
  const Verdict verdict = Check(*store, over);
  EXPECT_TRUE(verdict.is_admit());
  EXPECT_EQ(verdict.reason, "policy_observes");
  BrokenRates broken;
  EXPECT_EQ(Check(broken, over).reason, "policy_observes");
}

TEST_F(RateGateTest, WhatCannotBeCountedIsRefused) {
  BrokenRates broken;
  Admission admission = Claiming({Demand("a", 9)});
  const Verdict verdict = Check(broken, admission);
  EXPECT_EQ(verdict.kind, DecisionKind::kReject);
  EXPECT_EQ(verdict.reason, "rate_unknown");
  EXPECT_EQ(verdict.error->code(), ErrorCode::kIoError);
  Admission nothing;
  EXPECT_EQ(Check(broken, nothing).reason, "nothing_to_count") << "nobody is asked";
}

policy::PolicyDecision DecisionOn(std::string_view yaml, model::Capability capability) {
  model::PolicyFacts facts{.tenant = "acme", .agent = "shopper", .capabilities = {capability}};
  facts.url = "https://a.test/";
  return policy::Policy::Parse(yaml).value().Decide(policy::RuleSet::kActions, facts);
}

TEST(RateClaimTest, CountsWhatGoesOnWithoutAskingAndIsCertainEnough) {
  constexpr char kPolicy[] = R"(
policy: {name: p, version: "1"}
rules:
  - {name: sure, when: always, then: {allow: true, rate_limit: {max: 5, period: 1h}}}
  - name: open
    when: {capability: PURCHASE, amount: {lte: 100, currency: USD}}
    then: {rate_limit: {max: 3, period: 1h}}
  - {name: no, when: {capability: DELETE}, then: {deny: never}}
  - {name: ask, when: {capability: UPLOAD}, then: {require_approval: human}}
)";
  using model::Capability;
  using policy::Truth;
  const auto count = [&](Capability capability, Truth least) {
    return ClaimBefore(DecisionOn(kPolicy, capability), least).demands.size();
  };
  EXPECT_EQ(count(Capability::kPurchase, Truth::kTrue), 1U);
  EXPECT_EQ(count(Capability::kPurchase, Truth::kUnknown), 2U);
  EXPECT_EQ(count(Capability::kDelete, Truth::kUnknown), 0U) << "what is denied is not counted";
  EXPECT_EQ(count(Capability::kUpload, Truth::kTrue), 0U) << "counted once it is approved";
}

}  // namespace
}  // namespace falconer::kernel
