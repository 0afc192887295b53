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

TEST(PolicyConditionsTest, CombinesConditions) {
  const Policy policy = PolicyOf(R"(
rules:
  - name: r
    when:
      any:
        - all:
            - domain: a.com
            - agent: shopper
        - not: {domain: [a.com, b.com]}
    then: allow
)");
  model::PolicyFacts facts = FactsFor({C::kRead});
  EXPECT_EQ(Outcome(policy, facts), Effect::kAllow);
  facts.agent = "other";
  EXPECT_EQ(Outcome(policy, facts), Effect::kDeny);
  facts.url = "https://b.com/";
  EXPECT_EQ(Outcome(policy, facts), Effect::kDeny);
  facts.url = "https://c.com/";
  EXPECT_EQ(Outcome(policy, facts), Effect::kAllow);
}

TEST(PolicyConditionsTest, AnUnknownAmountNeitherAllowsNorEscapesADenial) {
  const Policy policy = PolicyOf(R"(
defaults: {currency: USD}
rules:
  - {name: small, when: {amount: {lte: 100}}, then: allow}
  - {name: not large, when: {not: {amount: {gt: 500}}}, then: allow}
)");
  EXPECT_EQ(Outcome(policy, Purchase(50)), Effect::kAllow);
  EXPECT_EQ(Outcome(policy, FactsFor({C::kPurchase})), Effect::kDeny);
  EXPECT_EQ(Outcome(policy, Purchase(50, "EUR")), Effect::kDeny) << "no exchange rate is known";
  EXPECT_EQ(Outcome(policy, Purchase(50, "")), Effect::kDeny);

  const Policy denying = PolicyOf(R"(
defaults: {currency: USD}
rules:
  - {name: all, when: always, then: allow}
  - {name: large, when: {amount: {gt: 500}}, then: {deny: too much}}
)");
  EXPECT_EQ(Outcome(denying, Purchase(50)), Effect::kAllow);
  EXPECT_EQ(Outcome(denying, Purchase(501)), Effect::kDeny);
  EXPECT_EQ(Outcome(denying, FactsFor({C::kRead})), Effect::kAllow) << "reading has no amount";
  const PolicyDecision open = denying.Decide(RuleSet::kActions, FactsFor({C::kPurchase}));
  EXPECT_EQ(open.outcome, Effect::kDeny);
  EXPECT_EQ(open.reason, "too much (cannot be ruled out)");
  EXPECT_EQ(open.matched.back().truth, Truth::kUnknown);
}

