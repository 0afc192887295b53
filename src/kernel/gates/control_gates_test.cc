// The gates that ask the token and the policy.

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "kernel/gates/capability_gate.h"
#include "kernel/gates/constraint_gate.h"
#include "kernel/gates/risk_gate.h"
#include "kernel/gates/token_gate.h"
#include "kernel/gates/use_gate.h"
#include "tests/support/co_test.h"
#include "tests/support/gate_tokens.h"

namespace falconer::kernel {
namespace {

using model::Capability;
using model::DecisionKind;

class OnePolicy final : public PolicySource {
 public:
  explicit OnePolicy(std::string yaml) : policy(AdmittedPolicy::Of(std::move(yaml)).value()) {}
  std::shared_ptr<const AdmittedPolicy> PolicyFor(const TenantId&) override { return policy; }
  std::shared_ptr<const AdmittedPolicy> policy;
};

struct ControlBench {
  void Show(const policy::TokenGrant& grant) {
    input.token = test::IssueToken(verifier, key, clock, "acme", "shopper", grant);
  }
  // Through the token gate, as every other gate needs it.
  Task<Verdict> Admit(CallContext ctx) {
    TokenGate gate(tokens);
    co_return co_await gate.Check(std::move(ctx), &input);
  }

  FakeClock clock;
  test::OneKey key;
  test::MemoryTokenRecords records;
  policy::TokenVerifier verifier{{.default_tenant = TenantId("acme")}, key, clock};
  policy::TokenGuard tokens{verifier, records};
  Admission admission;
  GateInput input{.tenant = TenantId("acme"),
                  .agent = "shopper",
                  .action = model::ActionType::kClick,
                  .use = "contract-1",
                  .page_url = "https://shop.test/cart",
                  .admission = &admission};
};

policy::TokenConstraints Only(std::string_view host) {
  return policy::ParseTokenConstraints(json::object{{"domains", json::array{host}}}).value();
}

CO_TEST(TokenGateTest, ATokenInForceIsKeptForTheTurnWithoutItsText) {
  ControlBench bench;
  bench.Show({.capabilities = {Capability::kInteract}});

  const Verdict verdict = co_await bench.Admit(ctx);

  EXPECT_TRUE(verdict.is_admit()) << verdict.reason;
  EXPECT_TRUE(bench.admission.token);
  if (!bench.admission.token) co_return;
  EXPECT_EQ(verdict.facts.at("token").as_string(), bench.admission.token->digest);
  const std::string kept =
      json::serialize(verdict.facts) + json::serialize(bench.admission.token->content);
  EXPECT_EQ(kept.find(bench.input.token.substr(bench.input.token.rfind('.'))), std::string::npos);
}

CO_TEST(TokenGateTest, TokensThatAllowTheSameAreOnRecordOnce) {
  ControlBench bench;
  bench.Show({.capabilities = {Capability::kInteract}});
  co_await bench.Admit(ctx);
  const std::string first = bench.admission.token->digest;
  bench.clock.Advance(std::chrono::seconds(30));
  bench.Show({.capabilities = {Capability::kInteract}});
  co_await bench.Admit(ctx);
  EXPECT_EQ(bench.admission.token->digest, first);
  bench.Show({.capabilities = {Capability::kInteract, Capability::kSubmit}});
  co_await bench.Admit(ctx);
  EXPECT_NE(bench.admission.token->digest, first);
}

CO_TEST(TokenGateTest, EachFaultHasItsOwnCodeAndItsFactsGiveTheVerdictAgain) {
  struct Row {
    void (*change)(ControlBench&);
    ErrorCode code;
    const char* reason;
  };
  const Row rows[] = {
      {[](ControlBench& b) { b.input.token.clear(); }, ErrorCode::kTokenInvalid, "malformed"},
      {[](ControlBench& b) { b.input.token.pop_back(); }, ErrorCode::kTokenInvalid, nullptr},
      {[](ControlBench& b) { b.clock.Advance(std::chrono::hours(1)); }, ErrorCode::kTokenExpired,
       "expired"},
      {[](ControlBench& b) { b.records.revoked = model::Revocation::kAgent; },
       ErrorCode::kTokenRevoked, "agent_revoked"},
      {[](ControlBench& b) { b.records.failure = Fail(ErrorCode::kIoError, "the disk is gone"); },
       ErrorCode::kIoError, "token_unknown"},
  };
  for (const Row& row : rows) {
    ControlBench bench;
    bench.Show({.capabilities = {Capability::kInteract}});
    row.change(bench);
    const Verdict verdict = co_await bench.Admit(ctx);
    EXPECT_EQ(verdict.kind, DecisionKind::kReject);
    EXPECT_TRUE(verdict.error && verdict.error->code() == row.code) << verdict.reason;
    if (row.reason != nullptr) EXPECT_EQ(verdict.reason, row.reason);
    EXPECT_FALSE(bench.admission.token);
    const auto again = TokenFacts::FromJson(verdict.facts);
    EXPECT_TRUE(again);
    if (again) EXPECT_EQ(DecideToken(*again).reason, verdict.reason);
  }
}

CO_TEST(CapabilityGateTest, WhatTheActionNeedsMustBeInTheToken) {
  ControlBench bench;
  bench.Show({.capabilities = {Capability::kRead, Capability::kInteract}});
  co_await bench.Admit(ctx);
  CapabilityGate gate(policy::ProofRule::kNotAsked);
  const Verdict click = co_await gate.Check(ctx, &bench.input);
  EXPECT_TRUE(click.is_admit()) << click.reason;

  bench.input.action = model::ActionType::kUpload;
  const Verdict upload = co_await gate.Check(ctx, &bench.input);

  EXPECT_EQ(upload.error->code(), ErrorCode::kCapabilityMissing);
  const auto facts = CapabilityFacts::FromJson(upload.facts);
  EXPECT_TRUE(facts);
  const auto token =
      AdmittedToken::Parse(bench.admission.token->content, TenantId("acme"), WallTime());
  EXPECT_TRUE(token);
  if (facts && token)
    EXPECT_EQ(DecideCapability(*token, TenantId("acme"), *facts).reason, upload.reason);
}

CO_TEST(CapabilityGateTest, ATokenOfSomebodyElseIsNoHelp) {
  ControlBench bench;
  bench.Show({.capabilities = {Capability::kInteract}});
  co_await bench.Admit(ctx);
  bench.input.agent = "other";
  CapabilityGate gate(policy::ProofRule::kNotAsked);
  const Verdict verdict = co_await gate.Check(ctx, &bench.input);
  EXPECT_EQ(verdict.reason, "wrong_agent");
}

CO_TEST(ConstraintGateTest, WhereItIsAndWhereItGoesMustBothBeInside) {
  ControlBench bench;
  bench.Show({.capabilities = {Capability::kInteract}, .constraints = Only("shop.test")});
  co_await bench.Admit(ctx);
  ConstraintGate gate(bench.clock);
  const Verdict inside = co_await gate.Check(ctx, &bench.input);
  EXPECT_TRUE(inside.is_admit()) << inside.reason;

  bench.input.navigate_url = "https://other.test/";
  const Verdict outside = co_await gate.Check(ctx, &bench.input);

  EXPECT_EQ(outside.error->code(), ErrorCode::kConstraintViolated);
  EXPECT_EQ(outside.reason, "domain_outside");
  const auto facts = ConstraintFacts::FromJson(outside.facts);
  EXPECT_TRUE(facts);
  if (!facts) co_return;
  const auto token = AdmittedToken::Parse(bench.admission.token->content, TenantId("acme"),
                                          WallTime(std::chrono::seconds(facts->issued_s)));
  EXPECT_TRUE(token);
  if (token) EXPECT_EQ(DecideConstraint(*token, *facts).reason, outside.reason);
}

CO_TEST(UseGateTest, WhatMayBeUsedOnceIsUsedByOneContract) {
  ControlBench bench;
  bench.Show({.capabilities = {Capability::kPurchase}});
  co_await bench.Admit(ctx);
  bench.input.action = model::ActionType::kPurchase;
  UseGate gate(bench.tokens);
  const Verdict first = co_await gate.Check(ctx, &bench.input);
  const Verdict same = co_await gate.Check(ctx, &bench.input);
  bench.input.use = "contract-2";
  const Verdict other = co_await gate.Check(ctx, &bench.input);

  EXPECT_TRUE(first.is_admit()) << first.reason;
  EXPECT_TRUE(same.is_admit()) << "the same contract again is the same use";
  EXPECT_EQ(other.error->code(), ErrorCode::kTokenReplayed);
  const auto facts = UseFacts::FromJson(other.facts);
  EXPECT_TRUE(facts);
  if (facts) EXPECT_EQ(DecideUse(*facts).reason, other.reason);
}

constexpr char kShopOnly[] = R"(
policy: {name: shop-only, version: "1"}
navigate:
  - name: shop
    when: {domain: shop.test}
    then: allow
rules:
  - name: no-deletes
    when: {element: {label: {contains: delete}}}
    then: {deny: nothing is deleted}
  - name: never-the-tester
    when: {agent: tester}
    then: {deny: testers only look}
  - name: anything-else
    when: {domain: shop.test}
    then: allow
)";

CO_TEST(RiskGateTest, RefusesWhatNoElementCouldMakeRightAndLeavesTheRestForLater) {
  ControlBench bench;
  OnePolicy source(kShopOnly);
  RiskGate gate(source, bench.clock);

  const Verdict click = co_await gate.Check(ctx, &bench.input);
  EXPECT_EQ(click.reason, "judged_with_its_element") << "the element is not known yet";
  bench.input.agent = "tester";
  const Verdict tester = co_await gate.Check(ctx, &bench.input);
  EXPECT_EQ(tester.error->code(), ErrorCode::kPolicyDenied);
  EXPECT_EQ(TextAt(tester.error->details(), "rule"), "never-the-tester");
  bench.input.action = model::ActionType::kNavigate;
  bench.input.navigate_url = "https://evil.test/";
  const Verdict away = co_await gate.Check(ctx, &bench.input);
  EXPECT_EQ(away.reason, "policy_denied");

  const auto facts = RiskFacts::FromJson(away.facts);
  EXPECT_TRUE(facts);
  const auto policy = AdmittedPolicy::Parse(source.policy->content);
  EXPECT_TRUE(policy);
  if (facts && policy) EXPECT_EQ(DecideRisk(&*policy, *facts).reason, away.reason);
}

CO_TEST(RiskGateTest, OnlyWhatSurelyMeetsAnElementOrTheFocusIsLeftForLater) {
  ControlBench bench;
  OnePolicy source(kShopOnly);
  RiskGate gate(source, bench.clock);
  bench.input.page_url = "https://elsewhere.test/";

  for (const model::ActionType reads :
       {model::ActionType::kExtract, model::ActionType::kScreenshot, model::ActionType::kScroll}) {
    bench.input.action = reads;
    const Verdict verdict = co_await gate.Check(ctx, &bench.input);
    EXPECT_EQ(verdict.reason, "policy_denied") << model::ActionName(reads);
  }
  bench.input.action = model::ActionType::kClick;
  const Verdict click = co_await gate.Check(ctx, &bench.input);
  EXPECT_EQ(click.reason, "judged_with_its_element");
  const json::object dry{{"dry_run", true}};
  bench.input.contract = &dry;
  const Verdict dry_click = co_await gate.Check(ctx, &bench.input);
  EXPECT_EQ(dry_click.reason, "policy_denied");
}

}  // namespace
}  // namespace falconer::kernel
