#include "engine/domain_request_rule.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace falconer::engine {
namespace {

using browser::RequestUse;
using browser::SocketRule;
using Effect = SocketRule::Effect;

std::shared_ptr<DomainRequestRule> Rule(std::vector<std::string> allow,
                                        std::vector<std::string> deny = {},
                                        std::vector<std::string> connect = {}) {
  const auto config = DomainConfigFrom(std::move(allow), std::move(deny), std::move(connect));
  return std::make_shared<DomainRequestRule>(policy::DomainRules::Create(config).value(), config);
}

bool Allows(const std::shared_ptr<DomainRequestRule>& rule, RequestUse use, std::string url) {
  return rule->Decide({.use = use, .url = std::move(url)}).is_allowed();
}

TEST(DomainRequestRuleTest, EveryUseIsDecidedByTheRules) {
  const auto rule = Rule({"example.com"});
  for (const auto& [use, name] : browser::kRequestUses) {
    EXPECT_TRUE(Allows(rule, use, "https://example.com/x")) << name;
    EXPECT_FALSE(Allows(rule, use, "https://evil.test/x")) << name;
  }
}

TEST(DomainRequestRuleTest, ConnectionsMayHaveListsOfTheirOwnAndDenyHoldsForThemToo) {
  const auto rule = Rule({"example.com"}, {"bad.cdn.test"}, {"*.cdn.test"});
  EXPECT_TRUE(Allows(rule, RequestUse::kSubresource, "https://a.cdn.test/x.js"));
  EXPECT_FALSE(Allows(rule, RequestUse::kSubresource, "https://bad.cdn.test/x.js"));
  EXPECT_FALSE(Allows(rule, RequestUse::kNavigation, "https://a.cdn.test/"));
  EXPECT_FALSE(Allows(rule, RequestUse::kSubresource, "https://example.com/x.js"));
}

TEST(DomainRequestRuleTest, AVerdictNamesRuleAndReason) {
  const auto rule = Rule({"*"}, {"evil.test"});
  const auto verdict =
      rule->Decide({.use = RequestUse::kFrame, .url = "https://evil.test/frame.html"});
  EXPECT_EQ(verdict.rule, "evil.test");
  EXPECT_EQ(verdict.reason, "denied_by_rule");
}

TEST(DomainRequestRuleTest, ABlankPageIsAlwaysFine) {
  const auto rule = Rule({});
  EXPECT_TRUE(Allows(rule, RequestUse::kNavigation, "about:blank"));
  EXPECT_TRUE(Allows(rule, RequestUse::kPopup, "about:blank"));
  EXPECT_FALSE(Allows(rule, RequestUse::kNavigation, "data:text/html,x"));
}

TEST(DomainRequestRuleTest, SocketsAreDeniedFirstAndAllowedByPattern) {
  const auto rules = Rule({"*.example.com", "api.test:8443"}, {"bad.example.com"})->SocketRules();
  const std::vector<SocketRule> expected = {
      {"ws://bad.example.com:*/*", Effect::kRefuse}, {"wss://bad.example.com:*/*", Effect::kRefuse},
      {"ws://*.example.com:*/*", Effect::kAllow},    {"wss://*.example.com:*/*", Effect::kAllow},
      {"ws://api.test:8443/*", Effect::kAllow},      {"wss://api.test:8443/*", Effect::kAllow},
  };
  EXPECT_EQ(rules, expected);
}

TEST(DomainRequestRuleTest, EverythingPublicLeavesOutPrivateAddressesUnlessNamed) {
  const auto rules = Rule({"*", "127.0.0.1"})->SocketRules();
  const auto place = [&](std::string_view pattern) {
    return std::ranges::find(rules, pattern, &SocketRule::url_pattern) - rules.begin();
  };
  EXPECT_LT(place("ws://127.0.0.1:*/*"), place("ws://localhost:*/*"));
  EXPECT_LT(place("ws://localhost:*/*"), place("ws://*.*t:*/*"));
  EXPECT_EQ(place("ws://*:*/*"), std::ssize(rules));
}

TEST(DomainRequestRuleTest, EveryNameThatIsNeverPublicIsLeftOutOfEverythingPublic) {
  for (const auto& everything : {Rule({"*"}), Rule({"*:443"})}) {
    const auto rules = everything->SocketRules();
    const auto first = std::ranges::find(rules, Effect::kAllow, &SocketRule::effect);
    for (const policy::PrivateName& name : policy::kPrivateNames) {
      for (const std::string& host : {std::string(name.suffix), "*." + std::string(name.suffix)}) {
        const auto found =
            std::ranges::find(rules, "wss://" + host + ":*/*", &SocketRule::url_pattern);
        EXPECT_LT(found, first) << host;
      }
    }
    // A name without a dot is one of the network that we happen to be in.
    for (const SocketRule& rule : std::ranges::subrange(first, rules.end())) {
      EXPECT_TRUE(rule.url_pattern.contains("://*.*")) << rule.url_pattern;
    }
  }
}

TEST(DomainRequestRuleTest, SocketsFollowTheListOfConnections) {
  const auto rules = Rule({"*"}, {}, {"xn--bcher-kva.example", "[::1]:80"})->SocketRules();
  EXPECT_EQ(rules.size(), 4U);
  EXPECT_EQ(rules.front().url_pattern, "ws://xn--bcher-kva.example:*/*");
  EXPECT_EQ(rules.back().url_pattern, "wss://[::1]:80/*");
}

TEST(DomainRequestRuleTest, DenyingOneLongAddressDeniesThemAllForSockets) {
  const auto rules = Rule({"*"}, {"[2001:db8::1]:80"})->SocketRules();
  EXPECT_EQ(rules.front(), (SocketRule{"ws://[*]:*/*", Effect::kRefuse}));
}

TEST(DomainRequestRuleTest, DenyingANetworkDeniesEveryAddressOfItsKindForSockets) {
  const auto denied = [](const char* pattern, const std::string& url_pattern) {
    const auto rules = Rule({"*"}, {pattern})->SocketRules();
    return std::ranges::find(rules, SocketRule{url_pattern, Effect::kRefuse}) != rules.end();
  };
  EXPECT_TRUE(denied("10.0.0.0/8", "ws://*1:*/*"));
  EXPECT_FALSE(denied("10.0.0.0/8", "ws://[*]:*/*"));
  EXPECT_TRUE(denied("[fd00::]/8", "ws://[*]:*/*"));
  EXPECT_FALSE(denied("[fd00::]/8", "ws://*1:*/*"));
  EXPECT_TRUE(denied("[::ffff:8.8.8.8]", "ws://8.8.8.8:*/*"));
  EXPECT_TRUE(Rule({"10.0.0.0/8"})->SocketRules().empty()) << "no pattern says which they are";
}

}  // namespace
}  // namespace falconer::engine
