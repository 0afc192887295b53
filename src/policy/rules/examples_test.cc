// The policies in docs/policies do what they say.

#include <filesystem>

#include <gtest/gtest.h>

#include "base/file.h"
#include "policy/rules/policy.h"

namespace falconer::policy {
namespace {

using C = model::Capability;

Policy Example(std::string_view name) {
  const auto folder = std::filesystem::path(__FILE__).parent_path() / "../../../docs/policies";
  auto policy = Policy::Load(folder / name);
  EXPECT_TRUE(policy) << Describe(policy.error());
  return policy ? *std::move(policy) : Policy::Parse("policy: {name: p, version: \"1\"}").value();
}

model::PolicyFacts ExampleFacts(model::CapabilitySet needs, std::string_view host) {
  model::PolicyFacts facts;
  facts.agent = "shopper";
  facts.capabilities = needs;
  facts.url = "https://" + std::string(host) + "/x";
  return facts;
}

std::string DecidedBy(const Policy& policy, const model::PolicyFacts& facts,
                      RuleSet set = RuleSet::kActions) {
  return std::string(NameIn(kEffects, policy.Decide(set, facts).outcome));
}

std::string GuidePage() {
  const auto page = std::filesystem::path(__FILE__).parent_path() / "../../../docs/policy.md";
  return ReadFile(page).value_or("");
}

TEST(PolicyGuideTest, ItsExampleIsValid) {
  const std::string page = GuidePage();
  const std::size_t begin = page.find("```yaml\n") + 8;
  const auto policy = Policy::Parse(page.substr(begin, page.find("```", begin) - begin));
  ASSERT_TRUE(policy) << Describe(policy.error());
  EXPECT_EQ(policy->document().name, "small-team");
}

TEST(PolicyGuideTest, NamesEveryFactFieldAndSet) {
  const std::string page = GuidePage();
  const auto expect_named = [&](std::string_view name) {
    EXPECT_TRUE(page.contains(name)) << name;
  };
  for (const TextFactRow& row : AllTextFacts()) expect_named(row.key);
  for (const auto& row : model::kFieldKinds) expect_named(row.name);
  for (const auto& row : kRuleSets) expect_named(row.name);
  for (const auto& row : model::kApproverRanks) expect_named(row.name);
  for (const auto& row : kRateKeys) expect_named(row.name);
  for (const auto& row : kAuditLevels) expect_named(row.name);
  for (const auto& row : model::kRiskLevels) expect_named(row.name);
}

TEST(ExamplePolicyTest, WhatHasNoHostIsAtNoListedShop) {
  const Policy policy = Example("purchase-limit.yaml");
  model::PolicyFacts facts = ExampleFacts({C::kPurchase}, "amazon.com");
  facts.amount = {.ten_thousandths = 50'000, .currency = "USD"};
  EXPECT_EQ(DecidedBy(policy, facts), "allow");
  for (const char* url : {"data:text/html,x", "about:blank", ""}) {
    facts.url = url;
    EXPECT_EQ(DecidedBy(policy, facts), "deny") << url;
  }
}

TEST(ExamplePolicyTest, PurchaseLimitGoesByAmount) {
  const Policy policy = Example("purchase-limit.yaml");
  struct Row {
    const char* host;
    const char* amount;  // "" when not known
    const char* currency;
    const char* expected;
  };
  constexpr Row kRows[] = {
      {"amazon.com", "99.99", "USD", "allow"},
      {"www.amazon.com", "100", "USD", "allow"},
      {"www.amazon.com", "100.01", "USD", "require_approval"},
      {"ebay.com", "500", "USD", "require_approval"},
      {"ebay.com", "500.01", "USD", "deny"},
      {"ebay.com", "50", "EUR", "deny"},
      {"ebay.com", "", "", "require_approval"},
      {"shop.evil.example", "5", "USD", "deny"},
      {"amazon.com.evil.example", "5", "USD", "deny"},
      {"shop.evil.example", "", "", "deny"},
  };
  for (const Row& row : kRows) {
    model::PolicyFacts facts = ExampleFacts({C::kInteract, C::kPurchase}, row.host);
    const auto value = model::ParseTenThousandths(row.amount);
    if (value) facts.amount = {.ten_thousandths = *value, .currency = row.currency};
    EXPECT_EQ(DecidedBy(policy, facts), row.expected) << row.host << " " << row.amount;
  }
  model::PolicyFacts asking = ExampleFacts({C::kPurchase}, "ebay.com");
  asking.amount = {.ten_thousandths = 2'500'000, .currency = "USD"};
  const PolicyDecision decision = policy.Decide(RuleSet::kActions, asking);
  ASSERT_TRUE(decision.approval);
  EXPECT_EQ(decision.approval->timeout, std::chrono::seconds(600));
  EXPECT_EQ(decision.approval->message, "shopper wants to buy for 250 USD at ebay.com");
  EXPECT_EQ(DecidedBy(policy, ExampleFacts({C::kNavigate}, "anywhere.example")), "allow");
  EXPECT_EQ(DecidedBy(policy, ExampleFacts({C::kDelete}, "amazon.com")), "deny");
}

TEST(ExamplePolicyTest, MailCanOnlyBeRead) {
  const Policy policy = Example("mail-read-only.yaml");
  EXPECT_EQ(DecidedBy(policy, ExampleFacts({C::kRead}, "mail.google.com")), "allow");
  EXPECT_EQ(DecidedBy(policy, ExampleFacts({C::kInteract}, "mail.google.com")), "allow");
  for (const C needed : {C::kSubmit, C::kDelete, C::kUpload, C::kPurchase, C::kExport, C::kScript,
                         C::kWrite, C::kDownload}) {
    EXPECT_EQ(DecidedBy(policy, ExampleFacts({C::kInteract, needed}, "mail.google.com")), "deny")
        << model::CapabilityName(needed);
  }
  model::PolicyFacts search = ExampleFacts({C::kWrite}, "mail.google.com");
  search.action = model::ActionType::kFill;
  search.element = model::ElementFacts{.role = "searchbox", .name = "Search mail"};
  EXPECT_EQ(DecidedBy(policy, search), "allow");
  search.element->name = "Message body";
  EXPECT_EQ(DecidedBy(policy, search), "deny");
  model::PolicyFacts risky = ExampleFacts({C::kInteract}, "mail.google.com");
  risky.risk = model::RiskLevel::kHigh;
  EXPECT_EQ(DecidedBy(policy, risky), "deny");
  EXPECT_EQ(DecidedBy(policy, ExampleFacts({C::kRead}, "example.com")), "deny");
  EXPECT_EQ(DecidedBy(policy, ExampleFacts({C::kRead}, "ssl.gstatic.com"), RuleSet::kConnect),
            "allow");
  EXPECT_EQ(DecidedBy(policy, ExampleFacts({C::kRead}, "tracker.example"), RuleSet::kConnect),
            "deny");
  EXPECT_EQ(DecidedBy(policy, ExampleFacts({C::kDownload}, "mail.google.com"), RuleSet::kDownload),
            "deny");
  EXPECT_EQ(DecidedBy(policy, ExampleFacts({C::kUpload}, "mail.google.com"), RuleSet::kUpload),
            "deny");
}

TEST(ExamplePolicyTest, AllowlistKeepsToItsHosts) {
  const Policy policy = Example("domain-allowlist.yaml");
  EXPECT_EQ(DecidedBy(policy, ExampleFacts({C::kSubmit}, "example.com")), "allow");
  EXPECT_EQ(DecidedBy(policy, ExampleFacts({C::kSubmit}, "docs.example.org")), "allow");
  EXPECT_EQ(DecidedBy(policy, ExampleFacts({C::kRead}, "example.org")), "deny");
  EXPECT_EQ(DecidedBy(policy, ExampleFacts({C::kRead}, "example.com.evil.net")), "deny");
  EXPECT_EQ(DecidedBy(policy, ExampleFacts({C::kPurchase}, "example.com")), "deny");
  EXPECT_EQ(DecidedBy(policy, ExampleFacts({C::kDelete}, "www.example.com")), "require_approval");
  EXPECT_EQ(DecidedBy(policy, ExampleFacts({C::kRead}, "staging.example.com")), "deny");
  model::PolicyFacts tester = ExampleFacts({C::kRead}, "staging.example.com");
  tester.agent = "test-7";
  EXPECT_EQ(DecidedBy(policy, tester), "allow");
  EXPECT_EQ(DecidedBy(policy, ExampleFacts({}, "a.example-cdn.net"), RuleSet::kConnect), "allow");
  EXPECT_EQ(DecidedBy(policy, ExampleFacts({}, "a.example-cdn.net"), RuleSet::kRedirect), "deny");
  EXPECT_EQ(DecidedBy(policy, ExampleFacts({}, "a.example-cdn.net"), RuleSet::kNavigate), "deny");
}

TEST(ExamplePolicyTest, WorkIsDoneInWorkingHours) {
  using namespace std::chrono_literals;
  const Policy policy = Example("working-hours.yaml");
  struct Row {
    std::chrono::sys_days day;
    std::chrono::minutes utc;
    const char* expected;
  };
  const std::chrono::sys_days monday = 2026y / 7 / 6;  // summer: UTC+2
  const Row rows[] = {
      {monday, 6h + 59min, "deny"},
      {monday, 7h, "constrain"},
      {monday, 14h + 59min, "constrain"},
      {monday, 15h, "require_approval"},
      {monday, 19h + 59min, "require_approval"},
      {monday, 20h, "deny"},
      {monday + std::chrono::days(5), 10h, "deny"},
      {2026y / 1 / 5, 7h + 30min, "deny"},  // winter: half past eight
      {2026y / 1 / 5, 8h, "constrain"},
  };
  for (const Row& row : rows) {
    model::PolicyFacts facts = ExampleFacts({C::kSubmit}, "a.com");
    facts.now = row.day + row.utc;
    EXPECT_EQ(DecidedBy(policy, facts), row.expected) << row.utc.count();
    facts.capabilities = {C::kRead};
    EXPECT_EQ(DecidedBy(policy, facts), "allow") << "reading is always allowed";
  }
}

}  // namespace
}  // namespace falconer::policy
