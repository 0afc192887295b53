#include "policy/rules/policy.h"

#include <gtest/gtest.h>

#include "tests/support/policy_samples.h"

namespace falconer::policy {
namespace {

using C = model::Capability;
using test::FactsFor;
using test::Outcome;
using test::PolicyOf;

TEST(PolicyTest, DeniesWhatNoRuleAllows) {
  const PolicyDecision decision =
      PolicyOf("rules: []").Decide(RuleSet::kActions, FactsFor({C::kRead}));
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
    const model::PolicyFacts facts = FactsFor({C::kRead});
    EXPECT_EQ(Outcome(PolicyOf(forward), facts), kStrictest[count - 1]);
    const PolicyDecision decision =
        PolicyOf("rules:\n" + backward).Decide(RuleSet::kActions, facts);
    EXPECT_EQ(decision.outcome, kStrictest[count - 1]);
    EXPECT_EQ(decision.matched.size(), count) << "every match is on record";
  }
}

TEST(PolicyTest, JudgesEachNeededCapabilityOnItsOwn) {
  const Policy policy = PolicyOf(
      "rules:\n  - {name: look, when: {capability: [READ, INTERACT]}, then: allow}\n"
      "  - {name: ask, when: {capability: DELETE}, then: {require_approval: manager}}\n");
  EXPECT_EQ(Outcome(policy, FactsFor({C::kInteract})), Effect::kAllow);
  EXPECT_EQ(Outcome(policy, FactsFor({C::kInteract, C::kDelete})), Effect::kRequireApproval);
  const PolicyDecision both =
      policy.Decide(RuleSet::kActions, FactsFor({C::kInteract, C::kPurchase, C::kDelete}));
  EXPECT_EQ(both.outcome, Effect::kDeny) << "nothing allows PURCHASE";
  EXPECT_EQ(both.capability, C::kPurchase);
  EXPECT_FALSE(both.approval);
}

TEST(PolicyTest, NothingNeededIsReading) {
  const Policy policy =
      PolicyOf("rules:\n  - {name: look, when: {capability: READ}, then: allow}\n");
  EXPECT_EQ(Outcome(policy, FactsFor({})), Effect::kAllow);
}

TEST(PolicyTest, SetsThatAreNotMentionedFollowAnother) {
  const Policy policy = PolicyOf(
      "rules:\n  - {name: a, when: {domain: a.com}, then: allow}\n"
      "navigate:\n  - {name: n, when: {domain: n.com}, then: allow}\n"
      "download: []\n");
  const model::PolicyFacts a = FactsFor({C::kRead});
  const model::PolicyFacts n = FactsFor({C::kRead}, "https://n.com/");
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
  const PolicyDecision decision = policy.Decide(RuleSet::kActions, FactsFor({C::kDelete}));
  EXPECT_EQ(decision.outcome, Effect::kAllow);
  EXPECT_EQ(decision.would_be, Effect::kDeny);
  EXPECT_EQ(decision.mode, PolicyMode::kObserve);
  EXPECT_EQ(decision.reason, "no rule allows DELETE on a.com");
}

TEST(PolicyTest, ExplainsEveryConditionWithTheFactItSaw) {
  const Policy policy = PolicyOf(R"(
rules:
  - name: r
    when:
      domain: b.com
      agent: shopper
    then: allow
)");
  const Explanation why = policy.Explain(RuleSet::kActions, FactsFor({C::kRead}));
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

TEST(PolicyTest, ExplainsAmountsAndTimesAsTheyAreWritten) {
  const Policy policy = PolicyOf(R"(
rules:
  - name: r
    when:
      amount: {gt: 99.90, lte: 500, currency: USD}
      time: {after: "09:30", before: "17:05", timezone: UTC}
    then: allow
)");
  const Explanation why = policy.Explain(RuleSet::kActions, FactsFor({C::kRead}));
  const auto& children = why.rules.at(0).when.children;
  ASSERT_EQ(children.size(), 2U);
  EXPECT_EQ(children[0].asked, R"({"amount":{"gt":"99.90","lte":"500","currency":"USD"}})");
  EXPECT_EQ(children[1].asked, R"({"time":{"timezone":"UTC","after":"09:30","before":"17:05"}})");
}

// The index may only leave out rules that do not match.
TEST(PolicyTest, FindsTheSameRulesWithAndWithoutTheIndex) {
  const Policy policy = PolicyOf(R"(
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
        model::PolicyFacts facts = FactsFor({capability}, url);
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
  const Policy policy = PolicyOf("rules:\n  - {name: r, when: always, then: allow}\n");
  const json::object out = policy.Decide(RuleSet::kConnect, FactsFor({C::kRead})).ToJson();
  EXPECT_EQ(out.at("outcome").as_string(), "allow");
  EXPECT_EQ(out.at("set").as_string(), "connect");
  EXPECT_EQ(out.at("used").as_string(), "rules");
  EXPECT_EQ(out.at("rule").as_string(), "r");
  EXPECT_EQ(out.at("matched").at(0).at("rule").as_string(), "r");
  EXPECT_EQ(out.at("policy").at("digest").as_string(), policy.digest());
}

}  // namespace
}  // namespace falconer::policy
