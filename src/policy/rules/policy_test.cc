#include "policy/rules/policy.h"

#include <gtest/gtest.h>

#include "policy/rules/message_template.h"

namespace falconer::policy {
namespace {

using C = model::Capability;

Policy Make(std::string_view rules) {
  auto policy = Policy::Parse("policy: {name: p, version: \"1\"}\n" + std::string(rules));
  EXPECT_TRUE(policy) << Describe(policy.error());
  return policy ? *std::move(policy) : Policy::Parse("policy: {name: p, version: \"1\"}").value();
}

model::PolicyFacts Facts(model::CapabilitySet capabilities, std::string url = "https://a.com/") {
  model::PolicyFacts facts;
  facts.tenant = "acme";
  facts.agent = "shopper";
  facts.capabilities = capabilities;
  facts.url = std::move(url);
  return facts;
}

model::PolicyFacts Purchase(std::int64_t units, std::string currency = "USD") {
  model::PolicyFacts facts = Facts({C::kPurchase});
  facts.amount = {.ten_thousandths = units * model::Money::kUnit, .currency = std::move(currency)};
  return facts;
}

Effect Outcome(const Policy& policy, const model::PolicyFacts& facts,
               RuleSet set = RuleSet::kActions) {
  return policy.Decide(set, facts).outcome;
}

TEST(PolicyTest, DeniesWhatNoRuleAllows) {
  const PolicyDecision decision = Make("rules: []").Decide(RuleSet::kActions, Facts({C::kRead}));
  EXPECT_EQ(decision.outcome, Effect::kDeny);
  EXPECT_EQ(decision.rule, "");
  EXPECT_EQ(decision.reason, "no rule allows READ on a.com");
  EXPECT_TRUE(decision.matched.empty());
  EXPECT_EQ(decision.digest.size(), 64U);
}

TEST(PolicyTest, TheStrictestRuleCountsWhateverTheOrder) {
  constexpr std::string_view kRules[] = {
      "  - {name: free, when: always, then: allow}\n",
      "  - {name: bound, when: always, then: {constrain: {time_limit: 5m}}}\n",
      "  - {name: ask, when: always, then: {require_approval: human}}\n",
      "  - {name: never, when: always, then: {deny: because}}\n",
  };
  constexpr Effect kStrictest[] = {Effect::kAllow, Effect::kConstrain, Effect::kRequireApproval,
                                   Effect::kDeny};
  for (std::size_t count = 1; count <= 4; ++count) {
    std::string forward = "rules:\n";
    std::string backward;
    for (std::size_t i = 0; i < count; ++i) {
      forward += kRules[i];
      backward.insert(0, kRules[i]);
    }
    const model::PolicyFacts facts = Facts({C::kRead});
    EXPECT_EQ(Outcome(Make(forward), facts), kStrictest[count - 1]);
    const PolicyDecision decision = Make("rules:\n" + backward).Decide(RuleSet::kActions, facts);
    EXPECT_EQ(decision.outcome, kStrictest[count - 1]);
    EXPECT_EQ(decision.matched.size(), count) << "every match is on record";
  }
}

TEST(PolicyTest, JudgesEachNeededCapabilityOnItsOwn) {
  const Policy policy = Make(
      "rules:\n  - {name: look, when: {capability: [READ, INTERACT]}, then: allow}\n"
      "  - {name: ask, when: {capability: DELETE}, then: {require_approval: manager}}\n");
  EXPECT_EQ(Outcome(policy, Facts({C::kInteract})), Effect::kAllow);
  EXPECT_EQ(Outcome(policy, Facts({C::kInteract, C::kDelete})), Effect::kRequireApproval);
  const PolicyDecision both =
      policy.Decide(RuleSet::kActions, Facts({C::kInteract, C::kPurchase, C::kDelete}));
  EXPECT_EQ(both.outcome, Effect::kDeny) << "nothing allows PURCHASE";
  EXPECT_EQ(both.capability, C::kPurchase);
  EXPECT_FALSE(both.approval);
}

TEST(PolicyTest, NothingNeededIsReading) {
  const Policy policy = Make("rules:\n  - {name: look, when: {capability: READ}, then: allow}\n");
  EXPECT_EQ(Outcome(policy, Facts({})), Effect::kAllow);
}

TEST(PolicyTest, CombinesConditions) {
  const Policy policy = Make(R"(
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
  model::PolicyFacts facts = Facts({C::kRead});
  EXPECT_EQ(Outcome(policy, facts), Effect::kAllow);
  facts.agent = "other";
  EXPECT_EQ(Outcome(policy, facts), Effect::kDeny);
  facts.url = "https://b.com/";
  EXPECT_EQ(Outcome(policy, facts), Effect::kDeny);
  facts.url = "https://c.com/";
  EXPECT_EQ(Outcome(policy, facts), Effect::kAllow);
}

TEST(PolicyTest, AnUnknownAmountNeitherAllowsNorEscapesADenial) {
  const Policy policy = Make(R"(
defaults: {currency: USD}
rules:
  - {name: small, when: {amount: {lte: 100}}, then: allow}
  - {name: not large, when: {not: {amount: {gt: 500}}}, then: allow}
)");
  EXPECT_EQ(Outcome(policy, Purchase(50)), Effect::kAllow);
  EXPECT_EQ(Outcome(policy, Facts({C::kPurchase})), Effect::kDeny);
  EXPECT_EQ(Outcome(policy, Purchase(50, "EUR")), Effect::kDeny) << "no exchange rate is known";
  EXPECT_EQ(Outcome(policy, Purchase(50, "")), Effect::kDeny);

  const Policy denying = Make(R"(
defaults: {currency: USD}
rules:
  - {name: all, when: always, then: allow}
  - {name: large, when: {amount: {gt: 500}}, then: {deny: too much}}
)");
  EXPECT_EQ(Outcome(denying, Purchase(50)), Effect::kAllow);
  EXPECT_EQ(Outcome(denying, Purchase(501)), Effect::kDeny);
  EXPECT_EQ(Outcome(denying, Facts({C::kRead})), Effect::kAllow) << "reading has no amount";
  const PolicyDecision open = denying.Decide(RuleSet::kActions, Facts({C::kPurchase}));
  EXPECT_EQ(open.outcome, Effect::kDeny);
  EXPECT_EQ(open.reason, "too much (cannot be ruled out)");
  EXPECT_EQ(open.matched.back().truth, Truth::kUnknown);
}

TEST(PolicyTest, AnApprovalThatMayNotApplyGrantsNothing) {
  const Policy policy = Make(R"(
defaults: {currency: USD}
rules:
  - {name: ask, when: {amount: {gt: 100}}, then: {require_approval: human}}
)");
  EXPECT_EQ(Outcome(policy, Purchase(200)), Effect::kRequireApproval);
  EXPECT_EQ(Outcome(policy, Facts({C::kPurchase})), Effect::kDeny);
}

TEST(PolicyTest, ComparesAmountsExactly) {
  const Policy policy = Make(
      "defaults: {currency: USD}\n"
      "rules:\n  - {name: r, when: {amount: {gt: 0.10, lte: 99.99}}, then: allow}\n");
  const auto outcome = [&](std::int64_t value) {
    model::PolicyFacts facts = Facts({C::kPurchase});
    facts.amount = {.ten_thousandths = value, .currency = "USD"};
    return Outcome(policy, facts);
  };
  EXPECT_EQ(outcome(1'000), Effect::kDeny);
  EXPECT_EQ(outcome(1'001), Effect::kAllow);
  EXPECT_EQ(outcome(999'900), Effect::kAllow);
  EXPECT_EQ(outcome(999'901), Effect::kDeny);
}

TEST(PolicyTest, KnowsTheTimeOfDayAlsoBeyondMidnight) {
  const Policy policy = Make(R"(
rules:
  - name: night shift
    when:
      time: {after: "22:00", before: "06:00", timezone: Europe/Berlin, days: [fri]}
    then: allow
)");
  const auto outcome = [&](std::chrono::sys_days day, int hour, int minute) {
    model::PolicyFacts facts = Facts({C::kRead});
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

TEST(PolicyTest, LooksAtElementAndRequest) {
  const Policy policy = Make(R"(
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
  model::PolicyFacts facts = Facts({C::kInteract});
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

TEST(PolicyTest, EscapesInPathsHideNothing) {
  const Policy policy = Make(R"(
rules:
  - {name: all, when: always, then: allow}
  - {name: admin, when: {request: {path: {matches: "/admin*"}}}, then: {deny: not here}}
)");
  const auto outcome = [&](std::string url) {
    model::PolicyFacts facts = Facts({C::kRead});
    facts.request = model::RequestFacts{.method = "GET", .url = std::move(url)};
    return Outcome(policy, facts);
  };
  EXPECT_EQ(outcome("https://a.com/admin/x"), Effect::kDeny);
  EXPECT_EQ(outcome("https://a.com/%61dmin"), Effect::kDeny);
  EXPECT_EQ(outcome("https://a.com/%61%64%6D%69%6e?x"), Effect::kDeny);
  EXPECT_EQ(outcome("https://a.com/x%2Fadmin"), Effect::kAllow);
  EXPECT_EQ(outcome("https://a.com/%6"), Effect::kAllow);
}

TEST(PolicyTest, SetsThatAreNotMentionedFollowAnother) {
  const Policy policy = Make(
      "rules:\n  - {name: a, when: {domain: a.com}, then: allow}\n"
      "navigate:\n  - {name: n, when: {domain: n.com}, then: allow}\n"
      "download: []\n");
  const model::PolicyFacts a = Facts({C::kRead});
  const model::PolicyFacts n = Facts({C::kRead}, "https://n.com/");
  struct Row {
    RuleSet set;
    Effect for_a;
    Effect for_n;
    RuleSet used;
  };
  constexpr Row kRows[] = {
      {RuleSet::kActions, Effect::kAllow, Effect::kDeny, RuleSet::kActions},
      {RuleSet::kNavigate, Effect::kDeny, Effect::kAllow, RuleSet::kNavigate},
      {RuleSet::kConnect, Effect::kDeny, Effect::kAllow, RuleSet::kNavigate},
      {RuleSet::kRedirect, Effect::kDeny, Effect::kAllow, RuleSet::kNavigate},
      {RuleSet::kDownload, Effect::kDeny, Effect::kDeny, RuleSet::kDownload},
      {RuleSet::kUpload, Effect::kAllow, Effect::kDeny, RuleSet::kActions},
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(Outcome(policy, a, row.set), row.for_a) << NameIn(kRuleSets, row.set);
    EXPECT_EQ(Outcome(policy, n, row.set), row.for_n) << NameIn(kRuleSets, row.set);
    EXPECT_EQ(policy.Decide(row.set, a).used, row.used);
  }
}

TEST(PolicyTest, ObservingAllowsAndSaysWhatItWouldHaveBeen) {
  const Policy policy =
      Policy::Parse("policy: {name: p, version: \"1\", mode: observe}\nrules: []").value();
  const PolicyDecision decision = policy.Decide(RuleSet::kActions, Facts({C::kDelete}));
  EXPECT_EQ(decision.outcome, Effect::kAllow);
  EXPECT_EQ(decision.would_be, Effect::kDeny);
  EXPECT_EQ(decision.mode, PolicyMode::kObserve);
  EXPECT_EQ(decision.reason, "no rule allows DELETE on a.com");
}

TEST(PolicyTest, OneApprovalSatisfiesAllRulesThatAsk) {
  const Policy policy = Make(R"(
rules:
  - name: first
    when: always
    then: {require_approval: {who: human, count: 2, timeout: 10m, approvers: [ann, bob, eve],
                              message: "${agent}: ${capability} on ${domain} for ${amount}"}}
  - name: second
    when: always
    then: {require_approval: {who: manager, timeout: 5m, approvers: [bob, eve, joe]}}
)");
  const PolicyDecision decision = policy.Decide(RuleSet::kActions, Facts({C::kDelete}));
  ASSERT_EQ(decision.outcome, Effect::kRequireApproval);
  ASSERT_TRUE(decision.approval);
  EXPECT_EQ(decision.approval->who, Approver::kManager);
  EXPECT_EQ(decision.approval->count, 2);
  EXPECT_EQ(decision.approval->timeout, std::chrono::minutes(5));
  EXPECT_EQ(decision.approval->approvers, (std::vector<std::string>{"bob", "eve"}));
  EXPECT_EQ(decision.approval->message, "shopper: DELETE on a.com for unknown");
}

TEST(PolicyTest, DeniesWhenNobodyMayApproveForAll) {
  const Policy policy = Make(R"(
rules:
  - {name: a, when: always, then: {require_approval: {approvers: [ann]}}}
  - {name: b, when: always, then: {require_approval: {approvers: [bob]}}}
)");
  EXPECT_EQ(Outcome(policy, Facts({C::kRead})), Effect::kDeny);
  const Policy counting = Make(R"(
rules:
  - {name: a, when: always, then: {require_approval: {approvers: [ann]}}}
  - {name: b, when: always, then: {require_approval: {count: 2}}}
)");
  EXPECT_EQ(Outcome(counting, Facts({C::kRead})), Effect::kDeny)
      << "one is named, two are asked for";
}

TEST(PolicyTest, TheNarrowerConstraintCountsAndHoldsAtOnce) {
  const Policy policy = Make(R"(
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
  EXPECT_EQ(Outcome(policy, Facts({C::kPurchase})), Effect::kDeny);
  EXPECT_EQ(Outcome(policy, Facts({C::kPii})), Effect::kDeny);
  EXPECT_EQ(Outcome(policy, Facts({C::kRead}, "https://a.org/")), Effect::kDeny);
}

TEST(PolicyTest, SaysWhatIsCountedAndUnderWhichKey) {
  const Policy policy = Make(R"(
rules:
  - {name: r, when: always, then: {allow: true, rate_limit: {max: 3, period: 1h, by: [agent, domain]}}}
)");
  const PolicyDecision decision = policy.Decide(RuleSet::kActions, Facts({C::kRead, C::kInteract}));
  ASSERT_EQ(decision.rate_limits.size(), 1U);
  EXPECT_EQ(decision.rate_limits[0].max, 3);
  EXPECT_EQ(decision.rate_limits[0].period, std::chrono::hours(1));
  EXPECT_EQ(decision.rate_limits[0].key, R"(["r","shopper","a.com"])");
}

TEST(PolicyTest, AuditsAtTheHighestLevelAsked) {
  const Policy policy = Make(R"(
defaults: {audit: low}
rules:
  - {name: a, when: always, then: {allow: true, audit: {level: high, notify: [ops]}}}
  - {name: b, when: always, then: {audit: {level: standard, notify: [sec, ops]}}}
)");
  const PolicyDecision decision = policy.Decide(RuleSet::kActions, Facts({C::kRead}));
  EXPECT_EQ(decision.outcome, Effect::kAllow);
  EXPECT_EQ(decision.audit.level, AuditLevel::kHigh);
  EXPECT_EQ(decision.audit.notify, (std::vector<std::string>{"ops", "sec"}));
}

TEST(PolicyTest, AHostThatCannotBeReadIsNotAllowed) {
  const Policy policy = Make(R"(
rules:
  - {name: all but bad, when: {domain: {not_in: [bad.com]}}, then: allow}
)");
  EXPECT_EQ(Outcome(policy, Facts({C::kRead}, "https://good.com/")), Effect::kAllow);
  for (const char* url :
       {"https://a..b/", "https://a%62.com/", "about:blank", "", "javascript:1"}) {
    EXPECT_EQ(Outcome(policy, Facts({C::kRead}, url)), Effect::kDeny) << url;
  }
}

TEST(PolicyTest, ExplainsEveryConditionWithTheFactItSaw) {
  const Policy policy = Make(R"(
rules:
  - name: r
    when:
      domain: b.com
      agent: shopper
    then: allow
)");
  const Explanation why = policy.Explain(RuleSet::kActions, Facts({C::kRead}));
  ASSERT_EQ(why.rules.size(), 1U);
  const ConditionTrace& when = why.rules[0].when;
  EXPECT_EQ(when.asked, "all");
  EXPECT_EQ(when.truth, Truth::kFalse);
  ASSERT_EQ(when.children.size(), 2U);
  EXPECT_EQ(when.children[0].path, "rules[0].when.domain");
  EXPECT_EQ(when.children[0].saw, "a.com:443");
  EXPECT_EQ(when.children[0].truth, Truth::kFalse);
  EXPECT_EQ(when.children[1].saw, "\"shopper\"");
  EXPECT_EQ(when.children[1].truth, Truth::kTrue);
  EXPECT_EQ(why.decision.outcome, Effect::kDeny);
  EXPECT_FALSE(json::serialize(why.ToJson()).empty());
}

// The index may only leave out rules that do not match.
TEST(PolicyTest, FindsTheSameRulesWithAndWithoutTheIndex) {
  const Policy policy = Make(R"(
rules:
  - {name: r0, when: {domain: a.com}, then: allow}
  - {name: r1, when: {domain: "*.a.com"}, then: allow}
  - {name: r2, when: {domain: ["a.com:8443", b.com]}, then: allow}
  - {name: r3, when: {not: {domain: a.com}}, then: allow}
  - {name: r4, when: {any: [{domain: a.com}, {action: click}]}, then: allow}
  - {name: r5, when: {any: [{domain: a.com}, {domain: x.a.com}], capability: READ}, then: allow}
  - {name: r6, when: {action: {in: [click, type]}, capability: {not_in: [READ]}}, then: allow}
  - {name: r7, when: {domain: {matches: "*.com"}}, then: allow}
  - {name: r8, when: {domain: "*"}, then: allow}
  - {name: r9, when: {not: {action: click}}, then: allow}
  - {name: r10, when: {domain: "127.0.0.1"}, then: allow}
  - {name: r11, when: {domain: ["[::1]:8080", "bücher.example"]}, then: allow}
  - {name: r12, when: {domain: {not_in: [a.com]}}, then: {deny: not here}}
)");
  const char* urls[] = {"https://a.com/",       "https://x.a.com/",
                        "https://a.com:8443/",  "https://b.com/",
                        "http://127.0.0.1:99/", "http://[::1]:8080/",
                        "about:blank",          "https://xn--bcher-kva.example/",
                        "https://a..b/"};
  const std::optional<model::ActionType> actions[] = {std::nullopt, model::ActionType::kClick,
                                                      model::ActionType::kNavigate};
  for (const char* url : urls) {
    for (const auto& action : actions) {
      for (const C capability : {C::kRead, C::kInteract}) {
        model::PolicyFacts facts = Facts({capability}, url);
        facts.action = action;
        const Explanation why = policy.Explain(RuleSet::kActions, facts);
        std::vector<std::string> found;
        std::vector<std::string> expected;
        for (const MatchedRule& match : why.decision.matched) found.push_back(match.name);
        for (const RuleTrace& trace : why.rules) {
          if (trace.when.truth != Truth::kFalse) expected.push_back(trace.rule);
        }
        EXPECT_EQ(found, expected) << url;
      }
    }
  }
}

TEST(PolicyTest, ADecisionAsJsonHasEverythingForTheRecord) {
  const Policy policy = Make("rules:\n  - {name: r, when: always, then: allow}\n");
  const json::object out = policy.Decide(RuleSet::kConnect, Facts({C::kRead})).ToJson();
  EXPECT_EQ(out.at("outcome").as_string(), "allow");
  EXPECT_EQ(out.at("set").as_string(), "connect");
  EXPECT_EQ(out.at("used").as_string(), "rules");
  EXPECT_EQ(out.at("rule").as_string(), "r");
  EXPECT_EQ(out.at("matched").at(0).at("rule").as_string(), "r");
  EXPECT_EQ(out.at("policy").at("digest").as_string(), policy.digest());
}

TEST(MessageTemplateTest, FindsWhatIsNoFact) {
  EXPECT_EQ(UnknownPlaceholder("a ${amount} b"), std::nullopt);
  EXPECT_EQ(UnknownPlaceholder("no $ {here}"), std::nullopt);
  EXPECT_EQ(UnknownPlaceholder("${amount} ${x}"), "${x}");
  EXPECT_EQ(UnknownPlaceholder("${amount"), "${amount");
}

}  // namespace
}  // namespace falconer::policy
