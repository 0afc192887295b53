// Everything that a policy's rule may say under `then` changes what comes of it, and so does every
// fact about the caller that a rule may ask for.

#include "kernel/gates/admitted.h"
#include "kernel/gates/policy_notice.h"
#include "kernel/gates/rate_gate.h"
#include "kernel/gates/risk_gate.h"
#include "tests/support/captured_log.h"
#include "tests/support/co_test.h"

namespace falconer::kernel {
namespace {

using model::Capability;
using std::chrono::minutes;

policy::Policy RuleThat(std::string_view then, std::string_view when = "always") {
  return policy::Policy::Parse("policy: {name: p, version: \"1\"}\nrules:\n  - {name: r, when: " +
                               std::string(when) + ", then: " + std::string(then) + "}\n")
      .value();
}

// Buying something with a name and an address in it, in a session that is half an hour old.
model::PolicyFacts BuyingFacts() {
  model::PolicyFacts facts{.tenant = "acme", .agent = "tester"};
  facts.capabilities = {Capability::kPurchase, Capability::kPii};
  facts.url = facts.page_url = "https://shop.test/cart";
  facts.amount = model::Money{.ten_thousandths = 50 * model::Money::kUnit, .currency = "USD"};
  facts.now = WallTime(minutes(60));
  facts.began = WallTime(minutes(30));
  return facts;
}

struct ThenRow {
  std::string_view then;
  std::string_view reason;
};

constexpr ThenRow kThenRows[] = {
    {"allow", "policy_allows"},
    {"{deny: never}", "policy_denied"},
    {"{require_approval: {who: human}}", "approval_comes_first"},
    {"{constrain: {max_amount: 50 USD}}", "policy_allows"},
    {"{constrain: {max_amount: 49 USD}}", "policy_denied"},
    {"{constrain: {domains: [shop.test]}}", "policy_allows"},
    {"{constrain: {domains: [other.test]}}", "policy_denied"},
    {"{constrain: {pii_access: true}}", "policy_allows"},
    {"{constrain: {pii_access: false}}", "policy_denied"},
    {"{constrain: {time_limit: 31m}}", "policy_allows"},
    {"{constrain: {time_limit: 30m}}", "policy_denied"},
};

TEST(ThenKeysTest, EachDecisionAndEachConstraintChangesTheVerdict) {
  for (const ThenRow& row : kThenRows) {
    const policy::Policy policy = RuleThat(row.then);
    const RiskFacts facts{.policy = "p", .facts = BuyingFacts()};
    EXPECT_EQ(DecideRisk(&policy, facts).reason, row.reason) << row.then;
  }
}

TEST(ThenKeysTest, ASessionThatBeginsWithItHasAllItsTime) {
  const policy::Policy policy = RuleThat("{constrain: {time_limit: 1m}}");
  RiskFacts facts{.policy = "p", .facts = BuyingFacts()};
  facts.facts.began.reset();
  EXPECT_EQ(DecideRisk(&policy, facts).reason, "policy_allows");
}

TEST(ThenKeysTest, ARateLimitIsCounted) {
  const policy::Policy limited =
      RuleThat("{allow: true, rate_limit: {max: 1, period: 1h, by: [agent]}}");
  const policy::Policy free = RuleThat("allow");
  const auto counted = [](const policy::Policy& policy) {
    return ClaimBefore(policy.Decide(policy::RuleSet::kActions, BuyingFacts()),
                       policy::Truth::kTrue)
        .demands.size();
  };
  EXPECT_EQ(counted(limited), 1U);
  EXPECT_EQ(counted(free), 0U);
}

TEST(ThenKeysTest, TheAuditLevelGoesOnRecordWithTheDenial) {
  const auto audit_of = [](std::string_view then) {
    const policy::Policy policy = RuleThat(then);
    const Verdict verdict = DecideRisk(&policy, {.policy = "p", .facts = BuyingFacts()});
    const json::value* audit = verdict.error->details().if_contains("audit");
    return audit != nullptr ? json::serialize(*audit) : "";
  };
  EXPECT_EQ(audit_of("{deny: never}"), "");
  EXPECT_EQ(audit_of("{deny: never, audit: critical}"), R"({"level":"critical"})");
  EXPECT_EQ(audit_of("{deny: never, audit: {level: high, notify: [sec, ops]}}"),
            R"({"level":"high","notify":["ops","sec"]})");
}

class PolicyInForce final : public PolicySource {
 public:
  explicit PolicyInForce(std::string_view then, std::string_view when = "always")
      : policy_(
            AdmittedPolicy::Of("policy: {name: p, version: \"1\"}\nrules:\n  - {name: r, when: " +
                               std::string(when) + ", then: " + std::string(then) + "}\n")
                .value()) {}
  std::shared_ptr<const AdmittedPolicy> PolicyFor(const TenantId&) override { return policy_; }

 private:
  std::shared_ptr<const AdmittedPolicy> policy_;
};

CO_TEST(ThenKeysTest, WhoIsNamedHearsOfADenial) {
  const test::CapturedLog log;
  const GateInput input{.tenant = TenantId("acme"),
                        .agent = "tester",
                        .action = model::ActionType::kExtract,
                        .page_url = "https://shop.test/"};
  PolicyInForce quiet("{deny: never, audit: high}");
  PolicyInForce loud("{deny: never, audit: {level: high, notify: [security]}}");

  co_await RiskGate(quiet, ctx.clock()).Check(ctx, &input);
  EXPECT_EQ(log.CountOf({"policy.notify"}), 0U);
  co_await RiskGate(loud, ctx.clock()).Check(ctx, &input);

  EXPECT_EQ(log.CountOf({"policy.notify", "security", "\"deny\"", "\"r\"", "shop.test"}), 1U);
}

CO_TEST(ThenKeysTest, TheTierAndTheAgeOfASessionReachThePolicy) {
  policy::VerifiedToken token{.claims = {}, .key_name = "k1", .tenant = TenantId("acme")};
  token.claims.tier = "gold";
  Admission admission;
  admission.token = AdmittedToken::Of(token).value();
  GateInput input{.tenant = TenantId("acme"),
                  .agent = "tester",
                  .action = model::ActionType::kExtract,
                  .page_url = "https://shop.test/",
                  .began = ctx.clock().WallNow() - minutes(5),
                  .admission = &admission};
  PolicyInForce golden("{constrain: {time_limit: 10m}}", "{agent: {tier: gold}}");
  RiskGate gate(golden, ctx.clock());

  const Verdict young = co_await gate.Check(ctx, &input);
  input.began = ctx.clock().WallNow() - minutes(11);
  const Verdict old = co_await gate.Check(ctx, &input);
  token.claims.tier = "iron";
  admission.token = AdmittedToken::Of(token).value();
  input.began.reset();
  const Verdict iron = co_await gate.Check(ctx, &input);

  EXPECT_EQ(young.reason, "policy_allows");
  EXPECT_EQ(old.reason, "policy_denied");
  EXPECT_EQ(iron.reason, "policy_denied");
}

}  // namespace
}  // namespace falconer::kernel
