#pragma once
// Policies and facts for tests of rules, and what comes of them.

#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "policy/rules/policy.h"

namespace falconer::test {

// With this text after its heading.
inline policy::Policy PolicyOf(std::string_view rules) {
  constexpr std::string_view kHeading = "policy: {name: p, version: \"1\"}\n";
  auto parsed = policy::Policy::Parse(std::string(kHeading) + std::string(rules));
  EXPECT_TRUE(parsed) << Describe(parsed.error());
  return parsed ? *std::move(parsed) : policy::Policy::Parse(kHeading).value();
}

inline model::PolicyFacts FactsFor(model::CapabilitySet capabilities,
                                   std::string url = "https://a.com/") {
  model::PolicyFacts facts;
  facts.tenant = "acme";
  facts.agent = "shopper";
  facts.capabilities = capabilities;
  facts.url = std::move(url);
  return facts;
}

inline model::PolicyFacts Purchase(std::int64_t units, std::string currency = "USD") {
  model::PolicyFacts facts = FactsFor({model::Capability::kPurchase});
  facts.amount = {.ten_thousandths = units * model::Money::kUnit, .currency = std::move(currency)};
  return facts;
}

inline policy::Effect Outcome(const policy::Policy& policy, const model::PolicyFacts& facts,
                              policy::RuleSet set = policy::RuleSet::kActions) {
  return policy.Decide(set, facts).outcome;
}

}  // namespace falconer::test
