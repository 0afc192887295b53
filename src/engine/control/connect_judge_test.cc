#include "engine/control/connect_judge.h"

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"

namespace falconer::engine {
namespace {

constexpr char kConnect[] = R"(
policy: {name: p, version: "1"}
rules:
  - {name: anything, when: always, then: allow}
connect:
  - name: ours
    when: {domain: [cdn.test, "v6.test", "[2001:db8::1]"], request: {method: [GET, HEAD]}}
    then: allow
  - name: feeds
    when: {domain: feed.test, request: {path: /allowed}}
    then: allow
  - name: ask about chat
    when: {domain: chat.test}
    then: {require_approval: human}
  - name: never the tester
    when: {domain: cdn.test, agent: tester}
    then: {deny: testers look at pages only}
)";

ControlGrounds GroundsOf(std::string_view yaml, std::string agent = "shopper") {
  ControlGrounds grounds;
  grounds.asker.tenant = TenantId("acme");
  grounds.asker.agent_id = std::move(agent);
  if (!yaml.empty()) grounds.policy = kernel::AdmittedPolicy::Of(std::string(yaml)).value();
  return grounds;
}

std::string Judged(const ConnectJudge& judge, std::string host, std::string method = "",
                   std::uint16_t port = 443) {
  const auto opinion = judge.Judge({.scheme = method.empty() ? "https" : "http",
                                    .host = std::move(host),
                                    .port = port,
                                    .method = std::move(method)});
  return opinion.is_allowed ? "+" : opinion.reason + " " + opinion.rule;
}

TEST(ConnectJudgeTest, AsksTheRulesForConnecting) {
  const FakeClock clock;
  ConnectJudge judge(clock);
  EXPECT_EQ(Judged(judge, "evil.test"), "+") << "nobody governs yet";
  judge.Govern(GroundsOf(kConnect));
  EXPECT_EQ(Judged(judge, "cdn.test"), "+");
  EXPECT_EQ(Judged(judge, "[2001:db8::1]"), "+");
  EXPECT_EQ(Judged(judge, "evil.test"), "policy_denied ");
  EXPECT_EQ(Judged(judge, "chat.test"), "approval_needed ask about chat");
  EXPECT_EQ(Judged(judge, "cdn.test", "GET", 80), "+");
  EXPECT_EQ(Judged(judge, "cdn.test", "POST", 80), "policy_denied ");
  judge.Govern(GroundsOf(kConnect, "tester"));
  EXPECT_EQ(Judged(judge, "cdn.test"), "policy_denied never the tester");
  judge.Govern(GroundsOf(""));
  EXPECT_EQ(Judged(judge, "evil.test"), "+") << "without a policy the domain rules are all";
}

TEST(ConnectJudgeTest, WhatWasJudgedWithAllItsFactsGoesOn) {
  const FakeClock clock;
  ConnectJudge judge(clock);
  judge.Govern(GroundsOf(kConnect));
  EXPECT_EQ(Judged(judge, "feed.test"), "policy_denied ") << "the path is not known here";
  judge.Let("https://FEED.test/allowed");
  EXPECT_EQ(Judged(judge, "feed.test"), "+");
  EXPECT_EQ(Judged(judge, "feed.test", "", 8443), "policy_denied ") << "another port";
  judge.Let("data:text/html,x");
  judge.Let("wss://chat.test:8443/room");
  EXPECT_EQ(Judged(judge, "chat.test", "", 8443), "+");

  judge.Govern(GroundsOf(kConnect, "other"));
  EXPECT_EQ(Judged(judge, "feed.test"), "+") << "the same policy still";
  judge.Govern(GroundsOf(std::string(kConnect) + "# newer\n"));
  EXPECT_EQ(Judged(judge, "feed.test"), "policy_denied ") << "under another it is asked again";
}

TEST(ConnectJudgeTest, WhoOnlyObservesRefusesNothing) {
  const FakeClock clock;
  ConnectJudge judge(clock);
  judge.Govern(GroundsOf("policy: {name: p, version: \"1\", mode: observe}\nconnect: []\n"));
  EXPECT_EQ(Judged(judge, "evil.test"), "+");
}

}  // namespace
}  // namespace falconer::engine
