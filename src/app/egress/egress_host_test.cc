#include "app/egress/egress_host.h"

#include <gtest/gtest.h>

#include "app/egress/egress_book.h"
#include "app/egress/policy_egress_rule.h"

namespace falconer::app {
namespace {

policy::DomainRules RulesOf(std::string_view text) {
  const auto rules = policy::DomainRules::Parse(*ParseJson(text));
  EXPECT_TRUE(rules) << Describe(rules.error());
  return rules ? *rules : policy::DomainRules();
}

net::EgressAsk Ask(std::string host, std::uint16_t port = 80) {
  return {.session = SessionId("s1"), .host = std::move(host), .port = port};
}

std::string Decided(const net::EgressVerdict& verdict) {
  return verdict.is_allowed ? "+" : "-" + verdict.reason + " " + verdict.rule;
}

struct AddressRow {
  const char* host;
  const char* address;
  const char* expected;
};

void ExpectRows(PolicyEgressRule& rule, std::span<const AddressRow> rows) {
  for (const AddressRow& row : rows) {
    const auto verdict =
        rule.DecideAddress(Ask(row.host), boost::asio::ip::make_address(row.address));
    EXPECT_EQ(Decided(verdict), row.expected) << row.host << " at " << row.address;
  }
}

TEST(PolicyEgressRuleTest, EveryPublicHostMeansPublicAddressesOnly) {
  PolicyEgressRule rule(RulesOf(R"({"navigate":{"allow":["*"]}})"));
  EXPECT_EQ(Decided(rule.DecideHost(Ask("example.com"))), "+");
  EXPECT_EQ(Decided(rule.DecideHost(Ask("127.0.0.1"))), "-address_not_public ");
  EXPECT_EQ(Decided(rule.DecideHost(Ask("localhost"))), "-address_not_public ");
  constexpr AddressRow kRows[] = {
      {"a.test", "93.184.215.14", "+"},
      {"a.test", "2606:2800:21f:cb07::1", "+"},
      {"a.test", "127.0.0.1", "-address_not_public loopback"},
      {"a.test", "::ffff:127.0.0.1", "-address_not_public loopback"},
      {"a.test", "fd00::1", "-address_not_public private"},
      {"a.test", "fd00:ec2::254", "-address_not_public metadata"},
  };
  ExpectRows(rule, kRows);
}

TEST(PolicyEgressRuleTest, ANameLeadsInsideOnlyWhenThePlaceIsNamedToo) {
  PolicyEgressRule rule(
      RulesOf(R"({"navigate":{"allow":["intranet.test","localhost","app.test","127.0.0.7"]}})"));
  constexpr AddressRow kRows[] = {
      {"intranet.test", "10.0.0.1", "-address_not_public private"},
      {"localhost", "::1", "+"},
      {"app.test", "127.0.0.7", "+"},
      {"app.test", "127.0.0.8", "-address_not_public loopback"},
  };
  ExpectRows(rule, kRows);
}

TEST(PolicyEgressRuleTest, DeniedAddressesAreDeniedBehindEveryName) {
  PolicyEgressRule rule(RulesOf(R"({"navigate":{"allow":["*"],"deny":["93.184.215.14"]}})"));
  constexpr AddressRow kRows[] = {
      {"a.test", "93.184.215.14", "-denied_by_rule 93.184.215.14"},
      {"a.test", "::ffff:93.184.215.14", "-denied_by_rule 93.184.215.14"},
      {"a.test", "93.184.215.15", "+"},
  };
  ExpectRows(rule, kRows);
}

TEST(PolicyEgressRuleTest, RefusalsHaveAnIdOfTheirOwn) {
  PolicyEgressRule rule(RulesOf("{}"));
  const auto first = rule.DecideHost(Ask("a.test"));
  const auto second = rule.DecideHost(Ask("a.test"));
  EXPECT_TRUE(first.id.starts_with("egr_"));
  EXPECT_NE(first.id, second.id);
}

// Has one opinion about everybody, and remembers whom it was asked about.
class OneOpinion final : public browser::EgressJudge {
 public:
  browser::EgressOpinion Judge(const browser::EgressPlace& place) const override {
    asked.push_back(place.method + " " + place.scheme + "://" + place.host + ":" +
                    std::to_string(place.port));
    return {.is_allowed = is_allowed, .rule = "not there", .reason = "policy_denied"};
  }
  bool is_allowed = false;
  mutable std::vector<std::string> asked;
};

TEST(PolicyEgressRuleTest, WhoGovernsTheSessionIsAskedAfterTheRules) {
  PolicyEgressRule rule(RulesOf(R"({"navigate":{"allow":["a.test"]}})"));
  const auto judge = std::make_shared<OneOpinion>();
  rule.Govern(SessionId("s1"), judge);
  rule.Govern(SessionId("s2"), nullptr);
  net::EgressAsk ask = Ask("a.test");
  ask.method = "POST";
  const auto refused = rule.DecideHost(ask);
  EXPECT_EQ(Decided(refused), "-policy_denied not there");
  EXPECT_TRUE(refused.id.starts_with("egr_"));
  EXPECT_EQ(Decided(rule.DecideHost(Ask("b.test"))), "-no_allow_rule ");
  ask = Ask("a.test", 443);
  ask.kind = net::EgressKind::kConnect;
  ask.method = "CONNECT";
  EXPECT_FALSE(rule.DecideHost(ask).is_allowed);
  EXPECT_EQ(judge->asked,
            (std::vector<std::string>{"POST http://a.test:80", " https://a.test:443"}))
      << "what the rules refuse is not asked about";

  ask.session = SessionId("s2");
  EXPECT_TRUE(rule.DecideHost(ask).is_allowed) << "another session";
  judge->is_allowed = true;
  EXPECT_TRUE(rule.DecideHost(Ask("a.test")).is_allowed);
  judge->is_allowed = false;
  rule.Forget(SessionId("s1"));
  EXPECT_TRUE(rule.DecideHost(Ask("a.test")).is_allowed);
}

net::EgressEvent Event(std::uint64_t number, EgressOutcome outcome, std::uint64_t up = 0,
                       std::uint64_t down = 0) {
  net::EgressEvent event{.number = number, .ask = Ask("a.test", 443)};
  event.ask.method = "CONNECT";
  event.bytes_up = up;
  event.bytes_down = down;
  event.outcome = outcome;
  if (outcome == EgressOutcome::kRefused) event.reason = "no_allow_rule";
  return event;
}

using enum EgressOutcome;
const SessionId kSession("s1");

TEST(EgressBookTest, PutsDownWhatHappenedSinceAMark) {
  EgressBook book;
  book.Open(kSession);
  book.OnOpened(Event(1, kOpen));
  book.OnMoved(Event(1, kOpen, 100, 10));
  const auto mark = book.Mark(kSession);
  EXPECT_TRUE(book.Since(kSession, mark).entries.empty());

  book.OnMoved(Event(1, kOpen, 150, 30));
  book.OnEnded(Event(2, kRefused));
  const auto report = book.Since(kSession, mark);
  EXPECT_EQ(report.requests, 1U);
  EXPECT_EQ(report.refused, 1U);
  EXPECT_EQ(report.bytes_up, 50U) << "of a tunnel that was open before";
  EXPECT_EQ(report.bytes_down, 20U);
  ASSERT_EQ(report.entries.size(), 2U);
  EXPECT_EQ(report.entries[0].bytes_up, 150U);
  EXPECT_EQ(report.entries[1].outcome, EgressOutcome::kRefused);
  EXPECT_EQ(report.Trouble("a.test", 443)->number, 2U);
  EXPECT_EQ(report.Trouble("a.test", 80), nullptr);
}

TEST(EgressBookTest, KeepsCountingWhenLinesGo) {
  EgressBook book({.lines = 4, .closed_sessions = 1});
  book.Open(kSession);
  book.OnOpened(Event(1, kOpen));
  for (std::uint64_t number = 2; number <= 20; ++number) book.OnEnded(Event(number, kDone, 1, 2));
  book.OnEnded(Event(1, kDone, 5, 5));
  const auto report = book.Since(kSession, {});
  EXPECT_EQ(report.requests, 20U);
  EXPECT_EQ(report.bytes_up, 19U + 5U);
  EXPECT_EQ(report.bytes_down, 38U + 5U);
  EXPECT_EQ(report.entries.size(), 4U);
  EXPECT_EQ(report.entries.front().number, 1U) << "one that is open stays";
  EXPECT_EQ(report.dropped, 16U);
}

TEST(EgressBookTest, KeepsTheBooksOfAFewSessionsThatAreOver) {
  EgressBook book({.lines = 4, .closed_sessions = 1});
  book.Open(kSession);
  book.OnEnded(Event(1, kDone));
  book.Close(kSession);
  EXPECT_EQ(book.Since(kSession, {}).requests, 1U);
  book.Open(SessionId("s2"));
  book.Close(SessionId("s2"));
  EXPECT_EQ(book.Since(kSession, {}).requests, 0U);
  book.OnEnded(Event(2, kDone));
  EXPECT_EQ(book.Mark(kSession).requests, 0U) << "nobody asks for it any more";
}

Settings SettingsWith(std::vector<std::pair<std::string, std::string>> flags) {
  const auto loaded = LoadSettings({.file = {}, .environment = {}, .flags = std::move(flags)});
  EXPECT_TRUE(loaded) << Describe(loaded.error());
  return loaded ? loaded->values : Settings();
}

TEST(EgressSettingsTest, BuildsTheProxyFromTheSettings) {
  const auto config = EgressConfigFrom(SettingsWith({{"egress.dns", "127.0.0.1:5353 192.0.2.1"},
                                                     {"egress.max_bytes_up", "1MiB"},
                                                     {"egress.resolve", "upstream"},
                                                     {"proxy.server", "http://me:pw@p.test:1"}}));
  ASSERT_TRUE(config) << Describe(config.error());
  EXPECT_EQ(config->name_servers.size(), 2U);
  EXPECT_EQ(config->limits.max_bytes_up, 1U << 20);
  EXPECT_EQ(config->limits.max_bytes_down, 0U);
  ASSERT_TRUE(config->upstream);
  EXPECT_EQ(config->upstream->password, "pw");
  EXPECT_EQ(config->upstream->names, net::UpstreamProxy::Names::kResolvedThere);
}

TEST(EgressSettingsTest, NamesTheSettingThatIsWrong) {
  const std::pair<std::pair<std::string, std::string>, const char*> rows[] = {
      {{"egress.dns", "dns.example"}, "egress.dns: "},
      {{"proxy.server", "socks5://p:1"}, "proxy.server: "},
      {{"egress.resolve", "upstream"}, "egress.resolve: "},
      {{"browser.attach_url", "http://10.0.0.9:9222"}, "browser.attach_url: "},
  };
  for (const auto& [flag, begin] : rows) {
    const auto config = EgressConfigFrom(SettingsWith({flag}));
    ASSERT_FALSE(config) << flag.first;
    EXPECT_EQ(config.error().code(), ErrorCode::kInvalidSetting);
    EXPECT_TRUE(config.error().message().starts_with(begin)) << config.error().message();
  }
  EXPECT_TRUE(EgressConfigFrom(SettingsWith({{"browser.attach_url", "http://localhost:9222"}})));
}

TEST(EgressHostTest, ListensUntilItGoesAndItsDoorOutlivesIt) {
  auto host = EgressHost::Start({}, RulesOf("{}"));
  ASSERT_TRUE(host) << Describe(host.error());
  EXPECT_TRUE((*host)->address().starts_with("http://127.0.0.1:"));
  const auto door = (*host)->door();
  const auto pass = door->Admit(SessionId("s1"));
  EXPECT_EQ(pass.user, "s1");
  EXPECT_GE(pass.password.size(), 64U);
  EXPECT_NE(door->Admit(SessionId("s2")).password, pass.password);
  host->reset();
  door->Dismiss(SessionId("s1"));
  EXPECT_EQ(door->Mark(SessionId("s1")), model::EgressMark());
}

}  // namespace
}  // namespace falconer::app
