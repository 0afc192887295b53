#include "policy/domain_rules.h"

#include <span>

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

struct LeadRow {
  const char* host;
  const char* address;
  const char* expected;
};

void ExpectLeads(const DomainRules& rules, std::span<const LeadRow> rows) {
  for (const LeadRow& row : rows) {
    const std::string text = row.address;
    const auto address = LiteralAddress(text.contains(':') ? "[" + text + "]" : text);
    ASSERT_TRUE(address && address->has_value()) << text;
    const DomainVerdict verdict = rules.DecideAddress(row.host, 80, **address);
    const std::string decided = verdict.allowed ? "+" : "-" + verdict.reason + " " + verdict.rule;
    EXPECT_EQ(decided, row.expected) << row.host << " at " << text;
  }
}

TEST(DomainRulesTest, APublicNameLeadsInsideOnlyWhenTheRulesNameThePlaceToo) {
  const DomainRules rules = Rules(
      R"({"navigate":{"allow":["intranet.test","app.test","127.0.0.7","*.corp.test","10.8.0.0/16"]},
          "connect":{"allow":["*"]}})");
  constexpr LeadRow kRows[] = {
      {"intranet.test", "93.184.215.14", "+"},
      {"intranet.test", "10.0.0.1", "-address_not_public private"},
      {"intranet.test", "192.168.1.1", "-address_not_public private"},
      {"intranet.test", "100.64.0.1", "-address_not_public carrier_nat"},
      {"intranet.test", "fd00::1", "-address_not_public private"},
      {"intranet.test", "127.0.0.1", "-address_not_public loopback"},
      {"intranet.test", "10.8.0.1", "+"},
      {"intranet.test", "::ffff:10.8.0.1", "+"},
      {"x.corp.test", "10.8.3.4", "+"},
      {"x.corp.test", "10.9.3.4", "-address_not_public private"},
      {"app.test", "127.0.0.7", "+"},
      {"app.test", "127.0.0.8", "-address_not_public loopback"},
      // By "*" nobody is meant.
      {"other.test", "93.184.215.14", "+"},
      {"other.test", "10.8.0.1", "-address_not_public private"},
      {"other.test", "127.0.0.7", "-address_not_public loopback"},
      {"127.0.0.7", "127.0.0.7", "+"},
      {"10.8.0.9", "10.8.0.9", "+"},
  };
  ExpectLeads(rules, kRows);
}

TEST(DomainRulesTest, ANameThatCannotBePublicLeadsToWhereItSaysAndNoFurther) {
  const DomainRules rules =
      Rules(R"({"navigate":{"allow":["localhost","wiki","*.internal","*"]}})");
  constexpr LeadRow kRows[] = {
      {"localhost", "127.0.0.1", "+"},
      {"localhost", "::1", "+"},
      {"localhost", "10.0.0.1", "-address_not_public private"},
      {"wiki", "192.168.1.1", "+"},
      {"wiki", "127.0.0.1", "-address_not_public loopback"},
      {"db.internal", "10.0.0.1", "+"},
      {"db.internal", "100.64.0.1", "+"},
      {"db.internal", "fd00::1", "+"},
      {"other", "10.0.0.1", "-address_not_public "},
      {"a.localhost", "127.0.0.1", "-address_not_public "},
  };
  ExpectLeads(rules, kRows);
}

TEST(DomainRulesTest, NoNameLeadsToAMetadataService) {
  const DomainRules rules = Rules(
      R"({"navigate":{"allow":["shop.test","wiki","*.internal","169.254.0.0/16","100.64.0.0/10","*"]}})");
  for (const char* host : {"shop.test", "wiki", "metadata.google.internal", "other.test"}) {
    for (const char* address :
         {"169.254.169.254", "168.63.129.16", "100.100.100.200", "192.0.0.192", "fd00:ec2::254",
          "fd20:ce::254", "fd00:42::42", "::ffff:169.254.169.254", "64:ff9b::168.63.129.16"}) {
      const LeadRow row[] = {{host, address, "-address_not_public metadata"}};
      ExpectLeads(rules, row);
    }
  }
  const DomainRules named = Rules(R"({"navigate":{"allow":["shop.test","169.254.169.254"]}})");
  constexpr LeadRow kRows[] = {{"169.254.169.254", "169.254.169.254", "+"},
                               {"shop.test", "169.254.169.254", "+"},
                               {"shop.test", "169.254.170.2", "-address_not_public metadata"}};
  ExpectLeads(named, kRows);
}

TEST(DomainRulesTest, ADeniedAddressIsDeniedBehindEveryNameAndInEveryWrapping) {
  const DomainRules rules =
      Rules(R"({"navigate":{"allow":["*","wiki"],"deny":["8.8.8.8","10.0.0.5","1.1.0.0/16"]}})");
  constexpr LeadRow kRows[] = {
      {"a.test", "8.8.8.8", "-denied_by_rule 8.8.8.8"},
      {"a.test", "::ffff:8.8.8.8", "-denied_by_rule 8.8.8.8"},
      {"a.test", "64:ff9b::8.8.8.8", "-denied_by_rule 8.8.8.8"},
      {"a.test", "::ffff:1.1.1.1", "-denied_by_rule 1.1.0.0/16"},
      {"a.test", "2002:808:808::1", "-address_not_public reserved"},
      {"a.test", "2001:0:4136:e378:8000:63bf:f7f7:f7f7", "-address_not_public reserved"},
      {"a.test", "2606:4700::5efe:8.8.8.8", "-address_not_public reserved"},
      {"a.test", "8.8.4.4", "+"},
      {"wiki", "10.0.0.5", "-denied_by_rule 10.0.0.5"},
      {"wiki", "::ffff:10.0.0.5", "-denied_by_rule 10.0.0.5"},
      {"wiki", "2002:a00:5::", "-address_not_public reserved"},
      {"wiki", "10.0.0.6", "+"},
  };
  ExpectLeads(rules, kRows);
  for (const char* url : {"http://8.8.8.8/", "http://[::ffff:8.8.8.8]/",
                          "http://[64:ff9b::808:808]/", "http://[::ffff:1.1.9.9]/"}) {
    EXPECT_EQ(Decided(rules, UseKind::kNavigate, url), "-denied_by_rule") << url;
  }
  EXPECT_EQ(Decided(rules, UseKind::kNavigate, "http://[2002:808:808::1]/"), "-address_not_public");
}

TEST(DomainRulesTest, AnAddressIsDeniedOnlyWhereTheHostIsAllowed) {
  const DomainRules rules = Rules(R"({"navigate":{"allow":["a.test"],"deny":[]},
          "connect":{"allow":["cdn.test"],"deny":["8.8.8.8"]}})");
  constexpr LeadRow kRows[] = {{"a.test", "8.8.8.8", "+"},
                               {"cdn.test", "8.8.8.8", "-denied_by_rule 8.8.8.8"},
                               {"b.test", "8.8.8.8", "-no_allow_rule "}};
  ExpectLeads(rules, kRows);
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