TEST(PolicyConditionsTest, ComparesAmountsExactly) {
  const Policy policy = PolicyOf(
      "defaults: {currency: USD}\n"
      "rules:\n  - {name: r, when: {amount: {gt: 0.10, lte: 99.99}}, then: allow}\n");
  const auto outcome = [&](std::int64_t value) {
    model::PolicyFacts facts = FactsFor({C::kPurchase});
    facts.amount = {.ten_thousandths = value, .currency = "USD"};
    return Outcome(policy, facts);
  };
  EXPECT_EQ(outcome(1'000), Effect::kDeny);
  EXPECT_EQ(outcome(1'001), Effect::kAllow);
  EXPECT_EQ(outcome(999'900), Effect::kAllow);
  EXPECT_EQ(outcome(999'901), Effect::kDeny);
}

TEST(PolicyConditionsTest, KnowsTheTimeOfDayAlsoBeyondMidnight) {
  const Policy policy = PolicyOf(R"(
rules:
  - name: night shift
    when:
      time: {after: "22:00", before: "06:00", timezone: Europe/Berlin, days: [fri]}
    then: allow
)");
  const auto outcome = [&](std::chrono::sys_days day, int hour, int minute) {
    model::PolicyFacts facts = FactsFor({C::kRead});
    facts.now = day + std::chrono::hours(hour) + std::chrono::minutes(minute);
    return Outcome(policy, facts);
  };
  using namespace std::chrono_literals;
  const std::chrono::sys_days friday = 2026y / 1 / 9;  // winter: UTC+1
  EXPECT_EQ(outcome(friday, 20, 59), Effect::kDeny);
  EXPECT_EQ(outcome(friday, 21, 0), Effect::kAllow);
  EXPECT_EQ(outcome(friday + std::chrono::days(1), 4, 59), Effect::kAllow) << "still Friday's";
  EXPECT_EQ(outcome(friday + std::chrono::days(1), 5, 0), Effect::kDeny);
  EXPECT_EQ(outcome(friday + std::chrono::days(1), 21, 30), Effect::kDeny) << "Saturday's own";
  EXPECT_EQ(outcome(friday, 2, 0), Effect::kDeny) << "Thursday's";
}

TEST(PolicyConditionsTest, LooksAtElementAndRequest) {
  const Policy policy = PolicyOf(R"(
rules:
  - name: buttons
    when:
      element: {role: button, name: {contains: "löschen"}, form_method: post, field: password}
    then: allow
connect:
  - name: small uploads
    when:
      request:
        method: [POST, PUT]
        host: "*.a.com"
        path: {matches: "/api/*"}
        content_type: {matches: "application/json*"}
        body_bytes: {lte: 1KiB}
    then: allow
)");
  model::PolicyFacts facts = FactsFor({C::kInteract});
  EXPECT_EQ(Outcome(policy, facts), Effect::kDeny);
  model::FormFacts form{.method = "post"};
  form.kinds.Add(model::FieldKind::kPassword);
  facts.element = model::ElementFacts{.role = "button", .name = "Konto LÖSCHEN", .form = form};
  EXPECT_EQ(Outcome(policy, facts), Effect::kAllow);
  facts.element->form->kinds = {};
  EXPECT_EQ(Outcome(policy, facts), Effect::kDeny);

  facts.request = model::RequestFacts{.method = "POST",
                                      .url = "https://x.a.com/api/v1?y=/z",
                                      .content_type = "application/json; charset=utf-8",
                                      .body_bytes = 1024};
  EXPECT_EQ(Outcome(policy, facts, RuleSet::kConnect), Effect::kAllow);
  facts.request->body_bytes = 1025;
  EXPECT_EQ(Outcome(policy, facts, RuleSet::kConnect), Effect::kDeny);
  facts.request->body_bytes = 1;
  facts.request->url = "https://a.com.evil.com/api/v1";
  EXPECT_EQ(Outcome(policy, facts, RuleSet::kConnect), Effect::kDeny);
}

TEST(PolicyConditionsTest, ABodyThatCannotBeReadWholeHasNoKnownSize) {
  const Policy policy = PolicyOf(R"(
rules:
  - {name: small, when: {request: {body_bytes: {lte: 1KiB}}}, then: allow}
connect:
  - {name: big, when: {request: {body_bytes: {gt: 1KiB}}}, then: {deny: too big}}
  - {name: all, when: always, then: allow}
)");
  model::PolicyFacts facts = FactsFor({C::kWrite});
  facts.request = model::RequestFacts{.method = "POST", .url = "https://a.com/", .body_bytes = 10};
  EXPECT_EQ(Outcome(policy, facts), Effect::kAllow);
  EXPECT_EQ(Outcome(policy, facts, RuleSet::kConnect), Effect::kAllow);
  facts.request->is_body_whole = false;
  EXPECT_EQ(Outcome(policy, facts), Effect::kDeny);
  EXPECT_EQ(Outcome(policy, facts, RuleSet::kConnect), Effect::kDeny);
}

TEST(PolicyConditionsTest, AnElementInAFrameIsJudgedByThePageAndByTheFrame) {
  const Policy policy = PolicyOf(R"(
rules:
  - {name: shop, when: {domain: [shop.com, pay.com]}, then: allow}
  - {name: inside, when: {domain: pay.com, from_domain: shop.com},
     then: {require_approval: {who: human, message: "at ${domain}"}}}
  - {name: never, when: {domain: ads.com}, then: {deny: not there}}
)");
  const auto decide = [&](std::string frame_url) {
    model::PolicyFacts facts = FactsFor({C::kInteract});
    facts.url = facts.page_url = "https://shop.com/cart";
    facts.element = model::ElementFacts{.role = "button", .frame_url = std::move(frame_url)};
    return policy.Decide(RuleSet::kActions, facts);
  };
  EXPECT_EQ(decide("").outcome, Effect::kAllow);
  EXPECT_EQ(decide("https://shop.com/inner").outcome, Effect::kAllow);
  EXPECT_EQ(decide("https://pay.com/card").outcome, Effect::kRequireApproval);
  EXPECT_EQ(decide("https://pay.com/card").approval->message, "at pay.com");
  EXPECT_EQ(decide("https://ads.com/").rule, "never");
  EXPECT_EQ(decide("https://other.com/").outcome, Effect::kDeny) << "nothing allows it there";
  EXPECT_EQ(decide("null").outcome, Effect::kDeny) << "nobody can tell whose it is";
}

TEST(PolicyConditionsTest, EscapesInPathsHideNothing) {
  const Policy policy = PolicyOf(R"(
rules:
  - {name: all, when: always, then: allow}
  - {name: admin, when: {request: {path: {matches: "/admin*"}}}, then: {deny: not here}}
)");
  const auto outcome = [&](std::string url) {
    model::PolicyFacts facts = FactsFor({C::kRead});
    facts.request = model::RequestFacts{.method = "GET", .url = std::move(url)};
    return Outcome(policy, facts);
  };
  EXPECT_EQ(outcome("https://a.com/admin/x"), Effect::kDeny);
  EXPECT_EQ(outcome("https://a.com/%61dmin"), Effect::kDeny);
  EXPECT_EQ(outcome("https://a.com//admin"), Effect::kDeny);
  EXPECT_EQ(outcome("https://a.com///%61dmin"), Effect::kDeny);
  EXPECT_EQ(outcome("https://a.com/%61%64%6D%69%6e?x"), Effect::kDeny);
  EXPECT_EQ(outcome("https://a.com/x%2Fadmin"), Effect::kAllow);
  EXPECT_EQ(outcome("https://a.com/%6"), Effect::kAllow);
}

TEST(PolicyConditionsTest, AHostThatCannotBeReadIsNotAllowed) {
  const Policy policy = PolicyOf(R"(
rules:
  - {name: all but bad, when: {domain: {not_in: [bad.com]}}, then: allow}
)");
  EXPECT_EQ(Outcome(policy, FactsFor({C::kRead}, "https://good.com/")), Effect::kAllow);
  for (const char* url :
       {"https://a..b/", "https://a%62.com/", "about:blank", "", "javascript:1"}) {
    EXPECT_EQ(Outcome(policy, FactsFor({C::kRead}, url)), Effect::kDeny) << url;
  }
}

}  // namespace
}  // namespace falconer::policy
