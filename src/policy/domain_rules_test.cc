#include "policy/domain_rules.h"

#include <gtest/gtest.h>

namespace falconer::policy {
namespace {

DomainRules Rules(std::string_view text) {
  const auto rules = DomainRules::Parse(*ParseJson(text));
  EXPECT_TRUE(rules) << Describe(rules.error());
  return rules ? *rules : DomainRules();
}

std::string Decided(const DomainRules& rules, UseKind use, std::string_view url,
                    std::string_view initiator = "") {
  const DomainVerdict verdict = rules.Decide(use, url, initiator);
  return (verdict.allowed ? "+" : "-") + verdict.reason;
}

TEST(DomainRulesTest, NothingIsAllowedWithoutRules) {
  const DomainRules rules;
  EXPECT_EQ(Decided(rules, UseKind::kNavigate, "https://example.com/"), "-nothing_allowed");
  EXPECT_EQ(Decided(rules, UseKind::kNavigate, "about:blank"), "+empty_page");
}

TEST(DomainRulesTest, DecidesByTheLists) {
  const DomainRules rules =
      Rules(R"({"navigate":{"allow":["example.com","*.example.com","api.test:8443"],
                "deny":["bad.example.com"]}})");
  struct Row {
    const char* url;
    const char* expected;
  };
  constexpr Row kRows[] = {
      {"https://example.com/", "+allowed_by_rule"},
      {"HTTPS://EXAMPLE.COM/", "+allowed_by_rule"},
      {"http://www.example.com:8080/x?y#z", "+allowed_by_rule"},
      {"https://bad.example.com/", "-denied_by_rule"},
      {"https://bad.example.com./", "-denied_by_rule"},
      {"https://x.bad.example.com/", "+allowed_by_rule"},
      {"https://other.test/", "-no_allow_rule"},
      {"https://example.com.other.test/", "-no_allow_rule"},
      {"https://example.com@other.test/", "-no_allow_rule"},
      {"https://other.test/?https://example.com/", "-no_allow_rule"},
      {"https://other.test#@example.com/", "-no_allow_rule"},
      {"https://api.test:8443/", "+allowed_by_rule"},
      {"https://api.test/", "-no_allow_rule"},
      {"https://127.0.0.1/", "-address_not_public"},
      {"https://localhost/", "-address_not_public"},
      {"https://intranet/", "-address_not_public"},
      {"ftp://example.com/", "-scheme_not_allowed"},
      {"javascript:alert(1)", "-scheme_not_allowed"},
      {"file:///etc/passwd", "-scheme_not_allowed"},
      {"wss://example.com/", "-scheme_not_allowed"},
      {"data:text/html,x", "-scheme_not_allowed"},
      {"blob:https://example.com/1", "-scheme_not_allowed"},
      {"chrome://version", "-scheme_not_allowed"},
      {"about:config", "-scheme_not_allowed"},
      {"about:srcdoc", "-scheme_not_allowed"},
      {"view-source:https://example.com/", "-scheme_not_allowed"},
      {"example.com", "-scheme_not_allowed"},
      {"//example.com", "-scheme_not_allowed"},
      {"", "-scheme_not_allowed"},
      {" https://example.com/", "-scheme_not_allowed"},
      {"https:example.com", "-invalid_url"},
      {"https:/example.com", "-invalid_url"},
      {"https:///example.com", "-invalid_url"},
      {"https://example.com\\@other.test/", "-invalid_url"},
      {"https://example.com/a\\b", "-invalid_url"},
      {"https://other.test?\\@example.com", "-no_allow_rule"},
      {"https://example.com/?a=\\b#c\\d", "+allowed_by_rule"},
      {"https://exam\tple.com/", "-invalid_url"},
      {"https://example.com:0/", "-invalid_url"},
      {"https://example.com:99999/", "-invalid_url"},
      {"https://example%2ecom/", "-invalid_url"},
      {"https://1.2.3.256/", "-invalid_url"},
      {"https://[::1/", "-invalid_url"},
      {"https://ex ample.com/", "-invalid_url"},
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(Decided(rules, UseKind::kNavigate, row.url), row.expected) << row.url;
  }
}

