#include <gtest/gtest.h>

#include "policy/rules/policy.h"
#include "tests/support/policy_samples.h"

namespace falconer::policy {
namespace {

using C = model::Capability;
using test::FactsFor;
using test::Outcome;
using test::PolicyOf;
using test::Purchase;

TEST(PolicyEffectsTest, AnApprovalThatMayNotApplyGrantsNothing) {
  const Policy policy = PolicyOf(R"(
defaults: {currency: USD}
rules:
  - {name: ask, when: {amount: {gt: 100}}, then: {require_approval: human}}
)");
  EXPECT_EQ(Outcome(policy, Purchase(200)), Effect::kRequireApproval);
  EXPECT_EQ(Outcome(policy, FactsFor({C::kPurchase})), Effect::kDeny);
}

TEST(PolicyEffectsTest, LimitsOnHostsHoldForTheFrameToo) {
  const Policy policy = PolicyOf(R"(
rules:
  - {name: shop, when: always, then: {constrain: {domains: [shop.com]}}}
)");
  model::PolicyFacts facts = FactsFor({C::kInteract});
  facts.url = facts.page_url = "https://shop.com/cart";
  facts.element = model::ElementFacts{.role = "button", .frame_url = "https://shop.com/inner"};
  EXPECT_EQ(Outcome(policy, facts), Effect::kConstrain);
  facts.element->frame_url = "https://pay.com/";
  EXPECT_EQ(Outcome(policy, facts), Effect::kDeny);
}

TEST(PolicyEffectsTest, OneApprovalSatisfiesAllRulesThatAsk) {
  const Policy policy = PolicyOf(R"(
rules:
  - name: first
    when: always
    then: {require_approval: {who: human, count: 2, timeout: 10m, approvers: [ann, bob, eve],
                              message: "${agent}: ${capability} on ${domain} for ${amount}"}}
  - name: second
    when: always
    then: {require_approval: {who: manager, timeout: 5m, approvers: [bob, eve, joe]}}
)");
  const PolicyDecision decision = policy.Decide(RuleSet::kActions, FactsFor({C::kDelete}));
  ASSERT_EQ(decision.outcome, Effect::kRequireApproval);
  ASSERT_TRUE(decision.approval);
  EXPECT_EQ(decision.approval->who, model::ApproverRank::kManager);
  EXPECT_EQ(decision.approval->count, 2);
  EXPECT_EQ(decision.approval->timeout, std::chrono::minutes(5));
  EXPECT_EQ(decision.approval->approvers, (std::vector<std::string>{"bob", "eve"}));
  EXPECT_EQ(decision.approval->message, "shopper: DELETE on a.com for unknown");
}

TEST(PolicyEffectsTest, DeniesWhenNobodyMayApproveForAll) {
  const Policy policy = PolicyOf(R"(
rules:
  - {name: a, when: always, then: {require_approval: {approvers: [ann]}}}
  - {name: b, when: always, then: {require_approval: {approvers: [bob]}}}
)");
  EXPECT_EQ(Outcome(policy, FactsFor({C::kRead})), Effect::kDeny);
  const Policy counting = PolicyOf(R"(
rules:
  - {name: a, when: always, then: {require_approval: {approvers: [ann]}}}
  - {name: b, when: always, then: {require_approval: {count: 2}}}
)");
  EXPECT_EQ(Outcome(counting, FactsFor({C::kRead})), Effect::kDeny)
      << "one is named, two are asked for";
}

TEST(PolicyEffectsTest, TheNarrowerConstraintCountsAndHoldsAtOnce) {
  const Policy policy = PolicyOf(R"(
rules:
  - name: wide
    when: always
    then: {constrain: {max_amount: 100 USD, time_limit: 10m, domains: ["*.com"]}}
  - name: narrow
    when: always
    then: {constrain: {max_amount: 50 USD, pii_access: false, time_limit: 20m}}
)");
  const PolicyDecision decision = policy.Decide(RuleSet::kActions, Purchase(50));
  ASSERT_EQ(decision.outcome, Effect::kConstrain) << decision.reason;
  ASSERT_EQ(decision.constraints.max_amounts.size(), 1U);
  EXPECT_EQ(decision.constraints.max_amounts[0].ToText(), "50 USD");
  EXPECT_EQ(decision.constraints.time_limit, std::chrono::minutes(10));
  EXPECT_FALSE(decision.constraints.pii_access);
  EXPECT_EQ(Outcome(policy, Purchase(51)), Effect::kDeny);
  EXPECT_EQ(Outcome(policy, Purchase(1, "EUR")), Effect::kDeny);
  EXPECT_EQ(Outcome(policy, FactsFor({C::kPurchase})), Effect::kDeny);
  EXPECT_EQ(Outcome(policy, FactsFor({C::kPii})), Effect::kDeny);
  EXPECT_EQ(Outcome(policy, FactsFor({C::kRead}, "https://a.org/")), Effect::kDeny);
}

TEST(PolicyEffectsTest, SaysWhatIsCountedAndUnderWhichKey) {
  const Policy policy = PolicyOf(R"(
rules:
  - {name: r, when: always, then: {allow: true, rate_limit: {max: 3, period: 1h, by: [agent, domain]}}}
)");
  const PolicyDecision decision =
      policy.Decide(RuleSet::kActions, FactsFor({C::kRead, C::kInteract}));
  ASSERT_EQ(decision.rate_limits.size(), 1U);
  EXPECT_EQ(decision.rate_limits[0].max, 3);
  EXPECT_EQ(decision.rate_limits[0].period, std::chrono::hours(1));
  EXPECT_EQ(decision.rate_limits[0].key, R"(["r","shopper","a.com"])");
}

TEST(PolicyEffectsTest, ALimitIsAsCertainAsItsRule) {
  const Policy policy = PolicyOf(R"(
rules:
  - {name: all, when: always, then: allow}
  - name: cheap
    when: {any: [{capability: READ}, {amount: {lte: 100, currency: USD}}]}
    then: {rate_limit: {max: 3, period: 1h}}
)");
  const auto truth = [&](model::CapabilitySet needs) {
    const PolicyDecision decision = policy.Decide(RuleSet::kActions, FactsFor(needs));
    return decision.rate_limits.empty() ? Truth::kFalse : decision.rate_limits[0].truth;
  };
  EXPECT_EQ(truth({C::kInteract}), Truth::kFalse);
  EXPECT_EQ(truth({C::kPurchase}), Truth::kUnknown) << "the amount is not known";
  EXPECT_EQ(truth({C::kPurchase, C::kRead}), Truth::kTrue) << "the most certain counts";
}

TEST(PolicyEffectsTest, AuditsAtTheHighestLevelAsked) {
  const Policy policy = PolicyOf(R"(
defaults: {audit: low}
rules:
  - {name: a, when: always, then: {allow: true, audit: {level: high, notify: [ops]}}}
  - {name: b, when: always, then: {audit: {level: standard, notify: [sec, ops]}}}
)");
  const PolicyDecision decision = policy.Decide(RuleSet::kActions, FactsFor({C::kRead}));
  EXPECT_EQ(decision.outcome, Effect::kAllow);
  EXPECT_EQ(decision.audit.level, AuditLevel::kHigh);
  EXPECT_EQ(decision.audit.notify, (std::vector<std::string>{"ops", "sec"}));
}

}  // namespace
}  // namespace falconer::policy
