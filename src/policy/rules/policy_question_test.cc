#include "policy/rules/policy_question.h"

#include <gtest/gtest.h>

namespace falconer::policy {
namespace {

using model::Capability;

TEST(PolicyQuestionTest, AnActionBringsItsCapabilityUnlessOneIsNamed) {
  model::PolicyFacts facts;
  facts.action = model::ActionType::kNavigate;
  EXPECT_TRUE(QuestionAbout(RuleSet::kNavigate, facts, {})
                  .facts.capabilities.Contains(Capability::kNavigate));
  facts.capabilities.Add(Capability::kSubmit);
  const PolicyQuestion named = QuestionAbout(RuleSet::kNavigate, facts, {});
  EXPECT_FALSE(named.facts.capabilities.Contains(Capability::kNavigate));
  EXPECT_FALSE(named.risk) << "nothing is met";
  EXPECT_EQ(named.set, RuleSet::kNavigate);
}

TEST(PolicyQuestionTest, AButtonIsJudgedByItsNameAndAGivenAmountCounts) {
  model::PolicyFacts facts;
  facts.url = "https://shop.test/";
  const PolicyQuestion read =
      QuestionAbout(RuleSet::kActions, facts, {.label = "Buy now for $650.00", .method = ""});
  ASSERT_TRUE(read.risk);
  EXPECT_TRUE(read.facts.capabilities.Contains(Capability::kPurchase));
  ASSERT_TRUE(read.facts.amount);
  EXPECT_EQ(read.facts.amount->ToText(), "650 USD");

  facts.amount = AmountIn("20 EUR");
  const PolicyQuestion given =
      QuestionAbout(RuleSet::kActions, facts, {.label = "Buy now for $650.00", .method = ""});
  EXPECT_EQ(given.facts.amount->ToText(), "20 EUR");
}

TEST(PolicyQuestionTest, ARequestIsJudgedByItsMethod) {
  model::PolicyFacts facts;
  facts.url = "https://shop.test/item/5";
  const PolicyQuestion asked =
      QuestionAbout(RuleSet::kActions, facts, {.label = "", .method = "DELETE"});
  ASSERT_TRUE(asked.facts.request);
  EXPECT_EQ(asked.facts.request->url, facts.url);
  EXPECT_TRUE(asked.facts.capabilities.Contains(Capability::kDelete));
}

TEST(PolicyQuestionTest, AnAmountHasACurrency) {
  EXPECT_EQ(AmountIn("49.90 USD")->ToText(), "49.90 USD");
  for (const std::string_view bad : {"", "5", "-5 USD", "5 usd", "five USD", "5 USD more"})
    EXPECT_FALSE(AmountIn(bad)) << bad;
}

}  // namespace
}  // namespace falconer::policy