TEST(DomainRulesTest, AStarMeansEveryPublicHost) {
  const DomainRules rules = Rules(R"({"navigate":{"allow":["*"],"deny":["*.evil.test"]}})");

  EXPECT_EQ(Decided(rules, UseKind::kNavigate, "https://anything.test/"), "+allowed_by_rule");
  EXPECT_EQ(Decided(rules, UseKind::kNavigate, "https://8.8.8.8/"), "+allowed_by_rule");
  EXPECT_EQ(Decided(rules, UseKind::kNavigate, "https://a.evil.test/"), "-denied_by_rule");
  for (const char* host : {"127.0.0.1",
                           "2130706433",
                           "0x7f.1",
                           "017700000001",
                           "localhost",
                           "a.localhost",
                           "10.0.0.1",
                           "169.254.169.254",
                           "[::1]",
                           "[::ffff:127.0.0.1]",
                           "[fd00::1]",
                           "[64:ff9b::7f00:1]",
                           "[2002:7f00:1::]",
                           "metadata.google.internal",
                           "printer.local",
                           "router",
                           "0",
                           "0.0.0.0",
                           "100.64.0.1",
                           "１２７.0.0.1",
                           "127。0。0。1"}) {
    EXPECT_EQ(Decided(rules, UseKind::kNavigate, "http://" + std::string(host) + "/"),
              "-address_not_public")
        << host;
  }
}

TEST(DomainRulesTest, WhatIsNotPublicMustBeNamed) {
  const DomainRules rules =
      Rules(R"({"navigate":{"allow":["127.0.0.1:3000","localhost","*.localhost","db.internal"]}})");

  EXPECT_EQ(Decided(rules, UseKind::kNavigate, "http://127.0.0.1:3000/"), "+allowed_by_rule");
  EXPECT_EQ(Decided(rules, UseKind::kNavigate, "http://127.0.0.1/"), "-address_not_public");
  EXPECT_EQ(Decided(rules, UseKind::kNavigate, "http://127.0.0.2:3000/"), "-address_not_public");
  EXPECT_EQ(Decided(rules, UseKind::kNavigate, "http://localhost:8080/"), "+allowed_by_rule");
  EXPECT_EQ(Decided(rules, UseKind::kNavigate, "http://app.localhost/"), "+allowed_by_rule");
  EXPECT_EQ(Decided(rules, UseKind::kNavigate, "http://db.internal/"), "+allowed_by_rule");
}

TEST(DomainRulesTest, DenyWinsOverEverything) {
  const DomainRules rules = Rules(R"({"navigate":{"allow":["a.test"],"deny":["*"]}})");
  const DomainVerdict verdict = rules.Decide(UseKind::kNavigate, "https://a.test/", "");

  EXPECT_FALSE(verdict.allowed);
  EXPECT_EQ(verdict.rule, "*");
}

TEST(DomainRulesTest, AUseWithoutListsFollowsNavigate) {
  const DomainRules rules = Rules(
      R"({"navigate":{"allow":["a.test"]},"connect":{"allow":["cdn.test"]},"popup":{"allow":[]}})");

  EXPECT_EQ(Decided(rules, UseKind::kFrame, "https://a.test/"), "+allowed_by_rule");
  EXPECT_EQ(Decided(rules, UseKind::kRedirect, "https://cdn.test/"), "-no_allow_rule");
  EXPECT_EQ(Decided(rules, UseKind::kConnect, "https://cdn.test/"), "+allowed_by_rule");
  EXPECT_EQ(Decided(rules, UseKind::kConnect, "wss://cdn.test/"), "+allowed_by_rule");
  EXPECT_EQ(Decided(rules, UseKind::kConnect, "https://a.test/"), "-no_allow_rule");
  EXPECT_EQ(Decided(rules, UseKind::kPopup, "https://a.test/"), "-nothing_allowed");
  EXPECT_EQ(Decided(rules, UseKind::kPopup, "about:blank"), "+empty_page");
}

TEST(DomainRulesTest, InlineContentIsAsGoodAsItsPage) {
  const DomainRules rules = Rules(R"({"navigate":{"allow":["a.test"]}})");

  EXPECT_EQ(Decided(rules, UseKind::kConnect, "data:image/png,x", "https://a.test/p"),
            "+inline_of_allowed_page");
  EXPECT_EQ(Decided(rules, UseKind::kFrame, "data:text/html,x", "https://b.test/"),
            "-initiator_not_allowed");
  EXPECT_EQ(Decided(rules, UseKind::kConnect, "data:image/png,x"), "-initiator_not_allowed");
  EXPECT_EQ(Decided(rules, UseKind::kConnect, "data:image/png,x", "data:text/html,y"),
            "-initiator_not_allowed");
  EXPECT_EQ(Decided(rules, UseKind::kConnect, "blob:https://a.test/1"), "+allowed_by_rule");
  EXPECT_EQ(Decided(rules, UseKind::kConnect, "blob:https://b.test/1"), "-no_allow_rule");
  EXPECT_EQ(Decided(rules, UseKind::kConnect, "blob:null/1"), "-scheme_not_allowed");
  EXPECT_EQ(Decided(rules, UseKind::kConnect, "blob:blob:https://a.test/1"), "-scheme_not_allowed");
  EXPECT_EQ(Decided(rules, UseKind::kFrame, "about:srcdoc"), "+empty_page");
}

TEST(DomainRulesTest, RefusesBadConfiguration) {
  const auto pattern = DomainRules::Parse(*ParseJson(R"({"connect":{"deny":["a..b"]}})"));
  const auto field = DomainRules::Parse(*ParseJson(R"({"navigate":{"allowed":["a.test"]}})"));
  const auto use = DomainRules::Parse(*ParseJson(R"({"visit":{"allow":["a.test"]}})"));

  ASSERT_FALSE(pattern);
  EXPECT_EQ(pattern.error().message(),
            "domains.connect: host pattern \"a..b\": host has an empty label");
  EXPECT_FALSE(field);
  EXPECT_FALSE(use);
}

TEST(DomainRulesTest, AHostIsLetOutWhenAnyUseAllowsIt) {
  const DomainRules rules = Rules(R"({"navigate":{"allow":["shop.test"],"deny":["bad.test"]},
                "connect":{"allow":["cdn.test:443","10.1.2.3"]}})");
  const auto decided = [&](std::string_view host, std::uint16_t port) {
    const DomainVerdict verdict = rules.DecideHost(host, port);
    return (verdict.allowed ? "+" : "-") + verdict.reason;
  };
  EXPECT_EQ(decided("shop.test", 80), "+allowed_by_rule");
  EXPECT_EQ(decided("cdn.test", 443), "+allowed_by_rule");
  EXPECT_EQ(decided("cdn.test", 80), "-no_allow_rule");
  EXPECT_EQ(decided("bad.test", 80), "-denied_by_rule");
  EXPECT_EQ(decided("10.1.2.3", 80), "+allowed_by_rule");
  EXPECT_EQ(decided("10.1.2.4", 80), "-address_not_public");
  EXPECT_EQ(decided("a b", 80), "-invalid_url");
}

TEST(DomainRulesTest, KnowsWhomAnAllowListMeansInPerson) {
  const DomainRules rules =
      Rules(R"({"navigate":{"allow":["*","intranet.test","*.corp.test","*.internal"]},
                "connect":{"allow":["api.test:8443"]}})");
  EXPECT_TRUE(rules.NamesHost("intranet.test", 80));
  EXPECT_TRUE(rules.NamesHost("api.test", 8443));
  EXPECT_FALSE(rules.NamesHost("api.test", 443));
  EXPECT_TRUE(rules.NamesHost("db.internal", 80)) << "the suffix is a private network's";
  EXPECT_FALSE(rules.NamesHost("x.corp.test", 80)) << "whoever runs corp.test chooses the name";
  EXPECT_FALSE(rules.NamesHost("other.test", 80));
}

// No change of one byte in a URL of an allowed host may turn another host into an allowed one.
TEST(DomainRulesTest, NoSingleByteLetsAnotherHostIn) {
  const DomainRules rules = Rules(R"({"navigate":{"allow":["good.test"]}})");
  const std::string url = "https://evil.test/x/good.test";
  for (std::size_t at = 0; at <= url.size(); ++at) {
    for (int byte = 1; byte < 256; ++byte) {
      std::string changed = url;
      changed.insert(at, 1, static_cast<char>(byte));
      EXPECT_FALSE(rules.Decide(UseKind::kNavigate, changed, "").allowed) << changed;
      if (at == url.size()) continue;
      changed = url;
      changed[at] = static_cast<char>(byte);
      EXPECT_FALSE(rules.Decide(UseKind::kNavigate, changed, "").allowed) << changed;
    }
  }
}

TEST(DomainRulesTest, TheContentIsWhatTheRulesAreMadeFromAndTheDigestNamesIt) {
  const DomainRules rules =
      Rules(R"({"navigate":{"allow":["a.test"],"deny":["b.test"]},"frame":{"allow":["c.test"]}})");
  const auto again = DomainRules::Parse(rules.content());
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->digest(), rules.digest());
  EXPECT_EQ(again->content(), rules.content());
  EXPECT_NE(Rules(R"({"navigate":{"allow":["a.test"]}})").digest(), rules.digest());
  EXPECT_EQ(DomainRules().digest(), Rules("{}").digest());
}

}  // namespace
}  // namespace falconer::policy
